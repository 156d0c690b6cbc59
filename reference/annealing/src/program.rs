//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::{Parser, ValueEnum, value_parser};

use crate::anneal::solve;
use crate::schedule::{Cooling, Rule, Schedule};
use crate::statistics::Statistics;
use crate::trace::Trace;
use reference_local_search::legality::is_solution;
use reference_local_search::line::write_line;
use reference_local_search::random::Random;
use reference_local_search::{check_size, seed_from_clock};
use reference_program::Error;

/// The memory that a board takes while it is searched, in bytes a queen: a column of four bytes, and
/// four diagonals with one byte each.
const BYTES_PER_QUEEN: usize = 8;

/// Places N queens so that no two attack each other, by simulated annealing.
///
/// Prints one line: the column of the queen of each row, counted from 1. Temperatures are in units
/// of one collision: a change that makes one more is accepted with probability e^(-1/T).
///
/// Memory: 8 bytes a queen. 10000 queens take milliseconds, 1000000 some ten seconds, and 10000000
/// many minutes.
#[derive(Parser)]
#[command(name = "annealing", version, no_binary_name = true)]
#[command(allow_negative_numbers = true)]
struct CommandLine {
    /// Number of queens, 1 or 4 to 10000000
    #[arg(value_parser = value_parser!(u32).range(1..=10_000_000))]
    n: u32,

    /// Start of the random numbers; the same seed gives the same board [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,

    /// Which changes of the number of collisions are accepted
    #[arg(long, value_enum, value_name = "RULE", default_value = "annealing")]
    acceptance: RuleName,

    /// Temperature of the first sweep, 0.001 to 1000 [default: 1]
    #[arg(long, value_name = "T0", value_parser = temperature)]
    start_temperature: Option<f64>,

    /// Factor of the temperature after each sweep, 0.01 to 1 [default: 0.9]
    #[arg(long, value_name = "A", value_parser = cooling)]
    cooling: Option<f64>,

    /// Temperature that is kept once it is reached, 0.001 to T0 [default: 0.05, or 0.3 for N up to
    /// 25, but not above T0]
    #[arg(long, value_name = "TMIN", value_parser = temperature)]
    final_temperature: Option<f64>,

    /// Sweeps of N proposals after which a board is given up, at least 1
    #[arg(long, value_name = "MAX", value_parser = value_parser!(u64).range(1..))]
    #[arg(default_value_t = 2000)]
    sweeps: u64,

    /// Random boards to begin with before the search is given up, at least 1
    #[arg(long, value_name = "MAX", value_parser = value_parser!(u64).range(1..))]
    #[arg(default_value_t = 1000)]
    attempts: u64,

    /// Write to FILE, as comma-separated values, what happened in each sweep; what FILE held before
    /// is lost
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,

    /// Say on standard error which seed and schedule were used, and what the search took
    ///
    /// Each figure is a line `key = value`. most-attempts, most-sweeps: what --attempts and --sweeps
    /// allow. attempts, sweeps: what it took, all attempts together. proposals: exchanges looked at;
    /// accepted: those made; accepted-uphill: those of them that made collisions more.
    #[arg(long)]
    stats: bool,
}

/// What `--acceptance` names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RuleName {
    /// Fewer or as many always, more with a probability that falls with the temperature
    Annealing,
    /// Fewer or as many: annealing at temperature 0
    Zero,
    /// Fewer only; many searches get stuck, and begin again after `--sweeps`
    Strict,
}

