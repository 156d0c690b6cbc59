//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::{Parser, value_parser};
use reference_program::Error;

use crate::search;

/// Draws one board of N queens that do not attack each other: `Q` is a queen, `#` a blank square
#[derive(Parser)]
#[command(name = "board", version, no_binary_name = true)]
struct CommandLine {
    /// Number of queens, 1 to 32; there is no board of 2 or 3
    #[arg(value_parser = value_parser!(u32).range(1..=32))]
    n: u32,
}

/// Runs the command line of this program: `arguments` without the program name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |CommandLine { n }, output| {
        let queens = search::first_solution(n).ok_or_else(|| Error::no_board(n))?;
        // One bit for the queen of each row; the lowest bit is the leftmost column.
        for queen in &queens {
            let line: String = (0..queens.len())
                .map(|column| if queen >> column & 1 == 1 { 'Q' } else { '#' })
                .collect();
            writeln!(output, "{line}")?;
        }
        Ok(())
    })
}
