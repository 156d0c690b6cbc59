//! The command line and the input: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};

use clap::Parser;

use crate::{Error, ordered, total};

/// Prints the first three boards of n queens in numerical order, then the number of all boards.
///
/// Reads n, 4 to 20, from the first line of standard input. A board is one line: the column of the
/// queen of each row, counted from 1. For n = 4 there are two boards only.
#[derive(Parser)]
#[command(name = "first-three", version, no_binary_name = true)]
struct CommandLine {}

/// Runs the command line of this program: `arguments` without the program name.
///
/// One line of the input is read. The boards are flushed before the total is counted.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    input: &mut dyn BufRead,
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

    let n = read_n(input)?;
    answer(n, output).map_err(Error::Output)
}

/// Reads the number of queens from the first line.
fn read_n(input: &mut dyn BufRead) -> Result<u32, Error> {
    let mut line = String::new();
    input.read_line(&mut line).map_err(Error::Input)?;
    let found = line.trim();
    match found.parse() {
        Ok(n) if (4..=20).contains(&n) => Ok(n),
        _ => Err(Error::NotABoard {
            found: found.to_owned(),
        }),
    }
}

fn answer(n: u32, output: &mut dyn Write) -> io::Result<()> {
    for board in ordered::first_solutions(n, 3) {
        let columns: Vec<String> = board.iter().map(u32::to_string).collect();
        writeln!(output, "{}", columns.join(" "))?;
    }
    output.flush()?;
    writeln!(output, "{}", total::number_of_solutions(n))?;
    output.flush()
}
