//! The decision as tables, and the whole policy on a machine that only pretends.

mod pretender;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use grader_intake::{Class, Student, Submission};
use grader_language::{Command, language};
use grader_model::{Bytes, Event, EventKind, ProblemId, Sink, SourceFile, StudentId, WallTime};
use grader_problem::{
    Answer, Assignment, CaseMultiple, MemoryLibrary, Problem, TimeStep, load_assignment,
};

use self::pretender::Does::{self, Right, Sleeps, Waits, Wrong};
use self::pretender::Pretender;
use super::*;
use crate::{Judge, Settings, Stop};

fn ms(millis: u64) -> CpuTime {
    CpuTime::from_millis(millis)
}

/// Bounds with a limit of three times the reference's time.
fn bounds(reference: u64, steps: &[(u64, u32)]) -> Bounds {
    let step = |&(most, share): &(u64, u32)| (ms(most), Share::from_thousandths(share));
    Bounds {
        limits: Limits {
            cpu: ms(3 * reference),
            wall: WallTime::from_millis(9 * reference),
            memory: Bytes(1),
            output: Bytes(1),
            processes: 1,
        },
        origin: None,
        steps: steps.iter().map(step).collect(),
        is_relative: true,
    }
}

fn ended(millis: u64) -> Time {
    Time {
        cpu: ms(millis),
        is_cut: false,
    }
}

fn cut(millis: u64) -> Time {
    Time {
        is_cut: true,
        ..ended(millis)
    }
}

fn pair(time: Time, reference: u64) -> Pair {
    Pair {
        time,
        reference: Some(ms(reference)),
        bounds: bounds(reference, &[]),
    }
}

#[test]
fn a_time_decides_at_once_outside_the_band_of_every_threshold() {
    let (plain, stepped) = (bounds(1000, &[]), bounds(1000, &[(500, 1000), (4000, 600)]));
    for (bounds, time, near) in [
        (&plain, ended(2307), false),
        (&plain, ended(2308), true),
        (&plain, ended(3000), true),
        (&plain, ended(3900), true),
        (&plain, ended(3901), false),
        (&plain, cut(3900), false),
        (&stepped, ended(384), false),
        (&stepped, ended(385), true),
        (&stepped, ended(651), false),
        // A step above the limit is none.
        (&stepped, ended(3950), false),
    ] {
        assert_eq!(bounds.is_near(time), near, "{time:?}");
    }
}

#[test]
fn one_pair_is_enough_if_it_leaves_the_band() {
    for (kept_to_limit, time, clear) in [
        (true, ended(2300), true),
        (false, ended(2300), true),
        (true, ended(2900), false),
        (false, ended(3100), false),
        (false, cut(3900), true),
        (true, cut(3900), false),
    ] {
        let found = is_clear(kept_to_limit, &pair(time, 1000));
        assert_eq!(found, clear, "{kept_to_limit} {time:?}");
    }
}

#[test]
fn the_smallest_times_decide_and_pairs_that_disagree_are_not_settled() {
    for (pairs, within, is_settled) in [
        (&[(2900, 1000), (2950, 1000), (2990, 1000)][..], true, true),
        (&[(3100, 1000), (3050, 1000), (3200, 1000)], false, true),
        (&[(3010, 1000), (2990, 1000), (3020, 1000)], true, false),
        // Each kept to the limit of its own moment, but not the smallest to the smallest.
        (&[(3010, 1000), (3020, 1010), (3010, 1000)], false, false),
        // The machine became half as fast: both times follow.
        (&[(2900, 1000), (5800, 2000), (5800, 2000)], true, true),
        (&[(6200, 2000), (3100, 1000), (6200, 2000)], false, true),
        (&[(2300, 1000)], true, true),
    ] {
        let made: Vec<Pair> = pairs
            .iter()
            .map(|&(cpu, by)| pair(ended(cpu), by))
            .collect();
        let of_reference =
            |reference: Option<CpuTime>| bounds(reference.unwrap().0.as_millis() as u64, &[]);
        let found = decide(&made, of_reference).unwrap();
        let found = (found.share.is_some(), found.is_settled);
        assert_eq!(found, (within, is_settled), "{pairs:?}");
    }
    assert_eq!(decide(&[], |_| bounds(1, &[])), None);
}

/// What a sink gets of the cases.
#[derive(Default)]
struct Received {
    cases: Vec<String>,
    finished: usize,
}

