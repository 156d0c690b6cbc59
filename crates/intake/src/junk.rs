//! Which files and folders are nobody's work, and how they are listed; `grader_problem::junk` knows their names.

use std::path::Path;

use grader_model::{Text, UnusedFile};
pub(crate) use grader_problem::junk::*;

/// Whether a folder is a virtual environment of Python: it holds libraries, and nothing of the student's.
pub(crate) fn is_environment(folder: &Path) -> bool {
    folder.join("pyvenv.cfg").is_file()
}

/// A file that belongs to no submission.
pub(crate) fn unused(path: impl Into<String>, reason: Text, notable: bool) -> UnusedFile {
    UnusedFile {
        path: path.into(),
        reason,
        notable,
    }
}
