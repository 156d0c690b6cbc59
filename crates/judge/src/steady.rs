//! One case under the problem's own limits: run once, and again alone where the time is near a limit.
//!
//! A verdict on time is only as good as the two times that make it. So a run that comes near to half of its limit
//! makes the gauge be read: where the machine is no longer what it was when the reference was measured, that is done
//! anew. A run within the band of a limit, or of a step at which points change, is made again while nothing else runs,
//! each time beside a run of the reference if the limit follows it, and the smallest times count.
//! What is to be done is decided in [`doubt`], without a machine; here it is done.

pub(crate) mod doubt;

use grader_model::{
    Breach, CaseResult, Confirmation, CpuTime, LanguageId, ReferenceCase, Share, SubtaskName, Text,
    Verdict,
};
use grader_problem::{Case, Problem, ReferenceTimes, Subtask, TimeRule};

use crate::Fault;
use crate::built_case::{BuiltCase, Output};
use crate::calibration::ratio;
use crate::judge::Judge;
use crate::quiet::Beside;
use crate::references::{Known, References, find};
use crate::verdict::cpu_message;
use doubt::{Bounds, Next, Pair, Settled, Taken, is_enough, next, settle};

/// So many times a case may begin a new epoch. A machine that is steady after that never is: then only runs alone,
/// beside the reference, tell.
const EPOCHS: u32 = 2;

/// Runs a case and judges it; with what it wrote, where its result came of one run.
pub(crate) fn judge(
    judge: &Judge,
    references: &References,
    subtask: &Subtask,
    run: &BuiltCase<'_>,
) -> Result<(CaseResult, Option<Output>), Fault> {
    let mut case = Steady {
        judge,
        references,
        subtask,
        run,
        known: Known::default(),
        times: None,
    };
    case.ask()?;
    let (result, output) = case.settled()?;
    let times = case.times.map(|times| ReferenceTimes {
        own: result.yardstick.unwrap_or(times.own),
        ..times
    });
    let result = with_share(
        run.problem,
        subtask,
        case.language(),
        times.as_ref(),
        result,
    );
    Ok((result, output))
}

/// A case that is being judged.
struct Steady<'a> {
    judge: &'a Judge,
    references: &'a References,
    subtask: &'a Subtask,
    run: &'a BuiltCase<'a>,
    known: Known,
    /// What limits are multiples of.
    times: Option<ReferenceTimes>,
}

impl<'a> Steady<'a> {
    /// Asks what is known of the reference now.
    fn ask(&mut self) -> Result<(), Fault> {
        let (judge, references, problem) = (self.judge, self.references, self.run.problem);
        self.known = references.ask(judge, problem, &self.subtask.name, self.run.case)?;
        let language = self.language();
        self.times = references.times_for(judge, problem, language, self.known.yardstick)?;
        Ok(())
    }

    /// Runs the case until its verdict is certain, or as often as may be.
    fn settled(&mut self) -> Result<(CaseResult, Option<Output>), Fault> {
        let (judge, references, problem) = (self.judge, self.references, self.run.problem);
        let (mut result, mut output) = self.made()?;
        let mut begun = 0;
        loop {
            let (bounds, band) = self.bounds();
            let Some(taken) = taken(&result) else {
                return Ok((result, output));
            };
            let mut todo = next(taken, &bounds, band, None, 0.0);
            let mut reading = None;
            if todo == Next::ReadGauge {
                reading = references.read_gauge(judge, problem)?;
                if reading.is_none() && judge.stop().is_requested() {
                    // Nothing is certain of this run.
                    return Err(Fault::Stopped);
                }
                let read = reading.as_ref();
                let (drift, tolerance) =
                    read.map_or((1.0, 0.0), |read| (read.drift(), read.tolerance()));
                todo = next(taken, &bounds, band, Some(drift), tolerance);
                if read.is_some_and(|read| read.gauge.epoch != self.known.epoch) {
                    // Another worker has seen the machine change while this ran: the gauge knows nothing of the limit.
                    todo = Next::MeasureAnew;
                }
            }
            match (todo, reading) {
                (Next::MeasureAnew, Some(reading)) if begun < EPOCHS => {
                    begun += 1;
                    if !reading.agrees() {
                        references.begin_epoch(judge, problem, &reading);
                    }
                    self.ask()?;
                    (result, output) = self.judged_again((result, output), taken, &bounds)?;
                }
                (Next::MeasureAnew | Next::RunAlone, _) => {
                    return Ok((self.confirmed(result, &bounds, band)?, None));
                }
                (Next::Stands | Next::ReadGauge, _) => {
                    result.near_limit |= bounds.is_near(taken, band);
                    return Ok((result, output));
                }
            }
        }
    }