impl Sink for Received {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::CaseFinished { case, .. } => self.cases.push(shown(case)),
            EventKind::JobFinished { .. } => self.finished += 1,
            EventKind::RunStarted { .. }
            | EventKind::JobStarted { .. }
            | EventKind::StudentFinished { .. }
            | EventKind::ReferenceMeasured { .. }
            | EventKind::RunFinished { .. } => {}
        }
        Ok(())
    }
}

/// `n=2 AC 2.4 s of 3 s, near, alone 2.4 s by 1 s; a message`.
fn shown(case: &CaseResult) -> String {
    let cpu = case.outcome.as_ref().map(|it| it.cpu).unwrap_or_default();
    let limit = case.limits.map(|it| it.cpu).unwrap_or_default();
    let mut text = format!("{} {} {cpu} of {limit}", case.name, case.verdict.code());
    if case.near_limit {
        text.push_str(", near");
    }
    let times = |times: &[CpuTime]| {
        let times: Vec<String> = times.iter().map(ToString::to_string).collect();
        times.join(" ")
    };
    if let Some(confirmation) = &case.confirmation {
        write!(text, ", alone {}", times(&confirmation.runs)).unwrap();
        if !confirmation.reference_times.is_empty() {
            write!(text, " by {}", times(&confirmation.reference_times)).unwrap();
        }
        if !confirmation.resolved {
            text.push_str(", not settled");
        }
    }
    if let Some(share) = case.share {
        write!(text, ", share {}", share.thousandths()).unwrap();
    }
    if let Some(message) = &case.message {
        write!(text, "; {}", message.en).unwrap();
    }
    text
}

/// The problem: print twice n; the limit is three times the reference's time.
fn doubling(change: impl FnOnce(&mut Problem)) -> Assignment {
    let mut library = MemoryLibrary::new("test", BTreeMap::new());
    library.insert(
        "assignment.toml",
        "format = 1\nid = \"a\"\ntitle = { zh = \"甲\", en = \"A\" }\n[[problem]]\npath = \"double\"\npoints = 2\n",
    );
    library.insert(
        "double/problem.toml",
        r#"
format = 1
id = "double"
title = { zh = "两倍", en = "Twice n" }
[submission]
files = ["double.*"]
[run]
arguments = ["{n}"]
[limits]
time = { reference = 3.0 }
[reference]
builtin = "double"
[checker.tokens]
[[subtask]]
name = "all"
points = 2
cases = { n = "1..=2" }
"#,
    );
    let loaded = load_assignment(&library, "", &["double"]);
    let mut assignment = loaded
        .value
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let problem = Arc::get_mut(&mut assignment.problems[0].problem).unwrap();
    // Round numbers.
    problem.limits.slack = CpuTime::default();
    change(problem);
    assignment
}

fn class(students: usize) -> Class {
    let student = |index| Student {
        id: StudentId::new(format!("s{index}")),
        person: None,
        notes: Vec::new(),
        remarks: Vec::new(),
        submissions: BTreeMap::from([(
            ProblemId::new("double"),
            Submission::in_memory(
                vec![SourceFile::new("double.c", &b"int main() {}"[..])],
                vec!["double.c".to_owned()],
                Some(LanguageId::C),
            ),
        )]),
        faults: BTreeMap::new(),
        unused: Vec::new(),
    };
    Class {
        students: (0..students).map(student).collect(),
        ..Class::default()
    }
}

/// A source's language is recognised by its compiler, which must be here even though it is not run.
fn has_compiler() -> bool {
    let is_here = language(LanguageId::C).find().is_ok();
    if !is_here {
        eprintln!("skipped: there is no C compiler");
    }
    is_here
}

/// What a sink gets, and whether grading was interrupted.
fn graded(
    runner: &Arc<Pretender>,
    assignment: &Assignment,
    (workers, students): (usize, usize),
) -> (Received, bool) {
    let builtin = |_: &str| Command {
        program: "/grader".into(),
        arguments: vec!["reference".into()],
        environment: Vec::new(),
    };
    let stop = match &runner.stops_at {
        Some((_, stop)) => stop.clone(),
        None => Stop::new(),
    };
    let judge = Judge::new(Settings {
        runner: runner.clone(),
        builtin: Arc::new(builtin),
        workers,
        overlaps: true,
        cores: Vec::new(),
        stop,
        cache: None,
        grader: String::new(),
    })
    .unwrap();
    let mut received = Received::default();
    let summary = judge.grade(assignment, &class(students), &mut [&mut received]);
    (received, summary.interrupted)
}

