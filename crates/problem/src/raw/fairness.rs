//! Rules on times and chance: growth, attempts, points by time, flags from times.

use serde_json::{Value, json};
use toml::de::DeValue;

use super::choice::Rate;
use super::{Count, Exponent, Finite, Multiple, Part, Percent, Positive, Time};
use crate::diagnostic::{Code, Log};
use crate::problem::AttemptRule;
use crate::reader::{At, Node, Read, table};

table! {
    /// How the CPU time of the cases may grow with their size.
    RawGrowth: UnknownKey {
        /// The variable that is the size: a positive number that grows from case to case.
        required over: String,
        /// The largest exponent that passes, at most 20.
        required at_most: Exponent,
        /// Sizes above the first at which a run takes this CPU time are not needed; at most 30 s. Default: 1 s.
        optional until: Time,
    }
}

table! {
    /// How often each case is run, and what that must come to: exactly one of `at-least` and `score`.
    RawAttempts: UnknownKey {
        /// The most attempts, 2 to 1000.
        required runs: Count<2, { AttemptRule::MOST_RUNS }>,
        /// So many attempts must be accepted, 1 to `runs`.
        optional at_least: Count<1, { AttemptRule::MOST_RUNS }>,
        /// The points of the case follow the rate of accepted attempts.
        optional score: Rate,
    }
}

table! {
    /// What CPU times raise a flag for the instructor.
    RawTimeFlags: UnknownKey {
        /// An accepted run that takes less than this part of the reference's time; above 0 and below 1.
        optional faster_than: Part,
        /// Times that must grow with a variable.
        optional flat: RawFlat,
    }
}

table! {
    /// Between two values of a variable the CPU time of accepted runs must grow.
    RawFlat: UnknownKey {
        /// The variable.
        required over: String,
        /// Its smaller value.
        required from: Finite,
        /// Its larger value.
        required to: Finite,
        /// What the time must be multiplied by; above 1.
        required at_least: Multiple,
    }
}

/// A step of the points by time: `[1.5, 100]`.
#[derive(Clone, Debug)]
pub(crate) struct RawTimeStep {
    /// The largest ratio of the CPU time to the reference's.
    pub(crate) ratio: At<Positive>,
    /// What it earns.
    pub(crate) percent: At<Percent>,
}

impl Read for RawTimeStep {
    fn read(node: &Node<'_>, log: &mut Log) -> Option<Self> {
        const EXPECTED: &str = "pairs of a ratio and a percentage such as [[1.5, 100], [4, 60]]";
        let DeValue::Array(array) = node.value else {
            node.wrong_type(EXPECTED, log);
            return None;
        };
        if array.len() != 2 {
            let (place, length) = (&node.place, array.len());
            log.report(
                &node.span,
                Code::BadValue,
                format!("`{place}` must be {EXPECTED}, found an array of length {length}"),
            );
            return None;
        }
        let item = |index: usize| Node {
            value: array[index].get_ref(),
            span: array[index].span(),
            place: node.place.clone(),
        };
        let (first, second) = (item(0), item(1));
        // Both are read before the first mistake counts, so that all show.
        let (ratio, percent) = (Positive::read(&first, log), Percent::read(&second, log));
        Some(Self {
            ratio: At {
                value: ratio?,
                span: first.span,
            },
            percent: At {
                value: percent?,
                span: second.span,
            },
        })
    }

    fn schema() -> Value {
        json!({
            "type": "array",
            "prefixItems": [Positive::schema(), Percent::schema()],
            "minItems": 2,
            "maxItems": 2,
        })
    }
}
