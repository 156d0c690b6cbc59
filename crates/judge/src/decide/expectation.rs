//! When it is certain whether a sample submission is as expected.

use std::collections::BTreeMap;

use grader_model::{CaseResult, ProblemId, Verdict};
use grader_problem::{Expectation, Sample};

/// Samples that stop early, by path and problem.
pub(crate) type Samples<'a> = BTreeMap<(&'a str, &'a ProblemId), &'a Sample>;

/// Whether a case was run and failed.
pub(crate) fn fails(case: &CaseResult) -> bool {
    !case.skipped && case.verdict.fails()
}

/// Whether a sample may get this result in a case: its own verdict, or accepted.
pub(crate) fn allows(expectation: &Expectation, case: &CaseResult) -> bool {
    let expected = &expectation.verdicts;
    if *expected == [Verdict::PartiallyCorrect] || expectation.first_failure && !fails(case) {
        return true;
    }
    let is_skipped = case.verdict == Verdict::Skipped && *expected != [Verdict::Accepted];
    expected.contains(&case.verdict)
        || case.verdict == Verdict::Accepted
        || case.skipped
        || is_skipped
}

/// Whether this case makes certain that a sample is, or is not, as expected, so that no other case needs to run.
pub(crate) fn decides(expectation: &Expectation, case: &CaseResult) -> bool {
    // A fault of ours decides nothing, and without a program there is nothing to stop.
    let has_run = !matches!(case.verdict, Verdict::JudgeError | Verdict::CompileError);
    let needs_all = expectation.points.is_some()
        || !expectation.subtasks.is_empty()
        || !expectation.flags.is_empty();
    // Whether it is partially correct depends on the points of all cases.
    let is_partial = expectation.verdicts == [Verdict::PartiallyCorrect];
    let is_certain = if expectation.first_failure && !is_partial {
        !needs_all && fails(case)
    } else {
        !allows(expectation, case)
    };
    has_run && is_certain
}
