//! The lock beside a ledger: one process writes at a time, and others see which.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use grader_model::escaped;

use crate::error::{Holder, LedgerFault};
use crate::sharing;

/// The kernel holds the lock, not the file, until it is dropped or this process dies.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    holder: Holder,
}

/// A reader that asks for the holder has the lock for a moment, so it is tried again …
const ATTEMPTS: u32 = 10;
/// … and more often if the holder that is written there has ended: on a busy machine, a moment may be long.
const MAX_ATTEMPTS: u32 = 500;
const PAUSE: Duration = Duration::from_millis(10);

/// A longer lock file was not written by a holder.
const MAX_HOLDER_BYTES: u64 = 64 << 10;

impl Lock {
    pub(crate) fn take(ledger: &Path, class: &Path, since: String) -> Result<Self, LedgerFault> {
        Self::take_waiting(ledger, class, since, |_| thread::sleep(PAUSE))
    }

    /// The same; `wait` waits after an attempt of this number.
    fn take_waiting(
        ledger: &Path,
        class: &Path,
        since: String,
        mut wait: impl FnMut(u32),
    ) -> Result<Self, LedgerFault> {
        let file = open(&path(ledger))?;
        let mut attempt = 1;
        while let Err(error) = file.try_lock() {
            match error {
                TryLockError::Error(error) => return Err(error.into()),
                TryLockError::WouldBlock if attempt >= ATTEMPTS => {
                    let holder = read_holder(&file);
                    if attempt == MAX_ATTEMPTS || holder.as_ref().is_some_and(is_running) {
                        return Err(LedgerFault::Held(holder.map(Box::new)));
                    }
                    wait(attempt);
                }
                TryLockError::WouldBlock => wait(attempt),
            }
            attempt += 1;
        }
        let holder = Holder {
            pid: std::process::id(),
            since,
            class: escaped(class.as_os_str().as_encoded_bytes()),
            run: None,
        };
        let mut lock = Self { file, holder };
        lock.write_holder()?;
        Ok(lock)
    }

    /// Shows which run this process makes.
    pub(crate) fn set_run(&mut self, run: u64) -> io::Result<()> {
        self.holder.run = Some(run);
        self.write_holder()
    }

    fn write_holder(&mut self) -> io::Result<()> {
        let json = serde_json::to_vec(&self.holder)?;
        self.file.rewind()?;
        self.file.write_all(&json)?;
        self.file.set_len(json.len() as u64)
    }
}

/// Opens a lock file, and creates it if there is none.
fn open(path: &Path) -> Result<File, LedgerFault> {
    let mut how = OpenOptions::new();
    how.read(true).write(true).create(true).truncate(false);
    let mut file = sharing::create(path, &mut how);
    for _ in 1..ATTEMPTS {
        if !matches!(&file, Err(error) if error.kind() == io::ErrorKind::PermissionDenied) {
            break;
        }
        // Who has just created it has still to let the group write it.
        thread::sleep(PAUSE);
        file = sharing::create(path, &mut how);
    }
    let file = file?;
    // What has another name may be a file that is no lock.
    let found = file.metadata()?;
    if !found.is_file() || found.nlink() > 1 {
        return Err(LedgerFault::NotPrivate(path.to_owned()));
    }
    Ok(file)
}

/// The process that writes a ledger now, if that is known.
pub(crate) fn holder(ledger: &Path) -> Option<Holder> {
    let path = path(ledger);
    // Opening a pipe would wait for a writer.
    if !fs::metadata(&path).is_ok_and(|found| found.is_file()) {
        return None;
    }
    let file = File::open(path).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => read_holder(&file),
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

fn read_holder(mut file: &File) -> Option<Holder> {
    let mut json = Vec::new();
    file.rewind().ok()?;
    file.take(MAX_HOLDER_BYTES).read_to_end(&mut json).ok()?;
    serde_json::from_slice(&json).ok()
}

fn is_running(holder: &Holder) -> bool {
    Path::new("/proc").join(holder.pid.to_string()).exists()
}

fn path(ledger: &Path) -> PathBuf {
    let mut name = ledger.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_that_takes_long_keeps_no_writer_out() {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("ledger.db");
        let reader = File::create(path(&ledger)).unwrap();
        reader.lock_shared().unwrap();
        let (mut reader, mut attempts) = (Some(reader), 0);
        let wait = |attempt| {
            attempts = attempt;
            if attempt == 5 * ATTEMPTS {
                reader.take();
            }
        };
        let lock = Lock::take_waiting(&ledger, Path::new("class"), String::new(), wait);
        assert!(lock.is_ok(), "{lock:?}");
        assert_eq!(attempts, 5 * ATTEMPTS);
        // One that is running is said at once.
        let second = |attempt| assert!(attempt < ATTEMPTS);
        let second = Lock::take_waiting(&ledger, Path::new("class"), String::new(), second);
        assert!(
            matches!(second, Err(LedgerFault::Held(Some(_)))),
            "{second:?}"
        );
    }
}
