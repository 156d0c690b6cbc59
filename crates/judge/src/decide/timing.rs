//! Thresholds for CPU times.
//!
//! *Thresholds* are the limit and the steps at which points change. Most are multiples of the reference's time, which
//! was measured at another moment, when the machine may have been faster or slower. So a time is decisive only outside
//! the band around every threshold; inside it, [`super::pairs`] decides.

use std::sync::Arc;

use grader_model::{
    Breach, CaseResult, CpuTime, LanguageId, LimitOrigin, Limits, ReferenceCase, Share, Text,
    Verdict, text,
};
use grader_problem::{CaseRef, ReferenceTimes};

/// A CPU time is near a threshold if it is between the threshold divided by this and multiplied by this: a shared
/// machine may have been this much slower or faster when the reference was measured. Further away, a wrong verdict
/// needs an error of more than this factor times the program's own margin.
pub(crate) const BAND: f64 = 1.3;

/// Whether a CPU time is within the band around a threshold.
pub(crate) fn is_near(cpu: CpuTime, threshold: CpuTime) -> bool {
    threshold.0 <= cpu.0.mul_f64(BAND) && cpu.0 < threshold.0.mul_f64(BAND)
}

/// The limits given to the sandbox. The CPU time limit is at the end of the band, so that a slightly slow program
/// finishes and its real time is known.
pub(crate) fn with_band(limits: Limits) -> Limits {
    Limits {
        cpu: CpuTime(limits.cpu.0.mul_f64(BAND)),
        ..limits
    }
}

/// The thresholds of a case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// All limits of the run.
    pub(crate) limits: Limits,
    /// Origin of the CPU time limit.
    pub(crate) origin: Option<Arc<LimitOrigin>>,
    /// Increasing CPU times, each with the share of the points earned up to it; empty if points do not depend on time.
    pub(super) steps: Vec<(CpuTime, Share)>,
}

impl Bounds {
    /// The share of the points that a CPU time earns; `None` over the limit.
    pub(super) fn share(&self, cpu: CpuTime) -> Option<Share> {
        if cpu > self.limits.cpu {
            return None;
        }
        let step = self.steps.iter().find(|(max, _)| cpu <= *max);
        Some(match step {
            Some((_, share)) => *share,
            None if self.steps.is_empty() => Share::WHOLE,
            None => Share::NOTHING,
        })
    }

    /// Whether a time is too near the limit, or a step below it, to be decisive.
    pub(super) fn is_near(&self, cpu: CpuTime) -> bool {
        let limit = self.limits.cpu;
        let mut steps = self.steps.iter().filter(|(max, _)| *max < limit);
        is_near(cpu, limit) || steps.any(|(max, _)| is_near(cpu, *max))
    }

    /// The case whose reference time the bounds depend on, if any. Steps are multiples of the case's own.
    pub(super) fn follows(&self) -> Option<&ReferenceCase> {
        match self.origin.as_deref() {
            _ if !self.steps.is_empty() => Some(&ReferenceCase::Own),
            Some(LimitOrigin::Reference { case, .. }) => Some(case),
            Some(LimitOrigin::Seconds { .. }) | None => None,
        }
    }
}

/// A case, and the times of the reference that limit it.
#[derive(Clone, Debug)]
pub(crate) struct Timing<'a> {
    pub(super) at: CaseRef<'a>,
    pub(super) language: LanguageId,
    pub(super) times: Option<ReferenceTimes>,
}

