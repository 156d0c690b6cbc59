//! Findings of `grader verify`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    AssignmentId, Breach, CaseResult, Host, Isolation, ProblemId, ProblemResult, Status, Verdict,
};

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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// The author's reason.
    pub because: Option<String>,
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

/// Distance of a sample's run from its CPU time limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin {
    /// CPU time divided by the limit.
    pub ratio: f64,
    /// Whether the program was stopped: it would have taken longer.
    pub stopped: bool,
    /// The sample's path.
    pub sample: String,
    /// The case, as `subtask/case`.
    pub case: String,
}

impl SampleResult {
    /// Whether the sample is as expected.
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

impl ProblemVerification {
    /// The slowest accepted run and the fastest run over its time limit, except in cases whose limit follows from
    /// growth.
    pub fn margins(&self) -> (Option<Margin>, Option<Margin>) {
        let runs = |verdict| {
            let samples = self.samples.iter();
            samples.flat_map(move |sample| {
                let cases = sample.cases().filter(move |(_, it)| it.verdict == verdict);
                cases.filter_map(move |(name, case)| margin(sample, name, case))
            })
        };
        (
            runs(Verdict::Accepted).max_by(|a, b| a.ratio.total_cmp(&b.ratio)),
            runs(Verdict::TimeLimit)
                .filter(|margin| margin.ratio > 1.0)
                .min_by(|a, b| a.ratio.total_cmp(&b.ratio)),
        )
    }
}

fn margin(sample: &SampleResult, name: String, case: &CaseResult) -> Option<Margin> {
    case.limit_origin.as_ref()?;
    let outcome = case.outcome.as_ref()?;
    Some(Margin {
        ratio: outcome.cpu.0.as_secs_f64() / case.limits?.cpu.0.as_secs_f64(),
        stopped: outcome.breach == Some(Breach::Cpu),
        sample: sample.path.clone(),
        case: name,
    })
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
