//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};
use std::ops::RangeInclusive;

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use reference_program::{Error, sizes};

use crate::{array, bitmask};

/// Prints the number of ways to place N queens on an N by N board so that no two attack each other
#[derive(Parser)]
#[command(name = "count", bin_name = "count", version, no_binary_name = true)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
struct CommandLine {
    /// Number of queens, 1 to 32: 14 take less than a second, 16 some seconds
    #[arg(required = true, value_parser = value_parser!(u32).range(1..=32))]
    n: Option<u32>,

    #[command(flatten)]
    way: Way,

    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Subcommand)]
enum Verb {
    /// Prints a table: n, the number of solutions, and how many times that of the row before it is
    Table {
        /// The first and the last number of queens: `1..12`, with 12
        #[arg(value_name = "FROM..TO", value_parser = sizes)]
        sizes: RangeInclusive<u32>,

        #[command(flatten)]
        way: Way,
    },
}

#[derive(Args)]
struct Way {
    /// How to count; the number is the same
    #[arg(long, value_enum, default_value_t = Method::Bitmask)]
    method: Method,
}

#[derive(Clone, Copy, ValueEnum)]
enum Method {
    /// Arrays of flags for the columns and diagonals, as everybody writes it first
    Array,
    /// One bit per square of the current row: short, and several times as fast
    Bitmask,
}

impl Way {
    fn count(&self, n: u32) -> u64 {
        match self.method {
            Method::Array => array::number_of_solutions(n),
            Method::Bitmask => bitmask::number_of_solutions(n),
        }
    }
}

/// Runs the command line of this program: `arguments` without the program name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |line: CommandLine, output| {
        match (line.n, line.verb) {
            (_, Some(Verb::Table { sizes, way })) => print_table(sizes, &way, output),
            (Some(n), None) => Ok(writeln!(output, "{}", line.way.count(n))?),
            (None, None) => unreachable!("clap requires n without a subcommand"),
        }
    })
}

fn print_table(sizes: RangeInclusive<u32>, way: &Way, output: &mut dyn Write) -> Result<(), Error> {
    writeln!(output, "{:>2}  {:>20}  {:>6}", "n", "solutions", "growth")?;
    let mut before = 0;
    for n in sizes {
        let solutions = way.count(n);
        let growth = match before {
            0 => "-".to_owned(),
            _ => format!("{:.2}", solutions as f64 / before as f64),
        };
        writeln!(output, "{n:>2}  {solutions:>20}  {growth:>6}")?;
        output.flush()?;
        before = solutions;
    }
    Ok(())
}
