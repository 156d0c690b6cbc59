//! The timing decision of one case.
//!
//! A CPU time is held against *thresholds*: the limit, and the steps at which points change. Most are multiples of the
//! reference's time, which was measured at another moment, perhaps on a machine that was faster or slower then. So a
//! time decides at once only outside the [band](crate::near_limit::BAND) around every threshold. Inside it, reference and
//! program are run in turn, alone on the machine. What slows both cancels out; what slows one of them can only add to
//! its time, so the smallest time of each counts. If the pairs disagree, the result is not settled, and is listed for
//! the instructor.
//!
//! The reference goes first in each pair, so that the program is stopped by the limit of its own moment.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use grader_model::{
    Breach, CaseResult, Confirmation, CpuTime, LimitOrigin, Limits, ReferenceCase, Share, Text,
    Verdict,
};
use grader_problem::{ReferenceTimes, TimeRule};

use crate::Fault;
use crate::case::{CaseJob, CaseRun, JudgedBy};
use crate::contention::more_wall_time;
use crate::near_limit::{BAND, is_near};
use crate::reference::find;
use crate::run::CaseRef;
use crate::run_lock::Exclusive;

/// What a CPU time is held against.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// All limits of the run.
    pub(crate) limits: Limits,
    /// Where the CPU time limit came from.
    pub(crate) origin: Option<LimitOrigin>,
    /// CPU times, growing, up to which a part of the points is earned; empty if points do not depend on time.
    steps: Vec<(CpuTime, Share)>,
}

impl Bounds {
    /// The part of the points that a CPU time earns; `None` over the limit.
    fn share(&self, cpu: CpuTime) -> Option<Share> {
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

    /// Whether a time is too near to the limit, or to a step below it, to decide.
    fn is_near(&self, cpu: CpuTime) -> bool {
        let limit = self.limits.cpu;
        let mut steps = self.steps.iter().filter(|(max, _)| *max < limit);
        is_near(cpu, limit) || steps.any(|(max, _)| is_near(cpu, *max))
    }

    /// The case with the reference time that they follow, if any. Steps are multiples of the case's own.
    fn follows(&self) -> Option<&ReferenceCase> {
        match &self.origin {
            _ if !self.steps.is_empty() => Some(&ReferenceCase::Own),
            Some(LimitOrigin::Reference { case, .. }) => Some(case),
            Some(LimitOrigin::Seconds { .. }) | None => None,
        }
    }
}

/// One run alone.
#[derive(Clone, Debug, PartialEq)]
struct Pair {
    cpu: CpuTime,
    /// The reference's time just before; `None` if the bounds do not depend on it.
    reference: Option<CpuTime>,
    /// The bounds of that moment.
    bounds: Bounds,
}

/// What pairs come to.
#[derive(Clone, Debug, PartialEq)]
struct Decision {
    /// The index of the pair with the program's smallest time.
    smallest: usize,
    /// The smallest time of the reference.
    reference: Option<CpuTime>,
    /// The bounds that follow from that.
    bounds: Bounds,
    /// Whether all pairs earn the same.
    is_settled: bool,
}

/// Decides by pairs. `bounds` gives the bounds for a reference time. `None` without a pair.
fn decide(pairs: &[Pair], bounds: impl Fn(Option<CpuTime>) -> Bounds) -> Option<Decision> {
    let smallest = (0..pairs.len()).min_by_key(|&at| pairs[at].cpu)?;
    let reference = pairs.iter().filter_map(|pair| pair.reference).min();
    let share = |pair: &Pair| pair.bounds.share(pair.cpu);
    Some(Decision {
        smallest,
        reference,
        bounds: bounds(reference),
        is_settled: pairs.iter().all(|pair| share(pair) == share(&pairs[0])),
    })
}

/// Runs a case and judges it; again, alone, if its time is near a threshold.
pub(crate) fn judge_case(job: &CaseJob<'_>) -> Result<CaseResult, Fault> {
    let case = Timed::new(job)?;
    let mut bounds = case.bounds(None);
    let mut result = run_uncontended(job, None, case.judged_by(&bounds))?.result;
    result.near_limit = deciding_time(&result).is_some_and(|cpu| bounds.is_near(cpu));
    if result.near_limit && job.at.problem.limits.confirm > 0 {
        (result, bounds) = case.confirmed(result, bounds)?;
    }
    if result.limits.is_some() {
        result.limit_origin.clone_from(&bounds.origin);
    }
    Ok(case.with_share(result, &bounds))
}

/// Runs a program; again and alone, with more wall time, as long as CPU contention stops it.
///
/// # Errors
/// [`Fault::CpuContention`] if that does not help.
pub(crate) fn run_uncontended(
    job: &CaseJob<'_>,
    exclusive: Option<&Exclusive<'_>>,
    by: JudgedBy<'_>,
) -> Result<CaseRun, Fault> {
    let mut run = job.run(exclusive, by)?;
    let (judge, tries) = (job.judge(), job.at.problem.limits.confirm);
    if run.contention.is_none() || tries == 0 {
        return Ok(run);
    }
    let ours;
    let exclusive = if let Some(exclusive) = exclusive {
        exclusive
    } else {
        ours = judge.run_lock().exclusive(judge.stop())?;
        &ours
    };
    let is_possible = |run: &CaseRun| run.contention.is_some_and(|it| it.is_possible(by.limits));
    for _ in 0..tries {
        if !is_possible(&run) {
            break;
        }
        if judge.stop().is_requested() {
            return Err(Fault::Stopped);
        }
        let wall = more_wall_time(by.limits);
        run = job.run(Some(exclusive), JudgedBy { wall, ..by })?;
    }
    match (run.contention, &run.result.outcome) {
        (Some(contention), Some(outcome)) if contention.is_certain(by.limits) => {
            Err(Fault::CpuContention {
                cpu: outcome.cpu,
                wall: outcome.wall,
                runs: tries,
            })
        }
        _ => Ok(run),
    }
}

/// A case, its answer, and the times that limit it.
pub(crate) struct Timed<'a> {
    job: &'a CaseJob<'a>,
    answer: Option<Arc<[u8]>>,
    times: Option<ReferenceTimes>,
}

