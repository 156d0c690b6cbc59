//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};

use clap::{Parser, value_parser};

use crate::{Error, grid};

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
///
/// The input is not read.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let CommandLine { m, n } = match CommandLine::try_parse_from(arguments) {
        Ok(command_line) => command_line,
        Err(help) if !help.use_stderr() => {
            return write!(output, "{help}")
                .and_then(|()| output.flush())
                .map_err(Error::Output);
        }
        Err(mistake) => return Err(Error::Usage(mistake)),
    };

    list(m, n, output).map_err(Error::Output)
}

/// Writes the grid, one row a line.
fn list(m: u32, n: u32, output: &mut dyn Write) -> io::Result<()> {
    let digits = (m + n) as usize;
    for row in 0..1 << m {
        let codes: Vec<String> = (0..1 << n)
            .map(|column| format!("{:0digits$b}", grid::cell(row, column, n)))
            .collect();
        writeln!(output, "{}", codes.join(" "))?;
    }
    output.flush()
}
