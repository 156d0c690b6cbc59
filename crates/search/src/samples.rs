//! Samples on inputs outside the cases: those that must be right, and those that no case has shown to be wrong.

use std::io;

use grader_intake::Submission;
use grader_model::{CaseResult, Mismatch, ProblemVerification, Text, Verdict, counted};
use grader_problem::{Entry, ReferenceProgram, Sample};
use grader_view::is_right;

use crate::{Explainer, SearchError};

/// The place of what concerns no case.
const OUTSIDE: &str = "outside the test cases";

/// What a search for inputs on which samples fail found.
#[derive(Debug, Default)]
pub struct SampleAudit {
    accepted: Tried,
    missed: Tried,
    /// What is wrong with the problem itself.
    fault: Option<Text>,
}

/// Some samples of one kind.
#[derive(Debug, Default)]
struct Tried {
    count: usize,
    failed: usize,
    /// Those that were not tried to the end.
    untried: usize,
}

/// Called with the path of a sample and how it fails.
type Show<'a> = &'a mut dyn FnMut(&str, &CaseResult) -> io::Result<()>;

impl SampleAudit {
    /// Searches for inputs on which samples fail that are marked `accepted`, or that pass all cases although they are wrong, and
    /// for those on which the problem itself has a fault. Adds to the verification which of the former fail or were not tried,
    /// and the fault.
    ///
    /// # Errors
    /// Our own failure, one of `show`, or a request to stop. What was found before is in the verification.
    pub fn run(
        explainer: &Explainer<'_>,
        samples: &[Sample],
        found: &mut ProblemVerification,
        show: Show<'_>,
    ) -> Result<Self, SearchError> {
        let mut audit = Self::default();
        let must_pass = |it: &Sample| it.verdict == Verdict::Accepted;
        for sample in samples.iter().filter(|it| must_pass(it)) {
            audit.accepted.count += 1;
            audit.search(explainer, sample, found, show)?;
        }
        for sample in samples.iter().filter(|it| !must_pass(it)) {
            let mut results = found.samples.iter();
            if results.any(|it| it.path == sample.path && is_right(&it.found)) {
                audit.missed.count += 1;
                audit.search(explainer, sample, found, show)?;
            }
        }
        if let (0, Some(reference)) = (audit.accepted.count, of_reference(explainer.entry)) {
            // No other program reaches the inputs on which the problem itself is wrong.
            let outcome = explainer.explain(&reference)?;
            let fault = outcome.and_then(|it| it.problem_fault);
            audit.fault = audit.fault.take().or(fault);
        }
        let fault = audit.fault.as_ref();
        found
            .mismatches
            .extend(fault.map(|it| outside(it.en.as_str())));
        Ok(audit)
    }

    /// Shows on which input a sample fails.
    fn search(
        &mut self,
        explainer: &Explainer<'_>,
        sample: &Sample,
        found: &mut ProblemVerification,
        show: Show<'_>,
    ) -> Result<(), SearchError> {
        let files = vec![sample.path.clone()];
        let submission = Submission::in_memory(sample.sources.clone(), files, None);
        let Some(outcome) = explainer.explain(&submission)? else {
            return Ok(());
        };
        self.fault = self.fault.take().or(outcome.problem_fault);
        let must_pass = sample.verdict == Verdict::Accepted;
        let kind = if must_pass {
            &mut self.accepted
        } else {
            &mut self.missed
        };
        let mut results = found.samples.iter_mut();
        let result = results.find(|it| it.path == sample.path);
        let mismatch = if let Some(case) = &outcome.found {
            kind.failed += 1;
            show(&sample.path, case)?;
            expected_to_pass(case)
        } else if outcome.is_untried || outcome.unconfirmed.is_some() {
            kind.untried += 1;
            outside("not tried to the end")
        } else {
            return Ok(());
        };
        if let Some(result) = result {
            result.mismatches.extend(must_pass.then_some(mismatch));
            result.found.counterexample = outcome.found.map(Box::new);
        }
        Ok(())
    }

    /// What was found of a problem, a line each.
    pub fn lines(&self) -> Vec<Text> {
        let Tried {
            count,
            failed,
            untried,
        } = self.accepted;
        let samples = counted(count, "accepted sample", "accepted samples");
        let mut lines = vec![Text::new(
            format!("{failed} of {samples} failed on an input outside the test cases"),
            format!("{count} 个应通过的样例程序中，{failed} 个在其他输入上出错"),
        )];
        let (missed, caught) = (self.missed.count, self.missed.failed);
        if missed > 0 {
            let (one, many) = ("wrong sample that passes", "wrong samples that pass");
            let samples = counted(missed, one, many);
            lines.push(Text::new(
                format!("{caught} of {samples} every case failed on an input outside the test cases"),
                format!("{missed} 个错误的样例程序没有被任何测试点查出，其中 {caught} 个在其他输入上出错"),
            ));
        }
        if untried > 0 {
            let (one, many) = (
                "accepted sample was not tried",
                "accepted samples were not tried",
            );
            let samples = counted(untried, one, many);
            lines.push(Text::new(
                format!("{samples} to the end: try a longer `--time`"),
                format!("{untried} 个应通过的样例程序没有试完：请延长 `--time`"),
            ));
        }
        lines.extend(self.fault.clone());
        lines
    }
}

/// What is wrong with a sample that should fail on no input.
fn expected_to_pass(case: &CaseResult) -> Mismatch {
    let because = case.message.as_ref();
    let because = because.map_or_else(String::new, |it| format!(": {}", it.en));
    let (name, code) = (&case.name, case.verdict.code());
    outside(format!("expected AC on {name}, found {code}{because}"))
}

fn outside(message: impl Into<String>) -> Mismatch {
    Mismatch {
        place: OUTSIDE.to_owned(),
        message: message.into(),
        fault: false,
    }
}

/// The reference as a submission, if it is given as sources.
fn of_reference(entry: &Entry) -> Option<Submission> {
    let ReferenceProgram::Sources(sources) = &entry.problem.reference.as_ref()?.program else {
        return None;
    };
    let shown = sources.iter().map(|it| it.path.clone()).collect();
    Some(Submission::in_memory(sources.clone(), shown, None))
}
