//! Parses a file into its type.

use std::io::ErrorKind;

use grader_model::escaped;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::constants::FORMAT;
use crate::diagnostic::{Diagnostic, FileText, Loaded, Log};
use crate::library::{Library, explain};
use crate::toml_errors::report;
use crate::value::At;

/// The format version, which determines all other keys.
#[derive(Deserialize)]
struct Header {
    format: At<i64>,
}

/// Reads and parses a file, up to the first mistake. The log is for mistakes that validation finds.
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
        Ok(_) => match toml::from_str(&text) {
            Ok(value) => return Ok((log, value)),
            Err(error) => match toml::from_str(&text) {
                // A different format version explains all other mistakes.
                Ok(Header { format }) if *format != FORMAT => {
                    let message = format!("this grader reads format {FORMAT}, found {}", *format);
                    log.report(&format.span, &message);
                }
                _ => report(&error, &mut log),
            },
        },
    }
    Err(log.mistakes)
}
