//! The samples of an assignment: a class whose students are samples. Each has the view of a student's work, and what it must get.

use grader_model::{
    AssignmentId, Breach, CaseResult, ProblemVerification, SampleOutcome, SampleResult, Verdict,
    Verification,
};

use crate::case::{CaseView, is_failing};
use crate::problem::{ProblemView, SubtaskView};

/// The samples of an assignment.
#[derive(Clone, Debug)]
pub struct SamplesView<'a> {
    /// The assignment.
    pub assignment: &'a AssignmentId,
    /// Its problems, in order.
    pub problems: Vec<SampledProblem<'a>>,
}

/// The samples of one problem.
#[derive(Clone, Debug)]
pub struct SampledProblem<'a> {
    /// The problem, and its own mistakes.
    pub problem: &'a ProblemVerification,
    /// The samples.
    pub samples: Vec<SampleView<'a>>,
    /// The slowest accepted run, except in cases whose limit follows from growth.
    pub slowest_pass: Option<Margin<'a>>,
    /// The fastest run over its time limit, with the same exception.
    pub fastest_time_out: Option<Margin<'a>>,
}

/// One sample.
#[derive(Clone, Debug)]
pub struct SampleView<'a> {
    /// The sample, and what it must get.
    pub sample: &'a SampleResult,
    /// Whether it got that.
    pub outcome: SampleOutcome,
    /// What it got, as of a student's work.
    pub found: ProblemView<'a>,
}

/// Distance of a sample's run from its CPU time limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Margin<'a> {
    /// CPU time divided by the limit.
    pub ratio: f64,
    /// Whether the program was stopped: it would have taken longer.
    pub stopped: bool,
    /// The sample's path.
    pub sample: &'a str,
    /// The case, as `subtask/case`.
    pub case: String,
}

impl<'a> SamplesView<'a> {
    /// The view of a verification. Authors may see all of it.
    pub fn of(verification: &'a Verification) -> Self {
        Self {
            assignment: &verification.assignment,
            problems: verification.problems.iter().map(sampled).collect(),
        }
    }

    /// How many samples came to this.
    pub fn count(&self, outcome: SampleOutcome) -> usize {
        let samples = self.problems.iter().flat_map(|problem| &problem.samples);
        samples.filter(|it| it.outcome == outcome).count()
    }

    /// How many problems have mistakes of their own.
    pub fn wrong_problems(&self) -> usize {
        let problems = self.problems.iter();
        problems
            .filter(|it| !it.problem.mismatches.is_empty())
            .count()
    }
}

impl<'a> SampleView<'a> {
    fn of(sample: &'a SampleResult) -> Self {
        Self {
            sample,
            outcome: sample.outcome(),
            found: ProblemView::of(&sample.found, None),
        }
    }

    /// Whether it got its verdict in a case, but another one as a whole.
    pub fn is_met_in_a_case(&self) -> bool {
        let (mut cases, expected) = (self.found.cases(), self.sample.expected);
        self.found.verdict != expected && cases.any(|(_, it)| it.verdict() == expected)
    }

    /// The subtask that explains its verdict: the first that is not as it must be, or else the first that it fails.
    pub fn explaining(&self) -> Option<&SubtaskView<'a>> {
        let subtasks = || self.found.subtasks.iter();
        let is_wrong = |it: &&SubtaskView<'_>| {
            let places = [format!("subtask {}", it.name), format!("case {}/", it.name)];
            let is_there = |place: &str| place == places[0] || place.starts_with(&places[1]);
            let mut mismatches = self.sample.mismatches.iter();
            mismatches.any(|it| is_there(&it.place))
        };
        let failing = || subtasks().filter(|it| is_failing(it.verdict));
        failing().find(is_wrong).or_else(|| failing().next())
    }

    /// The case that explains its verdict, by the same rule.
    pub fn explaining_case(&self) -> Option<&CaseView<'a>> {
        let subtask = self.explaining()?;
        let failing = || subtask.cases.iter().filter(|it| it.is_failing());
        let is_wrong = |case: &&CaseView<'_>| {
            let place = format!("case {}/{}", subtask.name, case.name());
            let mut mismatches = self.sample.mismatches.iter();
            mismatches.any(|it| it.place == place)
        };
        failing().find(is_wrong).or_else(|| failing().next())
    }
}

