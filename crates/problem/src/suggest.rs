//! "Did you mean …".

use crate::constants::{MAX_FOUND_CHARS, MAX_LISTED};

/// Help that names the closest candidate, or else all of them if there are few.
pub(crate) fn did_you_mean<'a>(
    found: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    noun: &str,
) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let found: String = found.to_lowercase().replace('_', "-");
    let found: String = found.chars().take(64).collect();
    // A word of one or two letters is close to everything.
    let max_distance = found.chars().count() / 3;
    let distance = |word: &str| strsim::osa_distance(&found, &word.to_lowercase());
    let near = candidates.iter().map(|word| (distance(word), *word)).min();
    match near {
        Some((distance, near)) if distance <= max_distance => format!("did you mean `{near}`?"),
        Some(_) if candidates.len() <= MAX_LISTED => {
            format!("known {noun}s: `{}`", candidates.join("`, `"))
        }
        _ => String::new(),
    }
}

/// A message, with help, about a name that is not among the known ones.
pub(crate) fn unknown<'a>(
    noun: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> String {
    let help = did_you_mean(name, known, noun);
    format!("there is no {noun} {}\n{help}", quoted(name))
}

/// A found text in backticks, truncated if it is long or has several lines.
pub(crate) fn quoted(found: &str) -> String {
    let line = found.lines().next().unwrap_or_default();
    let short: String = line.chars().take(MAX_FOUND_CHARS).collect();
    let more = if short.len() < found.len() { "…" } else { "" };
    format!("`{short}{more}`")
}
