//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Read as _, Write};
use std::ops::ControlFlow;

use clap::{Parser, ValueEnum};
use reference_program::Error;

use crate::array::{self, MAX_N};
use crate::bitmask;

/// The smallest number of queens that is accepted.
const MIN_N: u32 = 4;

/// Boards to print.
const BOARDS: u64 = 3;

/// Bytes that are read of the first line; a number with blanks around it takes fewer.
const MAX_LINE_BYTES: u64 = 100;

/// Prints the first three boards of n queens in numerical order, then the number of all boards.
///
/// Reads n, 4 to 20, from the first line of standard input. A board is one line: the column of the queen of each row,
/// counted from 1. If there are fewer than three boards, all are printed.
#[derive(Parser)]
#[command(name = "first-three", version, no_binary_name = true)]
struct CommandLine {
    /// How to search; the answer is the same
    #[arg(long, value_enum, default_value_t = Method::Bitmask)]
    method: Method,
}

#[derive(Clone, Copy, ValueEnum)]
enum Method {
    /// Arrays of flags, and one search for boards and total: what the task teaches
    Array,
    /// Bit masks for the boards, and the total of `fast-count`
    Bitmask,
}

/// Runs the command line of this program: `arguments` without the program name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |CommandLine { method }, output| {
        let n = read_n(input)?;
        let mut total = 0;
        let mut visit = |board: &[u32]| {
            total += 1;
            if total > BOARDS {
                return match method {
                    Method::Array => ControlFlow::Continue(()),
                    Method::Bitmask => ControlFlow::Break(Ok(())),
                };
            }
            match print_board(board, output) {
                Ok(()) => ControlFlow::Continue(()),
                error => ControlFlow::Break(error),
            }
        };
        let end = match method {
            Method::Array => array::visit_solutions(n, &mut visit),
            Method::Bitmask => bitmask::visit_solutions(n, &mut visit),
        };
        if let ControlFlow::Break(result) = end {
            result?;
            total = reference_fast_count::count(n);
        }
        Ok(writeln!(output, "{total}")?)
    })
}

/// Reads the number of queens from the first line, or from its beginning if it is far too long.
fn read_n(input: &mut dyn BufRead) -> Result<u32, Error> {
    let mut line = Vec::new();
    let mut beginning = input.take(MAX_LINE_BYTES);
    beginning
        .read_until(b'\n', &mut line)
        .map_err(Error::Input)?;
    let line = String::from_utf8_lossy(&line);
    let found = line.trim();
    match found.parse() {
        Ok(n) if (MIN_N..=MAX_N).contains(&n) && (line.len() as u64) < MAX_LINE_BYTES => Ok(n),
        _ => Err(Error::Question(format!(
            "the first line must be one number from {MIN_N} to {MAX_N}, found `{}`",
            found.escape_debug()
        ))),
    }
}

fn print_board(board: &[u32], output: &mut dyn Write) -> io::Result<()> {
    let columns: Vec<String> = board.iter().map(u32::to_string).collect();
    writeln!(output, "{}", columns.join(" "))
}
