//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::Parser;
use reference_count::bitmask;
use reference_program::Error;

/// The largest number of queens that is accepted.
const MAX_N: usize = 16;

/// Prints the number of ways to place n queens, for each n of standard input.
///
/// The input is numbers from 1 to 16, with blanks or line ends between them; 0 or the end of the
/// input ends it. The answers are one number a line.
#[derive(Parser)]
#[command(name = "queens-table", version, no_binary_name = true)]
struct CommandLine {}

/// Runs the command line of this program: `arguments` without the program name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |CommandLine {}, output| {
        answer(input, output)
    })
}

/// Answers each number up to the 0.
///
/// Invariant: `known[n]` is the number of solutions for each n that was asked so far, and `None`
/// for all others; so each n is counted at most once, and none that was not asked for.
fn answer(input: &mut dyn BufRead, output: &mut dyn Write) -> Result<(), Error> {
    let mut known = [None; MAX_N + 1];
    for (index, line) in input.lines().enumerate() {
        for word in line.map_err(Error::Input)?.split_whitespace() {
            let n: usize = match word.parse() {
                Ok(0) => return Ok(()),
                Ok(n) if n <= MAX_N => n,
                _ => {
                    return Err(Error::Question(format!(
                        "line {}: expected a number from 0 to {MAX_N}, found `{word}`",
                        index + 1
                    )));
                }
            };
            let solutions = *known[n].get_or_insert_with(|| bitmask::number_of_solutions(n as u32));
            writeln!(output, "{solutions}")?;
        }
    }
    Ok(())
}
