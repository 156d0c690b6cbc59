//! What `grader verify` found.

use serde::{Deserialize, Serialize};

use crate::{AssignmentId, Host, Isolation, ProblemId, ProblemResult, Text, Verdict};

/// The sample submissions of an assignment, held to their expected verdicts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Verification {
    /// The assignment.
    pub assignment: AssignmentId,
    /// The machine.
    pub host: Host,
    /// How programs were isolated.
    pub isolation: Isolation,
    /// Its problems, in order.
    pub problems: Vec<ProblemVerification>,
}

/// The sample submissions of one problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct ProblemVerification {
    /// The problem.
    pub id: ProblemId,
    /// What is wrong with the problem itself: the reference fails its own checker, no samples at all.
    pub mismatches: Vec<Mismatch>,
    /// The samples, in the order of their paths.
    pub samples: Vec<SampleResult>,
    /// Cases that no wrong sample fails, as `subtask/case`.
    pub idle_cases: Vec<String>,
}

/// One sample submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct SampleResult {
    /// Its path below `submissions/`: `wrong-answer/off-by-one.c`.
    pub path: String,
    /// The verdict that its folder stands for.
    pub expected: Verdict,
    /// What the judge found.
    pub found: ProblemResult,
    /// In what the two differ; empty where the sample got what it must get.
    pub mismatches: Vec<Mismatch>,
    /// What the author of the sample says about it.
    pub because: Option<String>,
}

/// One difference between what was expected and what was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Mismatch {
    /// Where: `points`, `subtask small`, `case small/n=6`, `reference, case small/n=6`.
    pub place: String,
    /// What was expected and what was found.
    pub message: Text,
    /// Whether something failed on our side, so that nothing is known of the problem: a compiler that is not
    /// installed, a reference that does not build.
    pub fault: bool,
}

impl SampleResult {
    /// Whether the sample got what it must get.
    pub fn holds(&self) -> bool {
        self.mismatches.is_empty()
    }
}

impl Verification {
    /// Whether something failed on our side.
    pub fn has_faults(&self) -> bool {
        self.problems.iter().any(|problem| {
            let samples = problem.samples.iter().flat_map(|sample| &sample.mismatches);
            problem
                .mismatches
                .iter()
                .chain(samples)
                .any(|mismatch| mismatch.fault)
        })
    }

    /// Whether everything got what it must get.
    pub fn holds(&self) -> bool {
        self.problems.iter().all(|problem| {
            problem.mismatches.is_empty() && problem.samples.iter().all(SampleResult::holds)
        })
    }
}