    fn language(&self) -> LanguageId {
        self.run.built.language().id()
    }

    fn bounds_for(&self, times: Option<&ReferenceTimes>) -> Bounds {
        Bounds::of(self.run.problem, self.subtask, self.language(), times)
    }

    /// The bounds if the case that they follow takes the reference so long.
    fn bounds_with(&self, follows: &ReferenceCase, measured: Option<CpuTime>) -> Bounds {
        let mut times = self.times;
        if let (Some(times), Some(measured)) = (&mut times, measured) {
            match follows {
                ReferenceCase::Own => times.own = measured,
                ReferenceCase::AtLeast(_) => times.at_least = Some(measured),
                ReferenceCase::AtMost(_) => times.at_most = Some(measured),
            }
        }
        self.bounds_for(times.as_ref())
    }

    /// The case whose reference time the bounds follow, with its subtask.
    fn followed(&self, follows: &ReferenceCase) -> (SubtaskName, &'a Case) {
        let TimeRule::Reference {
            at_least, at_most, ..
        } = &self.run.problem.limits.time
        else {
            return (self.subtask.name.clone(), self.run.case);
        };
        let bound = match follows {
            ReferenceCase::Own => None,
            ReferenceCase::AtLeast(_) => at_least.as_ref(),
            ReferenceCase::AtMost(_) => at_most.as_ref(),
        };
        bound
            .and_then(|bound| {
                let place = (bound.subtask.clone(), bound.case.clone());
                Some((bound.subtask.clone(), find(self.run.problem, &place)?))
            })
            .unwrap_or_else(|| (self.subtask.name.clone(), self.run.case))
    }

    /// What the time is held against, with the band around that.
    fn bounds(&self) -> (Bounds, f64) {
        let bounds = self.bounds_for(self.times.as_ref());
        let (subtask, case) = self.followed(&bounds.follows());
        let spread = self.references.spread(self.run.problem, &subtask, case);
        let band = bounds.band(spread);
        (bounds, band)
    }

    /// Runs the case, beside others.
    fn made(&self) -> Result<(CaseResult, Option<Output>), Fault> {
        let (bounds, band) = self.bounds();
        let (mut result, output) =
            self.run
                .with_output(self.judge, &self.known, bounds.limits, band)?;
        if result.limits.is_some() {
            result.limit_origin = bounds.origin;
        }
        Ok((result, output))
    }

    /// Holds a run against the limits of a new epoch. Where they put it on another side, or it was stopped too early
    /// for them, it is made again: its answer is gone.
    fn judged_again(
        &self,
        (mut result, output): (CaseResult, Option<Output>),
        taken: Taken,
        old: &Bounds,
    ) -> Result<(CaseResult, Option<Output>), Fault> {
        let (new, band) = self.bounds();
        let limit = new.limits.cpu;
        let stays = if taken.cut {
            taken.cpu >= CpuTime(limit.0.mul_f64(1.0 + band))
        } else {
            (taken.cpu > old.limits.cpu) == (taken.cpu > limit)
        };
        if !stays {
            return self.made();
        }
        if result.verdict == Verdict::TimeLimit {
            result.message = Some(cpu_message(taken.cpu, &new.limits, taken.cut));
        }
        result.limits = Some(new.limits);
        result.yardstick = self.known.yardstick;
        result.near_limit = new.is_near(taken, band);
        result.limit_origin = new.origin;
        Ok((result, output))
    }

