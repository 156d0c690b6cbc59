//! The inputs of cases that a generator prints: each once in a run of the grader, when the first job needs it.

use std::sync::Arc;

use grader_model::{CaseName, Excerpt, ProblemId, SubtaskName};

use crate::Fault;
use crate::checker_program::{CheckerPrograms, fault};
use crate::judge::Worker;
use crate::once::{OnceMap, once};
use crate::run::CaseRef;

/// So much of a validator's message is shown.
const MAX_MESSAGE: usize = 200;

/// What generators have printed.
#[derive(Default)]
pub(crate) struct Inputs(OnceMap<(ProblemId, SubtaskName, CaseName), Arc<[u8]>>);

impl Inputs {
    /// The input of a case.
    pub(crate) fn of(
        &self,
        checkers: &CheckerPrograms,
        worker: Worker<'_>,
        at: CaseRef<'_>,
    ) -> Result<Arc<[u8]>, Fault> {
        if at.case.generator.is_none() {
            return Ok(Arc::clone(&at.case.input));
        }
        let (subtask, case) = (at.subtask.name.clone(), at.case.name.clone());
        let key = (at.problem.id.clone(), subtask, case);
        once(&self.0, key, worker.judge, || {
            generate(checkers, worker, at)
        })
    }
}

/// Runs the generator of a case.
fn generate(
    checkers: &CheckerPrograms,
    worker: Worker<'_>,
    at: CaseRef<'_>,
) -> Result<Arc<[u8]>, Fault> {
    let Some((program, arguments)) = &at.case.generator else {
        return Ok(Arc::clone(&at.case.input));
    };
    match checkers.output(worker, (program, arguments), b"")? {
        (0, input, _) => Ok(input.into()),
        (status, _, stderr) => {
            let reason = format!("ended with exit status {status}");
            Err(fault(program, &reason, &stderr))
        }
    }
}

/// What is wrong with the input of a case: its generator prints something else the second time, or the problem's
/// validator does not accept it.
pub(crate) fn mistake(
    inputs: &Inputs,
    checkers: &CheckerPrograms,
    worker: Worker<'_>,
    at: CaseRef<'_>,
) -> Result<Option<String>, Fault> {
    let input = inputs.of(checkers, worker, at)?;
    if let Some((program, arguments)) = &at.case.generator
        && generate(checkers, worker, at)? != input
    {
        let name = program.sources.first().map_or("", |source| source.name());
        let call = [&[name.to_owned()], &arguments[..]].concat().join(" ");
        return Ok(Some(format!(
            "the generator `{call}` does not print the same every time"
        )));
    }
    let Some((program, arguments)) = &at.problem.validator else {
        return Ok(None);
    };
    let (status, stdout, stderr) = checkers.output(worker, (program, arguments), &input)?;
    if matches!(status, 0 | 42) {
        return Ok(None);
    }
    let said = [stderr, stdout].concat();
    let said = Excerpt::first(said.trim_ascii(), MAX_MESSAGE);
    let name = program.sources.first().map_or("", |source| source.name());
    Ok(Some(format!(
        "the validator `{name}` does not accept the input (exit status {status}): {said}"
    )))
}
