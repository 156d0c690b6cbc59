//! Token by token, numbers by value.
//!
//! Two numbers are the same when they differ by at most the absolute tolerance, or by at most the relative
//! one times the expected value. Exactly on the tolerance is within it, though binary fractions say otherwise
//! (1.1 - 1 is a little more than 0.1): a tolerance that is not zero is taken wider by a billionth of itself
//! and by the rounding of the two numbers, see [`within`]. Integers are compared exactly, however large. `inf`,
//! `nan` and hexadecimal numbers are words, and words are compared as text. Layout: the right answer inside
//! extra text.

use grader_model::{Judgement, Mark};

use crate::{compare, extra, number};

pub(crate) fn judge(output: &[u8], expected: &[u8], absolute: f64, relative: f64) -> Judgement {
    let same = |one: &[u8], other: &[u8]| within(one, other, absolute, relative);
    let Some(difference) = compare::first_difference(output, expected, &same) else {
        return Judgement::right();
    };
    if let Some(extra) = extra::evidence(output, expected, &same) {
        return Judgement::because(Mark::Layout, extra);
    }
    let pair = difference.expected.zip(difference.found);
    let why = pair.and_then(|(wanted, found)| {
        match (number::parse(wanted.bytes), number::parse(found.bytes)) {
            (Some(one), Some(other)) => {
                let apart =
                    Shown(distance(wanted.bytes, found.bytes).unwrap_or((other - one).abs()));
                let allowed = Shown(absolute.max(relative * one.abs()));
                Some((
                    format!(": they differ by {apart}, allowed {allowed}"),
                    format!("：相差 {apart}，允许误差 {allowed}"),
                ))
            }
            (Some(_), None) => Some((
                ", which is not a decimal number".to_owned(),
                "，这不是十进制数".to_owned(),
            )),
            _ => None,
        }
    });
    let (en, zh) = why.unwrap_or_default();
    Judgement {
        mark: Mark::Wrong,
        evidence: difference.evidence(output, expected, (&en, &zh)),
    }
}

/// The part of a tolerance by which it is taken wider.
const SLACK: f64 = 1e-9;

/// Whether two tokens are the same number within the tolerances, or the same text.
///
/// Reading two decimal numbers and taking their difference rounds three times, each time by at most half a
/// unit in the last place of the larger one; so much (twice the machine epsilon times the larger number), and
/// [`SLACK`] times the tolerance for the rounding of the tolerance itself, is allowed on top. The difference of
/// two integers is exact: there only the tolerance is rounded, and the slack is four machine epsilons of it, far
/// less than the next integer.
fn within(expected: &[u8], found: &[u8], absolute: f64, relative: f64) -> bool {
    if expected == found {
        return true;
    }
    let (Some(one), Some(other)) = (number::parse(expected), number::parse(found)) else {
        return false;
    };
    if number::canonical(expected).is_some_and(|it| Some(it) == number::canonical(found)) {
        return true;
    }
    let apart = distance(expected, found).unwrap_or((one - other).abs());
    let integers = number::is_integer(expected) && number::is_integer(found);
    // Integers too large for either type that differ as text differ.
    let unseen = apart == 0.0 && integers;
    let tolerance = absolute.max(relative * one.abs());
    let slack = if tolerance == 0.0 {
        0.0
    } else if integers {
        4.0 * f64::EPSILON * tolerance
    } else {
        SLACK * tolerance + 2.0 * f64::EPSILON * one.abs().max(other.abs())
    };
    !unseen && apart <= tolerance + slack
}

/// The distance of two integers, exact before it is rounded.
fn distance(one: &[u8], other: &[u8]) -> Option<f64> {
    let integer = |token: &[u8]| -> Option<i128> {
        if !number::is_integer(token) {
            return None;
        }
        std::str::from_utf8(token).ok()?.parse().ok()
    };
    Some(integer(one)?.checked_sub(integer(other)?)?.unsigned_abs() as f64)
}

/// A difference with few digits.
struct Shown(f64);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let value = self.0;
        let whole = value.fract() == 0.0 && value < 1e15;
        if whole {
            write!(f, "{value}")
        } else if (1e-3..1e6).contains(&value) {
            let rounded: f64 = format!("{value:.2e}").parse().unwrap_or(value);
            write!(f, "{rounded}")
        } else {
            let text = format!("{value:.2e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            write!(
                f,
                "{}e{exponent}",
                digits.trim_end_matches('0').trim_end_matches('.')
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_on_the_tolerance_is_within_it() {
        for (expected, found, absolute, relative) in [
            ("1", "1.1", 0.1, 0.0),
            ("1", "0.9", 0.1, 0.0),
            ("0.3", "0.2", 0.1, 0.0),
            ("1000000", "1000000.000001", 1e-6, 0.0),
            ("-123456.7", "-123456.8", 0.1, 0.0),
            ("100", "43", 0.0, 0.57),
            ("3", "3.3", 0.0, 0.1),
            ("0", "10", 10.0, 0.0),
        ] {
            let (one, other) = (expected.as_bytes(), found.as_bytes());
            assert!(within(one, other, absolute, relative), "{expected} {found}");
        }
    }

    #[test]
    fn more_than_the_tolerance_is_not_within_it() {
        for (expected, found, absolute, relative) in [
            ("1", "1.1000001", 0.1, 0.0),
            ("1", "1.10000001", 0.1, 0.0),
            ("3", "3.3000001", 0.0, 0.1),
            ("1.5", "1.5000000000000002", 0.0, 0.0),
            ("0", "11", 10.0, 0.0),
            ("0", "10000000001", 1e10, 0.0),
            ("9007199254740993", "9007199254740992", 0.0, 0.0),
            ("9007199254740993", "9007199254740992", 0.5, 0.0),
            (
                "1000000000000000000000000000000000000000",
                "1000000000000000500000000000000000000000",
                0.5,
                0.0,
            ),
        ] {
            let (one, other) = (expected.as_bytes(), found.as_bytes());
            assert!(
                !within(one, other, absolute, relative),
                "{expected} {found}"
            );
        }
    }
}