    /// Runs a case near a limit again, alone.
    fn confirmed(
        &self,
        mut first: CaseResult,
        bounds: &Bounds,
        band: f64,
    ) -> Result<CaseResult, Fault> {
        let (judge, problem) = (self.judge, self.run.problem);
        if problem.limits.confirm == 0 {
            first.near_limit |= taken(&first).is_some_and(|taken| bounds.is_near(taken, band));
            return Ok(first);
        }
        first.near_limit = true;
        if bounds.movable {
            // Who is alone must not wait for who builds it.
            self.references.program(judge, problem)?;
        }
        let made = {
            let alone = judge.quiet().alone(judge.stop()).ok_or(Fault::Stopped)?;
            self.alone(Beside::Nobody(&alone), &first, bounds, band)?
        };
        let pairs: Vec<Pair> = made.iter().map(|(pair, _)| pair.clone()).collect();
        let yardsticks: Vec<CpuTime> = pairs.iter().filter_map(|pair| pair.yardstick).collect();
        let follows = bounds.follows();
        let (subtask, case) = self.followed(&follows);
        self.references
            .learn(judge, problem, &subtask, case, &yardsticks);
        // What a wrong run took says nothing of a right one, where there is one.
        let (telling, others): (Vec<_>, Vec<_>) =
            made.into_iter().partition(|(_, result)| hangs(result));
        let counted = if telling.is_empty() { others } else { telling };
        let (counted, results): (Vec<Pair>, Vec<CaseResult>) = counted.into_iter().unzip();
        let found = settle(&counted, |least| self.bounds_with(&follows, least));
        let Some((settled, bounds)) = found else {
            // The program cannot be run again: it has removed itself.
            return Ok(first);
        };
        let mut result = best(first, results, &settled, &bounds);
        if result.verdict == Verdict::TimeLimit || !settled.resolved {
            result.message = Some(near_message(&settled, &bounds, pairs.len()));
        }
        result.limits = Some(bounds.limits);
        result.limit_origin = bounds.origin;
        result.yardstick = match follows {
            ReferenceCase::Own => settled.yardstick.or(self.known.yardstick),
            ReferenceCase::AtLeast(_) | ReferenceCase::AtMost(_) => self.known.yardstick,
        };
        result.near_limit = true;
        result.confirmation = Some(Confirmation {
            runs: pairs.iter().map(|pair| pair.taken.cpu).collect(),
            limits: pairs.iter().map(|pair| pair.bounds.limits.cpu).collect(),
            yardsticks,
            resolved: settled.resolved,
        });
        Ok(result)
    }

    /// The runs alone, each with what was found of it.
    fn alone(
        &self,
        beside: Beside<'_>,
        first: &CaseResult,
        bounds: &Bounds,
        band: f64,
    ) -> Result<Vec<(Pair, CaseResult)>, Fault> {
        let (judge, problem) = (self.judge, self.run.problem);
        let follows = bounds.follows();
        let (_, followed) = self.followed(&follows);
        let begun = taken(first).map_or(1.0, |taken| ratio(taken.cpu, bounds.limits.cpu));
        let mut made: Vec<(Pair, CaseResult)> = Vec::new();
        for _ in 0..problem.limits.confirm {
            if judge.stop().is_requested() {
                return Err(Fault::Stopped);
            }
            let mut yardstick = None;
            if bounds.movable {
                let measured = self.references.measure(judge, beside, problem, followed)?;
                yardstick = measured.yardstick;
            }
            let bounds = self.bounds_with(&follows, yardstick);
            let limits = bounds.limits;
            let result = self
                .run
                .judge_beside(judge, beside, &self.known, limits, band)?;
            let Some(taken) = time(&result) else {
                return Ok(made);
            };
            let pair = Pair {
                taken,
                yardstick,
                bounds,
            };
            made.push((pair, result));
            // What answers wrong, or crashes, is no proof of being fast.
            let telling = made.iter().filter(|(_, result)| hangs(result));
            let pairs: Vec<Pair> = telling.map(|(pair, _)| pair.clone()).collect();
            if is_enough(begun, begun <= 1.0, &pairs, band) {
                break;
            }
        }
        Ok(made)
    }
}

