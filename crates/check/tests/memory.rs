//! No checker's memory grows with the number of lines or tokens of a hostile output.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

use grader_check::check;
use grader_model::Mark;
use grader_problem::{Checker, Contains, Sought, TokenOptions, Wanted};

fn sought(pattern: &str) -> Sought {
    Sought::new(Wanted::Pattern(pattern.to_owned()))
}

/// The peak memory of this process, in KiB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.unwrap().split_whitespace().nth(1).unwrap();
    number.parse().unwrap()
}

// The only test in its process: the peak is the process's.
#[test]
fn memory_does_not_grow_with_the_tokens_of_an_output() {
    const SIZE: usize = 5_000_000;
    let tokens = TokenOptions {
        case_sensitive: true,
        space_change_sensitive: false,
    };
    let checkers = [
        Checker::Exact,
        Checker::Lines,
        Checker::AnyOrder,
        Checker::OnlyNumbers {
            absolute: 1e-6,
            relative: 0.0,
        },
        Checker::Tokens(tokens),
        Checker::Numbers {
            absolute: 1e-6,
            relative: 0.0,
            tokens,
        },
        Checker::QueensBoard {
            size: 8,
            queen: "Q".to_owned(),
            blank: "#".to_owned(),
            separator: String::new(),
        },
        Checker::QueensColumns { size: 8, base: 1 },
        Checker::Contains(Contains {
            has_answer: true,
            never: vec!["a".repeat(1000)],
            lists: vec![vec![sought("(.*a){20}"), sought("[ab]*a[ab]{200}c")]],
            case_sensitive: false,
        }),
    ];
    let mut output = Vec::with_capacity(SIZE);
    // Warm up, so that shared allocations are counted in neither peak.
    for checker in &checkers {
        check(checker, b"1\n1\n", Some(b"92\n")).unwrap();
    }
    let mut measure = |piece: &str, size: usize, checkers: &[Checker]| {
        output.clear();
        output.extend(piece.bytes().cycle().take(size));
        let before = peak();
        for checker in checkers {
            let judgement = check(checker, &output, Some(b"92\n")).unwrap();
            assert_eq!(judgement.mark, Mark::Wrong);
            // A slice per token would be eight times the output; one bounded copy is allowed.
            let grown = peak() - before;
            assert!(grown * 1024 < 2 * size, "{grown} KiB from {checker:?}");
        }
    };
    for piece in ["1\n", "Q#######\n", "000 ", "a=\0", "ab"] {
        measure(piece, SIZE / 10, &checkers);
    }
    // Two and a half million tokens.
    measure("1 ", SIZE, &checkers[2..3]);
}
