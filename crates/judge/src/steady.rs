//! One case under the problem's own limits: run once, and again alone where the time is near a limit.

use grader_model::CaseResult;
use grader_problem::Subtask;

use crate::Fault;
use crate::job::BuiltCase;
use crate::judge::Judge;
use crate::references::References;

/// Runs a case and judges it.
pub(crate) fn judge(
    judge: &Judge,
    references: &References,
    subtask: &Subtask,
    run: &BuiltCase<'_>,
) -> Result<CaseResult, Fault> {
    let problem = run.problem;
    let known = references.ask(judge, problem, &subtask.name, run.case)?;
    let limits = problem
        .limits
        .resolve(run.built.language().id(), known.yardstick);
    run.judge(judge, &known, limits)
}
