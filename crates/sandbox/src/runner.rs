//! What the judge asks of a sandbox.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use grader_model::{Isolation, Limits, Outcome};
use serde::{Deserialize, Serialize};

/// One command to run.
///
/// There is no shell anywhere: `program` is executed with exactly these arguments and exactly this
/// environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Request {
    /// Absolute path of the program.
    pub program: PathBuf,
    /// Its arguments, without the name of the program.
    pub arguments: Vec<OsString>,
    /// Its whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The folder it starts in, its own and writable.
    pub directory: PathBuf,
    /// Folders besides `directory` and the system's own that it may read: the build, the toolchain.
    pub readable: Vec<PathBuf>,
    /// The file it reads as standard input, opened read-only; nothing is an empty file.
    pub stdin: Option<PathBuf>,
    /// The file that becomes its standard output; created or emptied. Must not lie in `directory`.
    pub stdout: PathBuf,
    /// The file that becomes its standard error; created or emptied. Must not lie in `directory`.
    pub stderr: PathBuf,
    /// What it may use.
    pub limits: Limits,
}

/// Runs commands: the seam between the judge and the isolation that the host allows.
///
/// A runner is shared by all workers; each call blocks until the program and everything it started are gone.
pub trait Runner: Send + Sync {
    /// Runs one command to its end.
    ///
    /// # Errors
    /// Only when the sandbox itself fails: whatever the program does is an [`Outcome`].
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError>;

    /// The level and the layers in force.
    fn isolation(&self) -> Isolation;
}

/// A failure of the sandbox: our fault, never a student's.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The launcher, our own small process that starts the program, could not be started.
    #[error("cannot start the launcher `{program}`")]
    Launcher {
        /// The launcher's path.
        program: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The launcher did not answer, or answered nonsense.
    #[error("the launcher failed: {0}")]
    Protocol(String),
    /// A step of setting up the run failed.
    #[error("cannot {step}")]
    Setup {
        /// What was tried: "open standard input `…`".
        step: String,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The program could not be executed at all.
    #[error("cannot execute `{program}`")]
    Execute {
        /// The program.
        program: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}
