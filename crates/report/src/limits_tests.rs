use std::collections::BTreeMap;

use grader_model::{Host, Isolation, IsolationLevel, LanguageId, Mismatch, ProblemId};

use super::*;

fn end(value: f64, sample: &str, language: LanguageId, millis: (u64, u64), cut: bool) -> WindowEnd {
    WindowEnd {
        value,
        witness: Witness {
            sample: sample.to_owned(),
            language,
            time_factor: if language == LanguageId::Java {
                2.0
            } else {
                1.0
            },
            case: "large/n=16".to_owned(),
            cpu: CpuTime::from_millis(millis.0),
            cut,
            yardstick: (millis.1 > 0).then(|| CpuTime::from_millis(millis.1)),
        },
    }
}

fn window(from: f64, to: f64, cut: bool) -> LimitWindow {
    LimitWindow {
        lower: Some(end(
            from,
            "accepted/Count.java",
            LanguageId::Java,
            (1890, 900),
            false,
        )),
        upper: Some(end(
            to,
            "time-limit/array.c",
            LanguageId::C,
            (7110, 900),
            cut,
        )),
    }
}

fn report() -> LimitsReport {
    LimitsReport {
        problem: ProblemId::new("count"),
        host: Host {
            cpu: String::new(),
            cores: 2,
            kernel: String::new(),
            toolchains: BTreeMap::new(),
        },
        isolation: Isolation {
            level: IsolationLevel::Basic,
            layers: Vec::new(),
            missing: Vec::new(),
        },
        unit: LimitUnit::Factor,
        present: 3.0,
        pass_margin: 2.0,
        fail_margin: 1.5,
        whole: window(1.05, 7.9, false),
        safe: window(2.1, 7.9 / 1.5, false),
        suggestion: Some(4.0),
        advice: Vec::new(),
        mismatches: Vec::new(),
        samples: 9,
    }
}

fn zh() -> Style {
    Style {
        lang: Lang::Zh,
        ..Style::default()
    }
}

#[test]
fn a_window_is_shown_with_both_witnesses_and_the_present_value_in_it() {
    assert_eq!(
        limits(&report(), &Style::default()),
        "count
  must pass  from 2.1 with a margin of 2; from 1.05 without
             accepted/Count.java (Java), large/n=16
             1.89 s, 2.1 times the reference's 900 ms; Java has 2 times as long
  must fail  up to 5.27 with a margin of 1.5; up to 7.9 without
             time-limit/array.c (C), large/n=16
             7.11 s, 7.9 times the reference's 900 ms
  window     2.1 to 5.27
  present    3, inside: lower end × 1.43, upper end ÷ 1.76
  suggested  4

count: the present limit is inside the window
"
    );
    assert_eq!(
        limits(&report(), &zh()),
        "count
  必须通过  余量 2 倍时不低于 2.1；不计余量时不低于 1.05
            accepted/Count.java (Java), large/n=16
            1.89 s，是参考程序 900 ms 的 2.1 倍；Java 的时限是 2 倍
  必须超时  余量 1.5 倍时不高于 5.27；不计余量时不高于 7.9
            time-limit/array.c (C), large/n=16
            7.11 s，是参考程序 900 ms 的 7.9 倍
  区间      2.1 到 5.27
  现值      3，在区间内：下端 × 1.43，上端 ÷ 1.76
  建议      4

count：现有时限在区间内
"
    );
}

#[test]
fn a_value_outside_is_told_by_how_much() {
    let outside = LimitsReport {
        present: 8.0,
        ..report()
    };
    assert_eq!(
        limits(&outside, &Style::default()),
        "count
  must pass  from 2.1 with a margin of 2; from 1.05 without
             accepted/Count.java (Java), large/n=16
             1.89 s, 2.1 times the reference's 900 ms; Java has 2 times as long
  must fail  up to 5.27 with a margin of 1.5; up to 7.9 without
             time-limit/array.c (C), large/n=16
             7.11 s, 7.9 times the reference's 900 ms
  window     2.1 to 5.27
  present    8, too large: 1.52 times the upper end
  suggested  4

count: the present limit is outside the window
"
    );
}

