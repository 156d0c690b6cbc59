//! The values of case variables.

use std::collections::BTreeSet;

use schemars::json_schema;

use crate::suggest::quoted;
use crate::value::{Name, value};

/// Values that a variable takes, one after the other: `"4..=10, 20"`, `8`, `[1, "3..=5"]`, `["push", "pop"]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Values(Vec<Part>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Range(i64, i64),
    Word(String),
}

impl Part {
    fn count(&self) -> u128 {
        match self {
            Self::Range(first, last) => u128::from(last.abs_diff(*first)) + 1,
            Self::Word(_) => 1,
        }
    }
}

impl Values {
    /// Number of values.
    pub(crate) fn count(&self) -> u128 {
        self.0.iter().map(Part::count).sum()
    }

    /// The value at this place, as a text. Of a range, values near 0 come first.
    pub(crate) fn at(&self, mut index: u128) -> Option<String> {
        for part in &self.0 {
            let count = part.count();
            if index < count {
                return Some(match part {
                    Part::Range(first, last) => near_zero(*first, *last, index).to_string(),
                    Part::Word(word) => word.clone(),
                });
            }
            index -= count;
        }
        None
    }

    /// The places of the values on which programs fail first: the one nearest to 0, both ends of each range, 0, 1, -1, values beside
    /// powers of ten and two, and words. Each once, in this order.
    pub(crate) fn notable(&self) -> Vec<u128> {
        let mut places = Vec::new();
        let mut before = 0;
        for part in &self.0 {
            match part {
                Part::Range(first, last) => {
                    let (first, last) = (i128::from(*first), i128::from(*last));
                    let inside = notable(first, last).filter(|it| (first..=last).contains(it));
                    places.extend(inside.map(|it| before + place(first, last, it)));
                }
                Part::Word(_) => places.push(before),
            }
            before += part.count();
        }
        let mut known = BTreeSet::new();
        places.retain(|it| known.insert(*it));
        places
    }

    /// All numbers from the least to the greatest of these, and the words.
    pub(crate) fn widened<'a>(all: impl Iterator<Item = &'a Self>) -> Self {
        let (mut range, mut words): (Option<(i64, i64)>, Vec<Part>) = (None, Vec::new());
        for part in all.flat_map(|values| &values.0) {
            match part {
                Part::Range(first, last) => {
                    let known = range.unwrap_or((*first, *last));
                    range = Some((known.0.min(*first), known.1.max(*last)));
                }
                Part::Word(_) if words.contains(part) => {}
                Part::Word(_) => words.push(part.clone()),
            }
        }
        let range = range.map(|(least, most)| Part::Range(least, most));
        Self(range.into_iter().chain(words).collect())
    }

    /// The values in order, as texts. Ask for [`Values::count`] first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = String> + '_ {
        self.0.iter().flat_map(|part| {
            let (range, word) = match part {
                Part::Range(first, last) => (Some(*first..=*last), None),
                Part::Word(word) => (None, Some(word.clone())),
            };
            let numbers = range.into_iter().flatten();
            numbers.map(|number| number.to_string()).chain(word)
        })
    }
}

impl TryFrom<i64> for Values {
    type Error = String;

    fn try_from(value: i64) -> Result<Self, String> {
        Ok(Self(vec![Part::Range(value, value)]))
    }
}

