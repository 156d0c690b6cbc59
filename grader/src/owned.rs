//! Files that may be replaced: those that the grader wrote.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use crate::exit::Failure;
use crate::terminal::shown;

/// By this place, every file of ours has shown what it is.
const MAX_HEAD_BYTES: u64 = 4096;

/// The beginning of a file; empty if it is none or cannot be read.
pub(crate) fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    // Opening a pipe would wait for its writer.
    if fs::metadata(path).is_ok_and(|found| found.is_file())
        && let Ok(file) = File::open(path)
    {
        // What was read before it failed is enough to judge by.
        let _ = file.take(MAX_HEAD_BYTES).read_to_end(&mut head);
    }
    head
}

/// Refuses to replace a file whose beginning is not one of ours. An empty file is anybody's.
pub(crate) fn refuse_foreign(
    path: &Path,
    is_ours: impl FnOnce(&[u8]) -> bool,
) -> Result<(), Failure> {
    let head = head(path);
    if head.is_empty() || is_ours(&head) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "`{}` exists, and `grader` did not write it: name another file",
        shown(path)
    )))
}

/// Refuses to write to a path at which there is something, if only a link.
pub(crate) fn refuse_existing(path: &Path) -> Result<(), Failure> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Failure::usage(format!("`{}` already exists", shown(path))))
}

/// Whether some bytes contain others.
pub(crate) fn contains(bytes: &[u8], part: &str) -> bool {
    let mut windows = bytes.windows(part.len());
    windows.any(|it| it == part.as_bytes())
}
