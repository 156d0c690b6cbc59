//! The command line: what is accepted, and what is printed.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};

use clap::{Parser, value_parser};

use crate::{Error, code};

/// Prints the reflected Gray code: all numbers of N binary digits, each one digit from the next
#[derive(Parser)]
#[command(name = "gray-code", version, no_binary_name = true)]
struct CommandLine {
    /// Number of binary digits, 1 to 20
    #[arg(value_parser = value_parser!(u32).range(1..=20))]
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

    list(n, output).map_err(Error::Output)
}

/// Writes the codes of `n` digits, one a line.
fn list(n: u32, output: &mut dyn Write) -> io::Result<()> {
    let digits = n as usize;
    for index in 0..1 << n {
        writeln!(output, "{:0digits$b}", code::gray(index))?;
    }
    output.flush()
}
