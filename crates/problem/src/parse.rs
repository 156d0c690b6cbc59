//! From the text of a file to its type; the words of `serde` and `toml` become ours.

use std::io::ErrorKind;

use grader_model::escaped;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::diagnostic::{Diagnostic, FileText, Loaded, Log};
use crate::library::{Library, explain};
use crate::suggest::{did_you_mean, quoted};
use crate::value::At;

/// The version of the format that this grader reads.
const FORMAT: i64 = 1;

/// The version of the format, which decides what else a file may hold.
#[derive(Deserialize)]
struct Header {
    format: At<i64>,
}

/// Reads and parses a file, and gives a log for the mistakes that its type cannot see. Stops at the first mistake.
pub(crate) fn parse<T: DeserializeOwned>(library: &dyn Library, path: &str) -> Loaded<(Log, T)> {
    let bytes = library.read(path);
    let text = String::from_utf8_lossy(bytes.as_deref().unwrap_or_default());
    let mut log = Log::new(FileText {
        path: escaped(library.describe(path).as_bytes()),
        text: text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned(),
    });
    let text = log.file.text.clone();
    match bytes {
        Err(error) => {
            let message = match error.kind() {
                ErrorKind::NotFound => "the file is missing".to_owned(),
                _ => explain(&error),
            };
            log.mistakes
                .push(Diagnostic::new(&log.file, None, &message));
        }
        Ok(bytes) if std::str::from_utf8(&bytes).is_err() => {
            let message = "the file must be UTF-8\nsave it with the encoding UTF-8 in your editor";
            log.report_part(&(0..text.len()), "\u{fffd}", message);
        }
        Ok(_) => match (toml::from_str(&text), toml::from_str(&text)) {
            (Ok(Header { format }), _) if *format != FORMAT => {
                let message = format!("this grader reads format {FORMAT}, found {}", *format);
                log.report(&format.span, &message);
            }
            (_, Ok(value)) => return Ok((log, value)),
            (_, Err(error)) => report(&error, &mut log),
        },
    }
    Err(log.mistakes)
}

fn report(error: &toml::de::Error, log: &mut Log) {
    let span = error.span().unwrap_or(0..0);
    let before = log.file.text.get(..span.start).unwrap_or_default();
    let message = if span.is_empty() && before.trim_end_matches([' ', '\t']).ends_with('=') {
        "a value must follow `=`".to_owned()
    } else {
        in_our_words(error.message())
    };
    // The place of a key that is missing at the top would be the whole file.
    if span.len() == log.file.text.len() && message.starts_with("missing key") {
        return log.report(&(0..0), &format!("{message} at the top of the file"));
    }
    // A message that begins with a part of a string points at that part.
    match message.split('`').collect::<Vec<_>>()[..] {
        ["", part, ..] if part.len() > 1 => log.report_part(&span, part, &message),
        _ => log.report(&span, &message),
    }
}

/// A message of `serde` in the words of TOML.
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
    let parts = message.strip_prefix("invalid ").and_then(|rest| {
        let (value, expected) = rest.rsplit_once(", expected ")?;
        let (kind, value) = value.split_once(' ')?;
        Some((kind, value.split(' ').next()?, expected))
    });
    let (found, expected) = match parts {
        Some(("length", length, expected)) => (format!("an array of length {length}"), expected),
        Some(("type:" | "value:", value, expected)) => match value {
            "string" => ("a string".to_owned(), expected),
            "sequence" => ("an array".to_owned(), expected),
            "map" => ("a table".to_owned(), expected),
            // Any other value comes in backticks.
            _ => (quoted(found), expected),
        },
        _ => return message.to_owned(),
    };
    let expected = match expected {
        "a sequence" => "an array",
        "a map" => "a table",
        "a boolean" => "true or false",
        "f64" => "a number",
        "i64" | "u32" | "u64" => "a whole number, not too large or below 0",
        "a tuple of size 2" => "a pair of a ratio and a percentage such as [1.5, 100]",
        expected if expected.starts_with("struct ") => "a table",
        expected => expected,
    };
    format!("expected {expected}, found {found}")
}
