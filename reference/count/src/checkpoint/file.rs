//! The file that one run keeps its checkpoint in.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use super::{Checkpoint, CheckpointError, Fault, HEADER};

/// More bytes than any checkpoint has: there are about as many ranges as threads, so a file beyond
/// it is something else, and need not be read to its end.
const LARGEST: u64 = 1 << 20;

/// The file that one run keeps its checkpoint in.
///
/// It is never changed in place. A checkpoint is written under another name, that of the file with
/// `.partial` behind it, and takes the place of the old one when it is on the disk: so whoever reads
/// the file finds a whole checkpoint, the old one or the new one.
///
/// As long as a run has it open, it holds a lock on the file, so that the same command that is
/// started twice by mistake is noticed. Where the file system has no locks, it is not.
#[derive(Debug)]
pub struct CheckpointFile {
    /// As it was named, for the messages.
    named: PathBuf,
    /// The file itself, where `named` is a symbolic link: a link is kept.
    path: PathBuf,
    /// What is open and locked under this name; `None` as long as there is no such file.
    held: Option<File>,
}

impl CheckpointFile {
    /// Opens the file `named`, which need not exist yet, for this run alone.
    pub fn open(named: &Path) -> Result<Self, CheckpointError> {
        let mut file = Self {
            named: named.to_owned(),
            path: fs::canonicalize(named).unwrap_or_else(|_| named.to_owned()),
            held: None,
        };
        if let Some(held) = open_if_there(named)? {
            file.lock(&held)?;
            file.held = Some(held);
        }
        Ok(file)
    }

    /// As it was named.
    pub fn named(&self) -> &Path {
        &self.named
    }

    /// Reads the checkpoint; `None` if there is no such file.
    pub fn load(&self) -> Result<Option<Checkpoint>, CheckpointError> {
        self.held
            .as_ref()
            .map(|held| read(&self.named, held))
            .transpose()
    }

    /// Puts `checkpoint` into the file: all of it, or nothing.
    pub fn save(&mut self, checkpoint: &Checkpoint) -> Result<(), CheckpointError> {
        let mut partial = self.path.as_os_str().to_owned();
        partial.push(".partial");
        let partial = PathBuf::from(partial);

        let mut file = self.open_partial(&partial)?;
        let written = file
            .write_all(checkpoint.text().as_bytes())
            .and_then(|()| file.sync_all())
            .and_then(|()| fs::rename(&partial, &self.path));
        match written {
            Ok(()) => {
                // The lock on the old file goes with it.
                self.held = Some(file);
                Ok(())
            }
            Err(error) => {
                // Half a file is of no use; that it cannot be removed either is not what is wrong.
                _ = fs::remove_file(&partial);
                Err(self.unwritable(error))
            }
        }
    }

    /// Opens the file that a checkpoint is written to, empty and locked.
    ///
    /// A run that was killed while it wrote leaves such a file behind, which is used again. But
    /// anything else under this name belongs to somebody, and is not touched.
    fn open_partial(&self, partial: &Path) -> Result<File, CheckpointError> {
        let mut options = File::options();
        options.read(true).write(true);
        match options.clone().create_new(true).open(partial) {
            Ok(file) => {
                self.lock(&file)?;
                Ok(file)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let foreign = || {
                    let message = format!("`{}` is in the way", partial.display());
                    self.unwritable(io::Error::other(message))
                };
                // To open a pipe might take for ever, and a link leads elsewhere.
                if !fs::symlink_metadata(partial).is_ok_and(|found| found.is_file()) {
                    return Err(foreign());
                }
                let mut file = options.open(partial).map_err(|_| foreign())?;
                self.lock(&file)?;
                let mut start = Vec::new();
                (&file)
                    .take(HEADER.len() as u64)
                    .read_to_end(&mut start)
                    .map_err(|_| foreign())?;
                if !HEADER.as_bytes().starts_with(&start) {
                    return Err(foreign());
                }
                file.set_len(0)
                    .and_then(|()| file.rewind())
                    .map_err(|error| self.unwritable(error))?;
                Ok(file)
            }
            Err(error) => Err(self.unwritable(error)),
        }
    }

    /// Locks `file` until it is closed, as the system does for a run that is killed.
    fn lock(&self, file: &File) -> Result<(), CheckpointError> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(CheckpointError::InUse {
                path: self.named.clone(),
            }),
            // Without locks it works as well, as long as nobody starts it twice.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
        }
    }

    fn unwritable(&self, source: io::Error) -> CheckpointError {
        CheckpointError::Write {
            path: self.named.clone(),
            source,
        }
    }
}

impl Drop for CheckpointFile {
    fn drop(&mut self) {
        if let Some(held) = &self.held {
            // Closing the file would do, if no process that is being started at this moment had it
            // open as well. A lock that cannot be given back ends with this process.
            _ = held.unlock();
        }
    }
}

/// Opens the file `named` to read it; `None` if nothing has this name.
pub(super) fn open_if_there(named: &Path) -> Result<Option<File>, CheckpointError> {
    let opened = match fs::metadata(named) {
        // A device cannot be replaced by renaming, and reading it might never end.
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("it is not a file")),
        Ok(_) => File::open(named).map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if named.is_symlink() {
                Err(io::Error::other("it is a link to nothing"))
            } else {
                Ok(None)
            }
        }
        Err(error) => Err(error),
    };
    opened.map_err(|source| CheckpointError::Read {
        path: named.to_owned(),
        source,
    })
}

/// Reads the checkpoint in `file`, whose name is `named`, from the beginning.
pub(super) fn read(named: &Path, mut file: &File) -> Result<Checkpoint, CheckpointError> {
    let mut text = Vec::new();
    file.rewind()
        .and_then(|()| file.take(LARGEST + 1).read_to_end(&mut text))
        .map_err(|source| CheckpointError::Read {
            path: named.to_owned(),
            source,
        })?;
    let parsed = if text.len() as u64 > LARGEST {
        Err(Fault::Torn)
    } else {
        Checkpoint::parse(&text)
    };
    parsed.map_err(|fault| CheckpointError::Content {
        path: named.to_owned(),
        fault,
    })
}
