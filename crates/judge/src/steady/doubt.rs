//! What a CPU time proves: pure functions, without a machine.
//!
//! A CPU time is held against *thresholds*: the limit, and the steps at which points change. Where the thresholds
//! are multiples of the reference's time, they are right only as long as the machine is as fast as it was when the
//! reference was measured.

use grader_model::{CpuTime, LanguageId, LimitOrigin, Limits, ReferenceCase, Share};
use grader_problem::{Problem, ReferenceTimes, Subtask};

use crate::calibration::{AGREES, ratio};
use crate::run::BAND;

/// The band around a threshold never reaches further, however much the reference's times differ.
const WIDEST: f64 = 0.5;
/// Whatever becomes of the machine, it does not change a time by more than this factor.
const FAR: f64 = 2.0;

/// What a CPU time is held against.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// All limits of the run.
    pub(crate) limits: Limits,
    /// CPU times, growing, up to which a part of the points is earned; empty where the time earns nothing.
    steps: Vec<(CpuTime, Share)>,
    /// Where the CPU time limit came from.
    pub(crate) origin: Option<LimitOrigin>,
    /// Whether they follow the reference's time.
    pub(crate) movable: bool,
}

/// A run as far as time goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) cpu: CpuTime,
    /// Whether it was stopped, so that it would have taken longer.
    pub(crate) cut: bool,
}

/// What is to be done about a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing.
    Stands,
    /// Read the gauge: how fast the machine is now decides.
    ReadGauge,
    /// Measure the reference anew: the machine is not what it was.
    MeasureAnew,
    /// Run it again, alone: it is too near to a threshold.
    RunAlone,
}

/// One run alone, and the bounds of its own moment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pair {
    pub(crate) taken: Taken,
    /// The reference's time beside it; nothing where the bounds do not depend on it.
    pub(crate) yardstick: Option<CpuTime>,
    pub(crate) bounds: Bounds,
}

/// What runs alone come to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settled {
    /// The smallest time.
    pub(crate) taken: Taken,
    /// The smallest time of the reference.
    pub(crate) yardstick: Option<CpuTime>,
    /// The part of the points that the time earns; nothing where it is over the limit.
    pub(crate) share: Option<Share>,
    /// Whether each run, against the bounds of its own moment, says the same.
    pub(crate) resolved: bool,
}

impl Bounds {
    /// The bounds of a case, by what was measured of the reference.
    pub(crate) fn of(
        problem: &Problem,
        subtask: &Subtask,
        language: LanguageId,
        times: Option<&ReferenceTimes>,
    ) -> Self {
        let factor = problem.limits.of_language(language).time_factor;
        let steps = times.map_or_else(Vec::new, |times| {
            let steps = subtask.by_time.iter();
            steps
                .map(|step| {
                    (
                        CpuTime(times.own.0.mul_f64(step.ratio * factor)),
                        step.share,
                    )
                })
                .collect()
        });
        let is_multiple = problem.limits.needs_reference_time() && times.is_some();
        Self {
            limits: problem.limits.resolve(language, times),
            origin: problem.limits.origin(language, times),
            movable: !steps.is_empty() || is_multiple,
            steps,
        }
    }

    /// Which case's reference time the bounds follow. Steps are multiples of the case's own.
    pub(crate) fn follows(&self) -> ReferenceCase {
        match &self.origin {
            Some(LimitOrigin::Reference { case, .. }) if self.steps.is_empty() => case.clone(),
            _ => ReferenceCase::Own,
        }
    }

    /// The part of the points that a CPU time earns; nothing over the limit.
    pub(crate) fn share(&self, cpu: CpuTime) -> Option<Share> {
        if cpu > self.limits.cpu {
            return None;
        }
        if self.steps.is_empty() {
            return Some(Share::WHOLE);
        }
        let step = self.steps.iter().find(|(most, _)| cpu <= *most);
        Some(step.map_or(Share::NOTHING, |(_, share)| *share))
    }

    /// How far from a threshold a time must be to prove something, as a part of the threshold: the usual band, or the
    /// spread of the reference's times where that is larger and the thresholds depend on it.
    pub(crate) fn band(&self, spread: f64) -> f64 {
        if self.movable {
            (spread - 1.0).clamp(BAND, WIDEST)
        } else {
            BAND
        }
    }

