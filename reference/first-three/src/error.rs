//! Why the program gives no answer.

/// Why the program gives no answer; the text is what it prints.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are not as `--help` describes them.
    #[error("{}", .0.to_string().trim_start_matches("error: ").trim_end())]
    Usage(clap::Error),
    /// The first line of the input is not a number of queens.
    #[error(
        "the first line must be one number from 4 to 20, or to 40 with `--no-total`, found `{}`",
        found.escape_debug()
    )]
    NotABoard {
        /// The line or its beginning, without the blanks around it.
        found: String,
    },
    /// The total was not declined, and there are more queens than it is counted for.
    #[error("the total is counted up to n = 20, found `{n}`; `--no-total` prints the boards only")]
    TooManyToCount {
        /// The number of queens: 21 to 40.
        n: u32,
    },
    /// The input could not be read.
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
            Self::Usage(_)
            | Self::NotABoard { .. }
            | Self::TooManyToCount { .. }
            | Self::Input(_) => 2,
            Self::Output(_) => 1,
        }
    }
}
