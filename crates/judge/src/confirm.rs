//! The timing decision of one case.
//!
//! A CPU time is held against *thresholds*: the limit, and the steps at which points change. Most are multiples of the
//! reference's time, which was measured at another moment, perhaps on a machine that was faster or slower then. So a
//! time decides at once only outside the [band](crate::run::BAND) around every threshold. Inside it, reference and
//! program are run in turn, alone on the machine. What slows both cancels out; what slows one of them can only add to
//! its time, so the smallest time of each counts. If the pairs disagree, the result is not settled, and is listed for
//! the instructor.
//!
//! The reference goes first in each pair, so that the program is stopped by the limit of its own moment.

use grader_model::{
    Breach, CaseResult, Confirmation, CpuTime, LanguageId, LimitOrigin, Limits, ReferenceCase,
    Share, Text, Verdict,
};
use grader_problem::{ReferenceTimes, TimeRule};

use crate::Fault;
use crate::case::{CaseJob, CaseRun, JudgedBy};
use crate::reference::find;
use crate::run::{BAND, CaseRef, is_near};
use crate::run_lock::Exclusive;

/// What a CPU time is held against.
#[derive(Clone, Debug, PartialEq)]
struct Bounds {
    /// All limits of the run.
    limits: Limits,
    /// CPU times, growing, up to which a part of the points is earned; empty if points do not depend on time.
    steps: Vec<(CpuTime, Share)>,
    /// Where the CPU time limit came from.
    origin: Option<LimitOrigin>,
    /// Whether they follow a reference time.
    is_relative: bool,
}

/// The time of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Time {
    cpu: CpuTime,
    /// Whether it was stopped, so that it would have taken longer.
    is_cut: bool,
}

/// One run alone, and the bounds of its own moment.
#[derive(Clone, Debug, PartialEq)]
struct Pair {
    time: Time,
    /// The reference's time just before; `None` if the bounds do not depend on it.
    reference: Option<CpuTime>,
    bounds: Bounds,
}

/// What pairs come to.
#[derive(Clone, Debug, PartialEq)]
struct Decision {
    /// The smallest time of the program, and of the reference.
    time: Time,
    reference: Option<CpuTime>,
    /// The bounds that follow from that.
    bounds: Bounds,
    /// The part of the points that the time earns; `None` if it is over the limit.
    share: Option<Share>,
    /// Whether every pair says the same.
    is_settled: bool,
}

impl Bounds {
    /// The bounds of a case, by the reference times.
    fn of(at: CaseRef<'_>, language: LanguageId, times: Option<&ReferenceTimes>) -> Self {
        let rule = &at.problem.limits;
        let factor = rule.of_language(language).time_factor;
        let steps = times.map_or_else(Vec::new, |times| {
            let steps = at.subtask.by_time.iter();
            steps
                .map(|step| {
                    let cpu = times.own.0.mul_f64(step.ratio * factor);
                    (CpuTime(cpu), step.share)
                })
                .collect()
        });
        Self {
            limits: rule.resolve(language, times),
            origin: rule.origin(language, times),
            is_relative: times.is_some(),
            steps,
        }
    }

    /// The part of the points that a CPU time earns; `None` over the limit.
    fn share(&self, cpu: CpuTime) -> Option<Share> {
        if cpu > self.limits.cpu {
            return None;
        }
        if self.steps.is_empty() {
            return Some(Share::WHOLE);
        }
        let step = self.steps.iter().find(|(most, _)| cpu <= *most);
        Some(step.map_or(Share::NOTHING, |(_, share)| *share))
    }

    /// The limit, and the steps below it.
    fn thresholds(&self) -> impl Iterator<Item = CpuTime> {
        let limit = self.limits.cpu;
        let steps = self.steps.iter().map(|(most, _)| *most);
        steps.filter(move |most| *most < limit).chain([limit])
    }