    /// The thresholds at which something changes: the limit, and the steps below it.
    fn thresholds(&self) -> impl Iterator<Item = CpuTime> {
        let limit = self.limits.cpu;
        let steps = self.steps.iter().map(|(most, _)| *most);
        steps.filter(move |most| *most < limit).chain([limit])
    }

    /// The threshold that a time is nearest to.
    pub(crate) fn nearest(&self, cpu: CpuTime) -> CpuTime {
        let away = |most: &CpuTime| ratio(cpu, *most).ln().abs();
        let nearest = self.thresholds().min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.unwrap_or(self.limits.cpu)
    }

    /// Whether a run is within the band of a threshold.
    pub(crate) fn is_near(&self, taken: Taken, band: f64) -> bool {
        let near = |most| (ratio(taken.cpu, most) - 1.0).abs() <= band;
        !taken.cut && self.thresholds().any(near)
    }

    /// Whether a run would be on another side of a threshold, or so near to it as the gauge may err, if what the machine
    /// has become faster or slower by is taken off. That may be more than a band is wide before the reference is measured
    /// anew.
    fn is_turned(&self, taken: Taken, drift: f64) -> bool {
        self.thresholds().any(|most| {
            let part = ratio(taken.cpu, most);
            let before = part / drift;
            (part > 1.0) != (before > 1.0) || (before - 1.0).abs() <= AGREES
        })
    }

    /// Whether a machine that becomes faster or slower could put a run on another side of a threshold.
    fn is_open(&self, taken: Taken) -> bool {
        self.thresholds().any(|most| {
            let part = ratio(taken.cpu, most);
            part * FAR >= 1.0 && (part <= FAR || taken.cut)
        })
    }
}

/// What is to be done about a run; `drift` is how many times as long everything takes now as when the reference was
/// measured, where that is known, and may be so far from 1 as `tolerance` says.
///
/// A run that was stopped needs no run alone while the machine is as it was: it was let run to the end of the band.
pub(crate) fn next(
    taken: Taken,
    bounds: &Bounds,
    band: f64,
    drift: Option<f64>,
    tolerance: f64,
) -> Next {
    if !bounds.is_open(taken) {
        return Next::Stands;
    }
    if bounds.movable {
        match drift {
            None => return Next::ReadGauge,
            Some(drift) if (drift - 1.0).abs() > tolerance => return Next::MeasureAnew,
            Some(_) => {}
        }
    }
    if bounds.is_near(taken, band) || drift.is_some_and(|drift| bounds.is_turned(taken, drift)) {
        Next::RunAlone
    } else {
        Next::Stands
    }
}

/// Whether no further run alone is needed: the smallest ratio has left every band downwards; or a run was stopped
/// beyond the band, and no run has kept to the limit, the first one (`kept_to_limit`), in company, among them.
pub(crate) fn is_enough(first: f64, kept_to_limit: bool, pairs: &[Pair], band: f64) -> bool {
    let part = |pair: &Pair| ratio(pair.taken.cpu, pair.bounds.limits.cpu);
    let all_over = !kept_to_limit && pairs.iter().all(|pair| part(pair) > 1.0);
    if all_over && pairs.iter().any(|pair| pair.taken.cut) {
        return true;
    }
    let smallest = pairs.iter().min_by(|a, b| part(a).total_cmp(&part(b)));
    smallest.is_some_and(|pair| {
        !pair.taken.cut && part(pair) < first && !pair.bounds.is_near(pair.taken, band)
    })
}

/// What runs alone come to: the smallest time against the bounds of the reference's smallest time. Nothing without a
/// run. `bounds` gives the bounds for a time of the reference.
pub(crate) fn settle(
    pairs: &[Pair],
    bounds: impl Fn(Option<CpuTime>) -> Bounds,
) -> Option<(Settled, Bounds)> {
    let taken = pairs
        .iter()
        .map(|pair| pair.taken)
        .min_by_key(|taken| taken.cpu)?;
    let yardstick = pairs.iter().filter_map(|pair| pair.yardstick).min();
    let bounds = bounds(yardstick);
    let mut sides = pairs.iter().map(|pair| pair.bounds.share(pair.taken.cpu));
    let first = sides.next()?;
    let settled = Settled {
        taken,
        yardstick,
        share: bounds.share(taken.cpu),
        resolved: sides.all(|side| side == first),
    };
    Some((settled, bounds))
}

#[cfg(test)]
mod tests;
