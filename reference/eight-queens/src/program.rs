//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::Parser;
use reference_program::Error;

use crate::search;

/// Prints the number of ways to place eight queens so that no two attack each other
#[derive(Parser)]
#[command(name = "eight-queens", version, no_binary_name = true)]
struct CommandLine {}

/// Runs the command line of this program: `arguments` without the program name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |CommandLine {}, output| {
        Ok(writeln!(output, "{}", search::number_of_solutions())?)
    })
}