#[test]
fn an_absolute_limit_is_shown_in_seconds_and_a_run_that_was_stopped_leaves_the_end_open() {
    let safe = LimitWindow {
        lower: Some(end(0.04, "accepted/a.c", LanguageId::C, (20, 0), false)),
        upper: Some(end(
            2.0,
            "time-limit/loop.c",
            LanguageId::C,
            (3000, 0),
            true,
        )),
    };
    let absolute = LimitsReport {
        unit: LimitUnit::Seconds,
        present: 0.01,
        suggestion: Some(0.3),
        whole: safe.clone(),
        safe,
        ..report()
    };
    assert_eq!(
        limits(&absolute, &Style::default()),
        "count
  must pass  from 40 ms with a margin of 2; from 40 ms without
             accepted/a.c (C), large/n=16
             20 ms
  must fail  up to 2 s with a margin of 1.5; up to 2 s without
             time-limit/loop.c (C), large/n=16
             stopped after 3 s
  window     40 ms to 2 s or more
  present    10 ms, too small: the lower end is 4 times that
  suggested  300 ms

count: the present limit is outside the window
"
    );
}

#[test]
fn no_window_says_which_ends_are_in_the_way_and_what_would_mend_it() {
    let closed = LimitsReport {
        safe: LimitWindow {
            lower: Some(end(
                f64::INFINITY,
                "accepted/A.java",
                LanguageId::Java,
                (40_000, 900),
                false,
            )),
            upper: Some(end(0.0, "time-limit/b.c", LanguageId::C, (900, 900), false)),
        },
        suggestion: None,
        advice: vec![
            FactorAdvice {
                language: LanguageId::Java,
                present: 2.0,
                limit: 3.0,
                factors: Some((6.0, None)),
            },
            FactorAdvice {
                language: LanguageId::C,
                present: 1.0,
                limit: 10.0,
                factors: Some((0.2, Some(0.6))),
            },
            FactorAdvice {
                language: LanguageId::Python,
                present: 10.0,
                limit: 10.0,
                factors: None,
            },
        ],
        ..report()
    };
    assert_eq!(
        limits(&closed, &Style::default()),
        "count
  must pass  no value will do: with its margin a sample is over `at-most`
             accepted/A.java (Java), large/n=16
             40 s, 44.4 times the reference's 900 ms; Java has 2 times as long
  must fail  no value will do: with its margin a sample is below `at-least`
             time-limit/b.c (C), large/n=16
             900 ms, 1 times the reference's 900 ms
  window     none: no value does what the samples say
  present    3
  without the samples in Java there is a window: with the limit 3, which suits
  the others, its `time-factor` belongs at 6 or more, not at 2
  without the samples in C there is a window: with the limit 10, which suits the
  others, its `time-factor` belongs at 0.2 to 0.6, not at 1
  without the samples in Python there is a window, but no `time-factor` of it
  makes one with them

count: no time limit does what the samples say
"
    );
}

#[test]
fn a_sample_that_does_something_else_is_named() {
    let broken = LimitsReport {
        safe: LimitWindow::default(),
        whole: LimitWindow::default(),
        suggestion: Some(3.0),
        mismatches: vec![Mismatch {
            place: "time-limit/\u{1b}a.c, case large/n=16".to_owned(),
            message: Text::new("expected AC or TLE, found WA", "应为 AC 或 TLE，实为 WA"),
            fault: false,
        }],
        ..report()
    };
    assert_eq!(
        limits(&broken, &Style::default()),
        "count
  time-limit/\\x1ba.c, case large/n=16: expected AC or TLE, found WA
  must pass  any value: with its margin it ends within `at-least`
  must fail  any value: there is none, or `at-most` stops it
  window     any value
  present    3, inside
  suggested  3

count: some samples do not do what they must; `grader verify` says more
"
    );
}
