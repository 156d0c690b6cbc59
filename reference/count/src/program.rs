//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::{Parser, ValueEnum, value_parser};

use crate::{Error, array, bitmask};

/// Prints the number of ways to place N queens on an N by N board so that no two attack each other
#[derive(Parser)]
#[command(name = "count", version, no_binary_name = true)]
struct CommandLine {
    /// Number of queens, 1 to 32; 18 take minutes, 20 hours, 22 weeks
    #[arg(value_parser = value_parser!(u32).range(1..=32))]
    n: u32,

    /// How to remember which squares are attacked
    #[arg(long, value_enum, default_value_t = Method::Bitmask)]
    method: Method,
}

/// How to remember which squares are attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// One array of records for the columns and one for each direction of diagonals
    Array,
    /// One bit per square of the current row
    Bitmask,
}

/// Runs the command line of this program: `arguments` without the program name.
///
/// The input is not read.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let CommandLine { n, method } = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(help) if !help.use_stderr() => {
            return write!(output, "{help}")
                .and_then(|()| output.flush())
                .map_err(Error::Output);
        }
        Err(mistake) => return Err(Error::Usage(mistake)),
    };

    let solutions = match method {
        Method::Array => array::number_of_solutions(n),
        Method::Bitmask => bitmask::number_of_solutions(n),
    };
    writeln!(output, "{solutions}")
        .and_then(|()| output.flush())
        .map_err(Error::Output)
}
