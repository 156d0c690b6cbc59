//! Why nothing could be read.

use std::io;
use std::path::Path;
use std::sync::Arc;

use grader_lms::Layout;
use grader_model::{Bytes, ProblemId, Text};

use crate::name::shown;

/// A mistake in what was named on the command line, never one inside a student's folder.
///
/// Paths and names in messages are escaped.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// It does not exist.
    #[error("there is no `{0}`")]
    Missing(String),
    /// The class is neither a folder nor an archive.
    #[error("expected a folder of student folders, or an archive of it, but `{0}` is neither")]
    NotAFolder(String),
    /// The class holds nothing that could be a student's.
    #[error("no students in `{path}`: expected {known}", path = .0, known = Layout::known())]
    NoStudents(String),
    /// Nothing in the class has the layout that was asked for.
    #[error("expected {expected}, but nothing in `{path}` looks like it")]
    NotOfLayout {
        /// The class.
        path: String,
        /// The layout.
        expected: String,
    },
    /// The archive of the class cannot be read.
    #[error("the class `{path}` {}", .reason.en)]
    Archive {
        /// The archive.
        path: String,
        /// Why.
        reason: Text,
    },
    /// It exists, but cannot be read.
    #[error("cannot read `{path}`: {error}")]
    Read {
        /// The file or folder.
        path: String,
        /// Why. It stands in the message, and is therefore not the error's source too.
        error: Arc<io::Error>,
    },
    /// No file was named.
    #[error("no file was named")]
    NoFiles,
    /// The assignment has no such problem.
    #[error("there is no problem `{id}`; known are {known}")]
    UnknownProblem {
        /// What was asked for.
        id: ProblemId,
        /// The problems.
        known: String,
    },
    /// A name fits no problem.
    #[error("`{path}` matches no problem; expected are {expected}")]
    NoProblem {
        /// What was named.
        path: String,
        /// The problems and their patterns.
        expected: String,
    },
    /// A file cannot be read, or a folder holds several programs: a sentence that names it.
    #[error("{0}")]
    Unusable(String),
    /// A file or folder holds no program.
    #[error("`{path}`: no source file of an accepted language; accepted are {accepted}")]
    NoSources {
        /// The file or folder.
        path: String,
        /// Endings of names that are accepted.
        accepted: String,
    },
    /// Two files of one submission have the same name.
    #[error("two files of the submission for `{problem}` are named `{name}`")]
    SameName {
        /// The problem.
        problem: ProblemId,
        /// The name.
        name: String,
    },
    /// All files together are larger than the problem allows.
    #[error("the submission for `{problem}` is larger than {most}")]
    TooLarge {
        /// The problem.
        problem: ProblemId,
        /// The most that is allowed.
        most: Bytes,
    },
}

impl IntakeError {
    /// A failure to look at `path`.
    pub(crate) fn of(path: &Path, error: io::Error) -> Self {
        let path = shown(path.as_os_str());
        if error.kind() == io::ErrorKind::NotFound {
            Self::Missing(path)
        } else {
            Self::Read {
                path,
                error: Arc::new(error),
            }
        }
    }
}
