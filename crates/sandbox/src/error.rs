//! Failures of the sandbox: our fault, never a student's.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Layer, LayerFinding, LayerState};

/// A failure of the sandbox.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The launcher could not be started.
    #[error("cannot start the launcher `{program}`")]
    Launcher {
        /// The launcher's path.
        program: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The launcher did not answer, or its answer was not understood.
    #[error("the launcher failed: {0}")]
    Protocol(String),
    /// Layers that strict isolation requires are missing and not waived. Contains the findings on all layers.
    #[error("this machine lacks {}", missing(.0))]
    Missing(Vec<LayerFinding>),
    /// A step of setting up the run failed.
    #[error("cannot {step}")]
    Setup {
        /// The failed step, such as "open standard input `…`".
        step: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The [`crate::StartGate`] cancelled the program, which was not started.
    #[error("cancelled before start")]
    Cancelled,
    /// The program could not be executed.
    #[error("cannot execute `{program}`")]
    Execute {
        /// The program.
        program: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
}

/// The names of missing required layers.
fn missing(findings: &[LayerFinding]) -> String {
    let missing = findings
        .iter()
        .filter(|finding| finding.layer.is_required() && finding.state == LayerState::Missing);
    let names: Vec<&str> = missing.map(|finding| finding.layer.name()).collect();
    names.join(", ")
}

/// A step that failed in a launcher or in a process below it; the crate's only internal error.
#[derive(Clone, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("cannot {step}: {}", self.source())]
pub(crate) struct StepError {
    /// The layer that the step belongs to.
    pub(crate) layer: Layer,
    /// The step; the text follows "cannot".
    pub(crate) step: String,
    /// The cause.
    pub(crate) errno: i32,
}

impl StepError {
    pub(crate) fn new(layer: Layer, step: impl Into<String>, source: &io::Error) -> Self {
        let mut step = step.into();
        let errno = source.raw_os_error().unwrap_or_else(|| {
            // The error has no number, only a text.
            step = format!("{step} ({source})");
            libc::EIO
        });
        Self { layer, step, errno }
    }

    pub(crate) fn with_errno(layer: Layer, step: impl Into<String>, errno: i32) -> Self {
        Self {
            layer,
            step: step.into(),
            errno,
        }
    }

    pub(crate) fn source(&self) -> io::Error {
        io::Error::from_raw_os_error(self.errno)
    }
}

/// A path in backticks, escaped, for an error.
pub(crate) fn quoted(path: impl AsRef<OsStr>) -> String {
    let path = grader_model::escaped(path.as_ref().as_encoded_bytes());
    format!("`{path}`")
}

/// Names the layer and the step at which a result failed.
pub(crate) trait StepExt<T> {
    fn step(self, layer: Layer, step: impl Into<String>) -> Result<T, StepError>;
}

impl<T, E: Into<io::Error>> StepExt<T> for Result<T, E> {
    fn step(self, layer: Layer, step: impl Into<String>) -> Result<T, StepError> {
        self.map_err(|source| StepError::new(layer, step, &source.into()))
    }
}