impl<'a> Timed<'a> {
    pub(crate) fn new(job: &'a CaseJob<'a>) -> Result<Self, Fault> {
        let (worker, references, at) = (job.worker, job.references, job.at);
        Ok(Self {
            job,
            answer: references.answer(worker, at)?,
            times: references.times(worker, at, job.language())?,
        })
    }

    /// The bounds; if `reference` is given, it is the time of the case that they follow.
    pub(crate) fn bounds(&self, reference: Option<(&ReferenceCase, CpuTime)>) -> Bounds {
        let mut times = self.times;
        if let (Some(times), Some((case, cpu))) = (&mut times, reference) {
            match case {
                ReferenceCase::Own | ReferenceCase::Other(_) => times.own = cpu,
                ReferenceCase::AtLeast(_) => times.at_least = Some(cpu),
                ReferenceCase::AtMost(_) => times.at_most = Some(cpu),
            }
        }
        let (at, language) = (self.job.at, self.job.language());
        let rule = &at.problem.limits;
        let factor = rule.of_language(language).time_factor;
        let steps = times.iter().flat_map(|times| {
            let steps = at.subtask.by_time.iter();
            steps.map(|step| {
                let max = times.own.0.mul_f64(step.ratio * factor);
                (CpuTime(max), step.share)
            })
        });
        Bounds {
            limits: rule.resolve(at.case.time.as_ref(), language, times.as_ref()),
            origin: rule.origin(at.case.time.as_ref(), language, times.as_ref()),
            steps: steps.collect(),
        }
    }

