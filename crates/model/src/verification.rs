//! Findings of `grader verify`.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};

use crate::result::{ProblemKeys, with_standing};
use crate::{AssignmentId, CaseResult, Host, Isolation, ProblemId, ProblemResult, Status, Verdict};

/// The sample submissions of an assignment, compared with their expected verdicts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Verification {
    /// The assignment.
    pub assignment: AssignmentId,
    /// The machine.
    pub host: Host,
    /// Isolation of programs.
    pub isolation: Isolation,
    /// Its problems, in order.
    pub problems: Vec<ProblemVerification>,
}

/// The sample submissions of one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ProblemVerification {
    /// The problem.
    pub id: ProblemId,
    /// Its folder; `None` if that is not on this machine.
    pub folder: Option<String>,
    /// Mistakes of the problem itself: the checker rejects the reference, there are no samples.
    pub mismatches: Vec<Mismatch>,
    /// The samples, in the order of their paths.
    pub samples: Vec<SampleResult>,
    /// Cases that no wrong sample fails, as `subtask/case`.
    pub idle_cases: Vec<String>,
    /// Whether wrong samples were stopped once their results were certain, so that [`Self::idle_cases`] is about the
    /// cases that they ran.
    pub stopped_early: bool,
    /// Whether this is the result of an earlier run: `--changed` was given, and nothing has changed.
    pub unchanged: bool,
}

/// One sample submission.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SampleResult {
    /// Its path below `submissions/`: `wrong-answer/off-by-one.c`.
    pub path: String,
    /// Its folder's verdict.
    pub expected: Verdict,
    /// The judge's result.
    pub found: ProblemResult,
    /// Their differences; empty if the sample is as expected.
    pub mismatches: Vec<Mismatch>,
    /// Why a result that is as expected may say nothing about the cases.
    // The key must be there: what an earlier version kept does not tell.
    #[serde(deserialize_with = "Option::deserialize")]
    pub warning: Option<String>,
    /// The author's reason.
    pub because: Option<String>,
}

/// Serialized form of a sample: the same result as that of a student, and whether it is as expected.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", remote = "SampleResult")]
struct SampleKeys {
    /// Its path below `submissions/`: `wrong-answer/off-by-one.c`.
    path: String,
    /// Its folder's verdict.
    expected: Verdict,
    /// Whether it is as expected.
    #[serde(getter = "SampleResult::outcome")]
    outcome: SampleOutcome,
    /// The judge's result, as that of a student in `bitcraft-results`.
    #[serde(serialize_with = "with_standing")]
    #[schemars(with = "ProblemKeys<'_>")]
    found: ProblemResult,
    /// Their differences; empty if the sample is as expected.
    mismatches: Vec<Mismatch>,
    /// Why a result that is as expected may say nothing about the cases; `null` if there is no such reason.
    warning: Option<String>,
    /// The author's reason.
    because: Option<String>,
}

impl Serialize for SampleResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SampleKeys::serialize(self, serializer)
    }
}

impl JsonSchema for SampleResult {
    fn schema_name() -> Cow<'static, str> {
        "SampleResult".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        SampleKeys::json_schema(generator)
    }
}

/// Whether a sample got what it must get.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SampleOutcome {
    /// It did.
    AsExpected,
    /// It did not.
    Unexpected,
    /// It could not be judged, so that nobody knows.
    Fault,
    /// It was not run: its language is not installed on this machine.
    NotRun,
}

/// One difference between expectation and result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Mismatch {
    /// The place: `points`, `flags`, `subtask small`, `case small/n=6`, `reference, case small/n=6`.
    pub place: String,
    /// The expected and the actual result, in English.
    pub message: String,
    /// Whether the judge failed, so that the problem may be fine: a compiler is not installed, or the reference does
    /// not build.
    pub fault: bool,
}

impl SampleResult {
    /// Whether it got what it must get.
    pub fn outcome(&self) -> SampleOutcome {
        if self.mismatches.iter().any(|it| it.fault) {
            SampleOutcome::Fault
        } else if !self.holds() {
            SampleOutcome::Unexpected
        } else if self.has_run() {
            SampleOutcome::AsExpected
        } else {
            SampleOutcome::NotRun
        }
    }

    /// Whether nothing is wrong with it.
    pub fn holds(&self) -> bool {
        self.mismatches.is_empty()
    }

    /// Whether it was judged: its language is installed on this machine.
    pub fn has_run(&self) -> bool {
        self.found.status != Status::NotJudged
    }

    /// All cases, with their names as `subtask/case`.
    pub fn cases(&self) -> impl Iterator<Item = (String, &CaseResult)> {
        self.found.cases()
    }
}

impl Verification {
    /// Whether the judge failed somewhere.
    pub fn has_faults(&self) -> bool {
        self.problems.iter().any(|problem| {
            let samples = problem.samples.iter().flat_map(|sample| &sample.mismatches);
            samples.chain(&problem.mismatches).any(|it| it.fault)
        })
    }

    /// Whether everything is as expected.
    pub fn holds(&self) -> bool {
        self.problems.iter().all(|problem| {
            problem.mismatches.is_empty() && problem.samples.iter().all(SampleResult::holds)
        })
    }
}
