//! A sample submission.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use grader_model::{Points, SourceFile, SubtaskName, Verdict};

/// A sample submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its path below `submissions/`: `wrong-answer/off-by-one.c`.
    pub path: String,
    /// Its folder's verdict.
    pub verdict: Verdict,
    /// The allowed verdicts of its cases, besides accepted: those in `expected`, or else its folder's. Never empty.
    pub expected: Vec<Verdict>,
    /// The verdicts of which at least one case must get one: by default, the expected ones.
    pub required: Vec<Verdict>,
    /// Whether only the first case that fails must get an expected verdict.
    pub first_failure: bool,
    /// Its files.
    pub sources: Vec<SourceFile>,
    /// Its fewest and its most expected points, if specified.
    pub points: Option<RangeInclusive<Points>>,
    /// Expected verdicts of subtasks, if specified.
    pub subtasks: BTreeMap<SubtaskName, Vec<Verdict>>,
    /// The codes of all flags that it must raise, and no others, in order.
    pub flags: Vec<String>,
    /// The author's reason.
    pub because: Option<String>,
}

impl Sample {
    /// A sample that must be accepted, without a path and files.
    pub fn right() -> Self {
        Self {
            path: String::new(),
            verdict: Verdict::Accepted,
            expected: vec![Verdict::Accepted],
            required: vec![Verdict::Accepted],
            first_failure: false,
            sources: Vec::new(),
            points: None,
            subtasks: BTreeMap::new(),
            flags: Vec::new(),
            because: None,
        }
    }

    /// Whether it must be accepted in every case and earn full points.
    pub fn must_earn_all(&self) -> bool {
        self.expected == [Verdict::Accepted] && self.points.is_none() && self.subtasks.is_empty()
    }
}
