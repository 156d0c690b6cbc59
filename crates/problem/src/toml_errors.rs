//! Translates the messages of `serde` and `toml` for people who edit problem files: places, advice, and TOML's type
//! names.

use grader_model::Excerpt;

use crate::constants::MAX_FOUND_BYTES;
use crate::diagnostic::Log;
use crate::suggest::{did_you_mean, quoted};

/// Reports an error of `toml` at its place.
pub(crate) fn report(error: &toml::de::Error, log: &mut Log) {
    let span = error.span().unwrap_or(0..0);
    let before = log.file.text.get(..span.start).unwrap_or_default();
    let message = if span.is_empty() && before.trim_end_matches([' ', '\t']).ends_with('=') {
        "a value must follow `=`".to_owned()
    } else {
        in_our_words(error.message())
    };
    // The place of a missing top-level key would be the whole file.
    if span.len() == log.file.text.len() && message.starts_with("missing key") {
        return log.report(&(0..0), &format!("{message} at the top of the file"));
    }
    // A message that begins with a part of a string points at that part.
    match message.split('`').collect::<Vec<_>>()[..] {
        ["", part, ..] if part.len() > 1 => log.report_part(&span, part, &message),
        _ => log.report(&span, &message),
    }
}

/// A message of `serde` in TOML's terms.
fn in_our_words(message: &str) -> String {
    let mut names = message.split('`').skip(1).step_by(2);
    let found = names.next().unwrap_or_default();
    if message.starts_with("unknown field ") {
        let help = did_you_mean(found, names, "key");
        return format!("unknown key {}\n{help}", quoted(found));
    }
    if message.starts_with("unknown variant ") {
        let help = did_you_mean(found, names, "word");
        return format!("{} is not known here\n{help}", quoted(found));
    }
    if message.starts_with("missing field ") {
        return format!("missing key `{found}`");
    }
    if message.starts_with("wanted exactly 1 element") {
        return "expected exactly one checker\nwrite it as a table of its own, such as `[checker.tokens]`".to_owned();
    }
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        return message.to_owned();
    };
    let found = match found {
        "invalid type: sequence" => "invalid type: array",
        "invalid type: map" => "invalid type: table",
        other => other.trim_end_matches(" as i128"),
    };
    let found = Excerpt::first(found.as_bytes(), MAX_FOUND_BYTES);
    let expected = match expected {
        "a sequence" => "an array",
        "a map" => "a table",
        "a boolean" => "true or false",
        "f64" => "a number",
        "u64" => "a whole number that is not negative",
        "a TOML datetime" => "a date and a time without quotes, such as 2026-11-20T23:59:00",
        name if name.starts_with("struct ") => "a table",
        other => other,
    };
    format!("{found}, expected {expected}")
}
