//! What holds for every output: no panic, small evidence, the same judgement every time, and every checker
//! accepts what is right.

#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

use grader_check::{EVIDENCE_CAP, judge};
use grader_model::{Judgement, Mark};
use grader_problem::{Checker, GrayOrder};
use proptest::prelude::*;

fn board(size: u32, queen: &str, blank: &str, separator: &str) -> Checker {
    Checker::QueensBoard {
        size,
        queen: queen.to_owned(),
        blank: blank.to_owned(),
        separator: separator.to_owned(),
    }
}

fn checkers() -> Vec<Checker> {
    let mut checkers = vec![
        Checker::Exact,
        Checker::Lines,
        Checker::Tokens {
            case_sensitive: true,
        },
        Checker::Tokens {
            case_sensitive: false,
        },
        Checker::Numbers {
            absolute: 1e-6,
            relative: 1e-9,
            case_sensitive: true,
        },
        Checker::Numbers {
            absolute: 0.0,
            relative: 0.0,
            case_sensitive: true,
        },
        board(4, "Q", "#", ""),
        board(4, "Q", " ", ""),
        board(4, "♕", "▢", " | "),
        board(0, "", "", ""),
        Checker::QueensColumns { size: 4, base: 1 },
        Checker::QueensColumns { size: 4, base: 0 },
        Checker::QueensColumns { size: 0, base: 1 },
        Checker::QueensColumns {
            size: u32::MAX,
            base: 7,
        },
        Checker::GrayGrid {
            rows: 1,
            columns: 1,
        },
        Checker::GrayGrid {
            rows: 0,
            columns: 0,
        },
        Checker::GrayGrid {
            rows: u32::MAX,
            columns: u32::MAX,
        },
    ];
    for bits in [0, 1, 2, 63, 64, u32::MAX] {
        for order in [GrayOrder::Any, GrayOrder::Reflected] {
            checkers.push(Checker::GrayCode { bits, order });
        }
    }
    checkers
}

fn check(checker: &Checker, output: &[u8], expected: &[u8]) -> Judgement {
    let judgement = judge(checker, output, Some(expected)).unwrap();
    let size = serde_json::to_vec(&judgement).unwrap().len();
    assert!(size <= EVIDENCE_CAP + 512, "{size} bytes from {checker:?}");
    assert!(
        judgement.mark == Mark::Right || !judgement.evidence.is_empty(),
        "{checker:?}"
    );
    for evidence in &judgement.evidence {
        assert!(!evidence.message.en.ends_with('.') && !evidence.message.zh.ends_with('。'));
        let figure = evidence
            .figure
            .as_ref()
            .map(grader_model::Figure::plain)
            .unwrap_or_default();
        for text in [&evidence.message.en, &evidence.message.zh, &figure] {
            assert!(
                !text.chars().any(|c| c.is_control() && c != '\n'),
                "{text:?}"
            );
        }
    }
    judgement
}

/// Bytes that look a little like answers.
fn likely() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just("0"),
        Just("1"),
        Just("2"),
        Just("3"),
        Just("4"),
        Just("92"),
        Just("-"),
        Just("."),
        Just("Q"),
        Just("#"),
        Just(" "),
        Just("\n"),
        Just("\t"),
        Just("\r\n"),
        Just("|"),
        Just("["),
        Just("♕"),
        Just("▢"),
        Just("n="),
        Just("\u{1b}["),
        Just("31m"),
        Just("\0"),
        Just("#Q##\n"),
        Just("###Q\n"),
        Just("Q###\n"),
        Just("##Q#\n"),
        Just("00\n"),
        Just("01\n"),
        Just("11\n"),
        Just("10\n"),
        Just("2 4 1 3"),
        Just("皇"),
        Just("1e9"),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #[test]
    fn no_bytes_make_a_checker_panic(output: Vec<u8>, expected: Vec<u8>) {
        for checker in checkers() {
            check(&checker, &output, &expected);
        }
    }

    #[test]
    fn no_likely_bytes_make_a_checker_panic(output in likely(), expected in likely()) {
        for checker in checkers() {
            let judgement = check(&checker, &output, &expected);
            prop_assert_eq!(judge(&checker, &output, Some(&expected)), Ok(judgement));
        }
    }

    #[test]
    fn comparing_checkers_accept_what_is_expected(expected in likely()) {
        for checker in checkers().into_iter().filter(Checker::needs_answer) {
            prop_assert_eq!(check(&checker, &expected, &expected), Judgement::right());
        }
    }

    #[test]
    fn numbers_within_the_tolerance_are_the_same_either_way(one in -1000i32..1000, other in -1000i32..1000) {
        let it = Checker::Numbers { absolute: 10.0, relative: 0.0, case_sensitive: true };
        let (one_text, other_text) = (one.to_string(), format!("{other}.0"));
        let right = (one - other).abs() <= 10;
        let forth = check(&it, other_text.as_bytes(), one_text.as_bytes());
        let back = check(&it, one_text.as_bytes(), other_text.as_bytes());
        prop_assert_eq!(forth.mark == Mark::Right, right);
        prop_assert_eq!(back.mark == Mark::Right, right);
    }
}

