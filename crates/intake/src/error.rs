//! Why nothing could be taken in.

use std::io;
use std::path::Path;

use grader_model::{Bytes, ProblemId};

/// A mistake in what was named on the command line, never one inside a student's folder.
///
/// Paths and names in messages are escaped.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// There is nothing of this name.
    #[error("there is no `{0}`")]
    Missing(String),
    /// The class is not a folder.
    #[error("expected a folder of student folders, but `{0}` is a file")]
    NotAFolder(String),
    /// The class holds no folder that could be a student's.
    #[error("expected a folder of student folders, but `{0}` holds no folders")]
    NoStudents(String),
    /// It exists, but cannot be read.
    #[error("cannot read `{path}`")]
    Read {
        /// The file or folder.
        path: String,
        /// Why.
        #[source]
        source: io::Error,
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
    #[error("`{path}` fits no problem; expected are {expected}")]
    NoProblem {
        /// What was named.
        path: String,
        /// The problems and their patterns.
        expected: String,
    },
    /// A file is not a program.
    #[error("`{path}` is not a source file of an accepted language; accepted are {accepted}")]
    NotAccepted {
        /// The file.
        path: String,
        /// Endings of names that are accepted.
        accepted: String,
    },
    /// There are no source files.
    #[error("`{path}` holds no source file of an accepted language; accepted are {accepted}")]
    NoSources {
        /// The folder or file.
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
    #[error("the submission for `{problem}` is too large: {size}, at most {most}")]
    TooLarge {
        /// The problem.
        problem: ProblemId,
        /// How large.
        size: Bytes,
        /// The most that is allowed.
        most: Bytes,
    },
    /// A pattern of a problem file is no pattern. The loader of problem files refuses these.
    #[error("problem `{problem}`: `{pattern}` is not a file pattern")]
    Pattern {
        /// The problem.
        problem: ProblemId,
        /// The pattern.
        pattern: String,
        /// Why.
        #[source]
        source: globset::Error,
    },
}

impl IntakeError {
    /// A failure to look at `path`.
    pub(crate) fn of(path: &Path, source: io::Error) -> Self {
        let path = crate::tree::shown(path.as_os_str());
        if source.kind() == io::ErrorKind::NotFound {
            Self::Missing(path)
        } else {
            Self::Read { path, source }
        }
    }
}
