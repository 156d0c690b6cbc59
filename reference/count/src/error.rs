//! Why the program gives no answer.

/// Why the program gives no answer; the text is what it prints.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are not as `--help` describes them.
    #[error("{}", .0.to_string().trim_start_matches("error: ").trim_end())]
    Usage(clap::Error),
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(std::io::Error),
}

impl Error {
    /// The exit status of the program: 2 for a mistake in what it was given, 1 otherwise.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Output(_) => 1,
        }
    }
}
