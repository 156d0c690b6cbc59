//! What changes points after judging: lateness, and corrections by hand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Points, Text};

/// One change of the points of a problem, after judging. The results of its cases stay as they are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Adjustment {
    /// What changed them.
    pub kind: AdjustmentKind,
    /// The points after it; `None` if they are open, or none count.
    pub points: Option<Points>,
    /// The reason, in one sentence. The student reads it.
    pub message: Text,
}

/// What changes points after judging.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AdjustmentKind {
    /// Another attempt than the latest counts.
    Attempt,
    /// The student has a deadline of their own.
    Deadline,
    /// It was submitted late.
    Late,
    /// Somebody corrected the points.
    Correction,
    /// The student is excused: the problem earns the same percentage as the others.
    Excused,
    /// Somebody wrote a comment; the points stay.
    Comment,
}
