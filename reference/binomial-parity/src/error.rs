//! Why the program gives no answer.

/// Why the program gives no answer; the text is what it prints.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are not as `--help` describes them.
    #[error("{}", .0.to_string().trim_start_matches("error: ").trim_end())]
    Usage(clap::Error),
    /// A line of the input is not a pair `n k`.
    #[error("line {line}: expected `n k` with 0 <= k <= n < 2^63, found `{found}`")]
    NotAQuestion {
        /// The line of the input, counted from 1.
        line: usize,
        /// The line, without the blanks around it.
        found: String,
    },
    /// The input could not be read, or is not text.
    #[error("cannot read the input: {0}")]
    Input(std::io::Error),
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(std::io::Error),
}

impl Error {
    /// The exit status of the program: 2 for a mistake in what it was given, 1 otherwise.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::NotAQuestion { .. } | Self::Input(_) => 2,
            Self::Output(_) => 1,
        }
    }
}
