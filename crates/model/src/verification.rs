//! What `grader verify` found.

use serde::{Deserialize, Serialize};

use crate::{AssignmentId, Breach, Host, Isolation, ProblemId, ProblemResult, Text, Verdict};

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

/// A run of a sample, by how near it came to its CPU time limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin {
    /// CPU time divided by the limit.
    pub ratio: f64,
    /// Whether the program was stopped, so that it would have taken longer.
    pub stopped: bool,
    /// The sample's path.
    pub sample: String,
    /// The case, as `subtask/case`.
    pub case: String,
}

impl ProblemVerification {
    /// The slowest accepted run of all samples and the fastest run over its time limit. Cases whose limit follows from
    /// growth are left out.
    pub fn margins(&self) -> (Option<Margin>, Option<Margin>) {
        let runs = self.samples.iter().flat_map(|sample| {
            let subtasks = sample.found.subtasks.iter();
            subtasks.flat_map(move |subtask| {
                let cases = subtask.cases.iter();
                cases.map(move |case| (sample, subtask, case))
            })
        });
        let (mut slowest, mut fastest): (Option<Margin>, Option<Margin>) = (None, None);
        for (sample, subtask, case) in runs {
            let (Some(outcome), Some(limits), Some(_)) =
                (&case.outcome, case.limits, &case.limit_origin)
            else {
                continue;
            };
            let margin = Margin {
                ratio: outcome.cpu.0.as_secs_f64() / limits.cpu.0.as_secs_f64(),
                stopped: outcome.breach == Some(Breach::Cpu),
                sample: sample.path.clone(),
                case: format!("{}/{}", subtask.name, case.name),
            };
            if case.verdict == Verdict::Accepted {
                if slowest.as_ref().is_none_or(|it| it.ratio < margin.ratio) {
                    slowest = Some(margin);
                }
            } else if case.verdict == Verdict::TimeLimit
                && margin.ratio > 1.0
                && fastest.as_ref().is_none_or(|it| it.ratio > margin.ratio)
            {
                fastest = Some(margin);
            }
        }
        (slowest, fastest)
    }
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
