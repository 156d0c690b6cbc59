//! What is different between two runs of one class: whose points, by how much, and because of what.

mod compare;
mod text;

use std::fmt;
use std::io::{self, Write};

use grader_model::{CaseResult, Change, CpuTime, Points, Verdict};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::json::{schema_of, write_value};
use crate::style::Style;

pub use compare::diff;

/// What is different between two runs: `bitcraft-diff/1`. It is for staff: hidden cases are in it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(title = "Difference between two runs of Bitcraft, version 1")]
pub struct Diff {
    /// Name and version of this format. New keys may be added within a version; none changes its meaning.
    pub format: DiffTag,
    /// The run that is compared.
    pub before: ComparedRun,
    /// The run that it is compared with.
    pub after: ComparedRun,
    /// Number of students of whom every point and every verdict is the same.
    pub unchanged: usize,
    /// The problems that are others, in the order of the later run, then those that are gone.
    pub problems: Vec<ProblemDiff>,
    /// The students whose results are others, in the order of the later run, then those who are gone.
    pub students: Vec<StudentDiff>,
}

/// Name and version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum DiffTag {
    /// The first version.
    #[serde(rename = "bitcraft-diff/1")]
    DiffV1,
}

/// One of the two runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ComparedRun {
    /// Its number in the ledger; `null` where it is in none.
    pub run: Option<u64>,
    /// When it began: RFC 3339, UTC; `null` where that is not known.
    pub began: Option<String>,
    /// The assignment.
    pub assignment: String,
    /// Whether it was stopped before every student was graded.
    pub interrupted: bool,
}

/// In which of the two runs something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// In both.
    Both,
    /// Only in the later one.
    New,
    /// Only in the earlier one.
    Gone,
}

/// A problem that is judged otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ProblemDiff {
    /// The problem.
    pub id: String,
    /// In which run it is. In both: it is another version, or is worth other points.
    pub presence: Presence,
    /// The points it was worth; `null` where it was not there.
    #[schemars(schema_with = "open_points")]
    pub points_before: Option<Points>,
    /// The points it is worth; `null` where it is not there.
    #[schemars(schema_with = "open_points")]
    pub points_after: Option<Points>,
}

/// A student whose results are others.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct StudentDiff {
    /// The student.
    pub id: String,
    /// In which run the student is.
    pub presence: Presence,
    /// Points without the bonus.
    pub points: PointsDiff,
    /// Bonus points.
    pub bonus: PointsDiff,
    /// The problems whose results are others. None for a student who is in one run only.
    pub problems: Vec<ResultDiff>,
}

/// Points before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PointsDiff {
    /// Before; `null` where they were open, or there was nothing.
    #[schemars(schema_with = "open_points")]
    pub before: Option<Points>,
    /// After; `null` where they are open, or there is nothing.
    #[schemars(schema_with = "open_points")]
    pub after: Option<Points>,
    /// By how much they grew; `null` where one of the two is.
    pub change: Option<PointsChange>,
}

impl PointsDiff {
    fn new(before: Option<Points>, after: Option<Points>) -> Self {
        let change = before.zip(after).map(|(before, after)| {
            PointsChange(after.thousandths() as i64 - before.thousandths() as i64)
        });
        Self {
            before,
            after,
            change,
        }
    }
}

/// A number of points by which something grew, in thousandths; negative where it shrank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema)]
#[schemars(transparent)]
pub struct PointsChange(#[schemars(with = "f64")] pub i64);

impl fmt::Display for PointsChange {
    /// `+3.75`, `−2`, `±0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0 {
            0 => "±",
            1.. => "+",
            _ => "−",
        };
        write!(
            f,
            "{sign}{}",
            Points::from_thousandths(self.0.unsigned_abs())
        )
    }
}

impl Serialize for PointsChange {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 1000 == 0 {
            serializer.serialize_i64(self.0 / 1000)
        } else {
            serializer.serialize_f64(self.0 as f64 / 1000.0)
        }
    }
}

/// The result of a problem or of a subtask, before and after.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ResultDiff {
    /// The problem.
    pub id: String,
    /// The points.
    pub points: PointsDiff,
    /// The verdicts.
    pub verdict: VerdictDiff,
    /// Whether it is a fault of the grader now, and was none before.
    pub became_fault: bool,
    /// Whether it was a fault of the grader, and is none now.
    pub was_fault: bool,
    /// Whether the problem is another version.
    pub other_version: bool,
    /// What was different, where the later run says so: `sources`, `judging`, `toolchain`, …
    #[schemars(with = "Vec<String>")]
    pub because: Vec<Change>,
    /// The subtasks whose results are others.
    pub subtasks: Vec<SubtaskDiff>,
}

/// The result of a subtask, before and after.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SubtaskDiff {
    /// The subtask.
    pub name: String,
    /// The points.
    pub points: PointsDiff,
    /// The verdicts.
    pub verdict: VerdictDiff,
    /// The cases whose verdicts, or the shares of points that they earn, are others.
    pub cases: Vec<CaseDiff>,
}

/// The result of a case, before and after.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct CaseDiff {
    /// The case.
    pub name: String,
    /// The verdicts.
    pub verdict: VerdictDiff,
    /// The limits of CPU time, where it was run both times and they are others.
    pub cpu_limit: Option<CpuLimitDiff>,
    /// The limits of memory in KiB, where it was run both times and they are others: before and after.
    pub memory_limit_kib: Option<(u64, u64)>,
}

/// Two limits of CPU time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct CpuLimitDiff {
    /// Before.
    pub before_ms: CpuTime,
    /// After.
    pub after_ms: CpuTime,
}

/// A verdict before and after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct VerdictDiff {
    /// Before; `null` where there was nothing.
    pub before: Option<Verdict>,
    /// After; `null` where there is nothing.
    pub after: Option<Verdict>,
}

impl Diff {
    /// Whether both runs give every student the same points and verdicts, for the same problems.
    pub fn is_empty(&self) -> bool {
        self.students.is_empty() && self.problems.is_empty()
    }

    /// The differences for people.
    pub fn text(&self, style: &Style) -> String {
        text::text(self, style)
    }

    /// Writes the differences as JSON, indented, with a line feed at the end.
    ///
    /// # Errors
    /// When `out` cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        write_value(self, out)
    }

    /// The JSON Schema (2020-12) of what [`Diff::write_json`] writes.
    pub fn schema() -> Value {
        schema_of::<Self>()
    }
}

fn open_points(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["number", "null"], "minimum": 0 })
}

/// Whether a case earns the same, for the same reason.
fn same_case(before: &CaseResult, after: &CaseResult) -> bool {
    before.verdict == after.verdict && before.share == after.share
}

#[cfg(test)]
mod tests;
