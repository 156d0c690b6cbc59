//! The runs of a ledger as JSON: `bitcraft-history/1`.

use std::io::{self, Write};

use grader_model::{RunState, RunSummary};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::json::{schema_of, write_value};
use crate::style::safe;

/// The runs of a ledger.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(title = "Runs of a ledger of Bitcraft, version 1")]
pub struct HistoryDocument {
    /// Name and version of this format. New keys may be added within a version; none changes its meaning.
    pub format: HistoryTag,
    /// The runs, the earliest first; of a class that is named, only its own.
    pub runs: Vec<KeptRunDocument>,
}

/// Name and version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum HistoryTag {
    /// The first version.
    #[serde(rename = "bitcraft-history/1")]
    HistoryV1,
}

/// One run, in numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct KeptRunDocument {
    /// Its number in the ledger.
    #[schemars(range(min = 1))]
    pub id: u64,
    /// When it began: RFC 3339, UTC.
    pub began: String,
    /// When it ended, as `began`; `null` where it has not.
    pub ended: Option<String>,
    /// How it stands.
    pub state: RunStateWord,
    /// The folder or archive of the class, as an absolute path; what cannot be printed is spelled out.
    pub class: String,
    /// The assignment.
    pub assignment: String,
    /// Version of the grader.
    pub grader: String,
    /// Number of students; 0 where the run ended before they were known.
    pub students: usize,
    /// Number of submissions that were built and run.
    pub judged: usize,
    /// Number of submissions whose result was taken from an earlier run.
    pub reused: usize,
    /// Number of results that are faults, so that points are open.
    pub faults: usize,
}

/// How a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RunStateWord {
    /// It is being made now.
    Running,
    /// Every student was graded.
    Finished,
    /// It was asked to stop before that.
    Interrupted,
    /// Its process died.
    Killed,
}

impl From<RunState> for RunStateWord {
    fn from(state: RunState) -> Self {
        match state {
            RunState::Running => Self::Running,
            RunState::Finished => Self::Finished,
            RunState::Interrupted => Self::Interrupted,
            RunState::Killed => Self::Killed,
        }
    }
}

/// The document of these runs, in their order.
pub fn history_document(runs: &[RunSummary]) -> HistoryDocument {
    HistoryDocument {
        format: HistoryTag::HistoryV1,
        runs: runs.iter().map(run).collect(),
    }
}

fn run(run: &RunSummary) -> KeptRunDocument {
    KeptRunDocument {
        id: run.id,
        began: safe(&run.began),
        ended: run.ended.as_deref().map(safe),
        state: run.state.into(),
        class: grader_model::escaped(run.class.as_os_str().as_encoded_bytes()),
        assignment: safe(run.assignment.as_str()),
        grader: safe(&run.grader),
        students: run.students,
        judged: run.judged,
        reused: run.reused,
        faults: run.faults,
    }
}

/// Writes the runs as JSON, indented, with a line feed at the end.
///
/// # Errors
/// When `out` cannot be written.
pub fn history_json(runs: &[RunSummary], out: &mut dyn Write) -> io::Result<()> {
    write_value(&history_document(runs), out)
}

/// The JSON Schema (2020-12) of [`HistoryDocument`], generated from the types that write it.
///
/// It is committed as `schema/history.schema.json`.
pub fn history_schema() -> Value {
    schema_of::<HistoryDocument>()
}

#[cfg(test)]
mod tests;
