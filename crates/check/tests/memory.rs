//! No checker's memory grows with the number of lines or tokens of a hostile output. `examples/memory.rs`
//! measures more shapes and sizes; this is the part that is quick.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

use grader_check::judge;
use grader_model::Mark;
use grader_problem::{Checker, GrayOrder};

/// The peak memory of this process, in KiB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.unwrap().split_whitespace().nth(1).unwrap();
    number.parse().unwrap()
}

// The only test of its process: the peak is the process's.
#[test]
fn memory_does_not_grow_with_the_lines_of_an_output() {
    const SIZE: usize = 2 * 1024 * 1024;
    let checkers = [
        Checker::Exact,
        Checker::Lines,
        Checker::Tokens {
            case_sensitive: true,
        },
        Checker::Numbers {
            absolute: 1e-6,
            relative: 0.0,
            case_sensitive: true,
        },
        Checker::QueensBoard {
            size: 8,
            queen: "Q".to_owned(),
            blank: "#".to_owned(),
            separator: String::new(),
        },
        Checker::QueensColumns { size: 8, base: 1 },
        Checker::GrayCode {
            bits: 3,
            order: GrayOrder::Any,
        },
        Checker::GrayGrid {
            rows: 1,
            columns: 2,
        },
    ];
    // Judged once before, so that what all judgements share is counted in neither peak.
    let mut output = "1\n".repeat(SIZE / 2).into_bytes();
    for checker in &checkers {
        judge(checker, &output[..100], Some(b"92\n")).unwrap();
    }
    let before = peak();
    for piece in ["1\n", "Q#######\n", "000 "] {
        output.clear();
        output.extend(piece.bytes().cycle().take(SIZE));
        for checker in &checkers {
            let judgement = judge(checker, &output, Some(b"92\n")).unwrap();
            assert_eq!(judgement.mark, Mark::Wrong);
            // A slice for each line would be eight times the output.
            let grown = peak() - before;
            assert!(grown * 1024 < SIZE, "{grown} KiB from {checker:?}");
        }
    }
}
