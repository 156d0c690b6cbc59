use grader_model::LanguageId::{C, Java, Python};

use super::*;

/// `{ reference = …, at-least = "1 s", at-most = "60 s" }`.
const RULE: Scale = Scale {
    at_least: 1.0,
    at_most: 60.0,
};
/// `time = "…"`.
const ABSOLUTE: Scale = Scale {
    at_least: 0.0,
    at_most: f64::INFINITY,
};
const MARGINS: Margins = Margins {
    pass: 2.0,
    fail: 1.5,
};

/// A case, the sample's milliseconds, the reference's; a time below 0 is one within which it did not end.
fn taken((case, millis, yardstick): (&str, i64, u64)) -> Taken {
    Taken {
        case: case.to_owned(),
        cpu: CpuTime::from_millis(millis.unsigned_abs()),
        cut: millis < 0,
        yardstick: (yardstick > 0).then_some(CpuTime::from_millis(yardstick)),
    }
}

fn claim(
    sample: &str,
    language: LanguageId,
    time_factor: f64,
    (pass, fail): (usize, usize),
    cases: &[(&str, i64, u64)],
) -> Claim {
    Claim {
        sample: sample.to_owned(),
        language,
        time_factor,
        cases: cases.iter().copied().map(taken).collect(),
        pass,
        fail,
    }
}

fn found(scale: Scale, claims: &[Claim]) -> LimitWindow {
    window(ends(scale, claims, MARGINS), claims)
}

/// The value of an end, with the sample and the case that put it there.
fn said(end: Option<&WindowEnd>) -> Option<(f64, &str, &str)> {
    end.map(|end| {
        (
            end.value,
            end.witness.sample.as_str(),
            end.witness.case.as_str(),
        )
    })
}

fn both(window: &LimitWindow) -> [Option<(f64, &str, &str)>; 2] {
    [said(window.lower.as_ref()), said(window.upper.as_ref())]
}

/// Counting queens, as it was measured: the yardstick is 0.9 s for n = 16 and 4 ms for n = 12.
fn count() -> Vec<Claim> {
    vec![
        claim(
            "half.cpp",
            C,
            1.0,
            (2, 0),
            &[("n=12", 3, 4), ("n=16", 540, 900)],
        ),
        claim(
            "Count.java",
            Java,
            2.0,
            (2, 0),
            &[("n=12", 90, 4), ("n=16", 1800, 900)],
        ),
        claim(
            "array.c",
            C,
            1.0,
            (1, 2),
            &[("n=13", 200, 25), ("n=15", 1200, 150), ("n=16", 8100, 900)],
        ),
    ]
}

#[test]
fn the_slowest_that_must_pass_and_the_fastest_that_must_fail_end_the_window() {
    let claims = count();
    // 1800 ms × 2 ÷ (900 ms × 2); 1200 ms at n = 15 is below 1 s × 1.5, so that no value cuts it with its margin.
    let window = found(RULE, &claims);
    assert_eq!(
        both(&window),
        [
            Some((2.0, "Count.java", "n=16")),
            Some((0.0, "array.c", "n=15"))
        ]
    );
    assert!(!window.is_open());
    let free = Scale {
        at_least: 0.001,
        ..RULE
    };
    // n = 13 is 8 times slower too, and has to pass.
    let mut without = claims.clone();
    without[2].pass = 0;
    let window = found(free, &without);
    assert_eq!(
        both(&window),
        [
            Some((90.0 * 2.0 / (4.0 * 2.0), "Count.java", "n=12")),
            Some((1.2 / 1.5 / 0.15, "array.c", "n=15"))
        ]
    );
    // Without margins `at-least` is enough for Java.
    let whole = super::window(ends(RULE, &claims, Margins::NONE), &claims);
    assert_eq!(both(&whole), [None, Some((8.0, "array.c", "n=15"))]);
    assert_eq!(
        whole.upper.unwrap().witness,
        Witness {
            sample: "array.c".to_owned(),
            language: C,
            time_factor: 1.0,
            case: "n=15".to_owned(),
            cpu: CpuTime::from_millis(1200),
            cut: false,
            yardstick: Some(CpuTime::from_millis(150)),
        }
    );
}

#[test]
fn what_at_least_lets_pass_and_what_at_most_stops_asks_for_nothing() {
    let claims = [
        claim("a.c", C, 1.0, (1, 0), &[("n=8", 500, 1)]),
        claim("b.py", Python, 20.0, (1, 0), &[("n=8", 10_000, 1)]),
        claim("c.py", Python, 20.0, (0, 1), &[("n=16", -90_000, 900)]),
    ];
    assert_eq!(both(&found(RULE, &claims)), [None, None]);
    assert_eq!(found(RULE, &claims), LimitWindow::default());
    assert!(found(RULE, &claims).contains(3.0));
}

#[test]
fn a_program_that_does_not_end_bounds_nothing_more_than_the_time_it_was_given() {
    let claims = [
        claim("a.c", C, 1.0, (1, 0), &[("n=16", 1000, 1000)]),
        claim("loop.c", C, 1.0, (0, 1), &[("n=16", -9000, 1000)]),
    ];
    let window = found(RULE, &claims);
    assert_eq!(
        both(&window),
        [Some((2.0, "a.c", "n=16")), Some((6.0, "loop.c", "n=16"))]
    );
    assert!(window.upper.unwrap().witness.cut);
    // One that must pass and does not end leaves no window.
    let claims = [claim("loop.c", C, 1.0, (1, 0), &[("n=16", -9000, 1000)])];
    let window = found(RULE, &claims);
    assert_eq!(
        both(&window),
        [Some((f64::INFINITY, "loop.c", "n=16")), None]
    );
    assert!(!window.is_open());
}

