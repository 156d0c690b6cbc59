//! Why the program gives no answer.

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
    /// A seed is given to a method that draws no random numbers.
    #[error("the closed form draws no random numbers: --seed goes with the other methods")]
    SeedWithoutDraws,
    /// The system does not give the memory.
    #[error("{n} queens need {megabytes} MB of memory with {method}, more than can be had")]
    Memory {
        /// The number of queens asked for.
        n: u32,
        /// The name of the method.
        method: &'static str,
        /// What it needs, in millions of bytes.
        megabytes: usize,
    },
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(std::io::Error),
}

impl Error {
    /// The exit status of the program: 2 for a mistake in what it was given, 1 otherwise.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::NoSolution { .. } | Self::SeedWithoutDraws => 2,
            Self::Memory { .. } | Self::Output(_) => 1,
        }
    }
}
