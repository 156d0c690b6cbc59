//! Growth of a program's CPU time with the size of its input.
//!
//! The cases of a subtask are a *sweep*: one program, increasing sizes. Theory of operation:
//!
//! - Sizes are run in order, once each, until one takes `until` (without start-up, in every language) and there are
//!   enough points for a line, or none are needed: from the size before, its time grew twice as much as the law allows.
//!   Larger sizes are skipped and do not count. A program that is slow, but no slower than the law, before there are
//!   enough points is run on, so that a slow start cannot avoid the measurement.
//! - A run that is stopped or fails ends the sweep. Larger sizes count as unsolved.
//! - No run needs a reference time. If a program's time grows no faster than allowed, a run ends within the time of any
//!   earlier run × ratio^`at-most`, where the ratio is that of the two sizes. The limit is twice that or twice `until`,
//!   but at most a minute, and at least the problem's limit if that is given as a time. The first run has twice `until`,
//!   times the language's factor. So a sweep does not time the reference, which may be slow where a submission is fast;
//!   the reference only provides the right answers.
//! - The line goes through the logarithms of size and CPU time without start-up ([`fit`]). Start-up is the time of the
//!   shortest run. Runs not well above it are too fast to be measured and are left out, as are all smaller sizes. If
//!   even the smallest size takes real work, that subtracts too much and makes the line too steep; so a program fails
//!   only if its line is also too steep without subtraction.
//! - A stopped run and the run before it give a lower bound of the exponent. The limit is long enough that this bound
//!   is above `at-most`, unless the minute cut it short.

mod fit;
#[cfg(test)]
mod tests;

use std::time::Duration;

use grader_model::{
    Breach, CaseResult, CpuTime, Growth, GrowthFit, GrowthPoint, GrowthPointKind, GrowthVerdict,
    LanguageId, Limits, Verdict, WallTime, text,
};
use grader_problem::{Case, CaseRef, GrowthRule, LimitRule, Subtask, TimeRule};

use super::policy::{News, Next, Policy, failed};
use super::uncontended::Uncontended;

/// A run is stopped after this many times the time that the law allows.
const PATIENCE: f64 = 2.0;
/// Maximum of a limit derived from the law, before the language's factor.
const MAX_CPU_PER_FACTOR: Duration = Duration::from_secs(60);

/// Judges a case of a sweep by one run, unless the sweep has ended.
pub(crate) struct SweepCase<'a> {
    run: Uncontended<'a>,
    at: CaseRef<'a>,
    done: Option<Box<CaseResult>>,
}

impl<'a> SweepCase<'a> {
    /// `before` has the results of the smaller sizes.
    pub(crate) fn new(
        at: CaseRef<'a>,
        rule: &GrowthRule,
        language: LanguageId,
        before: &[CaseResult],
    ) -> Self {
        let usual = &at.problem.limits;
        let sweep = Sweep::of(rule, &at.subtask.cases, before);
        let limits = limits(usual, language, rule, &sweep, at.case);
        Self {
            run: Uncontended::new(at, limits, false),
            at,
            done: ended(rule, &sweep, at.case, before).map(Box::new),
        }
    }
}

impl<'a> Policy<'a> for SweepCase<'a> {
    fn next(&mut self, _: u64) -> Next<'a> {
        let done = self.done.take().map(Next::Done);
        done.unwrap_or_else(|| self.run.next())
    }

    fn told(&mut self, news: News) {
        match news {
            News::Ran(run) => self.done = self.run.ran(*run).map(|run| Box::new(run.result)),
            News::Failed(why) => self.done = Some(failed(self.at, why)),
            News::Times(_) | News::Reference(_) => {}
        }
    }
}

/// The result of a case after the end of the sweep.
fn ended(
    rule: &GrowthRule,
    sweep: &Sweep,
    case: &Case,
    before: &[CaseResult],
) -> Option<CaseResult> {
    let last = before.last()?;
    let (name, verdict) = (&last.name, last.verdict);
    let (skipped, message) = match verdict {
        Verdict::Skipped => (last.skipped, last.message.as_deref()?.clone()),
        Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::CompileError => {
            let why = verdict.name();
            let message = text!(
                "not run: {name} ended with {verdict}, {why}",
                "未运行：{name} 的结果是 {verdict}（{why}）",
                why
            );
            (false, message)
        }
        Verdict::Accepted
        | Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer => {
            let took = CpuTime(sweep.net(sweep.runs.last()?));
            if took < rule.until || !(sweep.has_enough() || sweep.jump(rule).is_some()) {
                return None;
            }
            let message = text!(
                "not needed: {name} took {took}",
                "无需运行：{name} 已用 {took}"
            );
            (true, message)
        }
        // An internal error at one size does not affect the next.
        Verdict::JudgeError => return None,
    };
    let mut result = CaseResult::unrun(case.name.clone(), Verdict::Skipped, message);
    result.skipped = skipped;
    Some(result)
}

