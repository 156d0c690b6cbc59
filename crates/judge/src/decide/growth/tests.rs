//! Sweeps of imaginary programs whose times follow a law.

use grader_language::Languages;
use grader_model::{End, Outcome, SubtaskResult, Text};
use grader_problem::{MemoryLibrary, Problem, load_problem};

use super::*;
use crate::decide::score::subtask_result;
use crate::tests::ended_well;

const SIZES: &str = "10, 15, 20, 30, 45, 68, 100, 150, 225, 340, 500, 750";

fn problem(sizes: &str, at_most: f64) -> Problem {
    let mut library = MemoryLibrary::default();
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
    load_problem(&library, "", &["double"], &Languages::built_in()).unwrap()
}

/// Runs a sweep of a program in a language. Its CPU time in seconds, and its verdict if no limit stops it, are
/// functions of the size.
fn sweep(
    problem: &Problem,
    language: LanguageId,
    law: impl Fn(f64) -> (f64, Verdict),
) -> SubtaskResult {
    let subtask = &problem.subtasks[0];
    let rule = subtask.growth.as_ref().unwrap();
    let mut results = Vec::new();
    for case in &subtask.cases {
        let before = Sweep::of(rule, &subtask.cases, &results);
        if let Some(result) = ended(rule, &before, case, &results) {
            results.push(result);
            continue;
        }
        let limits = limits(&problem.limits, language, rule, &before, case);
        let (seconds, verdict) = law(size(rule, case).unwrap());
        let most = limits.cpu.0.as_secs_f64();
        let is_stopped = seconds > most;
        let cpu = CpuTime(Duration::from_secs_f64(seconds.min(most)));
        let (verdict, end) = match verdict {
            _ if is_stopped => (Verdict::TimeLimit, End::Signalled(9)),
            Verdict::RuntimeError => (verdict, End::Signalled(9)),
            _ => (verdict, End::Exited(0)),
        };
        let mut result = CaseResult::unrun(case.name.clone(), verdict, Text::default());
        result.limits = Some(limits);
        result.outcome = Some(Outcome {
            end,
            breach: is_stopped.then_some(Breach::Cpu),
            ..ended_well(cpu)
        });
        results.push(result);
    }
    subtask_result(subtask, results, &[])
}

/// A program in C that is always right, with half a millisecond of start-up.
fn right(seconds: impl Fn(f64) -> f64) -> SubtaskResult {
    let law = |n| (0.0005 + seconds(n), Verdict::Accepted);
    sweep(&problem(SIZES, 3.5), LanguageId::C, law)
}

/// A program in C that is right, or ends with the other verdict where `fails`.
fn failing(
    fails: impl Fn(f64) -> bool,
    otherwise: Verdict,
    seconds: impl Fn(f64) -> f64,
) -> SubtaskResult {
    sweep(&problem(SIZES, 3.5), LanguageId::C, |n| {
        let verdict = if fails(n) {
            otherwise
        } else {
            Verdict::Accepted
        };
        (0.0005 + seconds(n), verdict)
    })
}

fn growth(result: &SubtaskResult) -> &Growth {
    result.growth.as_ref().unwrap()
}

/// `AC×9 -×3: AC 6 Within`: the verdicts in order, with `-` for skipped cases; verdict and points; the growth's
/// verdict.
fn came_to(result: &SubtaskResult) -> String {
    let code = |case: &CaseResult| {
        let code = (!case.skipped).then(|| case.verdict.code());
        code.unwrap_or("-")
    };
    let runs: Vec<String> = result
        .cases
        .chunk_by(|a, b| code(a) == code(b))
        .map(|run| format!("{}×{}", code(&run[0]), run.len()))
        .collect();
    let (verdict, points) = (result.verdict.code(), result.points.unwrap());
    let growth = growth(result).verdict;
    format!("{}: {verdict} {points} {growth:?}", runs.join(" "))
}

