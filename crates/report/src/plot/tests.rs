use std::time::Duration;

use grader_model::{CpuTime, GrowthFit, GrowthPoint, Lang};

use super::*;

fn point(size: f64, micros: u64, kind: GrowthPointKind) -> GrowthPoint {
    GrowthPoint {
        size,
        cpu: CpuTime(Duration::from_micros(1000 + micros)),
        kind,
    }
}

/// Quadratic from 16 to 6400.
fn quadratic() -> Growth {
    let sizes = (0..9).map(|step| 25.0 * f64::from(1 << step));
    Growth {
        over: "n".to_owned(),
        at_most: 3.5,
        startup: CpuTime::from_millis(1),
        points: sizes
            .map(|size| {
                let micros = (size * size / 40.0) as u64;
                let kind = if micros < 3000 {
                    GrowthPointKind::TooFast
                } else {
                    GrowthPointKind::Measured
                };
                point(size, micros, kind)
            })
            .collect(),
        fit: Some(GrowthFit {
            exponent: 2.0,
            low: 1.95,
            high: 2.05,
            factor: 2.5e-8,
        }),
        stopped: None,
        verdict: GrowthVerdict::Within,
    }
}

fn backtracking() -> Growth {
    Growth {
        points: vec![
            point(12.0, 100, GrowthPointKind::TooFast),
            point(20.0, 9_000, GrowthPointKind::Measured),
            point(28.0, 120_000, GrowthPointKind::Measured),
            point(32.0, 3_700_000, GrowthPointKind::Stopped),
        ],
        fit: None,
        stopped: Some(25.7),
        verdict: GrowthVerdict::TooFast,
        ..quadratic()
    }
}

fn drawn(growth: &Growth, style: &Style) -> String {
    let mut page = Page::new(style);
    growth_lines(&mut page, 2, growth, style);
    page.finish()
}

#[test]
fn points_and_their_line_are_drawn_over_round_sizes_and_times() {
    assert_eq!(
        drawn(&quadratic(), &Style::default()),
        r"  its time grows about like n^2 (95 %: 1.95 to 2.05); at most n^3.5 passes
     10 s │
          │
      1 s │                                                ·o
          │                                           ·····
   100 ms │                                       ····o
          │                                  ···o·
          │                              ·o··
    10 ms │                         o····
          │
     1 ms │                  v
          │            v
   100 us │v     v
          +──────────────────────────────────────────────────
                50    100   200     500   1000  2000    5000  n
           o measured   v too fast to measure   · fitted line
"
    );
}

#[test]
fn a_run_that_was_stopped_points_upwards_in_plain_ascii() {
    let style = Style {
        unicode: false,
        width: 50,
        ..Style::default()
    };
    assert_eq!(
        drawn(&backtracking(), &style),
        r"  its time grows too fast: at least n^26 from n=28
  to n=32, where it was stopped; at most n^3.5
  passes
     10 s |
          |                                   ^
      1 s |
          |
   100 ms |                              o
          |
          |
    10 ms |                  o
          |
     1 ms |
          |
   100 us |v
          +------------------------------------
           12                                32  n
           o measured   v too fast to measure   ^
           stopped at its limit
"
    );
}

#[test]
fn the_drawing_is_explained_in_chinese() {
    let style = Style {
        lang: Lang::Zh,
        ..Style::default()
    };
    let text = drawn(&backtracking(), &style);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        [lines[0], lines[lines.len() - 1]],
        [
            "  运行时间增长过快：从 n=28 到 n=32 至少为 n^26（被中止）；不得超过 n^3.5",
            "           o 已测   v 太快，测不出   ^ 到限被中止"
        ]
    );
}

#[test]
fn one_size_alone_is_not_drawn() {
    let mut growth = backtracking();
    growth.points.truncate(1);
    growth.stopped = None;
    growth.verdict = GrowthVerdict::Unresolved;
    assert_eq!(
        drawn(&growth, &Style::default()),
        "  its growth is not resolved and passes: too fast to measure\n  (0 of 1 sizes took long enough); at most n^3.5 passes\n"
    );
}

#[test]
fn the_drawing_keeps_to_the_width_in_colour_and_without() {
    for growth in [quadratic(), backtracking()] {
        for width in 40..90 {
            for unicode in [false, true] {
                let style = Style {
                    width,
                    unicode,
                    ..Style::default()
                };
                let plain = drawn(&growth, &style);
                assert!(
                    plain
                        .lines()
                        .all(|line| crate::layout::width(line) <= width)
                );
                assert!(unicode || plain.is_ascii(), "{plain}");
                let colored = drawn(
                    &growth,
                    &Style {
                        color: true,
                        ..style
                    },
                );
                assert!(colored.contains("\u{1b}["));
            }
        }
    }
}