/// The limits of the run after the sweep so far.
fn limits(
    usual: &LimitRule,
    language: LanguageId,
    rule: &GrowthRule,
    sweep: &Sweep,
    case: &Case,
) -> Limits {
    let factor = usual.for_language(language).time_factor;
    let limits = usual.resolve(None, language, None);
    let until = rule.until.0.as_secs_f64();
    let allowed = size(rule, case).and_then(|size| {
        // Including start-up: after a single run, that is unknown.
        let allowed = sweep.runs.iter().map(|run| run.allowed(size, rule));
        allowed.reduce(f64::max)
    });
    let law = PATIENCE * allowed.map_or(until * factor, |allowed| allowed.max(until));
    let max = MAX_CPU_PER_FACTOR.mul_f64(factor);
    let mut cpu = CpuTime(Duration::try_from_secs_f64(law).unwrap_or(max).min(max));
    if let TimeRule::Absolute(_) = usual.time {
        cpu = cpu.max(limits.cpu);
    }
    let wall = WallTime(cpu.0 * 3 + Duration::from_secs(2));
    Limits {
        cpu,
        wall: wall.max(usual.wall.unwrap_or_default()),
        ..limits
    }
}

/// Minimum number of points for a line, and minimum ratio of the largest size to the smallest.
const ENOUGH: usize = 4;
const RANGE: f64 = 4.0;
/// Times below this, without start-up, cannot be measured: they are a few ticks of the scheduler.
const SHORTEST: Duration = Duration::from_millis(3);

/// The size of a case. The loader has checked that it is a positive number.
fn size(rule: &GrowthRule, case: &Case) -> Option<f64> {
    let size: f64 = case.variables.get(&rule.over)?.parse().ok()?;
    (size > 0.0 && size.is_finite()).then_some(size)
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// With a right answer.
    Right,
    /// With a wrong answer, so its time does not count.
    Wrong,
    /// It exceeded its time limit.
    Stopped,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    size: f64,
    cpu: CpuTime,
    end: End,
}

impl Run {
    /// The longest time, in seconds, that the law allows another size after this run.
    fn allowed(&self, size: f64, rule: &GrowthRule) -> f64 {
        let ratio = (size / self.size).max(1.0);
        self.cpu.0.as_secs_f64() * ratio.powf(rule.at_most)
    }
}

/// The runs of a sweep that ended or exceeded their time limit, by increasing size.
struct Sweep {
    runs: Vec<Run>,
    startup: CpuTime,
}

impl Sweep {
    /// The runs of a subtask's cases, of which `results` may cover only the first.
    fn of(rule: &GrowthRule, cases: &[Case], results: &[CaseResult]) -> Self {
        let runs = cases.iter().zip(results).filter_map(|(case, result)| {
            let outcome = result.outcome.as_ref()?;
            let end = match result.verdict {
                Verdict::Accepted | Verdict::PartiallyCorrect | Verdict::PresentationError => {
                    End::Right
                }
                Verdict::WrongAnswer => End::Wrong,
                Verdict::TimeLimit => End::Stopped,
                Verdict::MemoryLimit
                | Verdict::OutputLimit
                | Verdict::RuntimeError
                | Verdict::CompileError
                | Verdict::Skipped
                | Verdict::JudgeError => return None,
            };
            // A program stopped at its limit used at least that much, even if the clock shows less.
            let cpu = match (outcome.breach, result.limits) {
                (Some(Breach::Cpu), Some(limits)) => outcome.cpu.max(limits.cpu),
                _ => outcome.cpu,
            };
            let size = size(rule, case)?;
            Some(Run { size, cpu, end })
        });
        Self {
            runs: runs.collect(),
            startup: shortest(results).unwrap_or_default(),
        }
    }

    /// A run's CPU time without start-up.
    fn net(&self, run: &Run) -> Duration {
        run.cpu.0.saturating_sub(self.startup.0)
    }

    fn is_long_enough(&self, run: &Run) -> bool {
        self.net(run) >= SHORTEST.max(self.startup.0 / 2)
    }

    /// The measurable runs: those after the last one too close to the start-up time. If a larger size took no time, a
    /// smaller size's time was noise in the start-up, which varies most in a language VM. A run with a wrong answer
    /// does not count as too fast: it may not have done the work.
    fn measured(&self) -> impl Iterator<Item = &Run> {
        let too_fast = |run: &Run| run.end != End::Wrong && !self.is_long_enough(run);
        let first = self.runs.iter().rposition(too_fast).map_or(0, |at| at + 1);
        let measured = self.runs[first..].iter();
        measured.filter(|run| run.end != End::Stopped)
    }

    fn has_enough(&self) -> bool {
        enough(self.measured().filter(|run| self.is_long_enough(run)))
    }

