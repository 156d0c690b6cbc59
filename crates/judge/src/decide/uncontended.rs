//! Runs without CPU contention: a run that other processes kept from the processor is repeated alone, with more wall
//! time.

use grader_model::{LanguageId, Limits, Outcome, Text, Verdict, text};
use grader_problem::{CaseRef, ReferenceTimes};

use super::contention::more_wall_time;
use super::policy::{Next, RunPlan};
use super::run::JudgedRun;
use super::timing::{Bounds, Timing};

/// One run, repeated as long as CPU contention stops it.
#[derive(Clone, Debug)]
pub(crate) struct Uncontended<'a> {
    at: CaseRef<'a>,
    limits: Limits,
    alone: bool,
    /// How often it was repeated.
    retries: u32,
}

impl<'a> Uncontended<'a> {
    pub(crate) const fn new(at: CaseRef<'a>, limits: Limits, alone: bool) -> Self {
        Self {
            at,
            limits,
            alone,
            retries: 0,
        }
    }

    pub(crate) fn next(&self) -> Next<'a> {
        let is_retry = self.retries > 0;
        Next::Run(RunPlan {
            at: self.at,
            pass: 1,
            input: None,
            alone: self.alone || is_retry,
            limits: self.limits,
            wall: if is_retry {
                more_wall_time(self.limits)
            } else {
                self.limits.wall
            },
        })
    }

    /// Returns the run if it counts. If contention persists, that is our failure.
    pub(crate) fn ran(&mut self, run: JudgedRun) -> Option<JudgedRun> {
        let max = self.at.problem.limits.confirm;
        let (Some(contention), Some(outcome)) = (run.contention, &run.result.outcome) else {
            return Some(run);
        };
        if max == 0 {
            return Some(run);
        }
        if self.retries < max && contention.is_possible(self.limits) {
            self.retries += 1;
            return None;
        }
        if !contention.is_certain(self.limits) {
            return Some(run);
        }
        let why = too_busy(outcome, max);
        let name = &self.at.case.name;
        Some(JudgedRun::not_started(name, Verdict::JudgeError, why))
    }
}

/// The current run, with the times that limit it.
pub(super) struct TimedRun<'a> {
    pub(super) timing: Timing<'a>,
    pub(super) bounds: Bounds,
    pub(super) run: Uncontended<'a>,
}

impl<'a> TimedRun<'a> {
    /// A first run, beside other workers' runs.
    pub(super) fn new(
        at: CaseRef<'a>,
        language: LanguageId,
        times: Option<ReferenceTimes>,
    ) -> Self {
        let timing = Timing {
            at,
            language,
            times,
        };
        let bounds = timing.bounds(None, None);
        Self {
            run: Uncontended::new(at, bounds.limits, false),
            timing,
            bounds,
        }
    }

    /// As [`Uncontended::ran`].
    pub(super) fn ran(&mut self, run: JudgedRun) -> Option<JudgedRun> {
        let mut run = self.run.ran(run)?;
        if run.result.limits.is_some() {
            run.result.limit_origin.clone_from(&self.bounds.origin);
            run.result.reference_time = self.timing.reference_time();
        }
        Some(run)
    }
}

fn too_busy(outcome: &Outcome, runs: u32) -> Text {
    let Outcome { cpu, wall, .. } = outcome;
    text!(
        "the machine is too busy: the program had used only {cpu} of CPU time after {wall} of wall time, in the last \
             of {runs} runs alone",
        "机器过于繁忙：程序单独运行了 {runs} 次，最后一次历时 {wall}，仍只得到 {cpu} 的 CPU 时间"
    )
}
