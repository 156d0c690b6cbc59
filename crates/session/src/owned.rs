//! Where output goes: which files may be replaced (those that the grader wrote), and which folders filled.

use std::fs::{self, File};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Component, Path, PathBuf};

use grader_model::text;
pub use grader_publish::Owner;

use crate::console::Console;
use crate::exit::Failure;
use crate::path::shown;

/// By this place, every file of ours has shown what it is.
const MAX_HEAD_BYTES: u64 = 4096;

/// The beginning of a file; empty if it is none or cannot be read.
pub fn head(path: &Path) -> Vec<u8> {
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

/// Refuses to replace a file whose beginning is not one of ours. An empty file may be replaced.
pub fn refuse_foreign(path: &Path, is_ours: impl FnOnce(&[u8]) -> bool) -> Result<(), Failure> {
    let head = head(path);
    if head.is_empty() || is_ours(&head) {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "`{}` exists, and `grader` did not write it: name another file",
        shown(path)
    )))
}

/// The owner of a file of ours that names its class so.
pub fn owner_named(text: &[u8], any: &str, own: &str) -> Owner {
    if contains(text, own) {
        Owner::Class
    } else if contains(text, any) {
        Owner::Another
    } else {
        Owner::Unknown
    }
}

/// Refuses to replace what is not of the class. `what` is `file` or `folder`.
pub fn refuse_others(path: &Path, owner: Owner, what: &str) -> Result<(), Failure> {
    let path = shown(path);
    Err(Failure::usage(match owner {
        Owner::Class => return Ok(()),
        Owner::Another => format!(
            "`{path}` is of another class, assignment or course, and was not changed: name another {what}"
        ),
        Owner::Unknown => format!(
            "`{path}` does not say of which class it is, and may be of another one: remove it, or name another {what}"
        ),
        Owner::Foreign => {
            format!("`{path}` exists, and `grader` did not write it: name another file")
        }
    }))
}

/// The end of a file; empty if it is none or cannot be read.
pub fn tail(path: &Path) -> Vec<u8> {
    let mut tail = Vec::new();
    if fs::metadata(path).is_ok_and(|found| found.is_file())
        && let Ok(mut file) = File::open(path)
    {
        let length = file.metadata().map_or(0, |it| it.len());
        let from = length.saturating_sub(MAX_HEAD_BYTES);
        // What was read before it failed is enough to judge by.
        let _ = file.seek(SeekFrom::Start(from));
        let _ = file.take(MAX_HEAD_BYTES).read_to_end(&mut tail);
    }
    tail
}

/// The file that a path leads to, whether it is there yet or not: two spellings of one file are equal.
pub fn real_file(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    // As often as the system follows links.
    for _ in 0..40 {
        let Ok(to) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(to);
    }
    // What is not there yet has a folder that is, perhaps further up.
    let path = std::path::absolute(&path).unwrap_or(path);
    let known = path.ancestors().find_map(|it| {
        let below = path.strip_prefix(it).ok()?;
        Some(fs::canonicalize(it).ok()?.join(below))
    });
    let mut real = PathBuf::new();
    for part in known.unwrap_or(path).components() {
        // Only in what is not there yet, and would be no link.
        if part == Component::ParentDir {
            real.pop();
        } else {
            real.push(part);
        }
    }
    real
}

/// Refuses to write to a path at which there is something, if only a link.
pub fn refuse_existing(path: &Path) -> Result<(), Failure> {
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    Err(Failure::usage(format!("`{}` already exists", shown(path))))
}

/// Whether some bytes contain others.
pub fn contains(bytes: &[u8], part: &str) -> bool {
    let mut windows = bytes.windows(part.len());
    windows.any(|it| it == part.as_bytes())
}

/// Refuses a folder that has files.
pub fn refuse_filled(folder: &Path, why: &str) -> Result<(), Failure> {
    if fs::read_dir(folder).is_ok_and(|mut it| it.next().is_some()) {
        let path = shown(folder);
        return Err(Failure::usage(format!(
            "`{path}` {why}: expected a new or empty folder"
        )));
    }
    Ok(())
}

/// Whether a path stands for standard output. As a file, `/dev/stdout` would be written beside what else goes there, or over it.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-" || path == Path::new("/dev/stdout")
}

/// Prints where a report is.
pub fn say_written(path: &Path, console: &dyn Console) {
    let path = shown(path);
    console.note(&text!("report written to `{path}`", "报告已写入 `{path}`"));
}
