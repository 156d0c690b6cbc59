//! Runs near a limit, made again alone.

use super::*;

#[test]
fn a_burst_of_noise_is_settled_by_one_run_alone() {
    assert_second(
        &[
            ("reference", "1", STEADY),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(3100), Right(2400)]),
        ],
        "n=2 AC 2.4 s of 3 s, near, alone 2.4 s by 1 s",
        &[
            "reference 2: 1000",
            "reference 1: 100",
            "you 2: 3100",
            "reference 1: 100",
            "reference 2: 1000",
            "you 2: 2400",
        ],
    );
}

#[test]
fn a_program_that_is_a_little_too_slow_fails_by_its_fastest_run_alone() {
    assert_second(
        &[
            ("reference", "1", STEADY),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", QUICK),
            (
                "you",
                "2",
                &[Right(2990), Right(3200), Right(3100), Right(3150)],
            ),
        ],
        "n=2 TLE 3.1 s of 3 s, near, alone 3.2 s 3.1 s 3.15 s by 1 s 1 s 1 s; took 3.1 s of CPU time, the smallest of 3 runs alone; the limit is 3 s",
        &[
            "reference 2: 1000",
            "reference 1: 100",
            "you 2: 2990",
            "reference 1: 100",
            "reference 2: 1000",
            "you 2: 3200",
            "reference 2: 1000",
            "you 2: 3100",
            "reference 2: 1000",
            "you 2: 3150",
        ],
    );
}

#[test]
fn a_program_that_was_too_slow_and_is_stopped_alone_has_failed() {
    assert_second(
        &[
            ("reference", "1", STEADY),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(3100), Right(3500)]),
        ],
        "n=2 TLE 3.45 s of 3 s, near, alone 3.45 s by 1 s; stopped after 3.45 s of CPU time, in a run alone; the limit is 3 s",
        &[
            "reference 2: 1000",
            "reference 1: 100",
            "you 2: 3100",
            "reference 1: 100",
            "reference 2: 1000",
            "you 2: 3500",
        ],
    );
}

#[test]
fn a_program_at_the_limit_gets_a_verdict_that_says_how_uncertain_it_is() {
    let found = |alone: &[Does], reference: &[Does]| {
        second(
            &[
                ("reference", "1", STEADY),
                ("reference", "2", &[&[Right(1000)], reference].concat()),
                ("you", "1", QUICK),
                ("you", "2", &[&[Right(2990)], alone].concat()),
            ],
            |_| (),
        )
    };
    let Some((accepted, _)) = found(
        &[Right(3010), Right(2990), Right(3020)],
        &[Right(1000), Right(1000), Right(1010)],
    ) else {
        return;
    };
    assert_eq!(
        accepted,
        "n=2 AC 2.99 s of 3 s, near, alone 3.01 s 2.99 s 3.02 s by 1 s 1 s 1.01 s, unresolved; took 2.99 s of CPU time, the smallest of 3 runs alone; the limit is 3 s; it is too near to be certain: the runs do not agree"
    );
    let (failed, _) = found(
        &[Right(3010), Right(3020), Right(3010)],
        &[Right(1000), Right(1010), Right(1000)],
    )
    .unwrap();
    assert_eq!(
        failed,
        "n=2 TLE 3.01 s of 3 s, near, alone 3.01 s 3.02 s 3.01 s by 1 s 1.01 s 1 s, unresolved; took 3.01 s of CPU time, the smallest of 3 runs alone; the limit is 3 s; it is too near to be certain: the runs do not agree"
    );
}

#[test]
fn confirm_0_runs_nothing_again() {
    assert_second_of(
        &[
            ("reference", "1", STEADY),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(3100)]),
        ],
        |problem| problem.limits.confirm = 0,
        "n=2 TLE 3.1 s of 3 s, near; took 3.1 s of CPU time; the limit is 3 s",
        &[
            "reference 2: 1000",
            "reference 1: 100",
            "you 2: 3100",
            "reference 1: 100",
        ],
    );
}

#[test]
fn an_answer_that_was_right_once_stays_right_when_the_runs_alone_print_others() {
    let found = |runs: &[Does]| {
        let script: Script<'_> = &[
            ("reference", "1", STEADY),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", QUICK),
            ("you", "2", runs),
        ];
        Some(second(script, |_| ())?.0)
    };
    if !has_compiler() {
        return;
    }
    assert_eq!(
        found(&[Right(2950), Wrong(2900)]).unwrap(),
        "n=2 AC 2.95 s of 3 s, near, alone 2.9 s 2.9 s 2.9 s by 1 s 1 s 1 s"
    );
    assert_eq!(
        found(&[Right(3050), Wrong(2900), Right(2950), Wrong(2940)]).unwrap(),
        "n=2 AC 2.95 s of 3 s, near, alone 2.9 s 2.95 s 2.94 s by 1 s 1 s 1 s"
    );
    assert_eq!(
        found(&[Right(3050), Wrong(2920), Wrong(2900)])
            .unwrap()
            .split(';')
            .next(),
        Some("n=2 WA 2.9 s of 3 s, near, alone 2.92 s 2.9 s 2.9 s by 1 s 1 s 1 s")
    );
}

#[test]
fn a_quick_wrong_answer_alone_ends_no_runs_alone() {
    let script: Script<'_> = &[
        ("reference", "1", STEADY),
        ("reference", "2", &[Right(1000)]),
        ("you", "1", QUICK),
        ("you", "2", &[Right(3050), Wrong(10), Right(2950)]),
    ];
    if let Some((told, _)) = second(script, |_| ()) {
        assert_eq!(
            told,
            "n=2 AC 2.95 s of 3 s, near, alone 10 ms 2.95 s 2.95 s by 1 s 1 s 1 s"
        );
    }
}

#[test]
fn a_wrong_answer_near_the_limit_is_wrong_at_once() {
    let script: Script<'_> = &[
        ("reference", "1", STEADY),
        ("reference", "2", &[Right(1000)]),
        ("you", "1", QUICK),
        ("you", "2", &[Wrong(2950)]),
    ];
    if let Some((told, log)) = second(script, |_| ()) {
        assert_eq!(told.split(';').next(), Some("n=2 WA 2.95 s of 3 s, near"));
        assert_eq!(
            log,
            ["reference 2: 1000", "reference 1: 100", "you 2: 2950"]
        );
    }
}
