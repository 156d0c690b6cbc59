//! A file that records each part as soon as it is counted, so that a killed run can resume.
//!
//! ```text
//! fast-count 1: n = 20, 46252 parts
//! 0 821404
//! 2 903210
//! 1 870556
//! ```
//!
//! Lines are only ever appended: the number of a part, and its count. A last line without a line feed is what a kill
//! left, and is dropped. Neither the vector instructions nor the number of threads matter to a part, so both may change.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use reference_program::Error;

/// An open checkpoint. No other run can open it meanwhile.
#[derive(Debug)]
pub struct Checkpoint {
    path: PathBuf,
    file: File,
    /// The count of each part that is recorded, by its number.
    pub known: Vec<Option<u64>>,
}

impl Checkpoint {
    /// Opens the checkpoint of the count of `n` queens in `parts` parts, or creates it.
    ///
    /// # Errors
    ///
    /// If the file cannot be used, belongs to another count, or is in use.
    pub fn open(path: &Path, n: u32, parts: usize) -> Result<Self, Error> {
        let failed = |error: io::Error| failed(path, &error.to_string());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => self::failed(path, "another run is using it"),
            TryLockError::Error(error) => failed(error),
        })?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
        let header = format!("fast-count 1: n = {n}, {parts} parts\n");
        let known = match whole.strip_prefix(&header) {
            Some(lines) => read(lines, parts).map_err(|line| {
                Error::Question(format!(
                    "checkpoint `{}`: `{line}` is no part",
                    path.display()
                ))
            })?,
            None if whole.is_empty() && header.starts_with(&text) => vec![None; parts],
            None => {
                let path = path.display();
                let message =
                    format!("`{path}` is not a checkpoint of n = {n}; it is left as it is");
                return Err(Error::Question(message));
            }
        };
        file.set_len(whole.len() as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        if whole.is_empty() {
            file.write_all(header.as_bytes()).map_err(failed)?;
        }
        Ok(Self {
            path: path.to_owned(),
            file,
            known,
        })
    }

    /// Records a part.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn record(&mut self, part: usize, count: u64) -> Result<(), Error> {
        let written = self.file.write_all(format!("{part} {count}\n").as_bytes());
        written.map_err(|error| failed(&self.path, &error.to_string()))
    }
}

/// Reads the lines below the header. The error is the first line that is no part, or a part that is there twice.
fn read(lines: &str, parts: usize) -> Result<Vec<Option<u64>>, String> {
    let mut known = vec![None; parts];
    for line in lines.lines() {
        let mut add = || {
            let (part, count) = line.split_once(' ')?;
            let place = known.get_mut(part.parse::<usize>().ok()?)?;
            place.is_none().then_some(())?;
            *place = Some(count.parse().ok()?);
            Some(())
        };
        add().ok_or_else(|| line.escape_debug().to_string())?;
    }
    Ok(known)
}

fn failed(path: &Path, reason: &str) -> Error {
    Error::Failed(format!(
        "cannot use the checkpoint `{}`: {reason}",
        path.display()
    ))
}
