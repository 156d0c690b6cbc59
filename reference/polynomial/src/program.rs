//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};

use clap::{Parser, ValueEnum as _, value_parser};
use reference_local_search::legality::is_solution;
use reference_local_search::line::write_line;
use reference_local_search::random::Random;
use reference_local_search::{check_size, seed_from_clock};
use reference_program::Error;

use crate::method::Method;
use crate::statistics::Statistics;

/// Places N queens so that no two attack each other, by the local search of Sosic and Gu.
///
/// Prints one line: the column of the queen of each row, counted from 1. The board is always
/// checked before, by code that knows nothing of how it was found.
///
/// Memory, in bytes a queen: 8 for qs1 and qs4, up to 16 for qs2, 6 for qs4c, 5 for closed-form; so
/// 600 MB for qs4c and 100000000 queens. Time is about proportional to N;
/// only that of qs1 grows faster.
#[derive(Parser)]
#[command(name = "polynomial", version, no_binary_name = true)]
#[command(allow_negative_numbers = true)]
struct CommandLine {
    /// Number of queens, 1 or 4 to 100000000
    #[arg(value_parser = value_parser!(u32).range(1..=100_000_000))]
    n: u32,

    /// Algorithm [default: qs4c from 200 queens on, qs1 below]
    #[arg(long, value_enum)]
    method: Option<Method>,

    /// Start of the random numbers; the same seed gives the same board [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,

    /// Do not print the board; it is found and checked all the same
    #[arg(long)]
    no_board: bool,

    /// Say on standard error which algorithm and seed were used, and what the search had to do
    ///
    /// Each figure is a line `key = value`. restarts: how often it started anew. collisions: queens beyond the first on each diagonal,
    /// before the first exchange. trials: columns tried before the exchanges. left: queens that the
    /// trials left for the exchanges. swap-tests, swaps: exchanges examined, exchanges kept. All
    /// starts count, but collisions and left are of the last one.
    #[arg(long)]
    stats: bool,
}

/// Runs the command line of this program: `arguments` without the program name.
///
/// # Panics
///
/// If the board that was found is not a solution, which would be a mistake in the search.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |line: CommandLine, output| {
        answer(&line, output)
    })
}

fn answer(line: &CommandLine, output: &mut dyn Write) -> Result<(), Error> {
    let n = line.n;
    let method = line.method.unwrap_or_else(|| Method::for_queens(n));
    check_size(n, method.bytes_per_queen())?;
    if line.seed.is_some() && !method.is_random() {
        return Err(Error::Question(
            "the closed form draws no random numbers: --seed goes with the other methods"
                .to_owned(),
        ));
    }
    let seed = line.seed.unwrap_or_else(seed_from_clock);
    let mut statistics = Statistics::default();
    let columns = method.solve(n, &mut Random::new(seed), &mut statistics);
    assert!(
        is_solution(&columns),
        "the search must keep right what is on the diagonals"
    );
    if line.stats {
        let name = method.to_possible_value();
        let name = name.as_ref().map_or("", |value| value.get_name());
        let mut text = format!("n = {n}\nmethod = {name}\n");
        if method.is_random() {
            text = format!("{text}seed = {seed}\n{}", statistics.lines(n));
        }
        // The answer does not depend on anyone reading this.
        _ = io::stderr().write_all(text.as_bytes());
    }
    if line.no_board {
        return Ok(());
    }
    Ok(write_line(&columns, output)?)
}
