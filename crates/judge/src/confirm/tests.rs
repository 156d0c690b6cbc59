//! The decision as tables, and the whole policy on a machine that only pretends.

mod pretender;

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use grader_language::Command;
use grader_model::{Bytes, Event, EventKind, Sink, WallTime};
use grader_problem::{Assignment, CaseMultiple, CaseTime, Problem, TimeStep};

use self::pretender::Does::{self, Dozes, Right, Sleeps, Waits, Wrong};
use self::pretender::Pretender;
use super::*;
use crate::tests::{class, doubling, has_compiler};
use crate::{Judge, Settings, Stop};

fn ms(millis: u64) -> CpuTime {
    CpuTime::from_millis(millis)
}

/// Bounds with a limit of three times the reference's time.
fn bounds(reference: CpuTime, steps: &[(u64, u32)]) -> Bounds {
    let step = |&(most, share): &(u64, u32)| (ms(most), Share::from_thousandths(share));
    Bounds {
        limits: Limits {
            cpu: CpuTime(reference.0 * 3),
            wall: WallTime(reference.0 * 9),
            memory: Bytes(1),
            output: Bytes(1),
            processes: 1,
        },
        origin: None,
        steps: steps.iter().map(step).collect(),
    }
}

#[test]
fn a_time_decides_at_once_outside_the_band_of_every_threshold() {
    let plain = bounds(ms(1000), &[]);
    let stepped = bounds(ms(1000), &[(500, 1000), (4000, 600)]);
    for (bounds, millis, near) in [
        (&plain, 2307, false),
        (&plain, 2308, true),
        (&plain, 3899, true),
        // Where a run is stopped.
        (&plain, 3900, false),
        (&stepped, 384, false),
        (&stepped, 385, true),
        (&stepped, 651, false),
        // A step above the limit is none.
        (&stepped, 3950, false),
    ] {
        assert_eq!(bounds.is_near(ms(millis)), near, "{millis}");
    }
}

#[test]
fn the_smallest_times_decide_and_pairs_that_disagree_are_not_settled() {
    for (pairs, within, is_settled) in [
        ([(2900, 1000), (2950, 1000), (2990, 1000)], true, true),
        ([(3100, 1000), (3050, 1000), (3200, 1000)], false, true),
        ([(3010, 1000), (2990, 1000), (3020, 1000)], true, false),
        // Each kept to the limit of its own moment, but not the smallest to the smallest.
        ([(3010, 1000), (3020, 1010), (3010, 1000)], false, false),
        // The machine became half as fast: both times follow.
        ([(2900, 1000), (5800, 2000), (5800, 2000)], true, true),
        ([(6200, 2000), (3100, 1000), (6200, 2000)], false, true),
    ] {
        let made = pairs.map(|(cpu, reference)| Pair {
            cpu: ms(cpu),
            reference: Some(ms(reference)),
            bounds: bounds(ms(reference), &[]),
        });
        let found = decide(&made, |reference| bounds(reference.unwrap(), &[])).unwrap();
        let is_within = made[found.smallest].cpu <= found.bounds.limits.cpu;
        let expected = (within, is_settled);
        assert_eq!((is_within, found.is_settled), expected, "{pairs:?}");
    }
}

/// What a sink gets of the cases.
#[derive(Default)]
struct Received {
    cases: Vec<String>,
    finished: usize,
}