#[test]
fn a_sample_that_must_be_over_at_most_with_its_margin_leaves_no_window() {
    let claims = [claim("a.c", C, 1.0, (1, 0), &[("n=16", 31_000, 900)])];
    let window = found(RULE, &claims);
    assert_eq!(both(&window), [Some((f64::INFINITY, "a.c", "n=16")), None]);
    assert!(!window.is_open());
}

#[test]
fn so_many_cases_of_a_group_pass_and_so_many_fail() {
    let cases = [
        ("n=1", 2000, 1000),
        ("n=2", 12_000, 1000),
        ("n=3", 6000, 1000),
        ("n=4", 24_000, 1000),
    ];
    let ends_of = |split| {
        let claims = [claim("a.c", C, 1.0, split, &cases)];
        let window = super::window(ends(RULE, &claims, Margins::NONE), &claims);
        [
            window.lower.map(|end| end.value),
            window.upper.map(|end| end.value),
        ]
    };
    assert_eq!(ends_of((1, 3)), [Some(2.0), Some(6.0)]);
    assert_eq!(ends_of((2, 2)), [Some(6.0), Some(12.0)]);
    assert_eq!(ends_of((4, 0)), [Some(24.0), None]);
    assert_eq!(ends_of((0, 4)), [None, Some(2.0)]);
    // At least one, wherever: the slowest.
    assert_eq!(ends_of((0, 1)), [None, Some(24.0)]);
    assert_eq!(ends_of((1, 1)), [Some(2.0), Some(24.0)]);
}

#[test]
fn an_absolute_limit_is_in_seconds_and_has_neither_floor_nor_ceiling() {
    let claims = [
        claim("a.c", C, 1.0, (1, 0), &[("n=1", 20, 0)]),
        claim("A.java", Java, 2.0, (1, 0), &[("n=1", 200, 0)]),
        claim("slow.c", C, 1.0, (0, 1), &[("n=1", -6000, 0)]),
    ];
    let window = found(ABSOLUTE, &claims);
    assert_eq!(
        both(&window),
        [Some((0.2, "A.java", "n=1")), Some((4.0, "slow.c", "n=1"))]
    );
    assert_eq!(suggestion(&window, 1.0, LimitUnit::Seconds), Some(0.9));
}

/// A window between two values; none where there is no such end.
fn between(from: f64, to: f64) -> LimitWindow {
    let end = |value: f64| {
        let claims = [claim("a.c", C, 1.0, (1, 0), &[("n=1", 1, 1)])];
        let place = Place {
            value,
            claim: 0,
            case: 0,
        };
        let ends = Ends {
            lower: Some(place),
            upper: None,
        };
        super::window(ends, &claims).lower
    };
    LimitWindow {
        lower: end(from).filter(|_| from > 0.0),
        upper: end(to).filter(|_| to.is_finite()),
    }
}

#[test]
fn a_round_value_near_the_middle_is_suggested() {
    let suggested: Vec<Option<f64>> = [
        (2.1, 5.27),
        (2.9, 3.3),
        (1.1, 1.4),
        (0.2, 4.0),
        (12.0, 340.0),
        (0.0, 5.0),
        (8.3, f64::INFINITY),
        (0.0, f64::INFINITY),
        (4.0, 4.0),
        (5.0, 4.9),
        (f64::INFINITY, f64::INFINITY),
        (0.0031, 0.0034),
        (900.0, f64::INFINITY),
    ]
    .map(|(from, to)| suggestion(&between(from, to), 7.0, LimitUnit::Factor))
    .to_vec();
    assert_eq!(
        suggested,
        [
            Some(3.0),
            Some(3.0),
            Some(1.2),
            Some(0.9),
            Some(60.0),
            Some(4.0),
            Some(10.0),
            Some(7.0),
            Some(4.0),
            None,
            None,
            Some(0.0032),
            Some(1000.0),
        ]
    );
}

#[test]
fn a_language_whose_samples_alone_close_the_window_gets_a_factor() {
    let mut claims = vec![
        claim("a.c", C, 1.0, (1, 0), &[("n=16", 1000, 1000)]),
        claim("slow.c", C, 1.0, (0, 1), &[("n=16", 9000, 1000)]),
        claim("A.java", Java, 2.0, (1, 0), &[("n=16", 9000, 1000)]),
    ];
    assert_eq!(
        both(&found(RULE, &claims)),
        [Some((9.0, "A.java", "n=16")), Some((6.0, "slow.c", "n=16"))]
    );
    let advised = |claims: &[Claim]| advice(RULE, claims, MARGINS, 3.0, LimitUnit::Factor);
    // Without Java 2 to 6, in the middle 3: its 9 s × 2 are 6 times 3 s. Without C nothing is too large for Java.
    assert_eq!(
        advised(&claims),
        [
            FactorAdvice {
                language: C,
                present: 1.0,
                limit: 10.0,
                factors: Some((0.2, Some(0.6))),
            },
            FactorAdvice {
                language: Java,
                present: 2.0,
                limit: 3.0,
                factors: Some((6.0, None)),
            }
        ]
    );
    claims[2].cases[0].cpu = CpuTime::from_millis(5000);
    assert_eq!(advised(&claims), []);
    // It is the same language on both sides.
    claims[1].language = Java;
    claims[1].time_factor = 2.0;
    claims[2].cases[0].cpu = CpuTime::from_millis(90_000);
    assert_eq!(
        advised(&claims),
        [FactorAdvice {
            language: Java,
            present: 2.0,
            limit: 3.0,
            factors: None,
        }]
    );
}
