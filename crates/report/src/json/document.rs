//! The types of the document. Their field names are its keys.

use std::collections::BTreeMap;

use grader_model::{Change, LanguageId, Points, Verdict};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    AttemptsDocument, ConfirmationDocument, Decimal, GrowthDocument, LimitOriginDocument, Millis,
    YardstickDocument, schema,
};

/// The results of a class.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(title = "Results of Bitcraft, version 1")]
pub struct Document {
    /// Name and version of this format. New keys may be added within a version; none changes its meaning.
    pub format: FormatTag,
    /// Which run of the ledger it is; `null` where nobody keeps results. Not for students.
    pub run: Option<LedgerRunDocument>,
    /// What was graded.
    pub assignment: AssignmentDocument,
    /// Where it was graded.
    pub host: HostDocument,
    /// How programs were isolated.
    pub isolation: IsolationDocument,
    /// The students, in the natural order of their ids.
    pub students: Vec<StudentDocument>,
    /// Files that lie beside the students' folders.
    pub unused: Vec<UnusedDocument>,
    /// What was measured of the references on this machine; nothing of it is for students.
    pub yardsticks: Vec<YardstickDocument>,
    /// Whether the run was stopped before every student was graded.
    pub interrupted: bool,
}

/// Name and version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum FormatTag {
    /// The first version.
    #[serde(rename = "bitcraft-results/1")]
    ResultsV1,
}

/// One grading of a class, as the ledger names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LedgerRunDocument {
    /// Its number in the ledger, from 1.
    #[schemars(range(min = 1))]
    pub id: u64,
    /// When it began: RFC 3339, UTC, to the second.
    pub began: String,
}

/// An assignment.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AssignmentDocument {
    /// Its id.
    pub id: String,
    /// The points of all problems without the bonus.
    #[schemars(schema_with = "schema::points")]
    pub points: Points,
    /// The points of the bonus problems.
    #[schemars(schema_with = "schema::points")]
    pub bonus: Points,
    /// Its title.
    pub title: String,
    /// The problems, in order.
    pub problems: Vec<AssignmentProblem>,
}

/// What a problem of an assignment is worth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AssignmentProblem {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The points it is worth.
    #[schemars(schema_with = "schema::points")]
    pub points: Points,
    /// Whether they come on top of the assignment's points.
    pub bonus: bool,
    /// Content hash of everything that judges it, 64 hexadecimal digits; not for students.
    pub version: Option<String>,
}

/// The machine.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct HostDocument {
    /// Model name of the processor.
    pub cpu: Option<String>,
    /// Number of processors that may be used.
    pub cores: usize,
    /// Operating system and its release.
    pub kernel: Option<String>,
    /// By language: version and flags of its compiler (`gcc 12.2.0 -O2`), or `not installed`.
    pub toolchains: BTreeMap<String, String>,
}

/// How programs were isolated.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct IsolationDocument {
    /// The level.
    pub level: Level,
    /// The layers in force.
    pub layers: Vec<String>,
    /// The layers that are not.
    pub missing: Vec<String>,
}

/// A level of isolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// Limits and tidiness, but not a sandbox.
    Basic,
    /// A sandbox.
    Strict,
}

/// The result of one student.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct StudentDocument {
    /// The student's id.
    pub id: String,
    /// Who that is; `null` where neither a roster nor a download tells.
    pub person: Option<PersonDocument>,
    /// What is to be known of what was handed in: which attempt was taken, that it came late.
    pub notes: Vec<String>,
    /// What only staff is to know of it, since it may name other students. Not for students: empty.
    pub remarks: Vec<String>,
    /// Points without the bonus; `null` while a judge error leaves them open.
    #[schemars(schema_with = "schema::open_points")]
    pub points: Option<Points>,
    /// Bonus points; `null` while a judge error leaves them open.
    #[schemars(schema_with = "schema::open_points")]
    pub bonus: Option<Points>,
    /// Whether there was nothing at all that could be judged.
    pub nothing_handed_in: bool,
    /// Whether all points are settled; false while a judge error leaves some open.
    pub graded: bool,
    /// The problems, in the order of the assignment.
    pub problems: Vec<ProblemDocument>,
    /// Files that were handed in and not judged.
    pub unused: Vec<UnusedDocument>,
}

/// What other systems call a student. Nothing of it is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PersonDocument {
    /// Full name.
    pub name: Option<String>,
    /// Address of electronic mail.
    pub email: Option<String>,
    /// By the word for each system (`moodle`, `canvas`, `sis`, `login`, `gradescope`, `github`): its number or name of
    /// the student.
    pub ids: BTreeMap<String, String>,
}

/// The result of one submission, or of its absence.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ProblemDocument {
    /// The problem.
    pub id: String,
    /// The points earned; `null` while a judge error leaves them open.
    #[schemars(schema_with = "schema::open_points")]
    pub points: Option<Points>,
    /// The points it is worth.
    #[schemars(schema_with = "schema::points")]
    pub max_points: Points,
    /// Whether they come on top of the assignment's points.
    pub bonus: bool,
    /// The folded verdict.
    #[schemars(schema_with = "schema::verdict")]
    pub verdict: Verdict,
    /// The language; `null` where there is no submission or it could not be told.
    #[schemars(schema_with = "schema::language")]
    pub language: Option<LanguageId>,
    /// The files that were judged, by their paths in the student's folder.
    pub files: Vec<String>,
    /// The reason, where the whole problem has one.
    pub message: Option<String>,
    /// What the fault comes from that leaves the points open; `null` where there is none.
    pub fault: Option<FaultWord>,
    /// Advice on the whole submission.
    pub hints: Vec<String>,
    /// Things for the instructor to look at.
    pub flags: Vec<FlagDocument>,
    /// What building gave; `null` where nothing was built.
    pub build: Option<BuildDocument>,
    /// Where the result comes from; `null` where there was nothing to run or nobody keeps results. Not for students.
    pub origin: Option<OriginDocument>,
    /// The subtasks, in the order of the problem file.
    pub subtasks: Vec<SubtaskDocument>,
}

