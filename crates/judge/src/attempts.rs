//! A case of a program that draws random numbers: run several times, judged by how often it is accepted.
//!
//! Many programs draw their numbers from the clock in whole seconds (`srand(time(NULL))`). Two runs of one that begin
//! in the same second are one attempt made twice: whoever counted both would count one stroke of luck or bad luck
//! several times, and the rule would mean nothing. So an attempt that prints the same as an earlier one, where both
//! may have seen the same second, is made again in the next second. See [`draws`] for when that is given up.

mod draws;
mod flag;
mod rule;
mod second;
mod tally;

pub(crate) use flag::same_answer;

use std::hash::{DefaultHasher, Hasher as _};
use std::time::SystemTime;

use grader_model::{CaseResult, SubtaskResult, Verdict};
use grader_problem::{AttemptRule, Subtask};

use crate::built_case::BuiltCase;
use crate::judge::Judge;
use crate::references::References;
use crate::run::Ran;
use crate::{Fault, Stop};
use second::{Clock, SystemClock, wait_for};
use tally::Tally;

/// What the same submission did before: its results so far.
#[derive(Clone, Copy)]
pub(crate) struct Before<'a> {
    /// The subtasks that are done.
    pub(crate) subtasks: &'a [SubtaskResult],
    /// The cases of this subtask that are done.
    pub(crate) cases: &'a [CaseResult],
}

/// One run, by what tells it from another.
#[derive(Clone, Debug)]
pub(crate) struct Attempt {
    pub(crate) result: CaseResult,
    /// Nothing where the program was not started.
    pub(crate) print: Option<Print>,
}

/// What a run printed, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Print {
    /// The clock just before the program was started.
    pub(crate) began: SystemTime,
    /// Hash and length of its answer. Where two answers collide, a second is waited in vain.
    pub(crate) answer: (u64, usize),
}

impl Print {
    pub(crate) fn of(ran: &Ran<'_>) -> Self {
        let answer = ran.answer.as_deref().unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        hasher.write(answer);
        Self {
            began: ran.began,
            answer: (hasher.finish(), answer.len()),
        }
    }
}

/// Runs a case as often as the rule asks, and judges it.
///
/// # Errors
/// [`Fault::Stopped`] when asked to stop between two attempts; otherwise the first failure of ours.
pub(crate) fn judge(
    judge: &Judge,
    references: &References,
    subtask: &Subtask,
    rule: AttemptRule,
    run: &BuiltCase<'_>,
    before: Before<'_>,
) -> Result<CaseResult, Fault> {
    let problem = run.problem;
    let known = references.ask(judge, problem, &subtask.name, run.case)?;
    let language = run.built.language().id();
    let times = references.times_for(judge, problem, language, known.yardstick)?;
    let limits = problem.limits.resolve(language, times.as_ref());
    let origin = problem.limits.origin(language, times.as_ref());
    let tally = Tally::new(rule, draws::evidence(problem, before));
    let mut result = until_certain(tally, &SystemClock(judge.seats()), judge.stop(), || {
        run.attempt(judge, &known, limits)
    })?;
    if result.limits.is_some() {
        result.limit_origin = origin;
    }
    Ok(result)
}

/// Makes attempts until the outcome is certain.
fn until_certain(
    mut tally: Tally,
    clock: &dyn Clock,
    stop: &Stop,
    mut attempt: impl FnMut() -> Result<Attempt, Fault>,
) -> Result<CaseResult, Fault> {
    loop {
        if let Some(result) = tally.result() {
            return Ok(result);
        }
        let mut made = next(stop, &mut attempt)?;
        if let Some(second) = tally.repeated(&made) {
            clock.away(&mut || wait_for(second, clock, stop))?;
            made = next(stop, &mut attempt)?;
        }
        if made.result.verdict == Verdict::JudgeError {
            return Ok(made.result);
        }
        tally.add(made);
    }
}

fn next(
    stop: &Stop,
    attempt: &mut impl FnMut() -> Result<Attempt, Fault>,
) -> Result<Attempt, Fault> {
    if stop.is_requested() {
        return Err(Fault::Stopped);
    }
    attempt()
}

#[cfg(test)]
mod tests;
