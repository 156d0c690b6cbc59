//! Case variables: their values, and the templates that they fill.

use std::collections::BTreeMap;

use schemars::json_schema;

use crate::suggest::quoted;
use crate::value::{is_variable, value};

/// Values that a variable takes, one after the other: `"4..=10, 20"`, `8`, `[1, "3..=5"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Values(Vec<(i64, i64)>);

impl Values {
    /// Number of values.
    pub(crate) fn count(&self) -> u128 {
        let ranges = self.0.iter();
        ranges
            .map(|&(first, last)| u128::from(last.abs_diff(first)) + 1)
            .sum()
    }

    /// The values in order. Ask for [`Values::count`] first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = i64> + '_ {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }
}

impl TryFrom<i64> for Values {
    type Error = String;

    fn try_from(value: i64) -> Result<Self, String> {
        Ok(Self(vec![(value, value)]))
    }
}

impl TryFrom<&str> for Values {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        text.split(',')
            .map(range)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl TryFrom<Vec<Self>> for Values {
    type Error = &'static str;

    fn try_from(parts: Vec<Self>) -> Result<Self, &'static str> {
        if parts.is_empty() {
            return Err("the variable has no values");
        }
        Ok(Self(parts.into_iter().flat_map(|part| part.0).collect()))
    }
}

/// One part between commas: a number or `a..=b`.
fn range(text: &str) -> Result<(i64, i64), String> {
    let text = text.trim();
    let number = |text: &str| text.trim().replace('_', "").parse::<i64>().ok();
    if text.is_empty() {
        return Err("a value is missing between the commas".to_owned());
    }
    let Some((first, last)) = text.split_once("..") else {
        return number(text).map(|value| (value, value)).ok_or_else(|| {
            format!(
                "{} is not a whole number\na range is written `4..=8`, several values `4, 8, 15`",
                quoted(text)
            )
        });
    };
    let closed = last.strip_prefix('=');
    match (number(first), number(closed.unwrap_or(last))) {
        (Some(first), Some(last)) if closed.is_none() => Err(format!(
            "{} does not say whether {last} belongs to it\nwrite `{first}..={last}`: both ends belong to the range",
            quoted(text)
        )),
        (Some(first), Some(last)) if first > last => Err(format!(
            "the range starts at {first} and ends before it, at {last}\ndid you mean `{last}..={first}`?"
        )),
        (Some(first), Some(last)) => Ok((first, last)),
        _ => Err(format!(
            "{} is not a range of whole numbers\na range is written `4..=8`",
            quoted(text)
        )),
    }
}

value!(
    Values,
    "a range such as \"4..=8\", a whole number, or an array of these",
    |_| {
        let one = json_schema!({
            "anyOf": [{ "type": "integer" }, { "type": "string", "pattern": r"^[-+0-9_.=,\s]+$" }]
        });
        json_schema!({ "anyOf": [one, { "type": "array", "minItems": 1, "items": one }] })
    },
    integer: i64,
    string: &str,
    list: Values
);

/// The value of a variable of an explicit case: a whole number or a text.
#[derive(Clone, Debug)]
pub(crate) struct VariableText(pub(crate) String);

impl From<i64> for VariableText {
    fn from(value: i64) -> Self {
        Self(value.to_string())
    }
}

impl From<&str> for VariableText {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

value! { VariableText, "a whole number or a string", { "type": ["integer", "string"] }, integer: i64, string: &str }

/// A string in which `{name}` stands for a case variable, `{{` and `}}` for braces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Template(Vec<Piece>);

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Variable(String),
}

impl Template {
    /// The text for a case, or the name of a variable that the case does not have.
    pub(crate) fn fill(&self, variables: &BTreeMap<String, String>) -> Result<String, &str> {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => Ok(text.as_str()),
            Piece::Variable(name) => variables.get(name).map(String::as_str).ok_or(name.as_str()),
        });
        pieces.collect()
    }
}

impl TryFrom<&str> for Template {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, brace) = rest.split_at(at);
            pieces.push(Piece::Text(before.to_owned()));
            if brace.starts_with("{{") || brace.starts_with("}}") {
                pieces.push(Piece::Text(brace[..1].to_owned()));
                rest = &brace[2..];
            } else if brace.starts_with('}') {
                return Err("`}` closes nothing\nwrite `}}` for a brace itself".to_owned());
            } else if let Some((name, after)) = brace[1..].split_once('}') {
                if !is_variable(name) {
                    return Err(format!(
                        "{} is not the name of a variable\nwrite `{{{{` and `}}}}` for braces themselves",
                        quoted(name)
                    ));
                }
                pieces.push(Piece::Variable(name.to_owned()));
                rest = after;
            } else {
                return Err(format!(
                    "{} is not closed\nwrite `{{{{` for a brace itself",
                    quoted(brace)
                ));
            }
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(Self(pieces))
    }
}

value! { Template, "a string", { "type": "string" }, string: &str }

/// A number of a checker: as it is, or a template that makes one.
#[derive(Clone, Debug)]
pub(crate) struct CheckerNumber(pub(crate) Template);

impl From<i64> for CheckerNumber {
    fn from(value: i64) -> Self {
        Self(Template(vec![Piece::Text(value.to_string())]))
    }
}

impl TryFrom<&str> for CheckerNumber {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        Template::try_from(text).map(Self)
    }
}

value! {
    CheckerNumber, "a whole number or a template such as \"{n}\"",
    { "type": ["integer", "string"] },
    integer: i64, string: &str
}