    /// The last two runs if the time of the second needs no more points: with the patience of a limit, it is more than
    /// `until` and than the law allows after the first.
    fn jump(&self, rule: &GrowthRule) -> Option<(&Run, &Run)> {
        let [.., before, last] = &self.runs[..] else {
            return None;
        };
        let allowed = before
            .allowed(last.size, rule)
            .max(rule.until.0.as_secs_f64());
        let are_right = [before, last].iter().all(|run| run.end == End::Right);
        let is_jump = self.net(last).as_secs_f64() > PATIENCE * allowed;
        (are_right && is_jump && !self.has_enough()).then_some((before, last))
    }

    /// Lower bound of the exponent, from the last right run and a stopped one, or from two between which it jumped.
    fn bound(&self, rule: &GrowthRule) -> Option<f64> {
        let is_stopped = |run: &&Run| run.end == End::Stopped;
        let (before, stopped) = match self.runs.iter().find(is_stopped) {
            Some(stopped) => (
                self.runs.iter().rfind(|run| run.end == End::Right)?,
                stopped,
            ),
            None => self.jump(rule)?,
        };
        // Start-up may be less than the shortest run, so subtract nothing from the previous run: this is a bound.
        let took = before.cpu.0.max(SHORTEST).as_secs_f64();
        let ratio = self.net(stopped).as_secs_f64() / took;
        let bound = ratio.ln() / (stopped.size / before.size).ln();
        bound.is_finite().then_some(bound)
    }

    fn growth(&self, rule: &GrowthRule) -> Growth {
        let right = || self.measured().filter(|run| run.end == End::Right);
        let line = |time: &dyn Fn(&Run) -> Duration| {
            let points = right().map(|run| (run.size, time(run).as_secs_f64()));
            fit::line(&points.collect::<Vec<_>>())
        };
        let is_stopped = self.runs.iter().any(|run| run.end == End::Stopped);
        let is_drawn = is_stopped || enough(right());
        let fit = is_drawn.then(|| line(&|run| self.net(run))).flatten();
        let stopped = self.bound(rule);
        let is_steep = |fit: GrowthFit| fit.low > rule.at_most;
        // The shortest run's time may be work. Without subtraction, the line is the least steep possible.
        let verdict = if fit.is_some_and(is_steep) && line(&|run| run.cpu.0).is_some_and(is_steep)
            || stopped.is_some_and(|least| least > rule.at_most)
        {
            GrowthVerdict::TooFast
        } else if fit.is_some_and(|fit| fit.exponent <= rule.at_most) {
            GrowthVerdict::Within
        } else {
            GrowthVerdict::Unresolved
        };
        let from = self.measured().next().map_or(f64::INFINITY, |run| run.size);
        let points = self.runs.iter().filter(|run| run.end != End::Wrong);
        let points = points.map(|run| GrowthPoint {
            size: run.size,
            cpu: run.cpu,
            kind: match run.end {
                End::Stopped => GrowthPointKind::Stopped,
                End::Right | End::Wrong if run.size >= from => GrowthPointKind::Measured,
                End::Right | End::Wrong => GrowthPointKind::TooFast,
            },
        });
        Growth {
            over: rule.over.clone(),
            at_most: rule.at_most,
            startup: self.startup,
            points: points.collect(),
            fit,
            stopped,
            verdict,
        }
    }
}

/// Whether these runs, by increasing size, are enough for a line.
fn enough<'a>(runs: impl Iterator<Item = &'a Run>) -> bool {
    let sizes: Vec<f64> = runs.map(|run| run.size).collect();
    sizes.len() >= ENOUGH && sizes[sizes.len() - 1] >= RANGE * sizes[0]
}

/// The smallest CPU time of the runs that ended well.
fn shortest(results: &[CaseResult]) -> Option<CpuTime> {
    results
        .iter()
        .filter_map(|result| result.outcome.as_ref())
        .filter(|outcome| outcome.breach.is_none() && outcome.end.is_success())
        .map(|outcome| outcome.cpu)
        .min()
}

/// The growth of a subtask's cases, all of which have results. `None` if the subtask has no growth rule, or no case was
/// run.
///
/// Start-up is the time of the shortest run, among these cases or `earlier` ones of the same submission.
pub(crate) fn measured<'a>(
    subtask: &Subtask,
    cases: &[CaseResult],
    earlier: impl Iterator<Item = &'a [CaseResult]>,
) -> Option<Growth> {
    let rule = subtask.growth.as_ref()?;
    if cases.iter().all(|case| case.outcome.is_none()) {
        return None;
    }
    let mut sweep = Sweep::of(rule, &subtask.cases, cases);
    let earlier = earlier.filter_map(shortest).min();
    sweep.startup = sweep.startup.min(earlier.unwrap_or(sweep.startup));
    Some(sweep.growth(rule))
}