impl<'a> Timing<'a> {
    /// The bounds. `newer`, if given, is a newer time of the case that they follow.
    pub(super) fn bounds(&self, follows: Option<&ReferenceCase>, newer: Option<CpuTime>) -> Bounds {
        let mut times = self.times.clone();
        if let (Some(times), Some(case), Some(cpu)) = (&mut times, follows, newer) {
            match case {
                ReferenceCase::Own | ReferenceCase::Other(_) => times.own = cpu,
                ReferenceCase::AtLeast(_) => times.at_least = Some(cpu),
                ReferenceCase::AtMost(_) => times.at_most = Some(cpu),
            }
        }
        let (rule, time) = (&self.at.problem.limits, self.at.case.time.as_ref());
        let factor = self.factor();
        let steps = times.iter().flat_map(|times| {
            let steps = self.at.subtask.by_time.iter();
            steps.map(|step| {
                let max = times.own.0.mul_f64(step.ratio * factor);
                (CpuTime(max), step.share)
            })
        });
        Bounds {
            limits: rule.resolve(time, self.language, times.as_ref()),
            origin: rule
                .origin(time, self.language, times.as_ref())
                .map(Arc::new),
            steps: steps.collect(),
        }
    }

    /// The reference's time in the case itself.
    pub(super) fn reference_time(&self) -> Option<CpuTime> {
        let times = self
            .times
            .as_ref()
            .filter(|it| self.at.case.time.is_none() && it.slowest.is_none());
        times.map(|times| times.own)
    }

    fn factor(&self) -> f64 {
        let limits = &self.at.problem.limits;
        limits.for_language(self.language).time_factor
    }

    /// The case whose reference time the bounds depend on.
    pub(super) fn reference_case(&self, case: &ReferenceCase) -> CaseRef<'a> {
        let named = match case {
            ReferenceCase::Own => None,
            ReferenceCase::Other(named)
            | ReferenceCase::AtLeast(named)
            | ReferenceCase::AtMost(named) => CaseRef::find(self.at.problem, named),
        };
        named.unwrap_or(self.at)
    }

    /// Sets an accepted case's share of the points if it depends on the time.
    pub(super) fn with_share(&self, mut result: CaseResult, bounds: &Bounds) -> CaseResult {
        let (Some(cpu), Some(reference)) = (deciding_time(&result), result.reference_time) else {
            return result;
        };
        if bounds.steps.is_empty() || result.verdict != Verdict::Accepted {
            return result;
        }
        let share = bounds.share(cpu).unwrap_or(Share::NOTHING);
        if share < Share::WHOLE {
            let earned = share_message(cpu, reference, self.factor(), share);
            result.message = Some(Box::new(match result.message.take() {
                None => earned,
                Some(unsettled) => text!(
                    "{earned}; {unsettled}",
                    "{earned}；{unsettled}",
                    earned,
                    unsettled
                ),
            }));
        }
        result.share = Some(share);
        result
    }
}

/// A run's time if the verdict or the points depend on it. A run that fails for another reason fails however fast it
/// is.
pub(super) fn deciding_time(result: &CaseResult) -> Option<CpuTime> {
    let (outcome, limit) = (result.outcome.as_ref()?, result.limits?.cpu);
    let is_stopped = outcome.breach == Some(Breach::Cpu);
    if result.verdict == Verdict::TimeLimit && is_stopped {
        // A stopped run used at least its limit times `BAND`, even if its clock reports less.
        return Some(outcome.cpu.max(CpuTime(limit.0.mul_f64(BAND))));
    }
    let is_over = result.verdict == Verdict::TimeLimit && outcome.cpu > limit;
    (is_over || result.verdict == Verdict::Accepted).then_some(outcome.cpu)
}

/// `accepted; 2.3 times the reference's time earns 60%`.
fn share_message(cpu: CpuTime, reference: CpuTime, factor: f64, share: Share) -> Text {
    let times = cpu.0.as_secs_f64() / reference.0.as_secs_f64().max(1e-6) / factor;
    let (times, percent) = ((times * 100.0).round() / 100.0, f64::from(share));
    let counted = if (factor - 1.0).abs() < f64::EPSILON {
        Text::default()
    } else {
        text!(
            ", which counts {factor} times for this language,",
            "（该语言按参考时间的 {factor} 倍计）"
        )
    };
    text!(
        "accepted; {times} times the reference's time{counted} earns {percent}%",
        "通过；用时为参考程序的 {times} 倍{counted}，得 {percent}% 的分数",
        counted
    )
}
