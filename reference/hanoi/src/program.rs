//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::{Parser, value_parser};
use reference_program::Error;

use crate::tower;

/// Prints the peg (1, 2 or 3) of each disc, smallest disc first, after K moves of the optimal
/// solution of the tower of Hanoi, which moves N discs from peg 1 to peg 3
#[derive(Parser)]
#[command(name = "hanoi", version, no_binary_name = true)]
struct CommandLine {
    /// Number of discs, 1 to 62
    #[arg(value_parser = value_parser!(u32).range(1..=62))]
    n: u32,

    /// Number of moves, 0 to 2^N - 1
    k: u64,
}

/// Runs the command line of this program: `arguments` without the program name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    _input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |CommandLine { n, k }, output| {
        let moves = (1 << n) - 1;
        if k > moves {
            return Err(Error::Question(format!(
                "the solution for {n} discs has {moves} moves: k must be 0 to {moves}, found {k}"
            )));
        }
        let pegs: Vec<String> = tower::pegs_after(n, k).iter().map(u64::to_string).collect();
        Ok(writeln!(output, "{}", pegs.join(" "))?)
    })
}
