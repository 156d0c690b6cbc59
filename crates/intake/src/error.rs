//! Why nothing could be read.

use std::io;
use std::path::Path;

use grader_model::Text;

use crate::name::shown;
use crate::reason;

/// A mistake in what was named on the command line, never one inside a student's folder.
///
/// Paths and names in it are escaped.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// A name fits no problem; it may fit one of another assignment.
    #[error("{text}", text = self.text().en)]
    NoProblem(String),
    /// Any other mistake: a sentence that names the file.
    #[error("{text}", text = .0.en)]
    Unusable(Text),
}

impl IntakeError {
    /// A failure to look at `path`.
    pub fn of(path: &Path, error: &io::Error) -> Self {
        let path = &shown(path.as_os_str());
        Self::Unusable(match error.kind() {
            io::ErrorKind::NotFound => reason::missing(path),
            _ => reason::cannot_read(path, error),
        })
    }

    /// The error in both languages.
    pub fn text(&self) -> Text {
        match self {
            Self::NoProblem(name) => reason::fits_no_problem(name),
            Self::Unusable(text) => text.clone(),
        }
    }
}

impl From<Text> for IntakeError {
    fn from(text: Text) -> Self {
        Self::Unusable(text)
    }
}
