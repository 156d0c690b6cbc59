//! Milliseconds in JSON.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A time in milliseconds, at most three decimals. Whole numbers are written without a point.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, JsonSchema)]
#[schemars(transparent)]
pub struct Millis(#[schemars(range(min = 0.0))] pub f64);

impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(millis) = *self;
        // Below 2^53 every whole number has an exact float.
        if millis.fract() == 0.0 && (0.0..9.0e15).contains(&millis) {
            serializer.serialize_u64(millis as u64)
        } else {
            serializer.serialize_f64(millis)
        }
    }
}