    /// The threshold that a time is nearest to.
    fn nearest(&self, cpu: CpuTime) -> CpuTime {
        let away = |most: &CpuTime| ratio(cpu, *most).ln().abs();
        let nearest = self.thresholds().min_by(|a, b| away(a).total_cmp(&away(b)));
        nearest.unwrap_or(self.limits.cpu)
    }

    /// Whether a time is too near to a threshold to decide. A run that was stopped was let run to the end of the band.
    fn is_near(&self, time: Time) -> bool {
        !time.is_cut && self.thresholds().any(|most| is_near(time.cpu, most))
    }

    /// The result of a run, with where its limit came from and whether it is near a threshold.
    fn explained(&self, run: CaseRun) -> CaseResult {
        let mut result = run.result;
        result.near_limit = deciding_time(&result).is_some_and(|time| self.is_near(time));
        if result.limits.is_some() {
            result.limit_origin.clone_from(&self.origin);
        }
        result
    }

    /// Which case's reference time the bounds follow. Steps are multiples of the case's own.
    fn follows(&self) -> ReferenceCase {
        match &self.origin {
            Some(LimitOrigin::Reference { case, .. }) if self.steps.is_empty() => case.clone(),
            _ => ReferenceCase::Own,
        }
    }
}

/// One time divided by another, of which none counts as shorter than a microsecond.
fn ratio(time: CpuTime, by: CpuTime) -> f64 {
    let seconds = |time: CpuTime| time.0.as_secs_f64().max(1e-6);
    seconds(time) / seconds(by)
}

/// Whether a first pair is enough because it has left the band: a program that was stopped there must not
/// have kept to the limit before.
fn is_clear(kept_to_limit: bool, pair: &Pair) -> bool {
    !(pair.bounds.is_near(pair.time) || pair.time.is_cut && kept_to_limit)
}

/// What pairs come to. `bounds` gives the bounds for a reference time. `None` without a pair.
fn decide(pairs: &[Pair], bounds: impl Fn(Option<CpuTime>) -> Bounds) -> Option<Decision> {
    let time = pairs
        .iter()
        .map(|pair| pair.time)
        .min_by_key(|time| time.cpu)?;
    let reference = pairs.iter().filter_map(|pair| pair.reference).min();
    let bounds = bounds(reference);
    let share = bounds.share(time.cpu);
    let mut shares = pairs.iter().map(|pair| pair.bounds.share(pair.time.cpu));
    let first = shares.next()?;
    Some(Decision {
        time,
        reference,
        bounds,
        share,
        is_settled: shares.all(|share| share == first),
    })
}

/// Runs a case and judges it; again, alone, if its time is near a threshold.
pub(crate) fn judge_case(job: &CaseJob<'_>) -> Result<CaseResult, Fault> {
    let CaseJob {
        worker,
        references,
        at,
        ..
    } = *job;
    let language = job.language();
    let answer = references.answer(worker, at)?;
    // A program that keeps to `at-least` needs no reference time of its own case.
    let mut times = references.times_without_own(worker, at, language)?;
    let mut is_whole = times.is_none();
    if is_whole {
        times = references.times(worker, at, language)?;
    }
    loop {
        let case = Timed {
            job,
            answer: answer.as_deref(),
            times,
        };
        let bounds = case.bounds(None);
        let run = run_uncontended(job, None, case.judged_by(&bounds))?;
        let result = bounds.explained(run);
        let time = deciding_time(&result);
        if !is_whole && time.is_some_and(|time| time.is_cut || bounds.is_near(time)) {
            times = references.times(worker, at, language)?;
            is_whole = true;
            // Else the time of its own case makes no difference.
            if case.job_bounds(times).limits.cpu > bounds.limits.cpu {
                continue;
            }
        }
        let result = match time {
            Some(time) if bounds.is_near(time) && at.problem.limits.confirm > 0 => {
                case.confirmed(result, time, &bounds)?
            }
            _ => result,
        };
        return Ok(case.with_share(result));
    }
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
    let tries = job.at.problem.limits.confirm;
    if run.contention.is_none() || tries == 0 {
        return Ok(run);
    }
    let ours;
    let exclusive = if let Some(exclusive) = exclusive {
        exclusive
    } else {
        let judge = job.judge();
        let taken = judge.run_lock().exclusive(judge.stop());
        ours = taken.ok_or(Fault::Stopped)?;
        &ours
    };
    for _ in 0..tries {
        let Some(contention) = run.contention else {
            return Ok(run);
        };
        if job.judge().stop().is_requested() {
            return Err(Fault::Stopped);
        }
        let limits = contention.with_more_wall_time(by.limits, BAND);
        run = job.run(Some(exclusive), JudgedBy { limits, ..by })?;
    }
    match (run.contention, &run.result.outcome) {
        (Some(contention), Some(outcome)) if contention.is_certain => Err(Fault::CpuContention {
            cpu: outcome.cpu,
            wall: outcome.wall,
            runs: tries,
        }),
        _ => Ok(run),
    }
}