/// What becomes of n = 2, for which the reference takes 1 s; and how the programs ran for it, in order.
fn second(
    change: impl Fn(&mut Problem),
    runs: &[Does],
    reference: &[Does],
) -> (String, Vec<String>) {
    let runner = Arc::new(Pretender::new(&[
        ("reference", "1", &[Right(100)]),
        ("reference", "2", &[&[Right(1000)], reference].concat()),
        ("you", "1", &[Right(20)]),
        ("you", "2", runs),
    ]));
    let (received, _) = graded(&runner, &doubling(change), (1, 1));
    let mut log = runner.log();
    // The first run alone, and each thing once before.
    assert_eq!(
        log[..3],
        ["reference 1: 100", "you 1: 20", "reference 2: 1000"]
    );
    (received.cases[1].clone(), log.split_off(3))
}

#[test]
fn a_case_is_run_once_unless_its_time_is_near_the_limit() {
    if !has_compiler() {
        return;
    }
    let table: [(&[Does], &[Does], &str); 11] = [
        (&[Right(1400)], &[], "n=2 AC 1.4 s of 3 s"),
        (
            &[Right(5000)],
            &[],
            "n=2 TLE 3.9 s of 3 s; stopped after 3.9 s of CPU time; the limit is 3 s",
        ),
        (
            &[Right(3100), Right(2000)],
            &[],
            "n=2 AC 2 s of 3 s, near, alone 2 s by 1 s",
        ),
        (
            &[Right(2990), Right(3200), Right(3100), Right(3150)],
            &[],
            "n=2 TLE 3.1 s of 3 s, near, alone 3.2 s 3.1 s 3.15 s by 1 s 1 s 1 s; took 3.1 s of CPU time, the smallest of 3 runs alone; the limit is 3 s",
        ),
        (
            &[Right(3100), Right(5000)],
            &[],
            "n=2 TLE 3.9 s of 3 s, near, alone 3.9 s by 1 s; stopped after 3.9 s of CPU time, in a run alone; the limit is 3 s",
        ),
        (
            &[Right(2990), Right(3010), Right(2990), Right(3020)],
            &[Right(1000), Right(1000), Right(1010)],
            "n=2 AC 2.99 s of 3 s, near, alone 3.01 s 2.99 s 3.02 s by 1 s 1 s 1.01 s, not settled; took 2.99 s of CPU time, the smallest of 3 runs alone; the limit is 3 s; not settled: the runs disagree",
        ),
        // The machine became slower after the reference was measured: the limit follows.
        (
            &[Right(3600)],
            &[Right(1500)],
            "n=2 AC 3.6 s of 4.5 s, near, alone 3.6 s 3.6 s 3.6 s by 1.5 s 1.5 s 1.5 s",
        ),
        // An answer that was right once stays right.
        (
            &[Right(2950), Wrong(2900)],
            &[],
            "n=2 AC 2.95 s of 3 s, near, alone 2.9 s 2.9 s 2.9 s by 1 s 1 s 1 s",
        ),
        (
            &[Right(3050), Wrong(2900), Right(2950), Wrong(2940)],
            &[],
            "n=2 AC 2.95 s of 3 s, near, alone 2.9 s 2.95 s 2.94 s by 1 s 1 s 1 s",
        ),
        // A program that gives up early is wrong, not fast.
        (
            &[Right(3050), Wrong(10), Right(2950)],
            &[],
            "n=2 AC 2.95 s of 3 s, near, alone 10 ms 2.95 s 2.95 s by 1 s 1 s 1 s",
        ),
        (
            &[Right(3050), Wrong(2920), Wrong(2900)],
            &[],
            "n=2 WA 2.9 s of 3 s, near, alone 2.92 s 2.9 s 2.9 s by 1 s 1 s 1 s",
        ),
    ];
    for (runs, reference, expected) in table {
        let (found, _) = second(|_| (), runs, reference);
        // What a checker says of a wrong answer follows.
        assert!(found.starts_with(expected), "{runs:?}: {found}");
        assert!(
            found == expected || found.contains("WA"),
            "{runs:?}: {found}"
        );
    }
}