/// Where the result of a submission comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct OriginDocument {
    /// What was done in this run.
    pub kind: OriginWord,
    /// The earlier run whose result was taken; `null` if it was run now.
    pub run: Option<u64>,
    /// Why an earlier result could not be taken; empty if one was, or there was none.
    #[schemars(schema_with = "schema::changes")]
    pub because: Vec<Change>,
}

/// What was done for a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OriginWord {
    /// It was built and run.
    Ran,
    /// Nothing: it is the result of an earlier run, since when nothing has changed.
    Reused,
}

/// What a fault comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultWord {
    /// The grader, or the machine that it runs on.
    Ours,
    /// What was handed in, or how: an archive that is refused, more files than are looked at, a text that was typed into
    /// the page of a course system, a name that the roster does not have.
    HandedIn,
}

/// Something for the instructor to look at.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct FlagDocument {
    /// A stable word, kebab-case.
    pub code: String,
    /// What was seen.
    pub message: String,
    /// Where and how it was seen.
    pub evidence: Vec<FlagEvidenceDocument>,
}

/// One thing that was seen and raised a flag.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct FlagEvidenceDocument {
    /// What it is.
    pub message: String,
    /// The file, by its path in the student's folder; `null` where it is not in the sources.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1, in characters.
    pub column: Option<usize>,
    /// What stands there, escaped; `…` where it was cut.
    pub excerpt: Option<String>,
}

/// What building a submission gave.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct BuildDocument {
    /// The compiler, its version and flags.
    pub toolchain: String,
    /// What the compiler said, escaped but for line feeds; `…` where it was cut.
    pub messages: Option<String>,
    /// CPU time of all steps.
    pub cpu_ms: Millis,
}

/// The result of one subtask.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SubtaskDocument {
    /// Its name.
    pub name: String,
    /// The points earned; `null` while a judge error leaves them open.
    #[schemars(schema_with = "schema::open_points")]
    pub points: Option<Points>,
    /// The points it is worth.
    #[schemars(schema_with = "schema::points")]
    pub max_points: Points,
    /// The folded verdict.
    #[schemars(schema_with = "schema::verdict")]
    pub verdict: Verdict,
    /// The reason, where the subtask as a whole has one.
    pub message: Option<String>,
    /// How the CPU time grows, where the subtask asks for that.
    pub growth: Option<GrowthDocument>,
    /// The cases, in the order of the problem file.
    pub cases: Vec<CaseDocument>,
}

/// The result of one case.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct CaseDocument {
    /// Its name; for a student and a hidden subtask only its number, `#1`.
    pub name: String,
    /// The verdict.
    #[schemars(schema_with = "schema::verdict")]
    pub verdict: Verdict,
    /// CPU time of the process tree.
    pub cpu_ms: Option<Millis>,
    /// Wall time from start to end.
    pub wall_ms: Option<Millis>,
    /// Peak resident memory, in KiB.
    pub memory_kib: Option<u64>,
    /// Limit of CPU time.
    pub limit_cpu_ms: Option<Millis>,
    /// Limit of wall time.
    pub limit_wall_ms: Option<Millis>,
    /// CPU time of the reference for the same case, where the limit is a multiple of it.
    pub yardstick_cpu_ms: Option<Millis>,
    /// Where `limit-cpu-ms` came from; `null` if the case was not run, or its limit follows from growth.
    pub limit_origin: Option<LimitOriginDocument>,
    /// Exit status; `null` where a signal ended the program or it was not run.
    pub exit: Option<i32>,
    /// Number of the signal that ended the program.
    pub signal: Option<i32>,
    /// The reason in one sentence.
    pub message: Option<String>,
    /// Advice: a likely cause of the failure.
    pub hints: Vec<String>,
    /// What the checker found, most telling first.
    pub evidence: Vec<EvidenceDocument>,
    /// The beginning of standard error, escaped but for line feeds; `…` where it was cut.
    pub stderr: Option<String>,
    /// Whether the CPU time is within the band of the limit.
    pub near_limit: bool,
    /// The runs alone that settled a result near a limit; `null` where there were none.
    pub confirmation: Option<ConfirmationDocument>,
    /// The attempts of a program that draws random numbers; `null` where the case is run once.
    pub attempts: Option<AttemptsDocument>,
    /// Percent of the case's points that were earned, where it is not all for `AC` and nothing else.
    pub share: Option<Decimal>,
    /// Whether it was not run because nothing more could be learnt from it, so that it counts neither way.
    pub needless: bool,
}

/// One reason of a checker.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct EvidenceDocument {
    /// A stable word, kebab-case: `queens-attack`.
    pub code: String,
    /// One sentence without a full stop.
    pub message: String,
    /// What was expected at that place, escaped; `…` where it was cut.
    pub expected: Option<String>,
    /// What was found at that place, escaped; `…` where it was cut.
    pub found: Option<String>,
    /// A drawing in plain text, lines joined by line feeds.
    pub figure: Option<String>,
}

/// A file that was handed in and not judged.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct UnusedDocument {
    /// Its path in the student's folder.
    pub path: String,
    /// Why it was not judged.
    pub reason: String,
    /// Whether somebody should look at it.
    pub notable: bool,
}
