//! Sweeps of programs whose times follow a law, run by nobody.

use grader_model::{Bytes, End, Outcome, Points, SubtaskResult};
use grader_problem::{MemoryLibrary, load_problem};

use super::*;
use crate::score::subtask_result;

const SIZES: [u32; 12] = [10, 15, 20, 30, 45, 68, 100, 150, 225, 340, 500, 750];

fn problem() -> Problem {
    problem_with(&SIZES, 3.5)
}

fn problem_with(sizes: &[u32], at_most: f64) -> Problem {
    let mut library = MemoryLibrary::default();
    let sizes: Vec<String> = sizes.iter().map(u32::to_string).collect();
    let sizes = sizes.join(", ");
    library.insert(
        "problem.toml",
        format!(
            r#"format = 1
id = "p"
title = {{ zh = "题", en = "P" }}
[submission]
files = ["p.*"]
[run]
arguments = ["{{n}}"]
[limits]
time = {{ reference = 4.0 }}
[reference]
builtin = "double"
[checker.queens-columns]
size = 1
base = 1
[[subtask]]
name = "growing"
points = 6
cases = {{ n = [{sizes}] }}
growth = {{ over = "n", at-most = {at_most:?}, until = "1 s" }}
"#
        ),
    );
    load_problem(&library, "", &["double"]).unwrap()
}

/// What a pretended run does: its CPU time in seconds, and its verdict where it is not stopped.
type Law<'a> = &'a dyn Fn(f64) -> (f64, Verdict);

/// Runs a sweep in a language; every limit is held against the law.
fn sweep(language: LanguageId, law: Law<'_>) -> SubtaskResult {
    sweep_of(&problem(), language, law)
}

fn sweep_of(problem: &Problem, language: LanguageId, law: Law<'_>) -> SubtaskResult {
    let subtask = &problem.subtasks[0];
    let rule = subtask.growth.as_ref().unwrap();
    let mut results = Vec::new();
    for case in &subtask.cases {
        let before = Sweep::of(rule, &subtask.cases, &results);
        let limits = match next(problem, language, rule, &before, case, &results) {
            Next::Run(limits) => limits,
            Next::Ended(result) => {
                results.push(*result);
                continue;
            }
        };
        let (seconds, verdict) = law(size(rule, case).unwrap());
        let most = limits.cpu.0.as_secs_f64();
        let stopped = seconds > most;
        let cpu = CpuTime(Duration::from_secs_f64(seconds.min(most)));
        let verdict = if stopped { Verdict::TimeLimit } else { verdict };
        let crashed = stopped || verdict == Verdict::RuntimeError;
        let mut result = CaseResult::unrun(case.name.clone(), verdict, Text::default());
        result.message = None;
        result.limits = Some(limits);
        result.outcome = Some(Outcome {
            end: if crashed {
                End::Signalled(9)
            } else {
                End::Exited(0)
            },
            breach: stopped.then_some(Breach::Cpu),
            cpu,
            wall: WallTime(cpu.0),
            memory: None,
            stdout: Bytes(0),
            stderr: Bytes(0),
        });
        results.push(result);
    }
    subtask_result(subtask, results, &[])
}

/// A program that is always right, with half a millisecond of start-up.
fn right(language: LanguageId, seconds: impl Fn(f64) -> f64) -> SubtaskResult {
    sweep(language, &|n| (0.0005 + seconds(n), Verdict::Accepted))
}

fn growth(result: &SubtaskResult) -> &Growth {
    result.growth.as_ref().unwrap()
}

/// `AC×9 SK×3`: the verdicts in order; `-` for cases that were not needed.
fn codes(result: &SubtaskResult) -> String {
    let mut runs: Vec<(&str, usize)> = Vec::new();
    for case in &result.cases {
        let code = if case.skipped {
            "-"
        } else {
            case.verdict.code()
        };
        match runs.last_mut() {
            Some((last, count)) if *last == code => *count += 1,
            _ => runs.push((code, 1)),
        }
    }
    let runs: Vec<String> = runs
        .iter()
        .map(|(code, count)| format!("{code}×{count}"))
        .collect();
    runs.join(" ")
}

/// Codes, verdict, points, and whether the growth passes.
fn came_to(result: &SubtaskResult) -> (String, &'static str, String, GrowthVerdict) {
    (
        codes(result),
        result.verdict.code(),
        result
            .points
            .map(|points| points.to_string())
            .unwrap_or_default(),
        growth(result).verdict,
    )
}

fn expected(
    codes: &str,
    verdict: &'static str,
    points: &str,
    growth: GrowthVerdict,
) -> (String, &'static str, String, GrowthVerdict) {
    (codes.to_owned(), verdict, points.to_owned(), growth)
}

use GrowthVerdict::{TooFast, Unresolved, Within};

