//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Parser, ValueEnum, value_parser};

use crate::legality::is_solution;
use crate::line::write_line;
use crate::random::Random;
use crate::{Error, qs1, qs4};

/// Places N queens so that no two attack each other, by the local search of Sosic and Gu.
///
/// Prints one line: the column of the queen of each row, counted from 1.
#[derive(Parser)]
#[command(name = "polynomial", version, no_binary_name = true)]
struct CommandLine {
    /// Number of queens, 1 or 4 to 100000000
    #[arg(value_parser = value_parser!(u32).range(1..=100_000_000))]
    n: u32,

    /// Algorithm [default: qs4 from 200 queens on, qs1 below]
    #[arg(long, value_enum)]
    method: Option<Method>,

    /// Start of the random numbers; the same seed gives the same board [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,

    /// Say on standard error which algorithm and seed are used
    #[arg(long)]
    verbose: bool,
}

/// A local search of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Exchange pairs of queens while collisions become fewer (1990)
    Qs1,
    /// Place nearly all queens without collision, exchange the rest (1991, 1994)
    Qs4,
}

impl Method {
    /// The name on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Qs1 => "qs1",
            Self::Qs4 => "qs4",
        }
    }

    /// The better one for `n` queens: below 200, the few free exchanges let `QS4` start anew often.
    fn for_queens(n: u32) -> Self {
        if n < 200 { Self::Qs1 } else { Self::Qs4 }
    }
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
        verbose,
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
    let seed = seed.unwrap_or_else(seed_from_clock);
    if verbose {
        // The answer does not depend on whether anybody reads this.
        _ = writeln!(
            io::stderr(),
            "polynomial: method {}, seed {seed}",
            method.name()
        );
    }

    let mut random = Random::new(seed);
    let columns = match method {
        Method::Qs1 => qs1::solve(n, &mut random),
        Method::Qs4 => qs4::solve(n, &mut random),
    };
    assert!(
        is_solution(&columns),
        "the counters of the diagonals must be right"
    );
    write_line(&columns, output).map_err(Error::Output)
}

/// A seed that is another one in each run.
fn seed_from_clock() -> u64 {
    // A clock that is set before 1970 gives the same seed each time, which is as good a seed.
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos() as u64)
}
