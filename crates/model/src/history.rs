//! Summaries of a ledger's runs, and attempts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{AssignmentId, ProblemId, ProblemResult, StudentId, Text};

/// One run of the ledger, without its results.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct RunSummary {
    /// Its number in the ledger, from 1.
    pub id: u64,
    /// Start time: RFC 3339, UTC, to the second.
    pub began: String,
    /// End time, in the same format; `None` if it has not ended.
    pub ended: Option<String>,
    /// Its state.
    pub state: RunState,
    /// The absolute path of the class's folder or archive, as given at the start of the run.
    pub class: PathBuf,
    /// The assignment.
    pub assignment: AssignmentId,
    /// Version of the grader.
    pub grader: String,
    /// Number of students; 0 if the run ended before they were known.
    pub students: usize,
    /// Number of submissions that were built and run.
    pub judged: usize,
    /// Number of submissions with a result reused from an earlier run.
    pub reused: usize,
    /// Number of faults. What they concern is not scored yet.
    pub faults: usize,
    /// Its shard: `3/16`, or `merged` for all shards; `None` if it graded the whole class.
    pub shard: Option<String>,
}

/// An upgrade of a ledger to a later format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LedgerUpgrade {
    /// The format before.
    pub from: i64,
    /// The format since then.
    pub to: i64,
    /// Its time: RFC 3339, UTC, to the second.
    pub at: String,
    /// Version of the grader that upgraded it.
    pub grader: String,
    /// Name of the copy of the file as it was before, which lies beside it; escaped.
    pub copy: String,
}

/// The attempts of a class, by student and problem, in the order in which they were first judged.
pub type AllAttempts = BTreeMap<(StudentId, ProblemId), Vec<Attempt>>;

/// One of a student's submissions for a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    /// The last run that judged this submission.
    pub run: u64,
    /// Time of the first submission; `None` if unknown.
    pub submitted: Option<Timestamp>,
    /// Whether it was judged only with an earlier version of the problem, so that it cannot count.
    pub is_outdated: bool,
    /// Its result; `None` if it is the one in the requested run.
    pub result: Option<ProblemResult>,
}

/// State of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunState {
    /// A process is running it.
    Running,
    /// Every student was graded.
    Finished,
    /// It was stopped before every student was graded.
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

    /// The word for people.
    pub fn text(self) -> Text {
        match self {
            Self::Running => Text::new("running", "进行中"),
            Self::Finished => Text::new("finished", "完成"),
            Self::Interrupted => Text::new("interrupted", "已中断"),
            Self::Killed => Text::new("killed", "异常终止"),
        }
    }
}