#[test]
fn a_cubic_program_is_run_until_it_takes_long_and_passes_whole() {
    let result = right(LanguageId::C, |n| 1e-7 * n.powi(3));
    assert_eq!(came_to(&result), expected("AC×9 -×3", "AC", "6", Within));
    let fit = growth(&result).fit.unwrap();
    assert!((fit.exponent - 3.0).abs() < 0.05, "{fit:?}");
    assert_eq!(result.message, None);
    assert_eq!(
        result.cases[9].message,
        Some(Text::new(
            "not needed: n=225 took 1.14 s",
            "无需运行：n=225 已用 1.14 s"
        ))
    );
    assert_eq!(result.cases[11].message, result.cases[9].message);
}

#[test]
fn an_exponential_program_is_stopped_and_earns_nothing() {
    let result = right(LanguageId::C, |n| 1e-6 * (n / 2.0).exp2());
    assert_eq!(
        came_to(&result),
        expected("AC×5 TLE×1 SK×6", "TLE", "0", TooFast)
    );
    assert!(growth(&result).stopped.unwrap() > 3.5);
    assert_eq!(
        result.message,
        Some(growth(&result).sentence()),
        "the subtask says why"
    );
    assert_eq!(
        result.cases[6].message,
        Some(Text::new(
            "not run: n=68 did not end",
            "未运行：n=68 没有运行结束"
        ))
    );
}

#[test]
fn a_power_above_the_rule_fails_by_its_line_though_every_case_was_accepted() {
    let result = right(LanguageId::C, |n| 1e-10 * n.powi(5));
    assert_eq!(came_to(&result), expected("AC×9 -×3", "WA", "0", TooFast));
    assert!((growth(&result).fit.unwrap().exponent - 5.0).abs() < 0.2);
}

#[test]
fn a_program_too_fast_to_measure_passes_and_says_so() {
    let result = right(LanguageId::C, |n| 1e-7 * n);
    assert_eq!(came_to(&result), expected("AC×12", "AC", "6", Unresolved));
    assert_eq!(growth(&result).fit, None);
    let kinds = growth(&result).points.iter().map(|point| point.kind);
    assert!(kinds.eq([GrowthPointKind::TooFast; 12]));
}

#[test]
fn work_of_the_smallest_size_is_no_start_up_that_fails_a_program() {
    // No start-up at all: what is subtracted is the work of the smallest size, so that the lines are too steep.
    let linear = problem_with(&[100, 125, 156, 195, 244, 305, 381, 477, 596, 745], 1.2);
    let result = sweep_of(&linear, LanguageId::C, &|n| (1e-3 * n, Verdict::Accepted));
    assert_eq!(came_to(&result), expected("AC×10", "AC", "6", Unresolved));
    assert!(growth(&result).fit.unwrap().low > 1.2);
    assert_eq!(
        growth(&result).sentence().en.split(", ").last(),
        Some("but only if its shortest run was nothing but start-up; at most n^1.2 passes")
    );
    let quadratic = problem_with(&[100, 150, 225, 338, 507, 760], 2.0);
    let result = sweep_of(&quadratic, LanguageId::C, &|n| {
        (1e-6 * n * n, Verdict::Accepted)
    });
    assert_eq!(came_to(&result), expected("AC×6", "AC", "6", Unresolved));
    assert!(growth(&result).fit.unwrap().low > 2.0);
    // Cubic is too steep whatever is subtracted.
    let result = sweep_of(&quadratic, LanguageId::C, &|n| {
        (1e-8 * n.powi(3), Verdict::Accepted)
    });
    assert_eq!(came_to(&result), expected("AC×6", "WA", "0", TooFast));
}

#[test]
fn what_start_up_wavers_by_is_no_growth() {
    // A virtual machine: 50 ms, and for one small size 90 ms; then linear.
    let result = right(LanguageId::C, |n| match n {
        20.0 => 0.09,
        _ => 0.05 + 3e-4 * n,
    });
    let fit = growth(&result).fit.unwrap();
    let kinds = growth(&result).points.iter().map(|point| point.kind);
    let measured: Vec<bool> = kinds
        .map(|kind| kind == GrowthPointKind::Measured)
        .collect();
    assert_eq!(measured, [[false; 6], [true; 6]].concat(), "{fit:?}");
    assert_eq!(growth(&result).verdict, Within);
}

#[test]
fn being_slow_on_purpose_before_there_is_a_line_ends_no_sweep() {
    // A second at once, from the second size on; then it must still solve four sizes over a range of four.
    let result = sweep(LanguageId::C, &|n| {
        let seconds = if n > 10.0 { 1.2 + n / 1000.0 } else { 0.0005 };
        let verdict = if n > 50.0 {
            Verdict::RuntimeError
        } else {
            Verdict::Accepted
        };
        (seconds, verdict)
    });
    assert_eq!(codes(&result), "AC×5 RE×1 SK×6");
    assert_eq!(result.points, Some(Points::from_thousandths(2500)));
}

