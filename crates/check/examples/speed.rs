//! How fast the built-in checkers read a right output of 64 MB, a number on each line.
//!
//! ```text
//! cargo run --release -p grader-check --example speed
//! ```

#![expect(clippy::print_stdout, reason = "prints its figures")]

use std::error::Error;
use std::fmt::Write as _;
use std::time::Instant;

use grader_check::check;
use grader_problem::{Checker, TokenOptions};

const BYTES: usize = 64_000_000;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let tokens = TokenOptions {
        case_sensitive: true,
        space_change_sensitive: false,
    };
    let (absolute, relative) = (1e-6, 1e-6);
    let numbers = Checker::Numbers {
        absolute,
        relative,
        tokens,
    };
    let mut answer = String::new();
    for line in 1_000_000..1_000_000 + BYTES / 8 {
        writeln!(answer, "{line}")?;
    }
    for (name, checker) in [
        ("exact", Checker::Exact),
        ("lines", Checker::Lines),
        ("any-order", Checker::AnyOrder),
        ("tokens", Checker::Tokens(tokens)),
        ("numbers", numbers),
    ] {
        let mut best = f64::INFINITY;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            check(&checker, answer.as_bytes(), Some(answer.as_bytes()))?;
            best = best.min(start.elapsed().as_secs_f64());
        }
        println!("{name:10} {:6.0} MB a second", BYTES as f64 / 1e6 / best);
    }
    Ok(())
}