#[test]
fn the_reference_runs_before_the_program_in_each_pair() {
    if !has_compiler() {
        return;
    }
    let (_, log) = second(|_| (), &[Right(2990), Right(2980)], &[]);
    let pair = ["reference 2: 1000", "you 2: 2980"];
    assert_eq!(log, [&["you 2: 2990"][..], &pair, &pair, &pair].concat());
    let (wrong, log) = second(|_| (), &[Wrong(2950)], &[]);
    assert!(wrong.starts_with("n=2 WA 2.95 s of 3 s;"), "{wrong}");
    assert_eq!(log, ["you 2: 2950"]);
    let never = |problem: &mut Problem| problem.limits.confirm = 0;
    let (once, log) = second(never, &[Right(3100)], &[]);
    let expected = "n=2 TLE 3.1 s of 3 s, near; took 3.1 s of CPU time; the limit is 3 s";
    assert_eq!((once.as_str(), log.len()), (expected, 1));
}

#[test]
fn the_time_earns_a_part_of_the_points_and_a_near_step_is_run_again() {
    if !has_compiler() {
        return;
    }
    let steps = |problem: &mut Problem| {
        problem.subtasks[0].by_time = [(0.5, 1000), (1.5, 600), (2.0, 250)]
            .map(|(ratio, thousandths)| TimeStep {
                ratio,
                share: Share::from_thousandths(thousandths),
            })
            .to_vec();
    };
    for (runs, expected) in [
        (
            &[Right(900)][..],
            "n=2 AC 900 ms of 3 s, share 600; accepted; 0.9 times the reference's time earns 60 %",
        ),
        (
            &[Right(1550), Right(1100)],
            "n=2 AC 1.1 s of 3 s, near, alone 1.1 s by 1 s, share 600; accepted; 1.1 times the reference's time earns 60 %",
        ),
        (
            &[Right(1550), Right(1510), Right(1490), Right(1520)],
            "n=2 AC 1.49 s of 3 s, near, alone 1.51 s 1.49 s 1.52 s by 1 s 1 s 1 s, not settled, share 600; accepted; 1.49 times the reference's time earns 60 %; took 1.49 s of CPU time, the smallest of 3 runs alone; the points change at 1.5 s; not settled: the runs disagree",
        ),
        (
            &[Right(1550), Wrong(100), Right(1530), Wrong(100)],
            "n=2 AC 1.53 s of 3 s, near, alone 100 ms 1.53 s 100 ms by 1 s 1 s 1 s, share 250; accepted; 1.53 times the reference's time earns 25 %",
        ),
        (
            &[Right(1450), Wrong(10)],
            "n=2 AC 1.45 s of 3 s, near, alone 10 ms 10 ms 10 ms by 1 s 1 s 1 s, share 600; accepted; 1.45 times the reference's time earns 60 %",
        ),
    ] {
        assert_eq!(second(steps, runs, &[]).0, expected);
    }
}

/// Lets the limit be no smaller than the reference's time for n = 2.
fn at_least_the_second(problem: &mut Problem) {
    let subtask = &problem.subtasks[0];
    let bound = CaseMultiple {
        factor: 1.0,
        subtask: subtask.name.clone(),
        case: subtask.cases[1].name.clone(),
        hidden: false,
    };
    if let TimeRule::Reference { at_least, .. } = &mut problem.limits.time {
        *at_least = Some(bound);
    }
}

#[test]
fn a_limit_that_follows_another_case_is_confirmed_by_the_reference_in_that_case() {
    if !has_compiler() {
        return;
    }
    let runner = Arc::new(Pretender::new(&[
        ("reference", "1", &[Right(100)]),
        ("reference", "2", &[Right(1000)]),
        ("you", "1", &[Right(1050), Right(1020), Right(980)]),
        ("you", "2", &[Right(40)]),
    ]));
    let (received, _) = graded(&runner, &doubling(at_least_the_second), (1, 1));
    assert_eq!(
        received.cases[0],
        "n=1 AC 980 ms of 1 s, near, alone 1.02 s 980 ms 980 ms by 1 s 1 s 1 s, not settled; took 980 ms of CPU time, the smallest of 3 runs alone; the limit is 1 s; not settled: the runs disagree"
    );
    let log = runner.log();
    assert_eq!(
        log[..4],
        [
            "reference 1: 100",
            "reference 2: 1000",
            "you 1: 1050",
            "reference 2: 1000"
        ]
    );
}