fn sampled(problem: &ProblemVerification) -> SampledProblem<'_> {
    let runs = |verdict| {
        let samples = problem.samples.iter();
        samples.flat_map(move |sample| {
            let cases = sample.cases().filter(move |(_, it)| it.verdict == verdict);
            cases.filter_map(move |(name, case)| margin(&sample.path, name, case))
        })
    };
    let time_outs = runs(Verdict::TimeLimit).filter(|margin| margin.ratio > 1.0);
    SampledProblem {
        problem,
        samples: problem.samples.iter().map(SampleView::of).collect(),
        slowest_pass: runs(Verdict::Accepted).max_by(|a, b| a.ratio.total_cmp(&b.ratio)),
        fastest_time_out: time_outs.min_by(|a, b| a.ratio.total_cmp(&b.ratio)),
    }
}

fn margin<'a>(sample: &'a str, name: String, case: &CaseResult) -> Option<Margin<'a>> {
    case.limit_origin.as_ref()?;
    let outcome = case.outcome.as_ref()?;
    Some(Margin {
        ratio: outcome.cpu.0.as_secs_f64() / case.limits?.cpu.0.as_secs_f64(),
        stopped: outcome.breach == Some(Breach::Cpu),
        sample,
        case: name,
    })
}

#[cfg(test)]
mod tests {
    use grader_model::{
        CaseName, Mismatch, ProblemResult, Status, SubtaskName, SubtaskResult, Text,
    };

    use super::*;

    fn subtask(name: &str) -> SubtaskResult {
        let cases = ["1", "2"].map(|name| {
            CaseResult::unrun(CaseName::new(name), Verdict::WrongAnswer, Text::default())
        });
        SubtaskResult {
            name: SubtaskName::new(name),
            verdict: Verdict::WrongAnswer,
            cases: cases.into(),
            ..SubtaskResult::default()
        }
    }

    /// A sample that fails everything, with something unexpected at these places.
    fn sample(places: &[&str], fault: bool, status: Status) -> SampleResult {
        let places = places.iter().map(|place| Mismatch {
            place: (*place).to_owned(),
            message: String::new(),
            fault,
        });
        SampleResult {
            path: "wrong-answer/a.c".to_owned(),
            expected: Verdict::WrongAnswer,
            found: ProblemResult {
                status,
                verdict: Verdict::WrongAnswer,
                subtasks: vec![subtask("small"), subtask("large")],
                ..ProblemResult::default()
            },
            mismatches: places.collect(),
            warning: None,
            because: None,
        }
    }

    #[test]
    fn a_sample_is_explained_where_it_is_not_as_it_must_be() {
        for (places, subtask, case) in [
            (&[][..], "small", "1"),
            (&["points"], "small", "1"),
            (&["subtask large"], "large", "1"),
            (&["points", "case large/2"], "large", "2"),
        ] {
            let sample = sample(places, false, Status::Judged);
            let view = SampleView::of(&sample);
            let found = view.explaining().zip(view.explaining_case());
            let (in_subtask, of_case) = found.unwrap();
            assert_eq!(
                (in_subtask.name.as_str(), of_case.name().as_str()),
                (subtask, case),
                "{places:?}"
            );
        }
    }

    #[test]
    fn what_could_not_be_judged_or_run_is_not_unexpected() {
        for (places, fault, status, expected) in [
            (&[][..], false, Status::Judged, SampleOutcome::AsExpected),
            (
                &["points"],
                false,
                Status::Judged,
                SampleOutcome::Unexpected,
            ),
            (&["judge error"], true, Status::Judged, SampleOutcome::Fault),
            (&[], false, Status::NotJudged, SampleOutcome::NotRun),
        ] {
            assert_eq!(sample(places, fault, status).outcome(), expected);
        }
    }
}
