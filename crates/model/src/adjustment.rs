//! Changes of points after judging: late penalties, and corrections by hand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Points, Text};

/// One change of a problem's points after judging. The results of its cases do not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Adjustment {
    /// Kind of change.
    pub kind: AdjustmentKind,
    /// Points after the change; `null` if they are not known yet, or the problem has none.
    pub points: Option<Points>,
    /// The reason, in one sentence. The student reads it.
    pub message: Text,
    /// Penalty in percent of a late submission; `None` if it is no late penalty.
    #[serde(default)]
    pub percent: Option<u8>,
    /// The line of the source that the message is about: `count.c:12`.
    #[serde(default)]
    pub at: Option<String>,
}

/// Kind of an [`Adjustment`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AdjustmentKind {
    /// An attempt other than the latest counts.
    Attempt,
    /// The student has an own deadline.
    Deadline,
    /// It was submitted late.
    Late,
    /// The points were corrected by hand.
    Correction,
    /// The student is excused: the problem earns the same percentage as the others.
    Excused,
    /// A comment was written; the points stay.
    Comment,
}
