//! Values of case variables.

use std::ops::Range;

use serde_json::{Value, json};
use toml::de::DeValue;

use crate::diagnostic::{Code, Log};
use crate::literal::Literal;
use crate::reader::{Node, Read};
use crate::suggest::quoted;

/// Values that a variable takes, one after the other: `"4..=10, 20"`, `8`, `[1, "3..=5"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ValueRange(Vec<(i64, i64)>);

impl ValueRange {
    /// Number of values.
    pub(crate) fn count(&self) -> u128 {
        self.0
            .iter()
            .map(|&(first, last)| u128::from(last.abs_diff(first)) + 1)
            .sum()
    }

    /// The values in order. Ask for [`ValueRange::count`] first.
    pub(crate) fn values(&self) -> impl Iterator<Item = i64> + '_ {
        self.0.iter().flat_map(|&(first, last)| first..=last)
    }
}

/// One part between commas: a number or `a..=b`.
fn part(text: &str) -> Result<(i64, i64), (String, Option<String>)> {
    let number = |text: &str| text.trim().replace('_', "").parse::<i64>().ok();
    if text.trim().is_empty() {
        return Err(("a value is missing between the commas".to_owned(), None));
    }
    let Some((first, last)) = text.split_once("..") else {
        return number(text).map(|value| (value, value)).ok_or_else(|| {
            (
                format!("{} is not a whole number", quoted(text.trim())),
                Some("a range is written `4..=8`, several values `4, 8, 15`".to_owned()),
            )
        });
    };
    let (first, last) = (
        number(first),
        last.strip_prefix('=')
            .map_or_else(|| Err(number(last)), |last| Ok(number(last))),
    );
    match (first, last) {
        (Some(first), Ok(Some(last))) if first <= last => Ok((first, last)),
        (Some(first), Ok(Some(last))) => Err((
            format!("the range starts at {first} and ends before it, at {last}"),
            Some(format!("did you mean `{last}..={first}`?")),
        )),
        (Some(first), Err(Some(last))) => Err((
            format!(
                "{} does not say whether {last} belongs to it",
                quoted(text.trim())
            ),
            Some(format!(
                "write `{first}..={last}`: both ends belong to the range"
            )),
        )),
        _ => Err((
            format!("{} is not a range of whole numbers", quoted(text.trim())),
            Some("a range is written `4..=8`".to_owned()),
        )),
    }
}

const EXPECTED: &str = "a range such as \"4..=8\", a whole number, or an array of these";

fn read_into(parts: &mut Vec<(i64, i64)>, node: &Node<'_>, log: &mut Log) -> bool {
    match node.value {
        DeValue::Integer(_) => {
            let value = node.integer(EXPECTED, log);
            parts.extend(value.map(|value| (value, value)));
            value.is_some()
        }
        DeValue::String(text) => {
            let file = std::sync::Arc::clone(&log.file);
            let mut start = 0;
            let mut whole = true;
            for piece in text.split(',') {
                match part(piece) {
                    Ok(range) => parts.push(range),
                    Err((message, help)) => {
                        let blank = piece.len() - piece.trim_start().len();
                        let inner: Range<usize> = if piece.trim().is_empty() {
                            start..start + piece.len()
                        } else {
                            start + blank..start + blank + piece.trim().len()
                        };
                        let span = Literal::new(&file.text, &node.span, text).part(&inner);
                        log.report_with(&span, Code::BadRange, message, help);
                        whole = false;
                    }
                }
                start += piece.len() + 1;
            }
            whole
        }
        _ => {
            node.wrong_type(EXPECTED, log);
            false
        }
    }
}

impl Read for ValueRange {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        let mut parts = Vec::new();
        let mut whole = true;
        if let DeValue::Array(items) = node.value {
            if items.is_empty() {
                let message = format!("`{}` has no values", node.place);
                log.report(&node.span, Code::Empty, message);
                return None;
            }
            for item in items {
                let node = Node {
                    value: item.get_ref(),
                    span: item.span(),
                    place: node.place.clone(),
                };
                whole &= read_into(&mut parts, &node, log);
            }
        } else {
            whole = read_into(&mut parts, node, log);
        }
        whole.then_some(Self(parts))
    }

    fn schema() -> Value {
        let one = json!([
            { "type": "integer" },
            { "type": "string", "pattern": r"^[-+0-9_.=,\s]+$" },
        ]);
        json!({ "anyOf": [one[0], one[1], { "type": "array", "minItems": 1, "items": { "anyOf": one } }] })
    }
}

/// The value of a variable of an explicit case: a whole number or a text.
#[derive(Clone, Debug)]
pub(crate) struct VariableText(pub(crate) String);

impl Read for VariableText {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        match node.value {
            DeValue::Integer(_) => {
                let value = node.integer("a whole number or a string", log)?;
                Some(Self(value.to_string()))
            }
            DeValue::String(text) => Some(Self(text.to_string())),
            _ => {
                node.wrong_type("a whole number or a string", log);
                None
            }
        }
    }

    fn schema() -> Value {
        json!({ "type": ["integer", "string"] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_a_number_or_both_ends() {
        assert_eq!(part(" 20 "), Ok((20, 20)));
        assert_eq!(part("4..=10"), Ok((4, 10)));
        assert_eq!(part("-2 ..= 1_000"), Ok((-2, 1000)));
        assert_eq!(part("7..=7"), Ok((7, 7)));
        let wrong = [
            "",
            "x",
            "4..8",
            "8..=4",
            "a..b",
            "4..=",
            "..=4",
            "4...8",
            "1.5",
            "99999999999999999999",
        ];
        let messages: Vec<String> = wrong.map(|text| part(text).unwrap_err().0).to_vec();
        assert_eq!(
            messages,
            [
                "a value is missing between the commas",
                "`x` is not a whole number",
                "`4..8` does not say whether 8 belongs to it",
                "the range starts at 8 and ends before it, at 4",
                "`a..b` is not a range of whole numbers",
                "`4..=` is not a range of whole numbers",
                "`..=4` is not a range of whole numbers",
                "`4...8` is not a range of whole numbers",
                "`1.5` is not a whole number",
                "`99999999999999999999` is not a whole number",
            ]
        );
    }

    #[test]
    fn the_widest_range_is_counted_without_being_made() {
        let widest = ValueRange(vec![(i64::MIN, i64::MAX), (1, 1)]);
        assert_eq!(widest.count(), (1 << 64) + 1);
    }
}