impl Sink for Received {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        if let EventKind::CaseFinished { case, .. } = &event.kind {
            self.cases.push(shown(case));
        }
        self.finished += usize::from(matches!(event.kind, EventKind::JobFinished { .. }));
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
    if let Some(confirmation) = &case.confirmation {
        let times = |times: &[CpuTime]| {
            let times: Vec<String> = times.iter().map(ToString::to_string).collect();
            times.join(" ")
        };
        let (runs, by) = (&confirmation.runs, &confirmation.reference_times);
        write!(text, ", alone {} by {}", times(runs), times(by)).unwrap();
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

/// Print twice n for n = 1 and 2; the limit is three times the reference's time.
fn relative(change: impl FnOnce(&mut Problem)) -> Assignment {
    doubling(|problem| {
        problem.limits.time = TimeRule::Reference {
            factor: 3.0,
            at_least: None,
            at_most: None,
        };
        // Round numbers.
        problem.limits.slack = CpuTime::default();
        problem.subtasks.truncate(1);
        change(problem);
    })
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
    let stop = runner.stops_at.as_ref().map(|(_, stop)| stop.clone());
    let settings = Settings {
        runner: runner.clone(),
        builtin: Arc::new(builtin),
        workers,
        overlaps: true,
        stops_early: false,
        cores: Vec::new(),
        shares_cores: false,
        stop: stop.unwrap_or_default(),
        part: crate::Part::default(),
        cache: None,
        grader: String::new(),
    };
    let judge = Judge::with_scratch(settings, crate::Scratch::new().unwrap());
    let mut received = Received::default();
    let summary = judge.grade(
        assignment,
        &class(&vec![""; students]),
        &mut [&mut received],
    );
    (received, summary.interrupted)
}

type Change = fn(&mut Problem);

/// What becomes of n = 2, for which the reference takes 1 s; and how the programs ran for it, in order.
fn second(change: Change, runs: &[Does], reference: &[Does]) -> (String, Vec<String>) {
    let runner = Arc::new(Pretender::new(&[
        ("reference", "1", &[Right(100)]),
        ("reference", "2", &[&[Right(1000)], reference].concat()),
        ("you", "1", &[Right(20)]),
        ("you", "2", runs),
    ]));
    let (mut received, _) = graded(&runner, &relative(change), (1, 1));
    let mut log = runner.log();
    // The first run alone, and each thing once before.
    assert_eq!(
        log[..3],
        ["reference 1: 100", "you 1: 20", "reference 2: 1000"]
    );
    (received.cases.remove(1), log.split_off(3))
}

fn steps(problem: &mut Problem) {
    let steps = [(0.5, 1000), (1.5, 600), (2.0, 250)].map(|(ratio, thousandths)| TimeStep {
        ratio,
        share: Share::from_thousandths(thousandths),
    });
    problem.subtasks[0].by_time = steps.to_vec();
}

#[test]
#[rustfmt::skip]
fn a_case_is_run_once_unless_its_time_is_near_a_threshold() {
    if !has_compiler() {
        return;
    }
    let plain: Change = |_| ();
    let never: Change = |problem| problem.limits.confirm = 0;
    let thrice = "by 1 s 1 s 1 s";
    let table: [(Change, &[Does], &[Does], &str); 14] = [
        (plain, &[Right(1400)], &[], "AC 1.4 s of 3 s"),
        (plain, &[Right(5000)], &[], "TLE 3.9 s of 3 s; stopped after 3.9 s of CPU time; the limit is 3 s"),
        (plain, &[Right(3100), Right(2000)], &[], "AC 2 s of 3 s, near, alone 2 s 2 s 2 s BY"),
        (plain, &[Right(2990), Right(3200), Right(3100), Right(3150)], &[],
            "TLE 3.1 s of 3 s, near, alone 3.2 s 3.1 s 3.15 s BY; its fastest run, with nothing else running, used 3.1 s of CPU time; the limit is 3 s"),
        (plain, &[Right(2990), Right(3010), Right(2990), Right(3020)], &[Right(1000), Right(1000), Right(1010)],
            "AC 2.99 s of 3 s, near, alone 3.01 s 2.99 s 3.02 s by 1 s 1 s 1.01 s, not settled; its fastest run, with nothing else running, used 2.99 s of CPU time; the limit is 3 s; not settled: the runs disagree"),
        // The machine became slower after the reference was measured: the limit follows.
        (plain, &[Right(3600)], &[Right(1500)], "AC 3.6 s of 4.5 s, near, alone 3.6 s 3.6 s 3.6 s by 1.5 s 1.5 s 1.5 s"),
        // A run that gives up early is wrong, not fast.
        (plain, &[Right(3050), Wrong(10), Right(2950), Wrong(2940)], &[], "AC 2.95 s of 3 s, near, alone 2.95 s by 1 s"),
        (plain, &[Right(2950), Wrong(2900)], &[], "AC 2.95 s of 3 s, near"),
        (never, &[Right(3100)], &[], "TLE 3.1 s of 3 s, near; took 3.1 s of CPU time; the limit is 3 s"),
        (steps, &[Right(900)], &[], "AC 900 ms of 3 s, share 600; accepted; 0.9 times the reference's time earns 60 %"),
        (steps, &[Right(1550), Right(1100)], &[],
            "AC 1.1 s of 3 s, near, alone 1.1 s 1.1 s 1.1 s BY, share 600; accepted; 1.1 times the reference's time earns 60 %"),
        (steps, &[Right(1550), Right(1510), Right(1490), Right(1520)], &[],
            "AC 1.49 s of 3 s, near, alone 1.51 s 1.49 s 1.52 s BY, not settled, share 600; accepted; 1.49 times the reference's time earns 60 %; its fastest run, with nothing else running, used 1.49 s of CPU time; the limit is 3 s; not settled: the runs disagree"),
        (steps, &[Right(1550), Wrong(100), Right(1530), Wrong(100)], &[],
            "AC 1.53 s of 3 s, near, alone 1.53 s by 1 s, share 250; accepted; 1.53 times the reference's time earns 25 %"),
        (steps, &[Right(1450), Wrong(10)], &[],
            "AC 1.45 s of 3 s, near, share 600; accepted; 1.45 times the reference's time earns 60 %"),
    ];
    for (change, runs, reference, expected) in table {
        let (found, _) = second(change, runs, reference);
        assert_eq!(found, format!("n=2 {}", expected.replace("BY", thrice)), "{runs:?}");
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
}

#[test]
fn a_limit_that_follows_another_case_is_confirmed_by_the_reference_in_that_case() {
    if !has_compiler() {
        return;
    }
    let second = |problem: &Problem| CaseMultiple {
        factor: 1.0,
        subtask: problem.subtasks[0].name.clone(),
        case: problem.subtasks[0].cases[1].name.clone(),
        hidden: false,
    };
    let at_least_the_second = |problem: &mut Problem| {
        let bound = second(problem);
        if let TimeRule::Reference { at_least, .. } = &mut problem.limits.time {
            *at_least = Some(bound);
        }
    };
    let by_the_second = |problem: &mut Problem| {
        let multiple = second(problem);
        problem.subtasks[0].cases[0].time = Some(CaseTime {
            multiple,
            at_most: None,
        });
    };
    let changes: [&dyn Fn(&mut Problem); 2] = [&at_least_the_second, &by_the_second];
    for change in changes {
        let runner = Arc::new(Pretender::new(&[
            ("reference", "1", &[Right(100)]),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", &[Right(1050), Right(1020), Right(980)]),
            ("you", "2", &[Right(40)]),
        ]));
        let (received, _) = graded(&runner, &relative(change), (1, 1));
        assert_eq!(
            received.cases[0],
            "n=1 AC 980 ms of 1 s, near, alone 1.02 s 980 ms 980 ms by 1 s 1 s 1 s, not settled; its fastest run, with nothing else running, used 980 ms of CPU time; the limit is 1 s; not settled: the runs disagree"
        );
        let log = runner.log();
        let references = log.iter().filter(|it| it.starts_with("reference"));
        // Once for the answer; measured in the other case, and then in each pair.
        let expected = [&["reference 1: 100"][..], &["reference 2: 1000"; 4]].concat();
        assert_eq!(references.collect::<Vec<_>>(), expected);
    }
}

#[test]
#[rustfmt::skip]
fn cpu_contention_fails_nobody_and_sleep_does() {
    if !has_compiler() {
        return;
    }
    let thrice: Change = |_| ();
    let never: Change = |problem| problem.limits.confirm = 0;
    // The limit of n = 2 is 3 s, so that it may take 11 s of wall time.
    let table: [(Change, &[Does], &str, &[&str]); 6] = [
        // Four times the wall time, and no more.
        (thrice, &[Waits(1200, 20)], "AC 1.2 s of 3 s", &["1200 in 11 s", "1200 in 44 s"]),
        (thrice, &[Waits(5000, 10)], "TLE 3.9 s of 3 s; stopped after 3.9 s of CPU time; the limit is 3 s",
            &["5000 in 11 s", "5000 in 44 s"]),
        (thrice, &[Sleeps(1200, 20)],
            "TLE 550 ms of 3 s; stopped after 11 s of wall time (limit 11 s) with only 550 ms of CPU time: it sleeps or waits",
            &["1200 in 11 s"]),
        (thrice, &[Waits(3890, 20)],
            "JE 0.0 ms of 0.0 ms; the machine is too busy: the program had used only 2.2 s of CPU time after 44 s of wall time, in the last of 3 runs alone",
            &["3890 in 11 s", "3890 in 44 s", "3890 in 44 s", "3890 in 44 s"]),
        // It dozes, and waits for a processor in three quarters of its time: what is left is more than its wall time.
        (thrice, &[Dozes(5000, 55)],
            "TLE 800 ms of 3 s; stopped after 44 s of wall time (limit 11 s) with 800 ms of CPU time: the machine was busy, or the wall limit is short",
            &["5000 in 11 s", "5000 in 44 s"]),
        (never, &[Waits(1200, 20)],
            "TLE 550 ms of 3 s; stopped after 11 s of wall time (limit 11 s) with 550 ms of CPU time: the machine was busy, or the wall limit is short",
            &["1200 in 11 s"]),
    ];
    for (change, runs, expected, log) in table {
        let (found, ran) = second(change, runs, &[]);
        assert_eq!(found, format!("n=2 {expected}"));
        assert_eq!(ran, log.iter().map(|line| format!("you 2: {line}")).collect::<Vec<_>>());
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
    let (received, interrupted) = graded(&runner, &relative(|_| ()), (1, 1));
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
            "n=2 TLE 3.05 s of 3 s, near, alone 3.05 s 3.05 s 3.05 s by 1 s 1 s 1 s; its fastest run, with nothing else running, used 3.05 s of CPU time; the limit is 3 s",
        ),
        (Waits(1200, 20), "n=2 AC 1.2 s of 3 s"),
    ] {
        let runner = Arc::new(Pretender::new(&[
            ("reference", "2", &[Right(1000)]),
            ("you", "2", &[does]),
        ]));
        let assignment = relative(|problem| {
            problem.subtasks[0].cases.remove(0);
        });
        let (received, interrupted) = graded(&runner, &assignment, (8, 24));
        assert!(!interrupted);
        assert_eq!(received.cases, vec![expected; 24]);
        assert_eq!(runner.disturbed.load(Ordering::SeqCst), 0);
    }
}
