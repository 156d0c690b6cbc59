//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::{Parser, value_parser};
use reference_program::Error;

use crate::code;

/// Prints the reflected Gray code: all numbers of N binary digits, each one digit from the next
#[derive(Parser)]
#[command(name = "gray-code", version, no_binary_name = true)]
struct CommandLine {
    /// Number of binary digits, 1 to 20
    #[arg(value_parser = value_parser!(u32).range(1..=20))]
    n: u32,
}

/// Runs the command line of this program: `arguments` without the program name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |CommandLine { n }, output| {
        let digits = n as usize;
        for index in 0..1 << n {
            writeln!(output, "{:0digits$b}", code::gray(index))?;
        }
        Ok(())
    })
}