#[test]
#[rustfmt::skip]
fn a_sweep_is_run_as_far_as_it_must_be_and_fails_what_grows_too_fast() {
    use Verdict::{Accepted, RuntimeError, WrongAnswer};
    let gives_up = |n: f64| (149.0..151.0).contains(&n) || n > 400.0;
    let cubic = |n: f64| 1e-7 * n.powi(3);
    let of = |problem: &Problem, law: fn(f64) -> f64| sweep(problem, LanguageId::C, |n| (law(n), Accepted));
    let linear = problem("100, 125, 156, 195, 244, 305, 381, 477, 596, 745", 1.2);
    let quadratic = problem("100, 150, 225, 338, 507, 760", 2.0);
    let sparse = problem("1000, 20000, 40000, 80000, 160000", 1.5);
    let mut patient = problem("1000, 20000, 40000, 80000, 160000", 1.5);
    patient.limits.time = TimeRule::Absolute(CpuTime::from_millis(2000));
    let slow = |n: f64| (0.02 + 3.3e-8 * n * n, Accepted);
    let mut impatient = problem(SIZES, 3.5);
    impatient.subtasks[0].growth.as_mut().unwrap().until = CpuTime::from_millis(400);
    for (result, expected) in [
        (right(cubic), "AC×9 -×3: AC 6 Within"),
        (right(|n| 1e-6 * (n / 2.0).exp2()), "AC×4 TLE×1 SK×7: TLE 0 TooFast"),
        (right(|n| 1e-10 * n.powi(5)), "AC×9 -×3: WA 0 TooFast"),
        (right(|n| 1e-7 * n), "AC×12: AC 6 Unresolved"),
        // `until` is the same in every language.
        (sweep(&problem(SIZES, 3.5), LanguageId::Python, |n| (0.0005 + 10.0 * cubic(n), Accepted)), "AC×8 -×4: AC 6 Within"),
        // A gap between the sizes: a quadratic program is stopped, or ends by itself and needs no other size.
        (sweep(&sparse, LanguageId::Python, slow), "AC×1 TLE×1 SK×3: TLE 0 TooFast"),
        (sweep(&patient, LanguageId::Python, slow), "AC×2 -×3: WA 0 TooFast"),
        // As slow there, but linear from then on; and constant after a table is made.
        (sweep(&patient, LanguageId::Python, |n| (0.02 + 1.8e-4 * n, Accepted)), "AC×5: AC 6 Within"),
        (right(|n| if n > 30.0 { 1.9 } else { 0.0 }), "AC×9 -×3: AC 6 Within"),
        // No start-up at all: the smallest size's work is subtracted, so the lines are too steep.
        (of(&linear, |n| 1e-3 * n), "AC×10: AC 6 Unresolved"),
        (of(&quadratic, |n| 1e-6 * n * n), "AC×6: AC 6 Unresolved"),
        // Too steep, with or without subtraction.
        (of(&quadratic, |n| 1e-8 * n.powi(3)), "AC×6: WA 0 TooFast"),
        // Even the smallest size takes longer than `until`, and not all of that is start-up; only the minute stops it.
        (of(&impatient, |n| 0.77 * (n / 10.0).powi(3)), "AC×4 TLE×1 SK×7: PC 2 Within"),
        // Deliberately slow before there is a line: it must still solve four sizes over a range of four.
        (failing(|n| n > 50.0, RuntimeError, |n| if n > 10.0 { 1.2 + n / 1000.0 } else { 0.0 }),
            "AC×5 RE×1 SK×6: PC 2.5 Unresolved"),
        (failing(|n| n > 300.0, RuntimeError, |n| 1e-7 * n * n), "AC×9 RE×1 SK×2: PC 4.5 Unresolved"),
        (failing(|n| (19.0..31.0).contains(&n), WrongAnswer, cubic), "AC×2 WA×2 AC×5 -×3: PC 4.67 Within"),
        // Fourth power; an immediate wrong answer removes no smaller size from the line.
        (failing(gives_up, WrongAnswer, |n| if gives_up(n) { 0.0 } else { 1e-9 * n.powi(4) }),
            "AC×7 WA×1 AC×1 -×3: WA 0 TooFast"),
    ] {
        assert_eq!(came_to(&result), expected);
    }
}

#[test]
fn a_sweep_reports_its_exponent_and_why_a_case_was_not_run() {
    let cubic = right(|n| 1e-7 * n.powi(3));
    let fit = growth(&cubic).fit.unwrap();
    assert!((fit.exponent - 3.0).abs() < 0.05, "{fit:?}");
    assert_eq!(cubic.message, None);
    let exponential = right(|n| 1e-6 * (n / 2.0).exp2());
    assert!(growth(&exponential).stopped.unwrap() > 3.5);
    assert_eq!(exponential.message, Some(growth(&exponential).sentence()));
    for (result, expected) in [
        (
            &cubic,
            Text::new(
                "not needed: n=225 took 1.14 s",
                "无需运行：n=225 已用 1.14 s",
            ),
        ),
        (
            &exponential,
            Text::new(
                "not run: n=45 ended with TLE, time limit exceeded",
                "未运行：n=45 的结果是 TLE（超出时间限制）",
            ),
        ),
    ] {
        assert_eq!(result.cases[11].message.as_deref(), Some(&expected));
    }
}

#[test]
fn what_start_up_wavers_by_is_no_growth() {
    // A language VM: 50 ms, and for one small size 90 ms; then linear.
    let result = right(|n| match n {
        20.0 => 0.09,
        _ => 0.05 + 3e-4 * n,
    });
    let kinds = growth(&result).points.iter().map(|point| point.kind);
    let expected = [GrowthPointKind::TooFast, GrowthPointKind::Measured].map(|kind| [kind; 6]);
    assert!(kinds.eq(expected.concat()));
    assert_eq!(growth(&result).verdict, GrowthVerdict::Within);
}

#[test]
fn a_run_of_an_earlier_subtask_shows_the_start_up() {
    let problem = problem(SIZES, 3.5);
    let (slow, quick) = (right(|n| 0.1 + 1e-7 * n.powi(3)), right(|_| 0.0));
    let both = subtask_result(&problem.subtasks[0], slow.cases.to_vec(), &[quick]);
    assert_eq!(growth(&both).startup, CpuTime(Duration::from_micros(500)));
}

#[test]
fn a_subtask_of_which_no_case_was_run_has_no_growth() {
    let problem = problem(SIZES, 3.5);
    let subtask = &problem.subtasks[0];
    let unrun = subtask
        .cases
        .iter()
        .map(|case| CaseResult::unrun(case.name.clone(), Verdict::Skipped, Text::default()));
    let result = subtask_result(subtask, unrun.collect(), &[]);
    assert_eq!((result.growth, result.verdict), (None, Verdict::Skipped));
}
