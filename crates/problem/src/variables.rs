//! The values of case variables.

use schemars::json_schema;

use crate::suggest::quoted;
use crate::value::value;

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