#[test]
fn a_program_that_keeps_to_at_least_needs_no_reference_time_of_its_case() {
    if !has_compiler() {
        return;
    }
    let given = |problem: &mut Problem| {
        at_least_the_second(problem);
        problem.subtasks[0].cases[0].answer = Answer::Given(Arc::from(&b"2"[..]));
    };
    let first = |runs: &[Does]| {
        let runner = Arc::new(Pretender::new(&[
            ("reference", "1", &[Right(800)]),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", runs),
            ("you", "2", &[Right(40)]),
        ]));
        let (mut received, _) = graded(&runner, &doubling(given), (1, 1));
        let log = runner.log();
        let asked = log
            .iter()
            .filter(|it| it.starts_with("reference 1"))
            .count();
        (received.cases.swap_remove(0), asked)
    };
    assert_eq!(first(&[Right(500)]), ("n=1 AC 500 ms of 1 s".to_owned(), 0));
    // Its own limit is the larger one.
    assert_eq!(
        first(&[Right(1500)]),
        ("n=1 AC 1.5 s of 2.4 s".to_owned(), 1)
    );
}

#[test]
fn cpu_contention_fails_nobody_and_sleep_does() {
    if !has_compiler() {
        return;
    }
    // The limit of n = 2 is 3 s, so that it may take 11 s of wall time.
    for (confirm, runs, expected, log) in [
        (
            3,
            &[Waits(1200, 20)][..],
            "n=2 AC 1.2 s of 3 s",
            // 3.9 s at a twentieth of a processor, with half as much again, and 2 s.
            &["you 2: 1200 in 11 s", "you 2: 1200 in 119 s"][..],
        ),
        (
            3,
            &[Waits(5000, 10)],
            "n=2 TLE 3.9 s of 3 s; stopped after 3.9 s of CPU time; the limit is 3 s",
            &["you 2: 5000 in 11 s", "you 2: 5000 in 60.5 s"],
        ),
        (
            3,
            &[Sleeps(1200, 20)],
            "n=2 TLE 550 ms of 3 s; stopped after 11 s of wall time (limit 11 s) with only 550 ms of CPU time: it sleeps or waits",
            &["you 2: 1200 in 11 s"],
        ),
        (
            3,
            &[
                Waits(3890, 4),
                Waits(3890, 8),
                Waits(3890, 14),
                Waits(3890, 22),
            ],
            "n=2 JE 0.0 ms of 0.0 ms; the machine is too busy: the program had used only 3.81 s of CPU time after 83.9 s of wall time, in the last of 3 runs alone",
            &[],
        ),
        (
            0,
            &[Waits(1200, 20)],
            "n=2 TLE 550 ms of 3 s; stopped after 11 s of wall time (limit 11 s) with 550 ms of CPU time: the machine was busy, or the wall limit is short",
            &["you 2: 1200 in 11 s"],
        ),
    ] {
        let (found, ran) = second(|problem| problem.limits.confirm = confirm, runs, &[]);
        assert_eq!(found, expected);
        assert!(log.is_empty() || ran == log, "{ran:?}");
    }
}

#[test]
fn a_request_to_stop_between_pairs_leaves_the_case_without_a_result() {
    if !has_compiler() {
        return;
    }
    let mut runner = Pretender::new(&[
        ("reference", "1", &[Right(100)]),
        ("reference", "2", &[Right(1000)]),
        ("you", "1", &[Right(40)]),
        ("you", "2", &[Right(2990)]),
    ]);
    runner.stops_at = Some((6, Stop::new()));
    let runner = Arc::new(runner);
    let (received, interrupted) = graded(&runner, &doubling(|_| ()), (1, 1));
    assert!(interrupted);
    assert_eq!(received.cases, ["n=1 AC 40 ms of 300 ms"]);
    assert_eq!((received.finished, runner.log().len()), (0, 6));
}

#[test]
fn with_many_workers_nothing_runs_beside_a_run_alone_and_all_come_to_an_end() {
    if !has_compiler() {
        return;
    }
    for (does, expected) in [
        (
            Right(3050),
            "n=2 TLE 3.05 s of 3 s, near, alone 3.05 s 3.05 s 3.05 s by 1 s 1 s 1 s; took 3.05 s of CPU time, the smallest of 3 runs alone; the limit is 3 s",
        ),
        (Waits(1200, 20), "n=2 AC 1.2 s of 3 s"),
    ] {
        let runner = Arc::new(Pretender::new(&[
            ("reference", "2", &[Right(1000)]),
            ("you", "2", &[does]),
        ]));
        let assignment = doubling(|problem| {
            problem.subtasks[0].cases.remove(0);
        });
        let (received, interrupted) = graded(&runner, &assignment, (8, 24));
        assert!(!interrupted);
        assert_eq!(received.cases, vec![expected; 24]);
        assert_eq!(runner.disturbed.load(Ordering::SeqCst), 0);
    }
}
