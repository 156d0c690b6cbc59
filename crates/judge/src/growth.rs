//! How the CPU time of a program grows with the size of its input.
//!
//! The cases of a subtask are a *sweep*: one program, growing sizes. Theory of operation:
//!
//! - Sizes are run in order, once each, until one takes `until` (without start-up; times the language's factor) and
//!   those before it are enough for a line. The larger ones are skipped: they count neither way. A program that is
//!   slow before there are points enough is run on, so that being slow early is no way to remain unmeasured.
//! - A run that is stopped, or ends badly, ends the sweep. What is larger was not solved, and counts so.
//! - No run needs a reference time. A program that grows no faster than it may, and took less than `until`
//!   for the size before, ends within `until` × ratio^`at-most`, where the ratio is that of the two sizes; twice that is
//!   given (of what the size before took, where that was more than `until`), but no more than a minute. It is never less
//!   than a limit that the problem gives as a time. So a sweep costs
//!   no runs of a reference, which may be slow where a submission is fast. The reference is asked only for the right
//!   answer.
//! - The line goes through the logarithms of size and CPU time without start-up ([`fit`]). Start-up is the shortest run;
//!   what is not well above it is too fast to be measured, and is left out, with all that is smaller. Where the smallest
//!   size already means work, that subtracts too much and makes the line too steep: so a line fails a program only if
//!   it is too steep with nothing subtracted, too.
//! - A stopped run bounds the exponent from below by itself, against the run before it. The limit is long enough that
//!   this bound is above `at-most` unless the minute cut it short.

mod fit;
#[cfg(test)]
mod tests;

use std::time::Duration;

use grader_model::{
    Breach, CaseName, CaseResult, CpuTime, Growth, GrowthFit, GrowthPoint, GrowthPointKind,
    GrowthVerdict, LanguageId, Limits, Text, Verdict, WallTime,
};
use grader_problem::{Case, GrowthRule, Problem, Subtask, TimeRule};

use crate::Fault;
use crate::case::{CaseJob, JudgedBy};
use crate::confirm::run_uncontended;

/// How many times longer than the law allows a run may take before it is stopped.
const PATIENCE: f64 = 2.0;
/// The law alone gives no run more than this, before the language's factor.
const MAX_CPU_PER_FACTOR: Duration = Duration::from_secs(60);

/// Runs a case of a subtask that asks for growth; `before` are the results of the smaller sizes.
pub(crate) fn judge_case(
    job: &CaseJob<'_>,
    rule: &GrowthRule,
    before: &[CaseResult],
) -> Result<CaseResult, Fault> {
    let CaseJob {
        worker,
        references,
        at,
        ..
    } = *job;
    let sweep = Sweep::of(rule, &at.subtask.cases, before);
    let limits = match next(at.problem, job.language(), rule, &sweep, at.case, before) {
        Next::Run(limits) => limits,
        Next::Ended(result) => return Ok(*result),
    };
    let answer = references.answer(worker, at)?;
    let by = JudgedBy {
        limits,
        answer: answer.as_deref(),
        reference_time: None,
    };
    Ok(run_uncontended(job, None, by)?.result)
}

/// What becomes of the next case of a sweep.
enum Next {
    /// It is run under these limits.
    Run(Limits),
    /// The sweep has ended before it.
    Ended(Box<CaseResult>),
}

fn next(
    problem: &Problem,
    language: LanguageId,
    rule: &GrowthRule,
    sweep: &Sweep,
    case: &Case,
    before: &[CaseResult],
) -> Next {
    let factor = problem.limits.of_language(language).time_factor;
    if let Some(end) = ended(rule, factor, sweep, before) {
        let mut result = CaseResult::unrun(case.name.clone(), Verdict::Skipped, end.message);
        result.skipped = end.is_skippable;
        return Next::Ended(Box::new(result));
    }
    Next::Run(limits(
        problem,
        language,
        rule,
        sweep.step(size(rule, case)),
    ))
}

/// Why a sweep goes no further.
struct Ended {
    is_skippable: bool,
    message: Text,
}

