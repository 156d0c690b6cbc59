//! Runs that were kept from the processor.

use super::*;

/// The limit of n = 2 is 3 s, so that it may take 11 s of wall time.
fn second_of(runs: &[Does], told: &str, log: &[&str]) {
    let script: Script<'_> = &[
        ("reference", "1", STEADY),
        ("reference", "2", &[Right(1000)]),
        ("you", "1", QUICK),
        ("you", "2", runs),
    ];
    let first = ["reference 2: 1000", "reference 1: 100"];
    assert_second(script, told, &[&first, log].concat());
}

#[test]
fn who_was_kept_from_the_processor_is_run_again_with_time_enough() {
    second_of(
        &[Waits(1200, 20)],
        "n=2 AC 1.2 s of 3 s",
        // 3.45 s at a twentieth of a processor, with half as much again, and 2 s.
        &["you 2: 1200 in 11 s", "you 2: 1200 in 105.5 s"],
    );
}

#[test]
fn cpu_time_decides_of_who_was_kept_from_the_processor() {
    second_of(
        &[Waits(4000, 10)],
        "n=2 TLE 3.45 s of 3 s; stopped after 3.45 s of CPU time; the limit is 3 s",
        &[
            "you 2: 4000 in 11 s",
            "you 2: 4000 in 53.75 s",
            "reference 1: 100",
        ],
    );
}

#[test]
fn a_sleeper_has_failed_at_once() {
    second_of(
        &[Sleeps(1200, 20)],
        "n=2 TLE 550 ms of 3 s; stopped after 11 s of wall time (limit 11 s) with only 550 ms of CPU time: it sleeps or waits",
        &["you 2: 1200 in 11 s"],
    );
}

#[test]
fn who_cannot_be_judged_on_this_machine_has_not_failed() {
    second_of(
        &[
            Waits(3440, 4),
            Waits(3440, 8),
            Waits(3440, 14),
            Waits(3440, 22),
        ],
        "n=2 JE 0.0 ms of 0.0 ms; the machine is too busy: the program had used only 3.38 s of CPU time after 74.45 s of wall time, in the last of 3 runs alone",
        &[
            "you 2: 3440 in 11 s",
            "you 2: 3440 in 22.7 s",
            "you 2: 3440 in 43.4 s",
            "you 2: 3440 in 74.45 s",
        ],
    );
}

#[test]
fn without_confirmation_wall_time_stands_and_says_that_the_machine_was_busy() {
    let script: Script<'_> = &[
        ("reference", "1", STEADY),
        ("reference", "2", &[Right(1000)]),
        ("you", "1", QUICK),
        ("you", "2", &[Waits(1200, 20)]),
    ];
    assert_second_of(
        script,
        |problem| problem.limits.confirm = 0,
        "n=2 TLE 550 ms of 3 s; stopped after 11 s of wall time (limit 11 s) with 550 ms of CPU time: the machine was busy, or the wall limit is short",
        &[
            "reference 2: 1000",
            "reference 1: 100",
            "you 2: 1200 in 11 s",
        ],
    );
}

#[test]
fn many_workers_wait_while_one_that_was_kept_away_runs_again() {
    if !has_compiler() {
        return;
    }
    let runner = Arc::new(Pretender::new(&[
        ("reference", "2", &[Right(1000)]),
        ("you", "2", &[Waits(1200, 20)]),
    ]));
    let assignment = doubling(|problem| {
        problem.subtasks[0].cases.remove(0);
    });
    let (told, interrupted) = graded(&runner, &assignment, None, (8, 24));
    assert!(!interrupted);
    assert_eq!(told.cases, vec!["n=2 AC 1.2 s of 3 s"; 24]);
    assert_eq!(runner.disturbed.load(Ordering::SeqCst), 0);
}
