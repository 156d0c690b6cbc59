//! The ledger itself, to write and to read.

use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use grader_model::{Results, RunInfo, RunSummary};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::error::{LedgerError, LedgerFault};
use crate::lock::{Holder, Lock};
use crate::run::Run;
use crate::{BeginRun, history, lock, results, schema};

/// Tells the time: RFC 3339, UTC, to the second.
pub(crate) type Clock = fn() -> String;

fn now() -> String {
    Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// A ledger that this process alone writes.
pub struct Ledger {
    store: Store,
}

/// What a ledger that is being written is made of.
pub(crate) struct Store {
    // In this order they are closed: the lock is given back when nothing is open any more.
    pub(crate) reader: Reader,
    writer: Mutex<Writer>,
    lock: Mutex<(Lock, Holder)>,
    pub(crate) clock: Clock,
}

struct Writer {
    connection: Connection,
    /// Whether each transaction is flushed to the disk.
    flushes: bool,
}

impl Ledger {
    /// Opens a ledger for writing, makes it if there is none (with its folder, for the user alone), and holds its lock
    /// until the ledger, or the run that comes of it, is dropped. `class` is said to others who want the lock.
    ///
    /// # Errors
    /// When somebody else holds the lock; when others may have written the file; when it is no ledger, of a later version, or damaged: it is then left
    /// as it is; when something cannot be made or written.
    pub fn open(path: &Path, class: &Path) -> Result<Self, LedgerError> {
        Self::open_at(path, class, now)
    }

    pub(crate) fn open_at(path: &Path, class: &Path, clock: Clock) -> Result<Self, LedgerError> {
        let open = || -> Result<Store, LedgerFault> {
            let path = std::path::absolute(path)?;
            // Whoever comes by a link finds the lock of the file that it leads to.
            let path = fs::canonicalize(&path).unwrap_or(path);
            if path.is_dir() {
                return Err(LedgerFault::Folder);
            }
            if let Some(folder) = path.parent() {
                DirBuilder::new()
                    .recursive(true)
                    .mode(0o700)
                    .create(folder)?;
            }
            trust(&path)?;
            let holder = Holder::here(class, clock());
            let lock = Lock::take(&path, &holder)?;
            schema::create(&path)?;
            let connection = schema::writer(&path)?;
            let reader = Reader::connect(&path)?;
            Ok(Store {
                reader,
                writer: Mutex::new(Writer {
                    connection,
                    flushes: true,
                }),
                lock: Mutex::new((lock, holder)),
                clock,
            })
        };
        let store = open().map_err(|why| why.at(path))?;
        Ok(Self { store })
    }

    /// Begins a run, or goes on with the last one of this class and assignment if that is not finished and nothing
    /// fresh is wanted.
    ///
    /// # Errors
    /// When the ledger cannot be read or written.
    pub fn begin(self, wanted: &BeginRun) -> Result<Run, LedgerError> {
        let begun = self.store.begin(wanted).map_err(|why| self.store.at(why))?;
        Ok(Run::new(Arc::new(self.store), begun, wanted))
    }

    /// The same ledger, to read.
    pub const fn reader(&self) -> &Reader {
        &self.store.reader
    }
}

/// Whether nobody but this user can have written a ledger that is there: what it says are points, and they are taken.
///
/// A folder that was not made for ledgers may belong to anybody.
fn trust(path: &Path) -> Result<(), LedgerFault> {
    let folder = path.parent().filter(|it| it.ends_with(FOLDER));
    for path in folder.into_iter().chain([path]) {
        let found = match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            found => found?,
        };
        let by_owner = found.uid() != rustix::process::geteuid().as_raw();
        if by_owner || found.mode() & 0o022 != 0 {
            let path = path.to_owned();
            return Err(LedgerFault::NotOurs { path, by_owner });
        }
    }
    Ok(())
}

/// The folder that is made for a ledger.
const FOLDER: &str = ".grader";

/// A run that has begun, or goes on.
pub(crate) struct Begun {
    pub(crate) info: RunInfo,
    pub(crate) goes_on: bool,
    pub(crate) fresh: bool,
}

