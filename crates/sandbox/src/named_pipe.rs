//! Pipes between two programs.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode};

/// A named pipe: the standard output of one [`crate::Request`] and the standard input of another. Its data is neither
/// counted nor limited.
#[derive(Debug)]
pub struct NamedPipe {
    /// Its path.
    pub path: PathBuf,
    /// Our reading end. While it is open, no writer gets `SIGPIPE`.
    pub reader: File,
    /// Our writing end. While it is open, no reader gets end of file.
    pub writer: File,
}

impl NamedPipe {
    /// Creates a pipe and opens both ends.
    ///
    /// # Errors
    /// If the path exists, or cannot be created.
    pub fn new(path: PathBuf) -> io::Result<Self> {
        rustix::fs::mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0)?;
        // Opening one end waits for the other, but opening both at once does not.
        let _both = OpenOptions::new().read(true).write(true).open(&path)?;
        Ok(Self {
            reader: File::open(&path)?,
            writer: OpenOptions::new().write(true).open(&path)?,
            path,
        })
    }
}

pub(crate) fn is_pipe(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}
