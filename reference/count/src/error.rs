//! Why the program gives no answer.

use std::fmt::{self, Display};
use std::path::PathBuf;

use crate::checkpoint::CheckpointError;
use crate::method::Method;
use crate::table::{Row, TableError};

/// Why the program gives no answer; the text is what it prints.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments are not as `--help` describes them.
    #[error("{}", .0.to_string().trim_start_matches("error: ").trim_end())]
    Usage(clap::Error),
    /// The vector instructions that are asked for are not those of this processor.
    #[error("this processor has no {asked}; it has {has}")]
    Simd {
        /// The name of what is asked for.
        asked: &'static str,
        /// The names of what there is.
        has: String,
    },
    /// The method cannot count so few queens.
    #[error("{} counts {} queens and more, not {n}", method.name(), method.least())]
    TooFew {
        /// The method.
        method: Method,
        /// The number of queens.
        n: u32,
    },
    /// The method cannot share its work.
    #[error("{} runs on one thread, not on {threads}; {SHARED}", method.name())]
    OneThread {
        /// The method.
        method: Method,
        /// The number of threads that are asked for.
        threads: usize,
    },
    /// The method has nothing that a checkpoint could keep.
    #[error("{} keeps no checkpoint, because it counts in one go; {SHARED}", method.name())]
    InOneGo {
        /// The method.
        method: Method,
    },
    /// The memory for the count cannot be had.
    #[error(
        "{n} queens need about {megabytes} MB of memory with {}, more than can be had; {} needs hardly any",
        method.name(),
        Method::Symmetric.name()
    )]
    Memory {
        /// The number of queens.
        n: u32,
        /// The method.
        method: Method,
        /// The memory it needs, in megabytes.
        megabytes: u64,
    },
    /// The checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Somebody pressed Ctrl-C, or the system wants this process to end.
    #[error("stopped after {counted} of {parts} parts; {kept}")]
    Interrupted {
        /// The parts that are counted.
        counted: usize,
        /// All parts.
        parts: usize,
        /// What becomes of them.
        kept: Kept,
    },
    /// The file with published rows cannot be used.
    #[error("cannot use the published rows in `{path}`: {fault}")]
    Published {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: TableError,
    },
    /// A row is not the published one.
    #[error("computed is {computed}; `{path}` says {published}")]
    Different {
        /// The row as it was computed.
        computed: Row,
        /// The row in the file.
        published: Row,
        /// The file.
        path: PathBuf,
    },
    /// The answer could not be written.
    #[error("cannot write the answer: {0}")]
    Output(std::io::Error),
}

/// What to use where a method cannot share its work.
const SHARED: &str = "symmetric and meet-in-the-middle count in parts";

/// What becomes of the parts that were counted before an interruption.
#[derive(Debug)]
pub enum Kept {
    /// They are in this checkpoint.
    In(PathBuf),
    /// Those since the last checkpoint are lost, because it could not be written.
    Not(CheckpointError),
}

impl Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::In(path) => write!(
                f,
                "the same command goes on from there, with `--checkpoint {}`",
                path.display()
            ),
            Self::Not(error) => write!(f, "{error}"),
        }
    }
}

impl Error {
    /// The exit status of the program: 2 for a mistake in what it was given, 130 after Ctrl-C,
    /// 1 otherwise.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Usage(_)
            | Self::Simd { .. }
            | Self::TooFew { .. }
            | Self::OneThread { .. }
            | Self::InOneGo { .. }
            | Self::Checkpoint(_)
            | Self::Published { .. } => 2,
            Self::Interrupted { .. } => INTERRUPTED,
            Self::Memory { .. } | Self::Different { .. } | Self::Output(_) => 1,
        }
    }
}

/// The exit status after Ctrl-C: that of the shells, 128 and the number of the signal.
pub(crate) const INTERRUPTED: u8 = 130;
