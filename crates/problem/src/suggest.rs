//! "Did you mean …".

use std::collections::BTreeMap;

/// The candidate that is nearest to what was found, if any is near.
fn closest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found: String = found
        .to_lowercase()
        .replace('_', "-")
        .chars()
        .take(64)
        .collect();
    let first = found.chars().next().map_or(0, char::len_utf8);
    let max_distance = (found.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| {
            (
                strsim::osa_distance(&found, &candidate.to_lowercase()),
                candidate,
            )
        })
        .filter(|&(distance, _)| distance <= max_distance)
        // Of two letters with one wrong, the first at least must be right.
        .filter(|(_, near)| found.len() > 2 || near.to_lowercase().starts_with(&found[..first]))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Help that names the nearest candidate, or else all of them.
pub(crate) fn did_you_mean(found: &str, candidates: &[&str], noun: &str) -> String {
    match (closest(found, candidates.iter().copied()), candidates) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => String::new(),
        (None, [only]) => format!("the only known {noun} is `{only}`"),
        (None, _) => format!("known {noun}s: {}", ticked(candidates)),
    }
}

/// Help that names the nearest candidate, if any is near.
pub(crate) fn nearest<'a>(found: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let near = closest(found, candidates);
    near.map_or_else(String::new, |near| format!("did you mean `{near}`?"))
}

/// Help for a variable that a case does not have.
pub(crate) fn variables_of(case: &BTreeMap<String, String>, wanted: &str, if_none: &str) -> String {
    let names: Vec<&str> = case.keys().map(String::as_str).collect();
    match closest(wanted, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => if_none.to_owned(),
        None => format!("variables of the case: {}", ticked(&names)),
    }
}

/// The words in backticks, with commas between.
fn ticked(words: &[&str]) -> String {
    let ticked: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
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
