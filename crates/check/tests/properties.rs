//! Properties for every output: no panic, small evidence, a deterministic judgement, and every comparing checker
//! accepts the expected output.

#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

use grader_check::check;
use grader_model::{Judgement, Mark};
use grader_problem::{Checker, Contains, TokenOptions};
use proptest::prelude::*;

fn board(size: u32, queen: &str, blank: &str, separator: &str) -> Checker {
    Checker::QueensBoard {
        size,
        queen: queen.to_owned(),
        blank: blank.to_owned(),
        separator: separator.to_owned(),
    }
}

fn options(case_sensitive: bool, space_change_sensitive: bool) -> TokenOptions {
    TokenOptions {
        case_sensitive,
        space_change_sensitive,
    }
}

fn checkers() -> Vec<Checker> {
    let mut checkers = vec![
        Checker::Exact,
        Checker::Lines,
        Checker::AnyOrder,
        Checker::OnlyNumbers {
            absolute: 1e-6,
            relative: 1e-6,
        },
        board(4, "Q", "#", ""),
        board(4, "♕", "▢", " | "),
        board(0, "", "", ""),
        Checker::Contains(Contains {
            has_answer: true,
            never: vec!["\u{1b}[31m never".to_owned()],
            ..Contains::default()
        }),
        Checker::QueensColumns { size: 4, base: 1 },
        Checker::QueensColumns { size: 4, base: 0 },
        Checker::QueensColumns { size: 0, base: 1 },
        Checker::QueensColumns {
            size: u32::MAX,
            base: 7,
        },
    ];
    for sensitive in [false, true] {
        checkers.push(Checker::Tokens(options(sensitive, !sensitive)));
        for tolerance in [0.0, 1e-6] {
            checkers.push(Checker::Numbers {
                absolute: tolerance,
                relative: tolerance,
                tokens: options(sensitive, sensitive),
            });
        }
    }
    checkers
}

fn checked(checker: &Checker, output: &[u8], expected: &[u8]) -> Judgement {
    let judgement = check(checker, output, Some(expected)).unwrap();
    let size = serde_json::to_vec(&judgement).unwrap().len();
    assert!(size <= 16 * 1024, "{size} bytes from {checker:?}");
    assert!(judgement.mark == Mark::Right || !judgement.evidence.is_empty());
    for evidence in &judgement.evidence {
        let figure = evidence.figure.as_ref();
        let figure = figure.map(grader_model::Figure::plain).unwrap_or_default();
        for text in [&evidence.message.en, &evidence.message.zh, &figure] {
            let is_harmless = |c: char| !c.is_control() || c == '\n';
            assert!(text.chars().all(is_harmless), "{text:?}");
        }
    }
    judgement
}

/// Bytes that resemble answers.
fn likely() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "0", "1", "2", "3", "4", "92", "-", ".", "Q", "#", " ", "\n", "\t", "\r\n", "|", "[", "♕",
        "▢", "n=", "\u{1b}[", "31m", "\0", "#Q##\n", "###Q\n", "Q###\n", "##Q#\n", "2 4 1 3", "皇",
        "1e9",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..40)
        .prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_bytes_make_a_checker_panic(output: Vec<u8>, expected: Vec<u8>) {
        for checker in checkers() {
            checked(&checker, &output, &expected);
        }
    }

    #[test]
    fn no_likely_bytes_make_a_checker_panic(output in likely(), expected in likely()) {
        for checker in checkers() {
            let judgement = checked(&checker, &output, &expected);
            prop_assert_eq!(check(&checker, &output, Some(&expected)), Ok(judgement));
        }
    }

    #[test]
    fn comparing_checkers_accept_what_is_expected(expected in likely()) {
        for checker in checkers().into_iter().filter(Checker::needs_answer) {
            prop_assert_eq!(checked(&checker, &expected, &expected), Judgement::right());
        }
    }

    #[test]
    fn an_integer_tolerance_is_exact(one in -1000i64..1000, two in -1000i64..1000, power in 0u32..40) {
        let zeros = "0".repeat(power as usize);
        let within = |absolute| Checker::Numbers { absolute, relative: 0.0, tokens: options(true, false) };
        let texts = [format!("{one}.{zeros}"), format!("{two}e0")];
        let mark = checked(&within(10.0), texts[0].as_bytes(), texts[1].as_bytes()).mark;
        prop_assert_eq!(mark == Mark::Right, (one - two).abs() <= 10);
        let large = [format!("{one}{zeros}1"), format!("{one}{zeros}2")];
        prop_assert_eq!(checked(&within(0.0), large[0].as_bytes(), large[1].as_bytes()).mark, Mark::Wrong);
    }
}

#[test]
fn outputs_that_are_meant_to_hurt_yield_small_evidence() {
    let long = "7".repeat(200_000);
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
        outputs.push(piece.repeat(12_000).into_bytes());
    }
    outputs.push(vec![0xff; 20_000]);
    outputs.push(b"\xff \n".repeat(12_000));
    let wrong = format!("{long}8\n9\n");
    for expected in ["92\n", "1 2\n3 4\n5\n", &wrong, &"\"\\ \n".repeat(40)] {
        for checker in checkers() {
            if expected != "92\n" && !checker.needs_answer() {
                continue;
            }
            for output in &outputs {
                checked(&checker, output, expected.as_bytes());
            }
        }
    }
    let full = "Q#Q#Q#Q#Q#Q#Q#Q#\n".repeat(16);
    checked(&board(16, "Q", "#", ""), full.as_bytes(), b"");
    checked(&board(16, "Q", ".", ""), full.as_bytes(), b"");
}

#[test]
fn a_missing_answer_is_our_fault_and_an_empty_one_may_be_expected() {
    let error = check(&Checker::Lines, b"92\n", None).unwrap_err();
    assert_eq!(
        error.to_string(),
        "checker `lines` has no expected output to compare with"
    );
    for checker in [Checker::Exact, Checker::Lines] {
        assert_eq!(check(&checker, b"", Some(b"")), Ok(Judgement::right()));
    }
}