impl Store {
    fn begin(&self, wanted: &BeginRun) -> Result<Begun, LedgerFault> {
        let class = wanted.class.as_os_str().as_bytes();
        let assignment = wanted.assignment.as_str();
        let now = (self.clock)();
        let begun = self.write(true, |transaction| {
            let last = transaction
                .query_row(
                    "SELECT id, began, fresh FROM run WHERE class = ?1 AND assignment = ?2 AND id = \
                     (SELECT max(id) FROM run WHERE class = ?1 AND assignment = ?2) AND state <> 'finished'",
                    params![class, assignment],
                    |row| Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?)),
                )
                .optional()?;
            if let Some((id, began, fresh)) = last.filter(|_| !wanted.fresh) {
                transaction.execute(
                    "UPDATE run SET state = 'running', ended = NULL, grader = ?2 WHERE id = ?1",
                    params![id, wanted.grader],
                )?;
                return Ok(Begun {
                    info: RunInfo {
                        id: id as u64,
                        began,
                    },
                    goes_on: true,
                    fresh,
                });
            }
            transaction.execute(
                "INSERT INTO run (class, assignment, grader, fresh, began, state) \
                 VALUES (?1, ?2, ?3, ?4, ?5, 'running')",
                params![class, assignment, wanted.grader, wanted.fresh, now],
            )?;
            Ok(Begun {
                info: RunInfo {
                    id: transaction.last_insert_rowid() as u64,
                    began: now.clone(),
                },
                goes_on: false,
                fresh: wanted.fresh,
            })
        })?;
        let mut held = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        let (lock, holder) = &mut *held;
        holder.run = Some(begun.info.id);
        lock.say(holder)?;
        Ok(begun)
    }

    /// Writes something whole or not at all. With `flush` it is on the disk when this returns; else it is out of this
    /// process, and on the disk with the next that is.
    pub(crate) fn write<T>(
        &self,
        flush: bool,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, LedgerFault>,
    ) -> Result<T, LedgerFault> {
        // A transaction of one who panicked was rolled back.
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.flushes != flush {
            let how = if flush { "FULL" } else { "NORMAL" };
            writer.connection.pragma_update(None, "synchronous", how)?;
            writer.flushes = flush;
        }
        let transaction = writer
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)?;
        let value = change(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }

    pub(crate) fn at(&self, why: LedgerFault) -> LedgerError {
        why.at(&self.reader.path)
    }
}

/// A ledger to read. Somebody else may write it meanwhile.
pub struct Reader {
    path: PathBuf,
    connection: Mutex<Connection>,
}

impl Reader {
    /// Opens a ledger for reading. No lock is taken; nothing is written, so that it may be on a medium that cannot be.
    ///
    /// # Errors
    /// When there is no such file, it is no ledger, of a later version, or damaged, or cannot be read.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        let open = || {
            let path = std::path::absolute(path)?;
            Self::connect(&fs::canonicalize(&path).unwrap_or(path))
        };
        open().map_err(|why| why.at(path))
    }

    fn connect(path: &Path) -> Result<Self, LedgerFault> {
        Ok(Self {
            path: path.to_owned(),
            connection: Mutex::new(schema::reader(path)?),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All runs, in the order in which they began. No results are read.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn history(&self) -> Result<Vec<RunSummary>, LedgerError> {
        let holder = lock::holder(&self.path);
        let running = holder.and_then(|holder| holder.run);
        self.with(|connection| history::history(connection, running))
    }

    /// The results of a run, as the events of it fold to them.
    ///
    /// Of a run that was not finished they are what is known: a student some of whose submissions were judged has
    /// these results, and what was not judged says so and has no points.
    ///
    /// # Errors
    /// When there is no such run, it ended before it was known who is in the class, its results are of a form that
    /// this version cannot read, or the ledger cannot be read.
    pub fn results(&self, run: u64) -> Result<Results, LedgerError> {
        self.with(|connection| {
            // All of it as it was at one moment.
            let transaction = connection.unchecked_transaction()?;
            results::results(&transaction, run)
        })
    }

    fn with<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, LedgerFault>,
    ) -> Result<T, LedgerError> {
        read(&self.connection()).map_err(|why| why.at(&self.path))
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        // One who panicked while reading has changed nothing.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
