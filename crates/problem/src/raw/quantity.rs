//! Times and sizes.

use std::time::Duration;

use grader_model::{Bytes, CpuTime, ParseQuantityError, parse_duration};
use serde_json::{Value, json};

use crate::diagnostic::{Code, Log};
use crate::reader::{Node, Read};
use crate::suggest::quoted;

/// A time with its unit, from a millisecond to a day.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time(pub(crate) Duration);

const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

impl Read for Time {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let text = node.string("a time with its unit, such as \"2 s\"", log)?;
        match parse_duration(text) {
            Ok(time) if (SHORTEST..=LONGEST).contains(&time) => Some(Self(time)),
            Ok(time) => {
                log.report(
                    &node.span,
                    Code::BadValue,
                    format!(
                        "`{}` must be between 1 ms and 24 hours, found {}",
                        node.place,
                        CpuTime(time)
                    ),
                );
                None
            }
            Err(error) => {
                unreadable(node, text, &error, "\"2 s\" or \"500 ms\"", log);
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": r"^\s*[0-9][0-9._]*\s*(us|µs|ms|s|min)\s*$" })
    }
}

/// A size with its unit; its range depends on the key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size(pub(crate) Bytes);

impl Read for Size {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let text = node.string("a size with its unit, such as \"64 KiB\"", log)?;
        match text.parse() {
            Ok(size) => Some(Self(size)),
            Err(error) => {
                unreadable(node, text, &error, "\"64 KiB\" or \"256 MiB\"", log);
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": r"^\s*[0-9][0-9._]*\s*(B|KiB|MiB|GiB|kB|MB|GB)\s*$" })
    }
}

fn unreadable(
    node: &Node<'_>,
    text: &str,
    error: &ParseQuantityError,
    example: &str,
    log: &mut Log,
) {
    let code = match error {
        ParseQuantityError::NoUnit { .. } | ParseQuantityError::Unit { .. } => Code::BadUnit,
        ParseQuantityError::Number(_) | ParseQuantityError::TooLarge => Code::BadValue,
    };
    log.report_with(
        &node.span,
        code,
        format!("`{}` cannot be {}: {error}", node.place, quoted(text)),
        format!("write it like {example}"),
    );
}
