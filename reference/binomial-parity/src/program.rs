//! The command line and the input: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{BufRead, Write};

use clap::Parser;

use crate::{Error, parity};

/// Tells whether binomial coefficients are odd.
///
/// Each line of standard input is `n k` with 0 <= k <= n < 2^63; each line of the output is `odd`
/// or `even`, as C(n, k) is. Blank lines are skipped.
#[derive(Parser)]
#[command(name = "binomial-parity", version, no_binary_name = true)]
struct CommandLine {}

/// Runs the command line of this program: `arguments` without the program name.
///
/// The input is read to its end, or to the first line that is not as it should be.
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

    for (index, line) in input.lines().enumerate() {
        let line = line.map_err(Error::Input)?;
        let question = line.trim();
        if question.is_empty() {
            continue;
        }
        let (n, k) = parse(question).ok_or_else(|| Error::NotAQuestion {
            line: index + 1,
            found: question.to_owned(),
        })?;
        let answer = if parity::is_odd(n, k) { "odd" } else { "even" };
        writeln!(output, "{answer}").map_err(Error::Output)?;
    }
    output.flush().map_err(Error::Output)
}

/// The numbers of a line `n k`, if it is one and they are in their ranges.
fn parse(question: &str) -> Option<(u64, u64)> {
    let (n, k) = question.split_once(char::is_whitespace)?;
    let (n, k) = (n.parse().ok()?, k.trim_start().parse().ok()?);
    (k <= n && n < 1 << 63).then_some((n, k))
}
