//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Parser, value_parser};

use crate::legality::is_solution;
use crate::line::write_line;
use crate::random::Random;
use crate::{Error, Method, Statistics};

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
/// The input is not read. The output should be buffered.
///
/// # Panics
///
/// If the board that was found is not a solution, which would be a mistake in the search.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let CommandLine {
        n,
        method,
        seed,
        no_board,
        stats,
    } = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(help) if !help.use_stderr() => {
            return write!(output, "{help}")
                .and_then(|()| output.flush())
                .map_err(Error::Output);
        }
        Err(mistake) => return Err(Error::Usage(mistake)),
    };

    if [2, 3].contains(&n) {
        return Err(Error::NoSolution { n });
    }
    let method = method.unwrap_or_else(|| Method::for_queens(n));
    if seed.is_some() && !method.is_random() {
        return Err(Error::SeedWithoutDraws);
    }
    let seed = seed.unwrap_or_else(seed_from_clock);
    let name = method.name();

    check_memory(n, method)?;

    let mut statistics = Statistics::default();
    let columns = method.solve(n, &mut Random::new(seed), &mut statistics);
    assert!(
        is_solution(&columns),
        "the search must keep right what is on the diagonals"
    );
    if stats && method.is_random() {
        note(&format!(
            "n = {n}\nmethod = {name}\nseed = {seed}\n{}",
            statistics.lines(n)
        ));
    } else if stats {
        note(&format!("n = {n}\nmethod = {name}\n"));
    }
    if no_board {
        return Ok(());
    }
    write_line(&columns, output).map_err(Error::Output)
}

/// Checks that the memory for a board can be had: the search itself would end in a crash.
///
/// A system that gives more than it has is not seen through; a limit for the process is.
fn check_memory(n: u32, method: Method) -> Result<(), Error> {
    let bytes = n as usize * method.bytes_per_queen();
    Vec::<u8>::new()
        .try_reserve_exact(bytes)
        .map_err(|_| Error::Memory {
            n,
            method: method.name(),
            megabytes: bytes.div_ceil(1_000_000),
        })
}

/// Writes to standard error; the answer does not depend on whether anybody reads this.
fn note(text: &str) {
    _ = io::stderr().write_all(text.as_bytes());
}

/// A seed that is another one in each run.
fn seed_from_clock() -> u64 {
    // A clock that is set before 1970 gives the same seed each time, which is as good a seed.
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos() as u64)
}
