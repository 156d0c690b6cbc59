//! The command line and the input: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::Parser;

use crate::{Error, total};

/// The largest number of queens that is accepted.
const MOST: usize = 16;

/// Prints the number of ways to place n queens, for each n of standard input.
///
/// The input is numbers from 1 to 16, with blanks or line ends between them; 0 or the end of the
/// input ends it. The answers are one number a line.
#[derive(Parser)]
#[command(name = "queens-table", version, no_binary_name = true)]
struct CommandLine {}

/// Runs the command line of this program: `arguments` without the program name.
///
/// The input is read line by line, up to the line with the 0.
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

    answer(input, output)?;
    output.flush().map_err(Error::Output)
}

/// Answers each number up to the 0.
///
/// Invariant: `known[n]` is the number of solutions for each n that was asked so far, and `None`
/// for all others; so each n is counted at most once, and none that was not asked for.
fn answer(input: &mut dyn BufRead, output: &mut dyn Write) -> Result<(), Error> {
    let mut known = [None; MOST + 1];
    for (index, line) in input.lines().enumerate() {
        for word in line.map_err(Error::Input)?.split_whitespace() {
            let n: usize = match word.parse() {
                Ok(0) => return Ok(()),
                Ok(n) if n <= MOST => n,
                _ => {
                    return Err(Error::NotABoard {
                        line: index + 1,
                        found: word.to_owned(),
                    });
                }
            };
            let solutions = *known[n].get_or_insert_with(|| total::number_of_solutions(n as u32));
            writeln!(output, "{solutions}").map_err(Error::Output)?;
        }
    }
    Ok(())
}
