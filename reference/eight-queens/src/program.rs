//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::Parser;

use crate::{Error, search};

/// Prints the number of ways to place eight queens so that no two attack each other
#[derive(Parser)]
#[command(name = "eight-queens", version, no_binary_name = true)]
struct CommandLine {}

/// Runs the command line of this program: `arguments` without the program name.
///
/// The input is not read.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    match CommandLine::try_parse_from(arguments) {
        Ok(CommandLine {}) => {}
        Err(help) if !help.use_stderr() => {
            return write!(output, "{help}")
                .and_then(|()| output.flush())
                .map_err(Error::Output);
        }
        Err(mistake) => return Err(Error::Usage(mistake)),
    }

    let solutions = search::number_of_solutions();
    writeln!(output, "{solutions}")
        .and_then(|()| output.flush())
        .map_err(Error::Output)
}