#[test]
fn what_is_not_solved_counts_and_what_was_not_needed_does_not() {
    // Cubic; wrong at two of nine sizes.
    let result = sweep(LanguageId::C, &|n| {
        let wrong = (20.0..40.0).contains(&n);
        let verdict = if wrong {
            Verdict::WrongAnswer
        } else {
            Verdict::Accepted
        };
        (0.0005 + 1e-7 * n.powi(3), verdict)
    });
    assert_eq!(
        came_to(&result),
        expected("AC×2 WA×2 AC×5 -×3", "PC", "4.67", Within)
    );
    assert_eq!(
        growth(&result).points.len(),
        7,
        "wrong answers have no time"
    );
}

#[test]
fn a_crash_ends_the_sweep_and_the_larger_sizes_count_as_unsolved() {
    let result = sweep(LanguageId::C, &|n| {
        let verdict = if n > 300.0 {
            Verdict::RuntimeError
        } else {
            Verdict::Accepted
        };
        (0.0005 + 1e-7 * n * n, verdict)
    });
    assert_eq!(codes(&result), "AC×9 RE×1 SK×2");
    assert_eq!(result.points, Some(Points::from_thousandths(4500)));
    assert_eq!(
        result.cases[10].message.as_ref().unwrap().en,
        "not run: n=340 ended with RE, runtime error"
    );
}

#[test]
fn a_slow_language_is_given_its_factor() {
    // Ten times slower, and Python's factor is ten: the sweep ends at the same size.
    let result = right(LanguageId::Python, |n| 1e-6 * n.powi(3));
    assert_eq!(came_to(&result), expected("AC×9 -×3", "AC", "6", Within));
    let limits: Vec<String> = result
        .cases
        .iter()
        .filter_map(|case| Some(case.limits?.cpu.to_string()))
        .collect();
    // Twice `until` for the first; 1.5^3.5 = 4.13 times as much for the others, all times ten.
    assert_eq!(limits[0], "20 s");
    assert_eq!(limits[1], "82.67 s");
}

#[test]
fn the_law_alone_gives_nobody_more_than_a_minute() {
    let problem = problem();
    let rule = GrowthRule {
        at_most: 20.0,
        ..problem.subtasks[0].growth.clone().unwrap()
    };
    let step = Step {
        took: Duration::from_secs(1),
        ratio: 1e30,
    };
    let limits = limits(&problem, LanguageId::C, &rule, step);
    assert_eq!(limits.cpu, CpuTime(MAX_CPU_PER_FACTOR));
    assert_eq!(limits.wall, WallTime(Duration::from_secs(182)));
}

#[test]
fn a_run_of_an_earlier_subtask_tells_the_start_up() {
    let problem = problem();
    let subtask = &problem.subtasks[0];
    let slow = right(LanguageId::C, |n| 0.1 + 1e-7 * n.powi(3));
    assert_eq!(
        growth(&slow).startup,
        CpuTime(Duration::from_micros(100_600))
    );
    let quick = right(LanguageId::C, |_| 0.0);
    let both = subtask_result(subtask, slow.cases, &[quick]);
    assert_eq!(growth(&both).startup, CpuTime(Duration::from_micros(500)));
}

#[test]
fn a_wrong_answer_at_once_takes_no_smaller_size_out_of_the_line() {
    // Of the fourth power; it gives up at once where it would show, between sizes that it solves.
    let result = sweep(LanguageId::C, &|n| {
        let (seconds, verdict) = if (149.0..151.0).contains(&n) || n > 400.0 {
            (0.0, Verdict::WrongAnswer)
        } else {
            (1e-9 * n.powi(4), Verdict::Accepted)
        };
        (0.0005 + seconds, verdict)
    });
    assert_eq!(
        came_to(&result),
        expected("AC×7 WA×1 AC×1 -×3", "WA", "0", TooFast)
    );
}

#[test]
fn a_run_before_any_other_is_not_all_start_up() {
    // Cubic, and already the smallest size takes longer than `until`; only the minute stops it.
    let mut problem = problem();
    let rule = problem.subtasks[0].growth.as_mut().unwrap();
    rule.until = CpuTime::from_millis(400);
    let law = |n: f64| (0.77 * (n / 10.0).powi(3), Verdict::Accepted);
    let result = sweep_of(&problem, LanguageId::C, &law);
    assert_eq!(
        came_to(&result),
        expected("AC×4 TLE×1 SK×7", "PC", "2", Within)
    );
}

#[test]
fn a_subtask_of_which_no_case_was_run_has_no_growth() {
    let problem = problem();
    let subtask = &problem.subtasks[0];
    let unrun = subtask
        .cases
        .iter()
        .map(|case| CaseResult::unrun(case.name.clone(), Verdict::Skipped, Text::default()));
    let result = subtask_result(subtask, unrun.collect(), &[]);
    assert_eq!((result.growth, result.verdict), (None, Verdict::Skipped));
}
