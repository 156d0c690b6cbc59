//! The inputs of cases that a generator prints: each once in a run of the grader, when the first job needs it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use grader_model::{Bytes, Excerpt};
use grader_problem::AuthorCall;

use crate::Fault;
use crate::checker_program::{AuthorRun, CheckerPrograms, fault};
use crate::judge::Worker;
use crate::once::{OnceMap, once};
use crate::run::{CaseKey, CaseRef};

/// Bytes of a validator's message that are shown.
const MAX_MESSAGE: usize = 200;

/// Limit for the output of all generators and the answers of all references together: they stay in memory.
const MAX_BYTES: u64 = 1 << 30;

/// What generators have printed.
#[derive(Default)]
pub(crate) struct Inputs {
    known: OnceMap<CaseKey, Arc<[u8]>>,
    bytes: AtomicU64,
}

impl Inputs {
    /// The input of a case.
    pub(crate) fn of(
        &self,
        checkers: &CheckerPrograms,
        worker: Worker<'_>,
        at: CaseRef<'_>,
    ) -> Result<Arc<[u8]>, Fault> {
        let Some(generator) = &at.case.generator else {
            return Ok(Arc::clone(&at.case.input));
        };
        once(&self.known, at.key(), worker.judge, || {
            let input = generate(checkers, worker, generator)?;
            self.keep(&input)?;
            Ok(input)
        })
    }

    /// Counts something that stays in memory.
    pub(crate) fn keep(&self, bytes: &[u8]) -> Result<(), Fault> {
        let size = bytes.len() as u64;
        if self.bytes.fetch_add(size, Ordering::Relaxed) + size > MAX_BYTES {
            // It is not kept.
            self.bytes.fetch_sub(size, Ordering::Relaxed);
            let max = Bytes(MAX_BYTES);
            return Err(Fault::Other(format!(
                "the generated inputs and the reference's answers are larger than {max} together"
            )));
        }
        Ok(())
    }
}

/// Runs a generator.
fn generate(
    checkers: &CheckerPrograms,
    worker: Worker<'_>,
    generator: &AuthorCall,
) -> Result<Arc<[u8]>, Fault> {
    let run = checkers.output(worker, generator, b"")?;
    if run.status == 0 {
        return Ok(run.stdout.into());
    }
    let reason = format!("ended with exit status {}", run.status);
    Err(fault(&generator.program, &reason, &run.stderr))
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
    if let Some(generator) = &at.case.generator
        && generate(checkers, worker, generator)? != input
    {
        let name = generator.program.name().to_owned();
        let call = [&[name], &generator.arguments[..]].concat().join(" ");
        return Ok(Some(format!(
            "the generator `{call}` printed different output on a second run"
        )));
    }
    let Some(validator) = &at.problem.validator else {
        return Ok(None);
    };
    let AuthorRun {
        status,
        stdout,
        stderr,
    } = checkers.output(worker, validator, &input)?;
    if matches!(status, 0 | 42) {
        return Ok(None);
    }
    let said = [stderr, stdout].concat();
    let said = Excerpt::first(said.trim_ascii(), MAX_MESSAGE);
    let name = validator.program.name();
    Ok(Some(format!(
        "the validator `{name}` rejected the input (exit status {status}): {said}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_has_a_limit_and_what_is_refused_does_not_count() {
        let inputs = Inputs {
            bytes: AtomicU64::new(MAX_BYTES - 10),
            ..Inputs::default()
        };
        assert!(inputs.keep(&[0; 9]).is_ok());
        let fault = inputs.keep(&[0; 1000]).unwrap_err().chain();
        let message =
            "the generated inputs and the reference's answers are larger than 1 GiB together";
        assert_eq!(fault, message);
        assert!(inputs.keep(&[0]).is_ok() && inputs.keep(&[0]).is_err());
    }
}