impl RuleName {
    /// The name on the command line.
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl CommandLine {
    /// The schedule that is asked for.
    fn schedule(&self) -> Result<Schedule, Error> {
        let rule = match self.acceptance {
            RuleName::Annealing => Rule::Annealing(self.temperatures()?),
            RuleName::Zero => self.without_temperature(Rule::Zero)?,
            RuleName::Strict => self.without_temperature(Rule::Strict)?,
        };
        Ok(Schedule {
            rule,
            sweeps: self.sweeps,
            attempts: self.attempts,
        })
    }

    /// How the temperature is asked to fall.
    fn temperatures(&self) -> Result<Cooling, Error> {
        let start_temperature = self.start_temperature.unwrap_or(1.0);
        let final_temperature = self
            .final_temperature
            .unwrap_or_else(|| Cooling::final_temperature_for(self.n).min(start_temperature));
        if final_temperature > start_temperature {
            return Err(Error::Question(format!(
                "the final temperature {final_temperature} must not be above the start temperature {start_temperature}"
            )));
        }
        Ok(Cooling {
            start_temperature,
            factor: self.cooling.unwrap_or(0.9),
            final_temperature,
        })
    }

    /// `rule`, with which no temperature may be asked for.
    fn without_temperature(&self, rule: Rule) -> Result<Rule, Error> {
        let temperatures = [
            ("--start-temperature", self.start_temperature),
            ("--cooling", self.cooling),
            ("--final-temperature", self.final_temperature),
        ];
        match temperatures.iter().find(|(_, value)| value.is_some()) {
            Some(&(option, _)) => Err(Error::Question(format!(
                "the option `{option}` cannot be used with `--acceptance {}`",
                self.acceptance.name()
            ))),
            None => Ok(rule),
        }
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

/// Runs the command line of this program: `arguments` without the program name. What `--stats` asks for goes to standard
/// error.
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
    let schedule = line.schedule()?;
    check_size(n, BYTES_PER_QUEEN)?;
    let seed = line.seed.unwrap_or_else(seed_from_clock);
    let mut trace = match &line.trace {
        Some(path) => Some(Trace::create(path).map_err(|error| {
            let path = path.display();
            Error::Question(format!("cannot create the trace `{path}`: {error}"))
        })?),
        None => None,
    };

    let not_traced = |error| Error::Failed(format!("cannot write the trace: {error}"));
    let mut statistics = Statistics::default();
    let found = solve(n, &schedule, &mut Random::new(seed), |sweep| {
        statistics.add(sweep);
        trace.as_mut().map_or(Ok(()), |trace| trace.write(sweep))
    })
    .map_err(not_traced)?;
    if let Some(trace) = trace {
        trace.finish().map_err(not_traced)?;
    }
    if line.stats {
        let text = describe(n, seed, line.acceptance, &schedule, &statistics);
        // The answer does not depend on anyone reading this.
        _ = io::stderr().write_all(text.as_bytes());
    }
    let columns = found.ok_or_else(|| {
        Error::Failed(format!(
            "no solution with `--attempts {}` and `--sweeps {}`: allow more",
            schedule.attempts, schedule.sweeps
        ))
    })?;
    assert!(is_solution(&columns), "the energy must be right");
    Ok(write_line(&columns, output)?)
}

/// What `--stats` prints: one figure a line.
fn describe(
    n: u32,
    seed: u64,
    acceptance: RuleName,
    schedule: &Schedule,
    statistics: &Statistics,
) -> String {
    let temperatures = match schedule.rule {
        Rule::Annealing(cooling) => format!(
            "start-temperature = {}\ncooling = {}\nfinal-temperature = {}\n",
            cooling.start_temperature, cooling.factor, cooling.final_temperature
        ),
        Rule::Zero | Rule::Strict => String::new(),
    };
    let Statistics {
        attempts,
        sweeps,
        tally,
    } = statistics;
    format!(
        "n = {n}\nseed = {seed}\nacceptance = {}\n{temperatures}most-attempts = {}\nmost-sweeps = {}\n\
         attempts = {attempts}\nsweeps = {sweeps}\nproposals = {}\naccepted = {}\naccepted-uphill = {}\n",
        acceptance.name(),
        schedule.attempts,
        schedule.sweeps,
        tally.proposals,
        tally.accepted,
        tally.uphill
    )
}
