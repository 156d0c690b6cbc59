//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::ops::RangeInclusive;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Parser, value_parser};

use crate::Error;
use crate::anneal::{Schedule, solve};
use crate::legality::is_solution;
use crate::line::write_line;
use crate::random::Random;

/// Places N queens so that no two attack each other, by simulated annealing.
///
/// Prints one line: the column of the queen of each row, counted from 1. Temperatures are in units
/// of one collision: a change that makes one more is accepted with probability e^(-1/T).
#[derive(Parser)]
#[command(name = "annealing", version, no_binary_name = true)]
struct CommandLine {
    /// Number of queens, 1 or 4 to 10000000
    #[arg(value_parser = value_parser!(u32).range(1..=10_000_000))]
    n: u32,

    /// Start of the random numbers; the same seed gives the same board [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,

    /// Temperature of the first sweep, 0.001 to 1000
    #[arg(long, value_name = "T0", value_parser = temperature, allow_negative_numbers = true)]
    #[arg(default_value = "1")]
    start_temperature: f64,

    /// Factor of the temperature after each sweep, 0.01 to 1
    #[arg(long, value_name = "A", value_parser = cooling, allow_negative_numbers = true)]
    #[arg(default_value = "0.9")]
    cooling: f64,

    /// Temperature that is kept once it is reached, 0.001 to T0 [default: 0.05, or 0.3 for N up to
    /// 7, but not above T0]
    #[arg(long, value_name = "TMIN", value_parser = temperature, allow_negative_numbers = true)]
    final_temperature: Option<f64>,

    /// Sweeps of N proposals after which a board is given up, at least 1
    #[arg(long, value_name = "MAX", value_parser = value_parser!(u64).range(1..))]
    #[arg(default_value_t = 2000)]
    sweeps: u64,

    /// Random boards to begin with before the search is given up, at least 1
    #[arg(long, value_name = "MAX", value_parser = value_parser!(u64).range(1..))]
    #[arg(default_value_t = 1000)]
    attempts: u64,

    /// Say on standard error which seed and schedule are used
    #[arg(long)]
    verbose: bool,
}

impl CommandLine {
    /// The schedule that is asked for.
    fn schedule(&self) -> Result<Schedule, Error> {
        let &Self {
            n,
            start_temperature,
            cooling,
            final_temperature,
            sweeps,
            ..
        } = self;
        let final_temperature = final_temperature
            .unwrap_or_else(|| Schedule::final_temperature_for(n).min(start_temperature));
        if final_temperature > start_temperature {
            return Err(Error::FinalAboveStart {
                final_temperature,
                start_temperature,
            });
        }
        Ok(Schedule {
            start_temperature,
            cooling,
            final_temperature,
            sweeps,
        })
    }
}

/// Reads a temperature; below 0.001 nothing uphill is accepted anyway.
fn temperature(text: &str) -> Result<f64, String> {
    number_in(0.001..=1000.0, text)
}

/// Reads a cooling factor; 1 keeps the temperature as it is.
fn cooling(text: &str) -> Result<f64, String> {
    number_in(0.01..=1.0, text)
}

fn number_in(range: RangeInclusive<f64>, text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(format!(
            "expected a number from {} to {}",
            range.start(),
            range.end()
        )),
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
    let command_line = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(help) if !help.use_stderr() => {
            return write!(output, "{help}")
                .and_then(|()| output.flush())
                .map_err(Error::Output);
        }
        Err(mistake) => return Err(Error::Usage(mistake)),
    };

    let CommandLine { n, attempts, .. } = command_line;
    let schedule = command_line.schedule()?;
    if [2, 3].contains(&n) {
        return Err(Error::NoSolution { n });
    }
    let seed = command_line.seed.unwrap_or_else(seed_from_clock);
    if command_line.verbose {
        // The answer does not depend on whether anybody reads this.
        let Schedule {
            start_temperature,
            cooling,
            final_temperature,
            sweeps,
        } = schedule;
        _ = writeln!(
            io::stderr(),
            "annealing: seed {seed}, temperature {start_temperature} times {cooling} after each \
             sweep down to {final_temperature}, {sweeps} sweeps an attempt"
        );
    }

    let columns = solve(n, &schedule, attempts, &mut Random::new(seed)).ok_or(Error::NotFound {
        attempts,
        sweeps: schedule.sweeps,
    })?;
    assert!(is_solution(&columns), "the energy must be right");
    write_line(&columns, output).map_err(Error::Output)
}

/// A seed that is another one in each run.
fn seed_from_clock() -> u64 {
    // A clock that is set before 1970 gives the same seed each time, which is as good a seed.
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos() as u64)
}
