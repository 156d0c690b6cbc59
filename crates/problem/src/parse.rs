//! From the text of a file to its type; the words of `serde` and `toml` become ours.

use std::ops::Range;
use std::sync::Arc;

use grader_model::escaped;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::diagnostic::{Diagnostic, FileText, Log};
use crate::library::{Library, LibraryError};
use crate::suggest::{did_you_mean, quoted};
use crate::value::At;

/// The version of the format that this grader reads.
const FORMAT: i64 = 1;

/// Reads a file that must be text.
pub(crate) fn open(library: &dyn Library, path: &str) -> Result<(Log, Vec<u8>), Diagnostic> {
    let shown = escaped(library.describe(path).as_bytes());
    let file = |text: &str| {
        Arc::new(FileText {
            path: shown.clone(),
            text: text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
        })
    };
    let bytes = library.read(path).map_err(|error| {
        let message = match error {
            LibraryError::NotFound => "the file is missing".to_owned(),
            error => error.to_string(),
        };
        Diagnostic::new(&file(""), None, &message)
    })?;
    let error = match std::str::from_utf8(&bytes) {
        Ok(text) => return Ok((Log::new(file(text)), bytes)),
        Err(error) => error,
    };
    let lossy = String::from_utf8_lossy(&bytes);
    let file = file(&lossy);
    // Up to the first wrong byte the lossy text is the file, but for a byte order mark.
    let at = error.valid_up_to() - (lossy.len() - file.text.len());
    let span = at..at + '\u{fffd}'.len_utf8();
    let message = "the file must be UTF-8\nsave it with the encoding UTF-8 in your editor";
    Err(Diagnostic::new(&file, Some(span), message))
}

/// The version of the format, which decides what else a file may say.
#[derive(Deserialize)]
struct Header {
    format: At<i64>,
}

/// Parses the file. Stops at the first mistake, and reports it.
pub(crate) fn parse<T: DeserializeOwned>(log: &mut Log) -> Option<T> {
    let file = Arc::clone(&log.file);
    if let Ok(Header { format }) = toml::from_str(&file.text)
        && format.value != FORMAT
    {
        let message = format!("this grader reads format {FORMAT}, found {}", format.value);
        log.report(&format.span, &message);
        return None;
    }
    let error = match toml::from_str(&file.text) {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    let span = error.span().unwrap_or(0..0);
    let message = if lacks_value(&file.text, &span) {
        "a value must follow `=`, found the end of the line".to_owned()
    } else {
        explain(error.message())
    };
    // The place of a key that is missing at the top would be the whole file.
    if span.len() == file.text.len() && message.starts_with("missing key") {
        log.report(&(0..0), &format!("{message} at the top of the file"));
        return None;
    }
    // A message that begins with a part of a string points at that part.
    let part = message
        .strip_prefix('`')
        .and_then(|rest| rest.split('`').next())
        .filter(|part| part.len() > 1);
    let span = part.map_or(span.clone(), |part| log.find(&span, part));
    log.report(&span, &message);
    None
}

fn lacks_value(text: &str, span: &Range<usize>) -> bool {
    let Some((before, after)) = text.split_at_checked(span.start) else {
        return false;
    };
    before.trim_end_matches([' ', '\t']).ends_with('=')
        && (after.is_empty() || after.starts_with(['\n', '\r', '#']))
}

/// A message of `serde` in the words of TOML.
fn explain(message: &str) -> String {
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let unknown = |what: String, noun: &str| match names.split_first() {
        Some((found, known)) => {
            format!("{what}\n{}", did_you_mean(found, known, noun))
        }
        None => message.to_owned(),
    };
    let found = names.first().copied().unwrap_or_default();
    if message.starts_with("unknown field ") {
        return unknown(format!("unknown key {}", quoted(found)), "key");
    }
    if message.starts_with("unknown variant ") {
        return unknown(format!("{} is not known here", quoted(found)), "word");
    }
    if message.starts_with("missing field ") {
        return format!("missing key `{found}`");
    }
    if message.starts_with("wanted exactly 1 element") {
        return "expected exactly one checker\nwrite it as a table of its own, such as `[checker.tokens]`".to_owned();
    }
    let rest = message
        .strip_prefix("invalid type: ")
        .or_else(|| message.strip_prefix("invalid value: "))
        .or_else(|| {
            message
                .strip_prefix("invalid ")
                .filter(|rest| rest.starts_with("length "))
        });
    let Some((value, expected)) = rest.and_then(|rest| rest.rsplit_once(", expected ")) else {
        return message.to_owned();
    };
    let found = match value.split(' ').next() {
        Some("string") => "a string".to_owned(),
        Some("sequence") => "an array".to_owned(),
        Some("map") => "a table".to_owned(),
        Some("length") => format!("an array of {value}"),
        // Any other value comes in backticks.
        _ => quoted(found),
    };
    let expected = match expected {
        "a sequence" => "an array",
        "a map" => "a table",
        "a boolean" => "true or false",
        "a tuple of size 2" => "a pair of a ratio and a percentage such as [1.5, 100]",
        expected if expected.starts_with("struct ") => "a table",
        expected => expected,
    };
    format!("expected {expected}, found {found}")
}
