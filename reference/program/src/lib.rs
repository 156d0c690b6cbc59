//! What the model answers share: reading the command line, errors, and the exit status.

use std::ffi::OsString;
use std::io::{self, BufRead, BufWriter, Write};
use std::ops::RangeInclusive;
use std::process::ExitCode;

/// Why a program gives no answer; the text is what it prints.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are not as `--help` describes them.
    #[error("{}", .0.to_string().trim_start_matches("error: ").trim_end())]
    Usage(clap::Error),
    /// The arguments are well formed, but the program cannot answer them; or the input is wrong.
    #[error("{0}")]
    Question(String),
    /// The input could not be read, or is not text.
    #[error("cannot read the input: {0}")]
    Input(io::Error),
    /// The program could not do its work.
    #[error("{0}")]
    Failed(String),
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    /// There is no board of 2 or 3 queens.
    pub fn no_board(n: u32) -> Self {
        Self::Question(format!(
            "no board of {n} queens exists: n must be 1 or at least 4"
        ))
    }

    /// 2 for a mistake in what the program was given, 1 otherwise.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Question(_) | Self::Input(_) => 2,
            Self::Failed(_) | Self::Output(_) => 1,
        }
    }
}

/// Parses `arguments` (without the program's name), lets `answer` write the answer, and flushes it.
/// `--help` and `--version` are answered here.
pub fn run<C: clap::Parser>(
    arguments: impl IntoIterator<Item = OsString>,
    output: &mut dyn Write,
    answer: impl FnOnce(C, &mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    match C::try_parse_from(arguments) {
        Ok(command_line) => answer(command_line, output)?,
        Err(help) if !help.use_stderr() => write!(output, "{help}")?,
        Err(mistake) => return Err(Error::Usage(mistake)),
    }
    Ok(output.flush()?)
}

/// Runs a program on this process's arguments, input and output.
pub fn main(
    name: &str,
    run: impl FnOnce(Vec<OsString>, &mut dyn BufRead, &mut dyn Write) -> Result<(), Error>,
) -> ExitCode {
    let arguments = std::env::args_os().skip(1).collect();
    exit(name, |input, output| run(arguments, input, output))
}

/// Runs a program on this process's input and output. An error goes to standard error, after `name`.
pub fn exit(
    name: &str,
    run: impl FnOnce(&mut dyn BufRead, &mut dyn Write) -> Result<(), Error>,
) -> ExitCode {
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match run(&mut io::stdin().lock(), &mut output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed too, the status still tells.
            _ = writeln!(io::stderr(), "{name}: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}

/// What a program prints for these arguments and this input, or its exit status and its error: for tests.
pub fn printed(
    run: impl FnOnce(Vec<OsString>, &mut dyn BufRead, &mut dyn Write) -> Result<(), Error>,
    arguments: &[&str],
    mut input: &[u8],
) -> Result<String, (u8, String)> {
    let mut output = Vec::new();
    let arguments = arguments.iter().map(Into::into).collect();
    run(arguments, &mut input, &mut output)
        .map_err(|error| (error.exit_status(), error.to_string()))?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}

/// Parses a range of sizes such as `1..12`, both ends included, of numbers from 1 to 32.
pub fn sizes(text: &str) -> Result<RangeInclusive<u32>, String> {
    let parse = || {
        let (first, last) = text.split_once("..")?;
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        (1 <= first && first <= last && last <= 32).then_some(first..=last)
    };
    parse().ok_or_else(|| "expected two ascending numbers from 1 to 32, such as 1..12".to_owned())
}
