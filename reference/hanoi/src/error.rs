//! Why the program gives no answer.

/// Why the program gives no answer; the text is what it prints.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are not as `--help` describes them.
    #[error("{}", .0.to_string().trim_start_matches("error: ").trim_end())]
    Usage(clap::Error),
    /// The solution is shorter than the number of moves asked for.
    #[error("the solution for {discs} discs has {moves} moves: k must be 0 to {moves}, found {k}")]
    TooManyMoves {
        /// The number of discs.
        discs: u32,
        /// The number of moves of the optimal solution, `2^discs - 1`.
        moves: u64,
        /// The number of moves asked for.
        k: u64,
    },
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(std::io::Error),
}

impl Error {
    /// The exit status of the program: 2 for a mistake in what it was given, 1 otherwise.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::TooManyMoves { .. } => 2,
            Self::Output(_) => 1,
        }
    }
}
