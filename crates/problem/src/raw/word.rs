//! Names, titles and other short texts.

use std::ops::Range;

use serde_json::{Value, json};

use crate::diagnostic::{Code, Log};
use crate::reader::{Key, Node, Read, table};
use crate::suggest::quoted;

/// Largest length of a name, in characters.
const LONGEST_NAME: usize = 100;

/// Any string.
impl Read for String {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        node.string("a string", log).map(str::to_owned)
    }

    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

impl Read for bool {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        if let toml::de::DeValue::Boolean(value) = node.value {
            return Some(*value);
        }
        node.wrong_type("true or false", log);
        None
    }

    fn schema() -> Value {
        json!({ "type": "boolean" })
    }
}

fn bad_name(node: &Node<'_>, found: &str, expected: &str, log: &mut Log) {
    log.report(
        &node.span,
        Code::BadName,
        format!(
            "`{}` must be {expected}, found {}",
            node.place,
            quoted(found)
        ),
    );
}

/// The id of an assignment or problem.
#[derive(Clone, Debug)]
pub(crate) struct Id(pub(crate) String);

impl Read for Id {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let text = node.string("a string", log)?;
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if (1..=LONGEST_NAME).contains(&text.len()) && text.chars().all(fits) {
            return Some(Self(text.to_owned()));
        }
        bad_name(node, text, "made of `a-z`, `0-9` and `-`", log);
        None
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^[a-z0-9-]+$", "maxLength": LONGEST_NAME })
    }
}

/// The name of a subtask or a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name(pub(crate) String);

impl Read for Name {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let text = node.string("a string", log)?;
        let fits = |c: char| !c.is_control() && c != '/' && c != '\\';
        if (1..=LONGEST_NAME).contains(&text.chars().count())
            && text.chars().all(fits)
            && text.trim() == text
        {
            return Some(Self(text.to_owned()));
        }
        bad_name(
            node,
            text,
            "1 to 100 characters without `/`, without blanks at its ends",
            log,
        );
        None
    }

    fn schema() -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": LONGEST_NAME, "pattern": r"^[^/\\]+$" })
    }
}

/// The name of a file in the run folder.
#[derive(Clone, Debug)]
pub(crate) struct FileName(pub(crate) String);

impl Read for FileName {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let text = node.string("a string", log)?;
        let fits = |c: char| !c.is_control() && !matches!(c, '/' | '\\' | ':');
        if (1..=LONGEST_NAME).contains(&text.chars().count())
            && text.chars().all(fits)
            && !matches!(text, "." | "..")
        {
            return Some(Self(text.to_owned()));
        }
        bad_name(node, text, "the name of a file, without a folder", log);
        None
    }

    fn schema() -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": LONGEST_NAME, "pattern": r"^[^/\\:]+$" })
    }
}

/// A text that is not blank.
#[derive(Clone, Debug)]
pub(crate) struct Prose(pub(crate) String);

impl Read for Prose {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let text = node.string("a string", log)?.trim();
        if !text.is_empty() {
            return Some(Self(text.to_owned()));
        }
        log.report(
            &node.span,
            Code::Empty,
            format!("`{}` must not be blank", node.place),
        );
        None
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": r"\S" })
    }
}

table! {
    /// A title in both languages.
    RawTitle: UnknownKey {
        /// Chinese.
        required zh: Prose,
        /// English.
        required en: Prose,
    }
}

/// The name of a case variable.
#[derive(Clone, Debug)]
pub(crate) struct VariableName(pub(crate) String);

impl VariableName {
    /// Whether the text can be the name of a variable.
    pub(crate) fn fits(text: &str) -> bool {
        text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.len() <= LONGEST_NAME
            && text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
    }
}

impl Key for VariableName {
    fn read(text: &str, span: &Range<usize>, log: &mut Log) -> Option<Self> {
        if Self::fits(text) {
            return Some(Self(text.to_owned()));
        }
        log.report(
            span,
            Code::BadName,
            format!(
                "a variable must be a letter followed by letters, digits, `-` and `_`, found {}",
                quoted(text)
            ),
        );
        None
    }

    fn object(values: Value) -> Value {
        json!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z][A-Za-z0-9_-]*$" },
            "additionalProperties": values,
        })
    }
}

/// Any key.
impl Key for String {
    fn read(text: &str, _span: &Range<usize>, _log: &mut Log) -> Option<Self> {
        Some(text.to_owned())
    }

    fn object(values: Value) -> Value {
        json!({ "type": "object", "additionalProperties": values })
    }
}