/// Whether the sweep ends with these results.
fn ended(rule: &GrowthRule, factor: f64, sweep: &Sweep, before: &[CaseResult]) -> Option<Ended> {
    let last = before.last()?;
    let name = &last.name;
    match last.verdict {
        // It has ended before.
        Verdict::Skipped => Some(Ended {
            is_skippable: last.skipped,
            message: last.message.clone().unwrap_or_default(),
        }),
        Verdict::TimeLimit => Some(Ended {
            is_skippable: false,
            message: Text::new(
                format!("not run: {name} did not end"),
                format!("未运行：{name} 没有运行结束"),
            ),
        }),
        Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::CompileError => Some(failed(name, last.verdict)),
        Verdict::Accepted
        | Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer => {
            let took = sweep.took()?;
            let reached = took.as_secs_f64() >= rule.until.0.as_secs_f64() * factor;
            (reached && sweep.is_enough()).then(|| {
                let took = CpuTime(took);
                Ended {
                    is_skippable: true,
                    message: Text::new(
                        format!("not needed: {name} took {took}"),
                        format!("无需运行：{name} 已用 {took}"),
                    ),
                }
            })
        }
        // Our own failure at one size says nothing of the next.
        Verdict::JudgeError => None,
    }
}

fn failed(name: &CaseName, verdict: Verdict) -> Ended {
    let why = verdict.name();
    Ended {
        is_skippable: false,
        message: Text::new(
            format!("not run: {name} ended with {verdict}, {}", why.en),
            format!("未运行：{name} 的结果是 {verdict}（{}）", why.zh),
        ),
    }
}

/// The limits of the run to which a step of a sweep leads.
fn limits(problem: &Problem, language: LanguageId, rule: &GrowthRule, step: Step) -> Limits {
    let factor = problem.limits.of_language(language).time_factor;
    let usual = problem.limits.resolve(language, None);
    let base = step
        .took
        .as_secs_f64()
        .max(rule.until.0.as_secs_f64() * factor);
    let law = PATIENCE * base * step.ratio.powf(rule.at_most);
    let most = MAX_CPU_PER_FACTOR.as_secs_f64() * factor;
    let mut cpu = CpuTime(Duration::from_secs_f64(law.min(most)));
    if let TimeRule::Absolute(_) = problem.limits.time {
        cpu = cpu.max(usual.cpu);
    }
    let wall = WallTime(cpu.0 * 3 + Duration::from_secs(2));
    Limits {
        cpu,
        wall: problem.limits.wall.map_or(wall, |longer| wall.max(longer)),
        ..usual
    }
}

/// So many points, over such a range of sizes, are enough for a line.
const ENOUGH: usize = 4;
const RANGE: f64 = 4.0;
/// A shorter time than this without the start-up is not measured: it is a few ticks of the scheduler.
const SHORTEST: Duration = Duration::from_millis(3);

/// The size of a case. The loader has seen that it is a positive number.
fn size(rule: &GrowthRule, case: &Case) -> Option<f64> {
    let size: f64 = case.variables.get(&rule.over)?.parse().ok()?;
    (size > 0.0 && size.is_finite()).then_some(size)
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// It ended with a right answer.
    Right,
    /// It ended with a wrong answer: its time says nothing of the time that a right one takes.
    Wrong,
    /// It was over its time limit.
    Stopped,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    size: f64,
    cpu: CpuTime,
    end: End,
}

/// What leads from one size to the next.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// What the size before took, with its start-up: that of a first run is not known.
    took: Duration,
    /// How many times larger the next size is; 1 for the first.
    ratio: f64,
}

/// The runs of a sweep, by growing size, as far as they ended or were stopped for their time.
struct Sweep {
    runs: Vec<Run>,
    startup: CpuTime,
}

impl Sweep {
    /// The runs of these cases of a subtask, of which there may be fewer than the subtask has.
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
            // A program that was stopped has not used less than it was given, whatever the clock of that says.
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

    /// CPU time of a run without the start-up.
    fn net(&self, run: &Run) -> Duration {
        run.cpu.0.saturating_sub(self.startup.0)
    }

    /// The time without start-up from which on a run can be measured.
    fn measurable(&self) -> Duration {
        SHORTEST.max(self.startup.0 / 2)
    }

    fn is_long_enough(&self, run: &Run) -> bool {
        self.net(run) >= self.measurable()
    }

    /// The runs that can be measured: those after the last that is too near to the start-up time. When a larger size took
    /// no time, what a smaller one took was not of its size: start-up wavers, most of all that of a virtual machine. (Who
    /// answers wrong has perhaps done nothing at all.)
    fn measured(&self) -> &[Run] {
        let too_fast = |run: &Run| run.end != End::Wrong && !self.is_long_enough(run);
        let first = self.runs.iter().rposition(too_fast).map_or(0, |at| at + 1);
        let end = self.runs.iter().position(|run| run.end == End::Stopped);
        self.runs
            .get(first..end.unwrap_or(self.runs.len()))
            .unwrap_or_default()
    }

