//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::{Parser, value_parser};
use reference_program::Error;

use crate::grid;

/// Prints a grid of 2^M rows and 2^N columns of binary codes in which neighbours differ in one bit
#[derive(Parser)]
#[command(name = "gray-grid", version, no_binary_name = true)]
struct CommandLine {
    /// Binary digits that number the rows, 1 to 8
    #[arg(value_parser = value_parser!(u32).range(1..=8))]
    m: u32,

    /// Binary digits that number the columns, 1 to 8
    #[arg(value_parser = value_parser!(u32).range(1..=8))]
    n: u32,
}

/// Runs the command line of this program: `arguments` without the program name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |CommandLine { m, n }, output| {
        let digits = (m + n) as usize;
        for row in 0..1 << m {
            let codes: Vec<String> = (0..1 << n)
                .map(|column| format!("{:0digits$b}", grid::cell(row, column, n)))
                .collect();
            writeln!(output, "{}", codes.join(" "))?;
        }
        Ok(())
    })
}
