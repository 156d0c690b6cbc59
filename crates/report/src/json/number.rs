//! Numbers in JSON: whole ones are written without a point.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A time in milliseconds, at most three decimals. Whole numbers are written without a point.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, JsonSchema)]
#[schemars(transparent)]
pub struct Millis(#[schemars(range(min = 0.0))] pub f64);

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write(self.0, serializer)
    }
}

/// A number without a unit. Whole numbers are written without a point.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, JsonSchema)]
#[schemars(transparent)]
pub struct Decimal(pub f64);

impl Decimal {
    /// The number with at most three decimals; nothing of what is no number.
    pub(super) fn rounded(number: f64) -> Option<Self> {
        let rounded = (number * 1000.0).round() / 1000.0;
        rounded.is_finite().then_some(Self(rounded))
    }

    /// One number by another, with at most three decimals; nothing where that is no number.
    pub(super) fn ratio(of: f64, by: f64) -> Option<Self> {
        Self::rounded(of / by)
    }
}

impl Serialize for Decimal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write(self.0, serializer)
    }
}

fn write<S: Serializer>(number: f64, serializer: S) -> Result<S::Ok, S::Error> {
    // Below 2^53 every whole number has an exact float.
    if number.fract() == 0.0 && (0.0..9.0e15).contains(&number) {
        serializer.serialize_u64(number as u64)
    } else {
        serializer.serialize_f64(number)
    }
}