    /// What the last run took without its start-up.
    fn took(&self) -> Option<Duration> {
        self.runs.last().map(|run| self.net(run))
    }

    /// The step from the last run to a size.
    fn step(&self, size: Option<f64>) -> Step {
        let last = self.runs.last();
        Step {
            took: last.map_or(Duration::ZERO, |run| run.cpu.0),
            ratio: last
                .zip(size)
                .map_or(1.0, |(run, size)| (size / run.size).max(1.0)),
        }
    }

    /// Whether the runs that ended, right or wrong, are enough for a line.
    fn is_enough(&self) -> bool {
        let measured = self.measured().iter();
        enough(
            measured
                .filter(|run| self.is_long_enough(run))
                .map(|run| run.size),
        )
    }

    fn growth(&self, rule: &GrowthRule) -> Growth {
        let right = |run: &&Run| run.end == End::Right;
        let measured: Vec<(f64, f64)> = self
            .measured()
            .iter()
            .filter(right)
            .map(|run| (run.size, self.net(run).as_secs_f64()))
            .collect();
        let cut = self.runs.iter().position(|run| run.end == End::Stopped);
        let drawn = enough(measured.iter().map(|point| point.0))
            || cut.is_some() && measured.len() >= fit::FEWEST;
        let fit = drawn.then(|| fit::line(&measured)).flatten();
        let stopped = cut.and_then(|cut| {
            let cut = &self.runs[cut];
            let before = self.runs.iter().rfind(right)?;
            // Start-up may be less than the shortest run, so the run before has all of its time: it is a bound.
            let before_took = before.cpu.0.max(SHORTEST).as_secs_f64();
            let bound =
                (self.net(cut).as_secs_f64() / before_took).ln() / (cut.size / before.size).ln();
            bound.is_finite().then_some(bound)
        });
        // What the shortest run took may be work. Without a start-up to subtract the line is less steep than it can be.
        let with_startup = || {
            let right = self.measured().iter().filter(right);
            let points: Vec<(f64, f64)> = right
                .map(|run| (run.size, run.cpu.0.as_secs_f64()))
                .collect();
            fit::line(&points)
        };
        let is_steep = |fit: GrowthFit| fit.low > rule.at_most;
        let verdict = if fit.is_some_and(is_steep) && with_startup().is_some_and(is_steep)
            || stopped.is_some_and(|least| least > rule.at_most)
        {
            GrowthVerdict::TooFast
        } else if fit.is_some_and(|fit| fit.exponent <= rule.at_most) {
            GrowthVerdict::Within
        } else {
            GrowthVerdict::Unresolved
        };
        let from = self
            .measured()
            .first()
            .map_or(f64::INFINITY, |run| run.size);
        let points = self.runs.iter().filter(|run| run.end != End::Wrong);
        Growth {
            over: rule.over.clone(),
            at_most: rule.at_most,
            startup: self.startup,
            points: points
                .map(|run| GrowthPoint {
                    size: run.size,
                    cpu: run.cpu,
                    kind: match run.end {
                        End::Stopped => GrowthPointKind::Stopped,
                        End::Right | End::Wrong if run.size >= from => GrowthPointKind::Measured,
                        End::Right | End::Wrong => GrowthPointKind::TooFast,
                    },
                })
                .collect(),
            fit,
            stopped,
            verdict,
        }
    }
}

fn enough(sizes: impl Iterator<Item = f64>) -> bool {
    let (mut count, mut smallest, mut largest) = (0, f64::INFINITY, 0.0f64);
    for size in sizes {
        count += 1;
        smallest = smallest.min(size);
        largest = largest.max(size);
    }
    count >= ENOUGH && largest >= RANGE * smallest
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

/// The growth of a subtask's cases, all of which have results. `None` if the subtask does not ask for it, or no case
/// was run.
///
/// What the shortest run took is start-up time: of these cases, or of `earlier` ones of the same submission.
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
    sweep.startup = earlier.map_or(sweep.startup, |earlier| sweep.startup.min(earlier));
    Some(sweep.growth(rule))
}
