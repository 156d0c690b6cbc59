//! Why a search cannot go on.

use std::io;

use grader_judge::Fault;
use grader_model::Text;
use grader_problem::Diagnostic;
use grader_publish::WriteError;

/// Why a search cannot go on, or what it found cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The problem's files have mistakes.
    #[error("the problem's files have mistakes")]
    Mistakes(Vec<Diagnostic>),
    /// The problem does not allow it.
    #[error("{}", .0.en)]
    Refused(Text),
    /// Our own failure, or a request to stop.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The problem's file cannot be read.
    #[error("cannot change `{0}`: {1}")]
    Unreadable(String, io::Error),
    /// The problem's file cannot be written.
    #[error(transparent)]
    Unwritable(#[from] WriteError),
    /// What was found cannot be shown.
    #[error(transparent)]
    Unshown(#[from] io::Error),
}

impl SearchError {
    /// Whether somebody asked to stop.
    pub const fn is_stop(&self) -> bool {
        matches!(self, Self::Fault(Fault::Stopped))
    }
}

impl From<Vec<Diagnostic>> for SearchError {
    fn from(mistakes: Vec<Diagnostic>) -> Self {
        Self::Mistakes(mistakes)
    }
}
