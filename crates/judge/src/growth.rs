//! How the CPU time of a program grows with the size of its input.
//!
//! The cases of a subtask are a *sweep*: one program, growing sizes. Theory of operation:
//!
//! - Sizes are run in order, once each, until one takes `until` (without start-up; times the language's factor) and
//!   those before it are enough for a line. The larger ones are *needless*: they count neither way. A program that is
//!   slow before there are points enough is run on, so that being slow early is no way to remain unmeasured.
//! - A run that is stopped, or ends badly, ends the sweep. What is larger was not solved, and counts so.
//! - No run needs the reference as a yardstick. A program that grows no faster than it may, and took less than `until`
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
mod measure;
#[cfg(test)]
mod tests;

use std::time::Duration;

use grader_model::{CaseName, CaseResult, CpuTime, LanguageId, Limits, Text, Verdict, WallTime};
use grader_problem::{Answer, Case, GrowthRule, Problem, Subtask, TimeRule};

pub(crate) use self::measure::measured;
use self::measure::{Step, Sweep, size};
use crate::Fault;
use crate::built_case::BuiltCase;
use crate::judge::Judge;
use crate::references::{Known, References};

/// How many times longer than the law allows a run may take before it is stopped.
const PATIENCE: f64 = 2.0;
/// The law alone gives no run more than this, before the language's factor.
const MOST: Duration = Duration::from_secs(60);

/// Runs a case of a subtask that asks for growth; `before` are the results of the smaller sizes.
pub(crate) fn judge(
    judge: &Judge,
    references: &References,
    subtask: &Subtask,
    rule: &GrowthRule,
    run: &BuiltCase<'_>,
    before: &[CaseResult],
) -> Result<CaseResult, Fault> {
    let sweep = Sweep::of(rule, &subtask.cases, before);
    let language = run.built.language().id();
    go_on(
        run.problem,
        language,
        rule,
        &sweep,
        run.case,
        before,
        |limits| {
            let known = match &run.case.answer {
                Answer::Reference => references.ask(judge, run.problem, &subtask.name, run.case)?,
                Answer::Given(bytes) => Known {
                    answer: Some(bytes.clone()),
                    ..Known::default()
                },
                Answer::None => Known::default(),
            };
            run.judge(judge, &known, limits)
        },
    )
}

/// Runs the next case of a sweep under its limits, unless the sweep has ended.
fn go_on(
    problem: &Problem,
    language: LanguageId,
    rule: &GrowthRule,
    sweep: &Sweep,
    case: &Case,
    before: &[CaseResult],
    run: impl FnOnce(Limits) -> Result<CaseResult, Fault>,
) -> Result<CaseResult, Fault> {
    let factor = problem.limits.of_language(language).time_factor;
    if let Some(end) = ended(rule, factor, sweep, before) {
        let mut result = CaseResult::unrun(case.name.clone(), Verdict::Skipped, end.message);
        result.needless = end.needless;
        return Ok(result);
    }
    run(limits(
        problem,
        language,
        rule,
        sweep.step(size(rule, case)),
    ))
}

/// Why a sweep goes no further.
struct Ended {
    needless: bool,
    message: Text,
}

/// Whether the sweep ends with these results.
fn ended(rule: &GrowthRule, factor: f64, sweep: &Sweep, before: &[CaseResult]) -> Option<Ended> {
    let last = before.last()?;
    let name = &last.name;
    match last.verdict {
        // It has ended before.
        Verdict::Skipped => Some(Ended {
            needless: last.needless,
            message: last.message.clone().unwrap_or_default(),
        }),
        Verdict::TimeLimit => Some(Ended {
            needless: false,
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
                    needless: true,
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
        needless: false,
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
    let most = MOST.as_secs_f64() * factor;
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