/// All solutions, columns from 0, row by row.
fn solutions(size: u32) -> Vec<Vec<u32>> {
    fn extend(size: u32, columns: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        let row = columns.len() as u32;
        if row == size {
            found.push(columns.clone());
            return;
        }
        for column in 0..size {
            if (0..)
                .zip(columns.iter())
                .all(|(above, other)| !attacks((above, *other), (row, column)))
            {
                columns.push(column);
                extend(size, columns, found);
                columns.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(size, &mut Vec::new(), &mut found);
    found
}

const fn attacks(one: (u32, u32), other: (u32, u32)) -> bool {
    one.1 == other.1 || one.0.abs_diff(other.0) == one.1.abs_diff(other.1)
}

fn drawn(columns: &[u32]) -> String {
    let row = |queen: &u32| -> String {
        (0..columns.len() as u32)
            .map(|column| if column == *queen { 'Q' } else { '#' })
            .chain(['\n'])
            .collect()
    };
    columns.iter().map(row).collect()
}

fn listed(columns: &[u32]) -> String {
    let numbers = columns.iter().map(|column| (column + 1).to_string());
    numbers.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn every_solution_is_right_and_every_swap_is_judged_as_by_all_pairs() {
    for size in 1..=8 {
        let as_columns = Checker::QueensColumns { size, base: 1 };
        let as_board = board(size, "Q", "#", "");
        for solution in solutions(size) {
            assert_eq!(
                check(&as_columns, listed(&solution).as_bytes(), b""),
                Judgement::right()
            );
            assert_eq!(
                check(&as_board, drawn(&solution).as_bytes(), b""),
                Judgement::right()
            );
            for later in 0..solution.len() {
                for earlier in 0..later {
                    let mut swapped = solution.clone();
                    swapped.swap(earlier, later);
                    let pairs = (0..).zip(&swapped).flat_map(|(row, column)| {
                        (0..row)
                            .zip(&swapped)
                            .map(move |other| ((other.0, *other.1), (row, *column)))
                    });
                    let first = pairs.into_iter().find(|(one, other)| attacks(*one, *other));
                    let judgement = check(&as_columns, listed(&swapped).as_bytes(), b"");
                    assert_eq!(judgement.mark == Mark::Right, first.is_none());
                    if let Some((one, other)) = first {
                        let place =
                            |cell: (u32, u32)| format!("row {}, column {}", cell.0 + 1, cell.1 + 1);
                        let words = format!("{} and {} are", place(one), place(other));
                        assert!(judgement.evidence[0].message.en.contains(&words));
                    }
                    assert_eq!(check(&as_board, drawn(&swapped).as_bytes(), b""), judgement);
                }
            }
        }
    }
}

#[test]
fn reflected_codes_and_grids_are_right() {
    let gray = |index: u32| index ^ index >> 1;
    for bits in 1..=10usize {
        let codes = (0..1 << bits).map(|index| format!("{:0bits$b}", gray(index)));
        let text = codes.collect::<Vec<_>>().join("\n") + "\n";
        for order in [GrayOrder::Any, GrayOrder::Reflected] {
            let it = Checker::GrayCode {
                bits: bits as u32,
                order,
            };
            assert_eq!(check(&it, text.as_bytes(), b""), Judgement::right());
        }
    }
    for (rows, columns) in [(0, 3), (1, 1), (2, 3), (4, 4), (3, 0)] {
        let width = rows + columns;
        let text: String = (0..1 << rows)
            .map(|row| {
                let cell = |column| format!("{:0width$b}", gray(row) << columns | gray(column));
                (0..1 << columns).map(cell).collect::<Vec<_>>().join(" ") + "\n"
            })
            .collect();
        let it = Checker::GrayGrid {
            rows: rows as u32,
            columns: columns as u32,
        };
        assert_eq!(check(&it, text.as_bytes(), b""), Judgement::right());
    }
}

#[test]
fn every_swap_of_two_codes_is_noticed() {
    let codes: Vec<String> = (0..16u32)
        .map(|index| format!("{:04b}\n", index ^ index >> 1))
        .collect();
    let it = Checker::GrayCode {
        bits: 4,
        order: GrayOrder::Reflected,
    };
    for later in 0..16 {
        for earlier in 0..later {
            let mut swapped = codes.clone();
            swapped.swap(earlier, later);
            assert_eq!(
                check(&it, swapped.concat().as_bytes(), b"").mark,
                Mark::Wrong
            );
        }
    }
}

#[test]
fn outputs_that_are_meant_to_hurt_yield_small_evidence() {
    let long = "7".repeat(1_000_000);
    let mut outputs: Vec<Vec<u8>> = vec![
        b"x y ".repeat(30),
        b"\"\n".repeat(30),
        b"Q.Q.\n".repeat(4),
        b"Q#Q#\n".repeat(4),
        format!("{long}\n").repeat(2).into_bytes(),
        long.clone().into_bytes(),
    ];
    for piece in [
        "Q#",
        "\u{202e}",
        "\"\\\u{1b}",
        "\0",
        "\n",
        "1\n",
        "a b\tc\r",
        "0 ",
        "[1,",
        "♕",
    ] {
        outputs.push(piece.repeat(30_000).into_bytes());
    }
    outputs.push(vec![0xff; 100_000]);
    outputs.push(b"\xff \n".repeat(30_000));
    let wrong = format!("{long}8\n9\n");
    for expected in ["92\n", "1 2\n3 4\n5\n", &wrong, &"\"\\ \n".repeat(40)] {
        for checker in checkers() {
            if expected != "92\n" && !checker.needs_answer() {
                continue;
            }
            for output in &outputs {
                check(&checker, output, expected.as_bytes());
            }
        }
    }
    let full = "Q#Q#Q#Q#Q#Q#Q#Q#\n".repeat(16);
    check(&board(16, "Q", "#", ""), full.as_bytes(), b"");
    check(&board(16, "Q", ".", ""), full.as_bytes(), b"");
}