/// Gives an accepted case its part of the points, where the time earns one.
pub(crate) fn with_share(
    problem: &Problem,
    subtask: &Subtask,
    language: LanguageId,
    times: Option<&ReferenceTimes>,
    mut result: CaseResult,
) -> CaseResult {
    if subtask.by_time.is_empty() || result.verdict != Verdict::Accepted {
        return result;
    }
    let (Some(taken), Some(times)) = (time(&result), times) else {
        return result;
    };
    let yardstick = times.own;
    // Of runs alone this is the smallest that was accepted: what fails is no proof of being fast.
    let cpu = taken.cpu;
    let share = Bounds::of(problem, subtask, language, Some(times)).share(cpu);
    let share = share.unwrap_or(Share::NOTHING);
    if share < Share::WHOLE {
        let factor = problem.limits.of_language(language).time_factor;
        let said = share_message(ratio(cpu, yardstick) / factor, factor, share);
        result.message = Some(match result.message.take() {
            None => said,
            Some(doubt) => Text::new(
                format!("{}; {}", said.en, doubt.en),
                format!("{}；{}", said.zh, doubt.zh),
            ),
        });
    }
    result.share = Some(share);
    result
}

/// The time of a run, and whether it was stopped for that.
fn time(result: &CaseResult) -> Option<Taken> {
    let outcome = result.outcome.as_ref()?;
    let mut cpu = outcome.cpu;
    if let (Some(Breach::Cpu), Some(limits)) = (outcome.breach, result.limits) {
        // What was stopped has not used less than it was given, whatever the clock of that says.
        cpu = cpu.max(CpuTime(limits.cpu.0 + std::time::Duration::from_micros(1)));
    }
    Some(Taken {
        cpu,
        cut: outcome.breach.is_some(),
    })
}

/// The time of a run whose verdict, or whose points, hang on it.
pub(crate) fn taken(result: &CaseResult) -> Option<Taken> {
    let taken = time(result)?;
    let limit = result.limits?.cpu;
    let is_over = result.verdict == Verdict::TimeLimit;
    (tells_a_time(result) && (!is_over || taken.cpu > limit)).then_some(taken)
}

/// Whether a run was accepted, or took too long. Any other fails however long it takes.
const fn tells_a_time(result: &CaseResult) -> bool {
    match result.verdict {
        Verdict::Accepted | Verdict::TimeLimit => true,
        Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::CompileError
        | Verdict::Skipped
        | Verdict::JudgeError => false,
    }
}

/// Whether the verdict of a run, or its points, hang on its time.
fn hangs(result: &CaseResult) -> bool {
    taken(result).is_some()
}

/// The result that counts. Over the limit it is that of the smallest time. Else an accepted run goes before others, the
/// first one too, whose answer is as right as any: a program that draws random numbers loses nothing by having been
/// near the limit.
fn best(
    first: CaseResult,
    alone: Vec<CaseResult>,
    settled: &Settled,
    bounds: &Bounds,
) -> CaseResult {
    let cpu = |result: &CaseResult| time(result).map(|taken| taken.cpu);
    let within = |result: &CaseResult| cpu(result) <= Some(bounds.limits.cpu);
    let is_over = settled.share.is_none();
    let mut alone: Vec<CaseResult> = alone
        .into_iter()
        .filter(|result| is_over || within(result))
        .collect();
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

/// `took 2.05 s of CPU time, the smallest of 3 runs alone; the limit is 2 s`, and whether that is certain. Where it is
/// not the limit that the time is near to, the step at which points change is named in its place.
fn near_message(settled: &Settled, bounds: &Bounds, runs: usize) -> Text {
    let Taken { cpu, cut } = settled.taken;
    let near = bounds.nearest(cpu);
    let (near_en, near_zh) = if near == bounds.limits.cpu {
        (format!("the limit is {near}"), format!("限制为 {near}"))
    } else {
        (
            format!("the points change at {near}"),
            format!("得分在 {near} 处变化"),
        )
    };
    let (en, zh) = if cut {
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
    let (doubt_en, doubt_zh) = if settled.resolved {
        ("", "")
    } else {
        (
            "; it is too near to be certain: the runs do not agree",
            "；过于接近，无法确定：各次运行的结果不一致",
        )
    };
    Text::new(
        format!("{en} {cpu} of CPU time, {runs_en}; {near_en}{doubt_en}"),
        format!("用了 {cpu} 的 CPU 时间{zh}{runs_zh}；{near_zh}{doubt_zh}"),
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
