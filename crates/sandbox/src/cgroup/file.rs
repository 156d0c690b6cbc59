//! The files of a control group, kept open.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};

use crate::Layer;
use crate::error::{StepError, quoted};

/// The error of a failed step on a cgroup folder or file; for `map_err`.
pub(super) fn at(step: &'static str, path: &Path) -> impl FnOnce(io::Error) -> StepError {
    let path = path.to_owned();
    move |source| {
        let step = format!("{step} {}", quoted(path));
        StepError::new(Layer::MemoryCgroup, step, &source)
    }
}

/// An open cgroup file; read and written as a whole, from its beginning.
///
/// The kernel generates its text for every read at offset 0, so one descriptor serves all runs.
pub(super) struct CgroupFile {
    path: PathBuf,
    file: File,
}

impl CgroupFile {
    pub(super) fn open(folder: &Path, name: &str, access: OFlags) -> Result<Self, StepError> {
        let path = folder.join(name);
        match rustix::fs::open(&path, access | OFlags::CLOEXEC, Mode::empty()) {
            Ok(file) => Ok(Self {
                path,
                file: file.into(),
            }),
            Err(error) => Err(at("open", &path)(error.into())),
        }
    }

    /// The one number that the file consists of.
    pub(super) fn number(&self) -> Result<u64, StepError> {
        self.parse(|text| text.trim_end().parse().ok())
    }

    /// The number after `key` in text like `usage_usec 17\nuser_usec 9\n`.
    pub(super) fn field(&self, key: &str) -> Result<u64, StepError> {
        let value = |line: &str| line.strip_prefix(key)?.strip_prefix(' ')?.parse().ok();
        self.parse(|text| text.lines().find_map(value))
    }

    /// The result of `parse` on its first 4 KiB.
    pub(super) fn parse<T>(&self, parse: impl FnOnce(&str) -> Option<T>) -> Result<T, StepError> {
        let mut buffer = [0; 4096];
        let read = self.file.read_at(&mut buffer, 0);
        let length = read.map_err(at("read", &self.path))?;
        let text = str::from_utf8(&buffer[..length]).ok();
        text.and_then(parse)
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
            .map_err(at("understand", &self.path))
    }

    pub(super) fn set(&self, text: &str) -> Result<(), StepError> {
        self.file
            .write_all_at(text.as_bytes(), 0)
            .map_err(at("write", &self.path))
    }

    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

/// Writes to an existing file.
///
/// Not `fs::write`, which would try to create it: that fails with "permission denied" instead of "not found".
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let file = OpenOptions::new().write(true).open(path)?;
    file.write_all_at(text.as_bytes(), 0)
}

/// Turns a missing file into `None`: many exist only in newer kernels or depend on the configuration.
pub(super) fn if_there(
    file: Result<CgroupFile, StepError>,
) -> Result<Option<CgroupFile>, StepError> {
    match file {
        Ok(file) => Ok(Some(file)),
        Err(failure) if failure.errno == libc::ENOENT => Ok(None),
        Err(failure) => Err(failure),
    }
}
