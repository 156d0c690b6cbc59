//! "Did you mean …".

/// The candidate that is nearest to what was found, if any is near.
pub(crate) fn closest<'a>(
    found: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let found: String = found
        .to_lowercase()
        .replace('_', "-")
        .chars()
        .take(64)
        .collect();
    let first = found.chars().next().map_or(0, char::len_utf8);
    let most = (found.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| {
            (
                strsim::osa_distance(&found, &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|&(distance, _)| distance <= most)
        // Of two letters with one wrong, the first at least must be right.
        .filter(|(_, near)| found.len() > 2 || near.to_lowercase().starts_with(&found[..first]))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Help that names the nearest candidate, or else all of them.
pub(crate) fn did_you_mean(found: &str, candidates: &[&str], noun: &str) -> Option<String> {
    if let Some(candidate) = closest(found, candidates.iter().copied()) {
        return Some(format!("did you mean `{candidate}`?"));
    }
    match candidates {
        [] => None,
        [only] => Some(format!("the only known {noun} is `{only}`")),
        _ => Some(format!("known {noun}s: {}", ticked(candidates))),
    }
}

/// The words in backticks, with commas between.
pub(crate) fn ticked<T: AsRef<str>>(words: &[T]) -> String {
    let ticked: Vec<String> = words
        .iter()
        .map(|word| format!("`{}`", word.as_ref()))
        .collect();
    ticked.join(", ")
}

/// What was found, in backticks, cut when it is long or has several lines.
pub(crate) fn quoted(found: &str) -> String {
    const MAX_CHARS: usize = 60;
    let line = found.lines().next().unwrap_or_default();
    let end = line
        .char_indices()
        .nth(MAX_CHARS)
        .map_or(line.len(), |(end, _)| end);
    let more = if end < found.len() { "…" } else { "" };
    format!("`{}{more}`", &line[..end])
}
