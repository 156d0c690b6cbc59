//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::Parser;
use reference_program::Error;

use crate::parity;

/// Tells whether binomial coefficients are odd.
///
/// Each line of standard input is `n k` with 0 <= k <= n < 2^63; each line of the output is `odd`
/// or `even`, as C(n, k) is. Blank lines are skipped.
#[derive(Parser)]
#[command(name = "binomial-parity", version, no_binary_name = true)]
struct CommandLine {}

/// Runs the command line of this program: `arguments` without the program name.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), Error> {
    reference_program::run(arguments, output, |CommandLine {}, output| {
        for (index, line) in input.lines().enumerate() {
            let line = line.map_err(Error::Input)?;
            let question = line.trim();
            if question.is_empty() {
                continue;
            }
            let (n, k) = parse(question).ok_or_else(|| {
                Error::Question(format!(
                    "line {}: expected `n k` with 0 <= k <= n < 2^63, found `{question}`",
                    index + 1
                ))
            })?;
            writeln!(
                output,
                "{}",
                if parity::is_odd(n, k) { "odd" } else { "even" }
            )?;
        }
        Ok(())
    })
}

/// The numbers of a line `n k`, if it is one and they are in their ranges.
fn parse(question: &str) -> Option<(u64, u64)> {
    let (n, k) = question.split_once(char::is_whitespace)?;
    let (n, k) = (n.parse().ok()?, k.trim_start().parse().ok()?);
    (k <= n && n < 1 << 63).then_some((n, k))
}
