//! The runs that a ledger knows, in numbers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{AssignmentId, ProblemId, ProblemResult, StudentId, Text};

/// One run of the ledger, without its results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSummary {
    /// Its number in the ledger, from 1.
    pub id: u64,
    /// When it began: RFC 3339, UTC, to the second.
    pub began: String,
    /// When it ended, as `began`; `None` if it has not.
    pub ended: Option<String>,
    /// How it stands.
    pub state: RunState,
    /// The folder or archive of the class, as it was named when the run began, made absolute.
    pub class: PathBuf,
    /// The assignment.
    pub assignment: AssignmentId,
    /// The grader, by its version.
    pub grader: String,
    /// Number of students; 0 if the run ended before they were known.
    pub students: usize,
    /// Number of submissions that were built and run in it.
    pub judged: usize,
    /// Number of submissions whose result of an earlier run was reused.
    pub reused: usize,
    /// Number of results that are faults, so that points are open.
    pub faults: usize,
    /// The shard that it graded, `3/16`; `merged` for all shards; `None` if the class was graded as a whole.
    pub shard: Option<String>,
}

/// The attempts of a class: those of each student at each problem, in the order in which they were first judged.
pub type AllAttempts = BTreeMap<(StudentId, ProblemId), Vec<Attempt>>;

/// One of the submissions of a student for a problem, as a run judged it.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The last run that judged this submission.
    pub run: u64,
    /// When it was first submitted; `None` if that is not known.
    pub submitted: Option<Timestamp>,
    /// Whether only an earlier version of the problem judged it, so that it cannot count.
    pub is_outdated: bool,
    /// The result; `None` if it is that of the run that was asked for.
    pub result: Option<ProblemResult>,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// It is being made by a process that is at work now.
    Running,
    /// Every student was graded.
    Finished,
    /// It was asked to stop before that.
    Interrupted,
    /// Its process died.
    Killed,
}

impl RunState {
    /// Whether the run can be resumed.
    pub const fn is_open(self) -> bool {
        match self {
            Self::Interrupted | Self::Killed => true,
            Self::Running | Self::Finished => false,
        }
    }

    /// A word for people.
    pub fn text(self) -> Text {
        match self {
            Self::Running => Text::new("running", "进行中"),
            Self::Finished => Text::new("finished", "完成"),
            Self::Interrupted => Text::new("interrupted", "已中断"),
            Self::Killed => Text::new("killed", "异常终止"),
        }
    }
}
