//! How the CPU time of a program grows with the size of its input.

use grader_model::{CaseResult, Growth};
use grader_problem::{GrowthRule, Subtask};

use crate::Fault;
use crate::job::BuiltCase;
use crate::judge::Judge;
use crate::references::References;
use crate::steady;

/// Runs a case of a subtask that asks for growth; `before` are the results of the smaller sizes.
pub(crate) fn judge(
    judge: &Judge,
    references: &References,
    subtask: &Subtask,
    _rule: &GrowthRule,
    run: &BuiltCase<'_>,
    _before: &[CaseResult],
) -> Result<CaseResult, Fault> {
    steady::judge(judge, references, subtask, run)
}

/// The growth of a subtask's cases, all of which have results.
pub(crate) fn measured(subtask: &Subtask, cases: &[CaseResult]) -> Option<Growth> {
    let _ = (subtask.growth.as_ref()?, cases);
    None
}
