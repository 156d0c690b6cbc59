//! Token by token, numbers by value.
//!
//! Two numbers are the same if they differ by at most the absolute tolerance, or by at most the relative one times the
//! expected value. Both are taken as they are written in decimal, so that 1.1 and 1 differ by exactly 0.1, and integers
//! are exact however large. `inf`, `nan` and hexadecimal numbers are words, and words are compared as text.

use grader_model::{Judgement, Text};

use crate::decimal::{Decimal, float};
use crate::tokens::same_text;
use crate::words::{self, Comparison};

/// When two words are the same.
pub(crate) struct Rule {
    absolute: Tolerance,
    relative: Tolerance,
    case_sensitive: bool,
}

/// A tolerance as it is written in a problem file, and as an `f64`.
struct Tolerance {
    decimal: Option<Decimal>,
    float: f64,
}

impl Tolerance {
    fn new(value: f64) -> Self {
        // The shortest decimal number that is read as this `f64`: what was written.
        Self {
            decimal: Decimal::parse(value.to_string().as_bytes()),
            float: value,
        }
    }
}

impl Rule {
    pub(crate) fn new(absolute: f64, relative: f64, case_sensitive: bool) -> Self {
        Self {
            absolute: Tolerance::new(absolute),
            relative: Tolerance::new(relative),
            case_sensitive,
        }
    }

    fn same(&self, expected: &[u8], found: &[u8]) -> bool {
        if expected == found {
            return true;
        }
        let Some(one) = float(expected) else {
            return same_text(expected, found, self.case_sensitive);
        };
        let Some(two) = float(found) else {
            return false;
        };
        // Rounding changes the difference by less than this: only near the edge must it be exact.
        let apart = (one - two).abs();
        let tolerance = self.absolute.float.max(self.relative.float * one.abs());
        let rounding = 4.0 * f64::EPSILON * (one.abs() + two.abs() + tolerance);
        if apart > tolerance + rounding {
            return false;
        }
        if apart < tolerance - rounding {
            return true;
        }
        self.same_exactly(expected, found)
            .unwrap_or(apart <= tolerance)
    }

    /// `None` if the numbers have too many digits.
    fn same_exactly(&self, expected: &[u8], found: &[u8]) -> Option<bool> {
        let (one, two) = (Decimal::parse(expected)?, Decimal::parse(found)?);
        let apart = one.distance(&two);
        let relative = one.times(self.relative.decimal.as_ref()?);
        Some(apart.is_at_most(self.absolute.decimal.as_ref()?) || apart.is_at_most(&relative))
    }

    /// What to say of two words that differ.
    fn why(&self, expected: &[u8], found: &[u8]) -> Text {
        let (Some(one), two) = (float(expected), float(found)) else {
            return Text::default();
        };
        match two.map(|two| (one - two).abs()) {
            None => Text::new(", which is not a decimal number", "，这不是十进制数"),
            // They differ in digits that an `f64` does not have.
            Some(0.0) => Text::default(),
            Some(apart) => {
                let apart = shown(apart);
                let allowed = shown(self.absolute.float.max(self.relative.float * one.abs()));
                Text::new(
                    format!(": they differ by {apart}, allowed {allowed}"),
                    format!("：相差 {apart}，允许误差 {allowed}"),
                )
            }
        }
    }
}

pub(crate) fn check(
    output: &[u8],
    expected: &[u8],
    rule: &Rule,
    space_change_sensitive: bool,
) -> Judgement {
    let comparison = Comparison {
        same: &|one, two| rule.same(one, two),
        space_change_sensitive,
        why: &|one, two| rule.why(one, two),
    };
    words::check(output, expected, &comparison)
}

/// A difference with few digits.
fn shown(value: f64) -> String {
    if value.fract() == 0.0 && value < 1e15 {
        value.to_string()
    } else {
        format!("{value:.2e}")
    }
}