    pub(crate) fn judged_by(&self, bounds: &Bounds) -> JudgedBy<'_> {
        JudgedBy {
            limits: bounds.limits,
            wall: bounds.limits.wall,
            answer: self.answer.as_deref(),
            // Not that of another case.
            reference_time: (self.times.filter(|_| self.job.at.case.time.is_none()))
                .map(|times| times.own),
        }
    }

    /// The case of a reference time that bounds follow.
    fn reference_case(&self, case: &ReferenceCase) -> CaseRef<'a> {
        let at = self.job.at;
        let (own, at_least, at_most) = match (&at.case.time, &at.problem.limits.time) {
            (Some(time), _) => (Some(&time.multiple), None, time.at_most.as_ref()),
            (
                None,
                TimeRule::Reference {
                    at_least, at_most, ..
                },
            ) => (None, at_least.as_ref(), at_most.as_ref()),
            (None, TimeRule::Absolute(_)) => (None, None, None),
        };
        let bound = match case {
            ReferenceCase::Own | ReferenceCase::Other(_) => own,
            ReferenceCase::AtLeast(_) => at_least,
            ReferenceCase::AtMost(_) => at_most,
        };
        let named = bound.and_then(|bound| find(at.problem, bound));
        named.unwrap_or(at)
    }

    /// Decides by pairs, alone on the machine, about a run near a threshold.
    fn confirmed(&self, first: CaseResult, bounds: Bounds) -> Result<(CaseResult, Bounds), Fault> {
        let (worker, references) = (self.job.worker, self.job.references);
        let (judge, problem) = (worker.judge, self.job.at.problem);
        let follows = bounds.follows();
        let bounds_by = |reference: Option<CpuTime>| self.bounds(follows.zip(reference));
        if follows.is_some() {
            // Built before: an exclusive holder must not wait for another job.
            references.program(worker, problem)?;
        }
        let exclusive = judge.run_lock().exclusive(judge.stop())?;
        let (mut pairs, mut results) = (Vec::new(), Vec::new());
        for _ in 0..problem.limits.confirm {
            if judge.stop().is_requested() {
                return Err(Fault::Stopped);
            }
            let reference = match follows {
                Some(case) => {
                    let at = self.reference_case(case);
                    references.run(worker, Some(&exclusive), at)?.cpu
                }
                None => None,
            };
            let bounds = bounds_by(reference);
            let run = run_uncontended(self.job, Some(&exclusive), self.judged_by(&bounds))?;
            // The time of a run that fails otherwise says nothing of the time that a right one takes.
            if let Some(cpu) = deciding_time(&run.result) {
                pairs.push(Pair {
                    cpu,
                    reference,
                    bounds,
                });
                results.push(run.result);
            }
        }
        let Some(decision) = decide(&pairs, bounds_by) else {
            return Ok((first, bounds));
        };
        let mut result = results.swap_remove(decision.smallest);
        let (cpu, limits) = (pairs[decision.smallest].cpu, decision.bounds.limits);
        if cpu > limits.cpu && result.verdict != Verdict::TimeLimit {
            // It kept to the limit of its own moment.
            result.verdict = Verdict::TimeLimit;
            result.evidence.clear();
            result.hints.clear();
        }
        if result.verdict == Verdict::TimeLimit || !decision.is_settled {
            result.message = Some(near_message(cpu, limits.cpu, decision.is_settled));
        }
        if follows == Some(&ReferenceCase::Own) {
            result.reference_time = decision.reference;
        }
        result.limits = Some(limits);
        result.near_limit = true;
        result.confirmation = Some(Confirmation {
            runs: pairs.iter().map(|pair| pair.cpu).collect(),
            limits: pairs.iter().map(|pair| pair.bounds.limits.cpu).collect(),
            reference_times: pairs.iter().filter_map(|pair| pair.reference).collect(),
            resolved: decision.is_settled,
        });
        Ok((result, decision.bounds))
    }

    /// Gives an accepted case its part of the points, if the time decides that.
    fn with_share(&self, mut result: CaseResult, bounds: &Bounds) -> CaseResult {
        let (Some(cpu), Some(reference)) = (deciding_time(&result), result.reference_time) else {
            return result;
        };
        if bounds.steps.is_empty() || result.verdict != Verdict::Accepted {
            return result;
        }
        let share = bounds.share(cpu).unwrap_or(Share::NOTHING);
        if share < Share::WHOLE {
            let limits = &self.job.at.problem.limits;
            let factor = limits.of_language(self.job.language()).time_factor;
            let earned = share_message(cpu, reference, factor, share);
            result.message = Some(match result.message.take() {
                None => earned,
                Some(unsettled) => Text::new(
                    format!("{}; {}", earned.en, unsettled.en),
                    format!("{}；{}", earned.zh, unsettled.zh),
                ),
            });
        }
        result.share = Some(share);
        result
    }
}

/// The time of a run if it decides the verdict or the points. A run that fails otherwise fails however fast it is.
fn deciding_time(result: &CaseResult) -> Option<CpuTime> {
    let (outcome, limit) = (result.outcome.as_ref()?, result.limits?.cpu);
    let is_stopped = outcome.breach == Some(Breach::Cpu);
    if result.verdict == Verdict::TimeLimit && is_stopped {
        // A stopped run used at least its limit times `BAND`, even if its clock reports less.
        return Some(outcome.cpu.max(CpuTime(limit.0.mul_f64(BAND))));
    }
    let is_over = result.verdict == Verdict::TimeLimit && outcome.cpu > limit;
    (is_over || result.verdict == Verdict::Accepted).then_some(outcome.cpu)
}

/// `its fastest run, with nothing else running, used 2.05 s of CPU time; the limit is 2 s`, and whether that is settled.
fn near_message(cpu: CpuTime, limit: CpuTime, is_settled: bool) -> Text {
    let (en, zh) = if is_settled {
        ("", "")
    } else {
        (
            "; not settled: the runs disagree",
            "；尚无定论：各次运行的结果不一致",
        )
    };
    Text::new(
        format!(
            "its fastest run, with nothing else running, used {cpu} of CPU time; the limit is {limit}{en}"
        ),
        format!("单独运行中最好的一次用了 {cpu} 的 CPU 时间；限制为 {limit}{zh}"),
    )
}

/// `accepted; 2.3 times the reference's time earns 60 %`.
fn share_message(cpu: CpuTime, reference: CpuTime, factor: f64, share: Share) -> Text {
    let times = cpu.0.as_secs_f64() / reference.0.as_secs_f64().max(1e-6) / factor;
    let (times, percent) = ((times * 100.0).round() / 100.0, f64::from(share));
    let (en, zh) = if (factor - 1.0).abs() < f64::EPSILON {
        (String::new(), String::new())
    } else {
        (
            format!(", which counts {factor} times for this language,"),
            format!("（该语言按参考时间的 {factor} 倍计）"),
        )
    };
    Text::new(
        format!("accepted; {times} times the reference's time{en} earns {percent} %"),
        format!("通过；用时为参考程序的 {times} 倍{zh}，得 {percent} % 的分数"),
    )
}
