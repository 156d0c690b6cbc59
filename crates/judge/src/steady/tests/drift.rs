//! A machine that becomes faster or slower.

use super::*;

/// The machine becomes 1.5 times slower after n = 2 was measured.
const SLOWER: &[Does] = &[Right(100), Right(100), Right(150)];
const MEASURED_ANEW: [&str; 6] = [
    // Read three times, because it does not agree; then a new epoch.
    "reference 1: 150",
    "reference 1: 150",
    "reference 1: 150",
    "reference 2: 1500",
    "reference 1: 150",
    "",
];

#[test]
fn a_right_program_is_accepted_though_the_machine_became_slower() {
    assert_second(
        &[
            ("reference", "1", SLOWER),
            ("reference", "2", &[Right(1000), Right(1500)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(3600)]),
        ],
        "n=2 AC 3.6 s of 4.5 s",
        &[
            &["reference 2: 1000", "reference 1: 100", "you 2: 3600"],
            &MEASURED_ANEW[..5],
            &["you 2: 3600", "reference 1: 150"],
        ]
        .concat(),
    );
}

#[test]
fn a_program_that_is_too_slow_fails_though_the_machine_became_slower() {
    assert_second(
        &[
            ("reference", "1", SLOWER),
            ("reference", "2", &[Right(1000), Right(1500)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(5500)]),
        ],
        "n=2 TLE 5.17 s of 4.5 s; stopped after 5.17 s of CPU time; the limit is 4.5 s",
        &[
            &["reference 2: 1000", "reference 1: 100", "you 2: 5500"],
            &MEASURED_ANEW[..5],
            &["you 2: 5500", "reference 1: 150"],
        ]
        .concat(),
    );
}

#[test]
fn a_run_that_the_new_limit_leaves_where_it_was_is_not_made_again() {
    assert_second(
        &[
            ("reference", "1", SLOWER),
            ("reference", "2", &[Right(1000), Right(1500)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(2000)]),
        ],
        "n=2 AC 2 s of 4.5 s",
        &[
            &["reference 2: 1000", "reference 1: 100", "you 2: 2000"],
            &MEASURED_ANEW[..5],
        ]
        .concat(),
    );
}

#[test]
fn a_machine_that_never_is_steady_is_asked_alone() {
    assert_second(
        &[
            (
                "reference",
                "1",
                &[
                    Right(100),
                    Right(100),
                    Right(150),
                    Right(150),
                    Right(150),
                    Right(150),
                    Right(300),
                    Right(300),
                    Right(300),
                    Right(300),
                    Right(600),
                ],
            ),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(2000)]),
        ],
        "n=2 AC 2 s of 3 s, near, alone 2 s 2 s 2 s by 1 s 1 s 1 s",
        &[
            "reference 2: 1000",
            "reference 1: 100",
            "you 2: 2000",
            "reference 1: 150",
            "reference 1: 150",
            "reference 1: 150",
            "reference 2: 1000",
            "reference 1: 150",
            "reference 1: 300",
            "reference 1: 300",
            "reference 1: 300",
            "reference 2: 1000",
            "reference 1: 300",
            "reference 1: 600",
            "reference 1: 600",
            "reference 1: 600",
            "reference 2: 1000",
            "you 2: 2000",
            "reference 2: 1000",
            "you 2: 2000",
            "reference 2: 1000",
            "you 2: 2000",
        ],
    );
}

#[test]
fn a_run_that_outlasts_an_epoch_is_held_against_the_limit_of_the_next() {
    if !has_compiler() {
        return;
    }
    let mut runner = Pretender::new(&[
        ("reference", "1", SLOWER),
        ("reference", "2", &[Right(1000), Right(1500)]),
        ("you", "1", QUICK),
        ("you", "2", &[Right(3600)]),
    ]);
    // One of two students still runs while the other one sees that the machine became slower.
    runner.awaits = &[("you 2: 3600", "reference 2: 1500")];
    let (told, _) = graded(&Arc::new(runner), &doubling(|_| ()), None, (2, 2));
    let mut cases = told.cases;
    cases.sort();
    assert_eq!(
        cases,
        [
            "n=1 AC 40 ms of 300 ms",
            "n=1 AC 40 ms of 300 ms",
            "n=2 AC 3.6 s of 4.5 s",
            "n=2 AC 3.6 s of 4.5 s",
        ]
    );
}

#[test]
fn a_reference_that_outlasts_an_epoch_is_measured_again_in_the_next() {
    if !has_compiler() {
        return;
    }
    let ref_one: Vec<Does> = [100, 150, 150, 150, 151].map(Right).to_vec();
    let mut runner = Pretender::new(&[
        ("reference", "1", &ref_one),
        ("reference", "2", &[Right(1000), Right(1500)]),
        ("you", "1", &[Right(40), Right(250)]),
        ("you", "2", &[Right(2000)]),
    ]);
    // While one of two workers measures n = 2, the other one sees at n = 1 that the machine became slower.
    runner.awaits = &[
        ("you 1: 250", "reference 2: 1000"),
        ("reference 2: 1000", "reference 1: 151"),
    ];
    let (told, _) = graded(&Arc::new(runner), &doubling(|_| ()), None, (2, 2));
    let mut cases = told.cases;
    cases.sort();
    assert_eq!(
        cases,
        [
            "n=1 AC 250 ms of 450 ms",
            "n=1 AC 40 ms of 300 ms",
            "n=2 AC 2 s of 4.5 s",
            "n=2 AC 2 s of 4.5 s",
        ]
    );
}

#[test]
fn the_answers_that_sources_are_looked_through_for_are_not_measured_again() {
    // Of two cheap cases the longer is the gauge, so that of n = 1 no time is known after the machine became slower.
    assert_second_of(
        &[
            ("reference", "1", STEADY),
            ("reference", "2", &[Right(150), Right(225)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(400)]),
        ],
        |problem| {
            problem.source.answers = Some(AnswerRule {
                at_least: 1,
                also: Vec::new(),
            });
        },
        "n=2 AC 400 ms of 675 ms",
        &[
            "reference 2: 150",
            "reference 1: 100",
            "you 2: 400",
            "reference 2: 225",
            "reference 2: 225",
            "reference 2: 225",
            "reference 2: 225",
        ],
    );
}