impl TryFrom<&str> for Values {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        text.split(',')
            .map(part)
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

/// The value at this place if those of a range are ordered by their distance from 0: 0, 1, -1, 2, -2, 3, 4.
fn near_zero(first: i64, last: i64, place: u128) -> i128 {
    let (first, last, place) = (first.into(), last.into(), place as i128);
    let nearest = 0.clamp(first, last);
    let (below, above): (i128, i128) = (nearest - first, last - nearest);
    let on_both_sides = below.min(above);
    let from_nearest = if place <= 2 * on_both_sides {
        (place + 1) / 2 * (2 * (place % 2) - 1)
    } else {
        (place - on_both_sides) * (above - below).signum()
    };
    nearest + from_nearest
}

/// The place of a value of a range: what `near_zero` reverses.
const fn place(first: i128, last: i128, value: i128) -> u128 {
    let nearest = if first > 0 {
        first
    } else if last < 0 {
        last
    } else {
        0
    };
    let (below, above) = (
        (nearest - first).unsigned_abs(),
        (last - nearest).unsigned_abs(),
    );
    let on_both_sides = if below < above { below } else { above };
    let distance = value.abs_diff(nearest);
    if distance > on_both_sides {
        distance + on_both_sides
    } else if value > nearest {
        2 * distance - 1
    } else {
        2 * distance
    }
}

/// Numbers on which programs fail first, for a range.
fn notable(first: i128, last: i128) -> impl Iterator<Item = i128> {
    let both = |it: i128| [it, -it];
    let beside = move |it: i128| [it, it - 1, it + 1].into_iter().flat_map(both);
    let ends = [
        0.clamp(first, last),
        last,
        first,
        1,
        -1,
        0,
        last - 1,
        first + 1,
        2,
    ];
    let tens = (1..=18).map(|it| 10_i128.pow(it));
    let twos = (2..=62).map(|it| 1_i128 << it);
    ends.into_iter().chain(tens.chain(twos).flat_map(beside))
}

/// One part between commas: a number, `a..=b` or a word.
fn part(text: &str) -> Result<Part, String> {
    let text = text.trim();
    let number = |text: &str| text.trim().replace('_', "").parse::<i64>().ok();
    if text.is_empty() {
        return Err("a value is missing between the commas".to_owned());
    }
    let Some((first, last)) = text.split_once("..") else {
        // A code such as `007` is no number.
        let is_code =
            text.len() > 1 && text.starts_with('0') && text.bytes().all(|it| it.is_ascii_digit());
        return match number(text) {
            _ if is_code => Ok(Part::Word(text.to_owned())),
            Some(value) => Ok(Part::Range(value, value)),
            None if is_word(text) => Ok(Part::Word(text.to_owned())),
            None => Err(format!(
                "{} is neither a whole number nor a word\na range is written `4..=8`, several values `4, 8, 15`; a word begins with a letter and has no spaces, quotes, `/` or `\\`",
                quoted(text)
            )),
        };
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
        (Some(first), Some(last)) => Ok(Part::Range(first, last)),
        _ => Err(format!(
            "{} is not a range of whole numbers\na range is written `4..=8`",
            quoted(text)
        )),
    }
}

/// Whether a text can be a value, and part of a case's name.
fn is_word(text: &str) -> bool {
    let is_plain = |c: char| !c.is_whitespace() && !"\"'`/\\".contains(c);
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && Name::try_from(text).is_ok()
        && text.chars().all(is_plain)
}

value!(
    Values,
    "a range such as \"4..=8\", a whole number, a word, or an array of these",
    |_| {
        let one = json_schema!({
            "anyOf": [{ "type": "integer" }, { "type": "string", "pattern": r#"^[^"'`/\\]+$"# }]
        });
        json_schema!({ "anyOf": [one, { "type": "array", "minItems": 1, "items": one }] })
    },
    integer: i64,
    string: &str,
    list: Values
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_near_zero_come_first() {
        let ordered = |text: &str| {
            let values = Values::try_from(text).unwrap();
            let all: Option<Vec<_>> = (0..values.count()).map(|place| values.at(place)).collect();
            all.unwrap().join(" ")
        };
        for (text, expected) in [
            ("3..=5", "3 4 5"),
            ("0011, 007, 0, 1_000", "0011 007 0 1000"),
            ("-5..=-3", "-3 -4 -5"),
            ("-2..=4", "0 1 -1 2 -2 3 4"),
            ("-4..=2", "0 1 -1 2 -2 -3 -4"),
            ("-1..=1, 7, word", "0 1 -1 7 word"),
        ] {
            assert_eq!(ordered(text), expected);
        }
        let notable = |text: &str| {
            let values = Values::try_from(text).unwrap();
            let all = values
                .notable()
                .into_iter()
                .map(|it| values.at(it).unwrap());
            all.collect::<Vec<_>>().join(" ")
        };
        for (text, expected) in [
            ("3..=5, 12", "3 5 4 12"),
            ("-12..=4", "0 4 -12 1 -1 3 -11 2 -10 -9 -4 -3 -5 -8 -7"),
            (
                "0..=150, word",
                "0 150 1 149 2 10 9 11 100 99 101 4 3 5 8 7 16 15 17 32 31 33 64 63 65 128 127 129 word",
            ),
        ] {
            assert_eq!(notable(text), expected);
        }
        let all = Values::try_from("-9223372036854775808..=9223372036854775807").unwrap();
        assert_eq!(all.at(all.count() - 1).unwrap(), "-9223372036854775808");
    }
}
