//! Why the program gives no answer.

use std::io;
use std::path::PathBuf;

/// Why the program gives no answer; the text is what it prints.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are not as `--help` describes them.
    #[error("{}", .0.to_string().trim_start_matches("error: ").trim_end())]
    Usage(clap::Error),
    /// There is no way to place this many queens.
    #[error("no board of {n} queens exists: n must be 1 or at least 4")]
    NoSolution {
        /// The number of queens asked for: 2 or 3.
        n: u32,
    },
    /// The final temperature is above the start temperature.
    #[error(
        "the final temperature {final_temperature} must not be above \
         the start temperature {start_temperature}"
    )]
    FinalAboveStart {
        /// What `--final-temperature` says.
        final_temperature: f64,
        /// What `--start-temperature` says, or its default.
        start_temperature: f64,
    },
    /// A temperature is given for a rule that knows none.
    #[error("the option `{option}` cannot be used with `--acceptance {rule}`")]
    NoTemperature {
        /// The option.
        option: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// The system does not give the memory.
    #[error("{n} queens need {megabytes} MB of memory, more than can be had")]
    Memory {
        /// The number of queens asked for.
        n: u32,
        /// What they need, in millions of bytes.
        megabytes: usize,
    },
    /// The trace could not be created.
    #[error("cannot create the trace `{}`: {error}", path.display())]
    TraceCreate {
        /// What `--trace` says.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The schedule did not lead to a solution.
    #[error("no solution with `--attempts {attempts}` and `--sweeps {sweeps}`: allow more")]
    NotFound {
        /// How many random boards were annealed.
        attempts: u64,
        /// How many sweeps each of them was given.
        sweeps: u64,
    },
    /// A row of the trace could not be written.
    #[error("cannot write the trace: {0}")]
    TraceWrite(io::Error),
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(io::Error),
}

impl Error {
    /// The exit status of the program: 2 for a mistake in what it was given, 1 otherwise.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_)
            | Self::NoSolution { .. }
            | Self::FinalAboveStart { .. }
            | Self::NoTemperature { .. }
            | Self::TraceCreate { .. } => 2,
            Self::Memory { .. } | Self::NotFound { .. } | Self::TraceWrite(_) | Self::Output(_) => {
                1
            }
        }
    }
}