/// A case, and the times that limit it.
struct Timed<'a> {
    job: &'a CaseJob<'a>,
    answer: Option<&'a [u8]>,
    times: Option<ReferenceTimes>,
}

impl Timed<'_> {
    /// The bounds; if `reference` is given, it is the time of the case that they follow.
    fn bounds(&self, reference: Option<CpuTime>) -> Bounds {
        let bounds = self.job_bounds(self.times);
        let (Some(mut times), Some(cpu)) = (self.times, reference) else {
            return bounds;
        };
        match bounds.follows() {
            ReferenceCase::Own => times.own = cpu,
            ReferenceCase::AtLeast(_) => times.at_least = Some(cpu),
            ReferenceCase::AtMost(_) => times.at_most = Some(cpu),
        }
        self.job_bounds(Some(times))
    }

    fn job_bounds(&self, times: Option<ReferenceTimes>) -> Bounds {
        Bounds::of(self.job.at, self.job.language(), times.as_ref())
    }

    /// The case whose reference time the bounds follow.
    fn followed(&self, follows: &ReferenceCase) -> CaseRef<'_> {
        let at = self.job.at;
        let TimeRule::Reference {
            at_least, at_most, ..
        } = &at.problem.limits.time
        else {
            return at;
        };
        let bound = match follows {
            ReferenceCase::Own => None,
            ReferenceCase::AtLeast(_) => at_least.as_ref(),
            ReferenceCase::AtMost(_) => at_most.as_ref(),
        };
        bound
            .and_then(|bound| find(at.problem, bound))
            .unwrap_or(at)
    }

    fn judged_by(&self, bounds: &Bounds) -> JudgedBy<'_> {
        let own = self.times.map(|times| times.own);
        JudgedBy {
            limits: bounds.limits,
            answer: self.answer,
            reference_time: own.filter(|own| *own > CpuTime::default()),
        }
    }

    /// Decides by pairs about a run near a threshold.
    fn confirmed(
        &self,
        first: CaseResult,
        first_time: Time,
        bounds: &Bounds,
    ) -> Result<CaseResult, Fault> {
        let kept_to_limit = first_time.cpu <= bounds.limits.cpu;
        let made = self.pairs(bounds, kept_to_limit)?;
        let pairs: Vec<Pair> = made.iter().map(|(pair, _)| pair.clone()).collect();
        // The time of a wrong run says nothing of a right one, if there is one.
        let (timed, others): (Vec<_>, Vec<_>) = made
            .into_iter()
            .partition(|(_, result)| deciding_time(result).is_some());
        let counted = if timed.is_empty() { others } else { timed };
        let (counted, results): (Vec<Pair>, Vec<CaseResult>) = counted.into_iter().unzip();
        let Some(decision) = decide(&counted, |reference| self.bounds(reference)) else {
            // The program cannot be run again: it has removed itself.
            return Ok(first);
        };
        let mut result = result_that_counts(first, results, &decision);
        if result.verdict == Verdict::TimeLimit || !decision.is_settled {
            result.message = Some(near_message(&decision, pairs.len()));
        }
        if bounds.follows() == ReferenceCase::Own {
            result.reference_time = decision.reference.or(result.reference_time);
        }
        result.limits = Some(decision.bounds.limits);
        result.limit_origin = decision.bounds.origin;
        result.near_limit = true;
        result.confirmation = Some(Confirmation {
            runs: pairs.iter().map(|pair| pair.time.cpu).collect(),
            limits: pairs.iter().map(|pair| pair.bounds.limits.cpu).collect(),
            reference_times: pairs.iter().filter_map(|pair| pair.reference).collect(),
            resolved: decision.is_settled,
        });
        Ok(result)
    }

    /// Runs reference and program in turn, alone on the machine.
    fn pairs(
        &self,
        bounds: &Bounds,
        kept_to_limit: bool,
    ) -> Result<Vec<(Pair, CaseResult)>, Fault> {
        let CaseJob {
            worker,
            references,
            at,
            ..
        } = *self.job;
        let judge = worker.judge;
        let followed = self.followed(&bounds.follows());
        if bounds.is_relative {
            // Built before: an exclusive holder must not wait for another job.
            references.program(worker, at.problem)?;
        }
        let exclusive = judge.run_lock().exclusive(judge.stop());
        let exclusive = exclusive.ok_or(Fault::Stopped)?;
        let mut made = Vec::new();
        for _ in 0..at.problem.limits.confirm {
            if judge.stop().is_requested() {
                return Err(Fault::Stopped);
            }
            let reference = if bounds.is_relative {
                references.run(worker, Some(&exclusive), followed)?.cpu
            } else {
                None
            };
            let bounds = self.bounds(reference);
            let run = run_uncontended(self.job, Some(&exclusive), self.judged_by(&bounds))?;
            let result = bounds.explained(run);
            let Some(time) = time(&result) else {
                break;
            };
            let is_timed = deciding_time(&result).is_some();
            let pair = Pair {
                time,
                reference,
                bounds,
            };
            let is_clear = made.is_empty() && is_timed && is_clear(kept_to_limit, &pair);
            made.push((pair, result));
            if is_clear {
                break;
            }
        }
        Ok(made)
    }

    /// Gives an accepted case its part of the points, if the time decides that.
    fn with_share(&self, mut result: CaseResult) -> CaseResult {
        let at = self.job.at;
        if at.subtask.by_time.is_empty() || result.verdict != Verdict::Accepted {
            return result;
        }
        let (Some(time), Some(mut times)) = (time(&result), self.times) else {
            return result;
        };
        times.own = result.reference_time.unwrap_or(times.own);
        let share = self.job_bounds(Some(times)).share(time.cpu);
        let share = share.unwrap_or(Share::NOTHING);
        if share < Share::WHOLE {
            let limits = at.problem.limits.of_language(self.job.language());
            let factor = limits.time_factor;
            let earned = share_message(ratio(time.cpu, times.own) / factor, factor, share);
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

/// The time of a run, and whether it was stopped.
fn time(result: &CaseResult) -> Option<Time> {
    let outcome = result.outcome.as_ref()?;
    let mut cpu = outcome.cpu;
    if let (Some(Breach::Cpu), Some(limits)) = (outcome.breach, result.limits) {
        // What was stopped has not used less than it was given, whatever its clock says.
        cpu = cpu.max(CpuTime(limits.cpu.0 + std::time::Duration::from_micros(1)));
    }
    Some(Time {
        cpu,
        is_cut: outcome.breach.is_some(),
    })
}

/// The time of a run if it decides the verdict or the points. A run that fails otherwise fails however fast it is.
fn deciding_time(result: &CaseResult) -> Option<Time> {
    let time = time(result)?;
    let limit = result.limits?.cpu;
    match result.verdict {
        Verdict::Accepted => Some(time),
        Verdict::TimeLimit => (time.cpu > limit).then_some(time),
        Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::CompileError
        | Verdict::Skipped
        | Verdict::JudgeError => None,
    }
}

/// The result that counts. Over the limit it is that of the smallest time. Else an accepted run goes before others, the
/// first one too, whose answer is as right as any: a program that draws random numbers loses nothing by having been
/// near the limit.
fn result_that_counts(
    first: CaseResult,
    mut alone: Vec<CaseResult>,
    decision: &Decision,
) -> CaseResult {
    let cpu = |result: &CaseResult| time(result).map(|time| time.cpu);
    let limit = decision.bounds.limits.cpu;
    let is_over = decision.share.is_none();
    alone.retain(|result| is_over || cpu(result) <= Some(limit));
    alone.sort_by_key(|result| (!is_over && result.verdict != Verdict::Accepted, cpu(result)));
    let first_is_better = !is_over && first.verdict == Verdict::Accepted;
    let mut counts = match alone.into_iter().next() {
        Some(result) if !first_is_better || result.verdict == Verdict::Accepted => result,
        _ => first,
    };
    if is_over && counts.verdict != Verdict::TimeLimit {
        // It kept to the limit of its own moment.
        counts.verdict = Verdict::TimeLimit;
        counts.evidence.clear();
        counts.hints.clear();
    }
    counts
}

/// `took 2.05 s of CPU time, the smallest of 3 runs alone; the limit is 2 s`, and whether that is settled. If the time
/// is nearer to a step at which points change, that is named instead of the limit.
fn near_message(decision: &Decision, runs: usize) -> Text {
    let Time { cpu, is_cut } = decision.time;
    let near = decision.bounds.nearest(cpu);
    let (near_en, near_zh) = if near == decision.bounds.limits.cpu {
        (format!("the limit is {near}"), format!("限制为 {near}"))
    } else {
        (
            format!("the points change at {near}"),
            format!("得分在 {near} 处变化"),
        )
    };
    let (en, zh) = if is_cut {
        ("stopped after", "后被终止")
    } else {
        ("took", "")
    };
    let (runs_en, runs_zh) = if runs == 1 {
        ("in a run alone".to_owned(), "（单独运行 1 次）".to_owned())
    } else {
        (
            format!("the smallest of {runs} runs alone"),
            format!("（{runs} 次单独运行中最短的一次）"),
        )
    };
    let (unsettled_en, unsettled_zh) = if decision.is_settled {
        ("", "")
    } else {
        (
            "; not settled: the runs disagree",
            "；尚无定论：各次运行的结果不一致",
        )
    };
    Text::new(
        format!("{en} {cpu} of CPU time, {runs_en}; {near_en}{unsettled_en}"),
        format!("用了 {cpu} 的 CPU 时间{zh}{runs_zh}；{near_zh}{unsettled_zh}"),
    )
}

/// `accepted; 2.3 times the reference's time earns 60 %`.
fn share_message(times: f64, factor: f64, share: Share) -> Text {
    let number = |value: f64| {
        let text = format!("{value:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let percent = number(f64::from(share.thousandths()) / 10.0);
    let times = number(times);
    if (factor - 1.0).abs() < f64::EPSILON {
        return Text::new(
            format!("accepted; {times} times the reference's time earns {percent} %"),
            format!("通过；用时为参考程序的 {times} 倍，得 {percent} % 的分数"),
        );
    }
    let factor = number(factor);
    Text::new(
        format!(
            "accepted; {times} times the reference's time, which counts {factor} times for this language, earns {percent} %"
        ),
        format!(
            "通过；用时为参考程序的 {times} 倍（该语言按参考时间的 {factor} 倍计），得 {percent} % 的分数"
        ),
    )
}

#[cfg(test)]
mod tests;
