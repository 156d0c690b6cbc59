//! Points, as integers in thousandths.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use crate::quantity::serialize_number;

/// A number of points, kept in thousandths so that sums are exact.
///
/// Written as a decimal number with at most three places: `35`, `3.75`, `0.005`. Never negative.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, JsonSchema,
)]
#[serde(try_from = "f64")]
#[schemars(!try_from, transparent, inline)]
pub struct Points(#[schemars(with = "f64", range(min = 0))] u64);

impl Points {
    /// No points.
    pub const ZERO: Self = Self(0);
    /// The most points that a file may have.
    pub const MAX: Self = Self::whole(1_000_000);

    /// Whole points, up to a million.
    pub const fn whole(points: u32) -> Self {
        Self(points as u64 * 1000)
    }

    /// Thousandths of a point.
    pub const fn from_thousandths(thousandths: u64) -> Self {
        Self(thousandths)
    }

    /// This number in thousandths of a point.
    pub const fn thousandths(self) -> u64 {
        self.0
    }

    /// The share of `passed` out of `all` cases, rounded half up to a hundredth of a point.
    ///
    /// Without cases, the share is zero.
    ///
    /// ```
    /// use grader_model::Points;
    /// assert_eq!(Points::whole(10).share(1, 3).to_string(), "3.33");
    /// assert_eq!(Points::whole(10).share(2, 3).to_string(), "6.67");
    /// ```
    #[must_use]
    pub fn share(self, passed: usize, all: usize) -> Self {
        if all == 0 {
            return Self::ZERO;
        }
        if passed >= all {
            return self;
        }
        let exact = u128::from(self.0) * passed as u128;
        let all = all as u128;
        // Hundredths, half up: floor(exact / (10 * all) + 1/2).
        let hundredths = (exact + 5 * all) / (10 * all);
        let rounded = u64::try_from(hundredths * 10).unwrap_or(u64::MAX);
        Self(rounded.min(self.0))
    }

    /// This number times `part` ÷ `whole`, rounded up to a thousandth of a point. `whole` must not be 0.
    ///
    /// ```
    /// use grader_model::Points;
    /// assert_eq!(Points::whole(30).portion(40, 50).to_string(), "24");
    /// assert_eq!(Points::whole(1).portion(1, 3).to_string(), "0.334");
    /// ```
    #[must_use]
    pub fn portion(self, part: u64, whole: u64) -> Self {
        let exact = u128::from(self.0) * u128::from(part);
        Self(u64::try_from(exact.div_ceil(u128::from(whole))).unwrap_or(u64::MAX))
    }

    /// The difference, or zero if `other` is larger: there are no negative points.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The value as a floating-point number, for formats that support nothing else. Not for sums.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 1000.0
    }
}

impl TryFrom<f64> for Points {
    type Error = &'static str;

    /// Points from a number read from a file.
    ///
    /// # Errors
    /// If the number is negative, not finite, larger than a million, or has more than three decimals.
    fn try_from(value: f64) -> Result<Self, Self::Error> {
        let thousandths = (value * 1000.0).round();
        if value.is_nan() {
            Err("points must be a number")
        } else if value < 0.0 {
            Err("points must not be negative")
        } else if value > Self::MAX.to_f64() {
            Err("points must be at most 1000000")
        } else if (value * 1000.0 - thousandths).abs() > 1e-6 {
            Err("points may have at most three decimals")
        } else {
            Ok(Self(thousandths as u64))
        }
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, rest) = (self.0 / 1000, self.0 % 1000);
        if rest == 0 {
            return f.pad(&whole.to_string());
        }
        let decimals = format!("{rest:03}");
        f.pad(&format!("{whole}.{}", decimals.trim_end_matches('0')))
    }
}

impl Add for Points {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl Serialize for Points {
    /// Whole points are written as integers, others as decimal numbers.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_number(self.to_f64(), serializer)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn points_are_written_without_trailing_zeros() {
        let written: Vec<String> = [0, 5, 10, 1000, 3750, 87_500, 110_000]
            .map(|t| Points::from_thousandths(t).to_string())
            .to_vec();
        assert_eq!(written, ["0", "0.005", "0.01", "1", "3.75", "87.5", "110"]);
    }

    #[test]
    fn bad_points_say_what_is_wrong_with_them() {
        for (value, error) in [
            (-1.0, "points must not be negative"),
            (f64::NAN, "points must be a number"),
            (2e6, "points must be at most 1000000"),
            (1.0005, "points may have at most three decimals"),
        ] {
            assert_eq!(Points::try_from(value), Err(error));
        }
    }

    #[test]
    fn a_half_hundredth_is_rounded_up() {
        assert_eq!(Points::from_thousandths(10).share(1, 2).thousandths(), 10);
        assert_eq!(Points::whole(1).share(1, 8).to_string(), "0.13");
        assert_eq!(Points::whole(15).share(10, 13).to_string(), "11.54");
    }

    proptest! {
        #[test]
        fn a_share_grows_with_the_cases_passed_and_never_passes_the_whole(
            all in 1usize..200, thousandths in 0u64..1_000_000,
        ) {
            let whole = Points::from_thousandths(thousandths);
            let shares: Vec<Points> = (0..=all).map(|passed| whole.share(passed, all)).collect();
            prop_assert!(shares.is_sorted());
            prop_assert_eq!(shares[0], Points::ZERO);
            prop_assert_eq!(shares[all], whole);
        }

        #[test]
        fn points_survive_json(thousandths in 0u64..1_000_000_000) {
            let points = Points::from_thousandths(thousandths);
            let json = serde_json::to_string(&points).unwrap();
            prop_assert_eq!(serde_json::from_str::<Points>(&json).unwrap(), points);
        }
    }
}
