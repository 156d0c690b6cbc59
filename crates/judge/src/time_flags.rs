//! What CPU times say of how an answer came about. Flags for the instructor, never points.
//!
//! The start-up of a program is what it takes where there is next to nothing to do: the median of its runs in much
//! smaller cases. It wanders from run to run, by a third in a JVM or CPython, so it is known to a half only, and half
//! of it is allowed for wherever it is subtracted. That hides nothing in compiled programs, which start in about a
//! millisecond, and nothing that enumerates in the others.

use std::time::Duration;

use grader_model::{CaseResult, CpuTime, Flag, FlagEvidence, SubtaskResult, Text, Verdict};
use grader_problem::{Case, FlatRule, Problem};

/// Shorter times are not told from the noise of starting a process.
const NOISE: Duration = Duration::from_millis(2);
/// A case is much smaller than another when the reference takes at most one part in so many of the time.
const MUCH_SMALLER: u32 = 100;
/// The shortest time that a ratio is made of; the clock of short runs is no better.
const CLOCK: Duration = Duration::from_micros(100);
/// Number of cases that a sentence lists.
const LISTED: usize = 4;

/// The flags that the times of a submission's runs raise.
pub(crate) fn time_flags(problem: &Problem, results: &[SubtaskResult]) -> Vec<Flag> {
    let runs = runs(problem, results);
    let rules = &problem.time_flags;
    let faster = rules.faster_than.and_then(|part| faster(part, &runs));
    let flat = rules.flat.as_ref().and_then(|rule| flat(rule, &runs));
    faster.into_iter().chain(flat).collect()
}

/// A run that ended by itself.
struct Run<'a> {
    case: &'a Case,
    result: &'a CaseResult,
    cpu: Duration,
}

impl Run<'_> {
    fn is_accepted(&self) -> bool {
        self.result.verdict == Verdict::Accepted
    }

    fn yardstick(&self) -> Option<Duration> {
        self.result.yardstick.map(|time| time.0)
    }

    /// The value of a variable, where the case has it and it is a number.
    fn value(&self, variable: &str) -> Option<f64> {
        self.case.variables.get(variable)?.parse().ok()
    }
}

fn runs<'a>(problem: &'a Problem, results: &'a [SubtaskResult]) -> Vec<Run<'a>> {
    let subtasks = problem.subtasks.iter().zip(results);
    let cases = subtasks.flat_map(|(subtask, result)| subtask.cases.iter().zip(&result.cases));
    cases
        .filter_map(|(case, result)| {
            let outcome = result.outcome.as_ref()?;
            outcome.breach.is_none().then_some(Run {
                case,
                result,
                cpu: outcome.cpu.0,
            })
        })
        .collect()
}

/// The median, the smaller of two; nothing of nothing.
fn median(times: impl Iterator<Item = Duration>) -> Option<Duration> {
    let mut times: Vec<Duration> = times.collect();
    times.sort_unstable();
    times.get(times.len().checked_sub(1)? / 2).copied()
}

