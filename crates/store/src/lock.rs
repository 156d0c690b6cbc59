//! The lock beside a ledger: one process writes it at a time, and says who it is.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use grader_model::escaped;
use serde::{Deserialize, Serialize};

use crate::error::LedgerFault;

/// Who writes a ledger, as it says itself in the lock file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Holder {
    /// Number of the process.
    pub pid: u32,
    /// Name of the machine.
    pub host: String,
    /// Since when: RFC 3339, UTC, to the second.
    pub since: String,
    /// The class that is graded, escaped.
    pub class: String,
    /// Which run of the ledger it makes; nothing before that is known.
    pub run: Option<u64>,
}

impl Holder {
    /// This process.
    pub(crate) fn here(class: &Path, since: String) -> Self {
        Self {
            pid: std::process::id(),
            host: host(),
            since,
            class: escaped(class.as_os_str().as_encoded_bytes()),
            run: None,
        }
    }
}

/// Name of the machine, as far as it can be told.
fn host() -> String {
    let told = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    told.or_else(|| std::env::var("HOSTNAME").ok())
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "localhost".to_owned())
}

/// What a holder writes is short; a longer file was not written by one.
const MOST: u64 = 64 << 10;

/// So often is a lock that is held tried again, because one who looks whether it is held holds it for a moment.
const TRIES: u32 = 10;
/// The time between two tries.
const BETWEEN: Duration = Duration::from_millis(10);

/// A lock that is held until it is dropped, or until this process dies: the kernel holds it, not the file.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
}

impl Lock {
    /// Takes the lock, or says who has it.
    pub(crate) fn take(ledger: &Path, holder: &Holder) -> Result<Self, LedgerFault> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(path(ledger))?;
        let mut tries = 1;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::Error(error)) => return Err(error.into()),
                Err(TryLockError::WouldBlock) if tries < TRIES => {
                    tries += 1;
                    thread::sleep(BETWEEN);
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(LedgerFault::Held(said(&file).map(Box::new)));
                }
            }
        }
        let mut lock = Self { file };
        lock.say(holder)?;
        Ok(lock)
    }

    /// Writes who holds it, in the place of what was said before.
    pub(crate) fn say(&mut self, holder: &Holder) -> io::Result<()> {
        let mut line = serde_json::to_vec(holder)?;
        line.push(b'\n');
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&line)?;
        self.file.set_len(line.len() as u64)
    }
}

impl Drop for Lock {
    /// Nobody is said to hold what is free.
    fn drop(&mut self) {
        // What stays there means nothing, because the kernel knows that nobody holds the lock.
        let _ = self.file.set_len(0);
    }
}

/// Who writes a ledger now; nothing where nobody does, or where that cannot be told.
pub(crate) fn holder(ledger: &Path) -> Option<Holder> {
    let file = File::open(path(ledger)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => said(&file),
        Ok(()) | Err(TryLockError::Error(_)) => None,
    }
}

fn said(mut file: &File) -> Option<Holder> {
    let mut text = Vec::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(MOST).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// The lock file of a ledger.
fn path(ledger: &Path) -> PathBuf {
    let mut name = ledger.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}
