//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};

use clap::{Parser, value_parser};

use crate::{Error, search};

/// Draws one board of N queens that do not attack each other: `Q` is a queen, `#` a blank square
#[derive(Parser)]
#[command(name = "board", version, no_binary_name = true)]
struct CommandLine {
    /// Number of queens, 1 to 32; there is no board of 2 or 3
    #[arg(value_parser = value_parser!(u32).range(1..=32))]
    n: u32,
}

/// Runs the command line of this program: `arguments` without the program name.
///
/// The input is not read.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let CommandLine { n } = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(help) if !help.use_stderr() => {
            return write!(output, "{help}")
                .and_then(|()| output.flush())
                .map_err(Error::Output);
        }
        Err(mistake) => return Err(Error::Usage(mistake)),
    };

    let queens = search::first_solution(n).ok_or(Error::NoSolution { n })?;
    draw(&queens, output).map_err(Error::Output)
}

/// Draws a board, one line for each row; `queens` has one bit for the queen of each row, and the
/// lowest bit is the leftmost column.
fn draw(queens: &[u32], output: &mut dyn Write) -> io::Result<()> {
    for queen in queens {
        let line: String = (0..queens.len())
            .map(|column| if queen >> column & 1 == 1 { 'Q' } else { '#' })
            .collect();
        writeln!(output, "{line}")?;
    }
    output.flush()
}
