//! A policy's requests, and the replies to them.

use std::sync::Arc;

use grader_model::{CaseResult, CpuTime, Limits, Text, Verdict, WallTime};
use grader_problem::{CaseRef, ReferenceTimes};

use super::run::JudgedRun;

/// A policy's next request.
#[derive(Debug)]
pub(crate) enum Next<'a> {
    /// The times of the reference that limit this case.
    Times(CaseRef<'a>),
    /// A run of the program.
    Run(RunPlan<'a>),
    /// A run of the reference on this case, alone on the machine.
    Reference(CaseRef<'a>),
    /// A wait until this second of the clock, counted from 1970.
    Wait(u64),
    /// No more requests: the result of the case.
    Done(Box<CaseResult>),
}

impl Next<'_> {
    /// Whether nothing else may run on the machine.
    pub(crate) const fn is_alone(&self) -> bool {
        match self {
            Self::Run(plan) => plan.alone,
            Self::Reference(_) => true,
            Self::Times(_) | Self::Wait(_) | Self::Done(_) => false,
        }
    }
}

/// A run that a policy requests.
#[derive(Clone, Debug)]
pub(crate) struct RunPlan<'a> {
    /// The case.
    pub(crate) at: CaseRef<'a>,
    /// The number of the pass, from 1, and its input unless that is the case's own.
    pub(crate) pass: u32,
    pub(crate) input: Option<Arc<[u8]>>,
    /// Whether it must be alone on the machine. Between consecutive exclusive runs, nothing else runs.
    pub(crate) alone: bool,
    /// The limits by which it is judged. It may use CPU time up to the end of the band above the limit.
    pub(crate) limits: Limits,
    /// Its wall time limit, extended if it was kept from the processor before.
    pub(crate) wall: WallTime,
}

/// The reply to a policy's request.
#[derive(Debug)]
pub(crate) enum News {
    /// The times; `None` if the problem has no limit or step that is a multiple of them.
    Times(Option<ReferenceTimes>),
    Ran(Box<JudgedRun>),
    /// The CPU time of the reference, if its case is timed.
    Reference(Option<CpuTime>),
    /// A failure on our side.
    Failed(Text),
}

/// Judges one case.
pub(crate) trait Policy<'a> {
    /// Its next request. `now` is the current second.
    fn next(&mut self, now: u64) -> Next<'a>;

    /// Receives the reply.
    fn told(&mut self, news: News);
}

/// The result of a case after a failure on our side.
pub(super) fn failed(at: CaseRef<'_>, why: Text) -> Box<CaseResult> {
    let name = at.case.name.clone();
    Box::new(CaseResult::unrun(name, Verdict::JudgeError, why))
}
