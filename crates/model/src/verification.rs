//! What `grader verify` found.

use serde::{Deserialize, Serialize};

use crate::{AssignmentId, Host, Isolation, ProblemId, ProblemResult, Text, Verdict};

/// The sample submissions of an assignment, held to their expected verdicts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Verification {
    /// The assignment.
    pub assignment: AssignmentId,
    /// The machine.
    pub host: Host,
    /// How programs were isolated.
    pub isolation: Isolation,
    /// Whether every mutant was run on every case, and not only until one failed it, so that there is a table.
    pub every_case: bool,
    /// Its problems, in order.
    pub problems: Vec<ProblemVerification>,
}

/// The sample submissions of one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// The mutants of its reference: programs that the grader carries, each with one mistake.
    pub mutants: Vec<MutantResult>,
}

/// What became of one mutant of a problem's reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MutantResult {
    /// Its name among the mutants of the reference: `one-diagonal-forgotten`.
    pub name: String,
    /// What is wrong about it.
    pub mistake: Text,
    /// Every case of the problem, in order.
    pub cases: Vec<MutantCase>,
}

/// A mutant in one case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MutantCase {
    /// The case, as `subtask/case`.
    pub name: String,
    /// `SK` where it was not run: another case had failed it, or it does not take this command line or input.
    pub verdict: Verdict,
    /// Why there is no verdict, where something failed on our side.
    pub fault: Option<Text>,
}

/// One sample submission.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Where: `points`, `flags`, `subtask small`, `case small/n=6`, `reference, case small/n=6`.
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

impl MutantResult {
    /// The first case that fails it: where it printed something that the checker does not accept. To be stopped at a
    /// limit is no such failure, because it says more about the machine than about the case.
    pub fn killed_by(&self) -> Option<&MutantCase> {
        let wrong = |case: &&MutantCase| {
            matches!(
                case.verdict,
                Verdict::PresentationError | Verdict::WrongAnswer
            )
        };
        self.cases.iter().find(wrong)
    }

    /// Whether no case fails it although it was run and nothing failed on our side.
    pub fn survives(&self) -> bool {
        let was_run = |case: &MutantCase| case.verdict != Verdict::Skipped;
        self.killed_by().is_none()
            && self.cases.iter().any(was_run)
            && self.cases.iter().all(|case| case.fault.is_none())
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
