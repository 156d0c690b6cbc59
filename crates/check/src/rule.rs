//! Equality of words, and remarks on words that differ.

use grader_model::{Text, text};

use crate::message;
use crate::numbers::{Tolerance, distance, equal, float};

/// Equality of words.
#[derive(Clone, Copy)]
pub(crate) struct WordRule {
    pub(crate) case_sensitive: bool,
    /// Tolerance of numbers; `None` if they are compared as text.
    pub(crate) tolerance: Option<Tolerance>,
}

impl WordRule {
    /// Byte for byte.
    pub(crate) const EXACT: Self = Self::new(true, None);

    pub(crate) const fn new(case_sensitive: bool, tolerance: Option<Tolerance>) -> Self {
        Self {
            case_sensitive,
            tolerance,
        }
    }

    pub(crate) fn same(self, expected: &[u8], found: &[u8]) -> bool {
        if expected == found {
            return true;
        }
        match self.tolerance.zip(float(expected)) {
            Some((tolerance, value)) if tolerance.of(value) == 0.0 => equal(expected, found),
            // The product with the relative tolerance is rounded; rounding must not decide.
            Some((tolerance, value)) => distance(expected, found)
                .is_some_and(|apart| apart <= tolerance.of(value) * (1.0 + 4.0 * f64::EPSILON)),
            None => !self.case_sensitive && expected.eq_ignore_ascii_case(found),
        }
    }

    /// A remark appended to the message about two different words.
    pub(crate) fn why(self, expected: &[u8], found: &[u8]) -> Text {
        let apart = distance(expected, found);
        match (self.tolerance.zip(float(expected)), apart) {
            (Some(_), None) => Text::new(", which is not a decimal number", "，这不是十进制数"),
            // The difference is not 0, but too small for `f64`.
            (Some(_), Some(0.0)) => Text::new(
                ": they differ, by less than 1e-300",
                "：两者不等，相差小于 1e-300",
            ),
            (Some((tolerance, value)), Some(apart)) => {
                let (apart, allowed) = (shown(apart), shown(tolerance.of(value)));
                text!(
                    ": they differ by {apart}, allowed {allowed}",
                    "：相差 {apart}，允许误差 {allowed}"
                )
            }
            (None, Some(_)) if equal(expected, found) => Text::new(
                " (the same number, written differently: text is compared here)",
                "（数值相同但写法不同：本题按文本比较）",
            ),
            (None, _) => message::case_differs(expected, found),
        }
    }
}

/// A difference with few digits, as people write it: `4.5`, `0.00012`; very small and very large ones with an exponent.
fn shown(value: f64) -> String {
    if value.fract() == 0.0 && value < 1e15 {
        value.to_string()
    } else if (1e-4..1e15).contains(&value) {
        let decimals = (2.0 - value.log10().floor()).clamp(1.0, 6.0) as usize;
        let text = format!("{value:.decimals$}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        let text = format!("{value:.2e}");
        text.replacen(".00e", "e", 1)
    }
}