/// Accepted runs that take less than this part of the reference's time beyond their start-up.
fn faster(part: f64, runs: &[Run<'_>]) -> Option<Flag> {
    let mut names = Vec::new();
    let mut evidence = Vec::new();
    for run in runs.iter().filter(|run| run.is_accepted()) {
        let Some(yardstick) = run.yardstick() else {
            continue;
        };
        let least = yardstick.mul_f64(part);
        let smaller = runs.iter().filter(|other| {
            other
                .yardstick()
                .is_some_and(|it| it <= yardstick / MUCH_SMALLER)
        });
        let startup = median(smaller.map(|other| other.cpu)).unwrap_or_default();
        let believable = startup + startup / 2 + least;
        if least < NOISE || run.cpu >= believable {
            continue;
        }
        names.push(run.case.name.as_str());
        let (en, zh) = multiple(yardstick, run.cpu.saturating_sub(startup));
        let (reference, believable) = (CpuTime(yardstick), CpuTime(believable));
        let more = Text::new(
            format!(
                "; the reference takes {reference} here, {en} times what is left; from {believable} on it would be believable"
            ),
            format!(
                "；参考程序在本机用时 {reference}，是其余部分的{zh} 倍；{believable} 以上才可信"
            ),
        );
        evidence.push(taken(run, startup, &more));
    }
    let listed = names.len().min(LISTED);
    let (mut en, mut zh) = (names[..listed].join(", "), names[..listed].join("、"));
    if names.len() > listed {
        en = format!("{en} and {} more", names.len() - listed);
        zh = format!("{zh} 等 {} 个测试点", names.len());
    }
    (!names.is_empty()).then(|| Flag {
        code: "faster-than-known".to_owned(),
        message: Text::new(
            format!(
                "the time of {en} is so short that it cannot be explained by any enumeration we know; look at the source"
            ),
            format!("{zh} 用时之短，我们所知的任何枚举方法都无法解释；请查看源程序"),
        ),
        evidence,
    })
}

/// Accepted runs whose time does not grow between two values of a variable.
///
/// Of several cases with the smaller value the fastest counts, and of those with the larger one the slowest.
fn flat(rule: &FlatRule, runs: &[Run<'_>]) -> Option<Flag> {
    let over = |run: &Run<'_>| run.value(&rule.over);
    let accepted_at = |value: f64| {
        runs.iter().filter(move |run| {
            run.is_accepted() && over(run).is_some_and(|it| it.total_cmp(&value).is_eq())
        })
    };
    let from = accepted_at(rule.from).min_by_key(|run| run.cpu)?;
    let to = accepted_at(rule.to).max_by_key(|run| run.cpu)?;
    let smaller = runs
        .iter()
        .filter(|run| over(run).is_some_and(|it| it < rule.from));
    let startup = median(smaller.map(|run| run.cpu)).unwrap_or(from.cpu);
    let beginning = from.cpu.saturating_sub(startup);
    let base = beginning.max(startup / 2).max(NOISE);
    let believable = startup + base.mul_f64(rule.at_least);
    if to.cpu >= believable {
        return None;
    }
    let believable = CpuTime(believable);
    let more = Text::new(
        format!("; from {believable} on it would be believable"),
        format!("；{believable} 以上才可信"),
    );
    let mut evidence = vec![
        taken(from, startup, &Text::default()),
        taken(to, startup, &more),
    ];
    if let (Some(first), Some(last)) = (from.yardstick(), to.yardstick()) {
        let (en, zh) = multiple(last, first);
        let (first, last) = (CpuTime(first), CpuTime(last));
        evidence.push(shown(Text::new(
            format!("the reference takes {first} and {last} here, {en} times as much"),
            format!("参考程序在本机用时 {first} 和 {last}，后者是前者的{zh} 倍"),
        )));
    }
    let (first, last) = (from.case.name.as_str(), to.case.name.as_str());
    Some(Flag {
        code: "time-does-not-grow".to_owned(),
        message: Text::new(
            format!(
                "the time does not grow from {first} to {last}, which cannot be explained by any enumeration we know; look at the source"
            ),
            format!(
                "从 {first} 到 {last} 用时没有增长，我们所知的任何枚举方法都无法解释；请查看源程序"
            ),
        ),
        evidence,
    })
}

/// What a run took, and more that is to be said of it.
fn taken(run: &Run<'_>, startup: Duration, more: &Text) -> FlagEvidence {
    let (name, cpu, startup) = (&run.case.name, CpuTime(run.cpu), CpuTime(startup));
    let (en, zh) = (&more.en, &more.zh);
    shown(Text::new(
        format!("{name}: {cpu} of CPU time, of which start-up takes about {startup}{en}"),
        format!("{name}：CPU 时间 {cpu}，其中启动约 {startup}{zh}"),
    ))
}

/// How many times as long one time is as another, in both languages.
fn multiple(long: Duration, short: Duration) -> (String, String) {
    let times = long.as_secs_f64() / short.max(CLOCK).as_secs_f64();
    if short < CLOCK {
        (format!("more than {times:.0}"), format!("至少 {times:.0}"))
    } else {
        (format!("{times:.0}"), format!(" {times:.0}"))
    }
}

const fn shown(message: Text) -> FlagEvidence {
    FlagEvidence {
        message,
        place: None,
        excerpt: None,
    }
}

#[cfg(test)]
mod tests;
