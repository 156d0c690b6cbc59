//! The open file of a ledger: transactions, and how a run begins.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use grader_judge::{Shard, WholeClass};
use grader_model::{AssignmentInfo, LedgerUpgrade, ProblemId, RunInfo, SourceFile};
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use crate::database::now;
use crate::error::{LedgerError, LedgerFault};
use crate::file::{self, Opened};
use crate::lock::Lock;
use crate::{content, row_hash};

/// The open file. The fields are dropped in this order: the lock goes last.
pub(crate) struct Store {
    connection: Mutex<Connection>,
    path: PathBuf,
    pub(crate) upgrade: Option<LedgerUpgrade>,
    lock: Mutex<Lock>,
}

/// Which run is to be made.
#[derive(Clone, Debug, PartialEq)]
pub struct BeginRun {
    /// The folder or archive of the class, absolute and without links: runs of one path belong together.
    pub class: PathBuf,
    /// The assignment.
    pub assignment: AssignmentInfo,
    /// The version of the grader, for people.
    pub grader: String,
    /// The shard of the class that it grades; `None` for the whole class.
    pub shard: Option<Shard>,
    /// All students of the class; `None` if it is not graded in shards.
    pub whole: Option<WholeClass>,
    /// Whether the class is the work of one student, and so are the files beside it perhaps.
    pub one_student: bool,
    /// The statements of problems as HTML, by their names.
    pub statements: BTreeMap<ProblemId, Vec<SourceFile>>,
    /// Whether to make a new run that reuses nothing, not even of an unfinished run.
    pub fresh: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // The transaction of a thread that panicked was rolled back.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Store {
    /// Opens and locks a ledger, and creates it if there is none.
    pub(crate) fn open(path: &Path, class: &Path) -> Result<Self, LedgerFault> {
        let path = file::real_path(path)?;
        file::prepare(&path)?;
        let lock = Lock::take(&path, class, now())?;
        let Opened {
            connection,
            upgrade,
        } = file::open_to_write(&path)?;
        Ok(Self {
            connection: Mutex::new(connection),
            path,
            upgrade,
            lock: Mutex::new(lock),
        })
    }

    pub(crate) fn connection(&self) -> MutexGuard<'_, Connection> {
        lock(&self.connection)
    }

    pub(crate) fn error(&self, why: LedgerFault) -> LedgerError {
        LedgerError {
            path: self.path.clone(),
            why,
        }
    }

    /// Writes all of a change or nothing. If it is `durable`, it survives a power failure from here on, else with the next
    /// one that is. It survives the death of this process in any case.
    pub(crate) fn write<T>(
        &self,
        durable: bool,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, LedgerFault>,
    ) -> Result<T, LedgerFault> {
        let mut connection = lock(&self.connection);
        let flush = if durable { "FULL" } else { "NORMAL" };
        connection.pragma_update(None, "synchronous", flush)?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let value = change(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }

    /// The run, whether it is resumed, and whether it reuses nothing of earlier runs.
    pub(crate) fn begin(&self, wanted: &BeginRun) -> Result<(RunInfo, bool, bool), LedgerFault> {
        let class = wanted.class.as_os_str().as_bytes();
        let assignment = wanted.assignment.id.as_str();
        let info = content::json(&wanted.assignment)?;
        let shard = wanted.shard.map(|shard| shard.to_string());
        let begun = self.write(true, |transaction| {
            let unfinished = transaction
                .query_row(
                    "SELECT id, began, fresh, info FROM run WHERE class = ?1 AND assignment = ?2 AND \
                     state <> 'finished' AND shard IS ?3 AND \
                     id = (SELECT max(id) FROM run WHERE class = ?1 AND assignment = ?2)",
                    params![class, assignment, shard],
                    |row| {
                        let (id, began) = (row.get::<_, i64>(0)? as u64, row.get(1)?);
                        let run = RunInfo { id, began };
                        Ok((run, row.get::<_, bool>(2)?, row.get::<_, String>(3)?))
                    },
                )
                .optional()?;
            // An unfinished fresh run must not mix with older results because the assignment has changed since.
            let fresh = wanted.fresh || unfinished.as_ref().is_some_and(|(_, fresh, _)| *fresh);
            if let Some((run, _, before)) = unfinished
                && before == info
                && !wanted.fresh
            {
                transaction.execute(
                    "UPDATE run SET state = 'running', ended = NULL, grader = ?2 WHERE id = ?1",
                    params![run.id as i64, wanted.grader],
                )?;
                return Ok((run, true, fresh));
            }
            let began = now();
            transaction.execute(
                "INSERT INTO run (class, assignment, info, grader, fresh, began, shard, state) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 'running')",
                params![class, assignment, info, wanted.grader, fresh, began, shard],
            )?;
            let id = transaction.last_insert_rowid();
            row_hash::set_of_run(transaction, id)?;
            let id = id as u64;
            Ok((RunInfo { id, began }, false, fresh))
        })?;
        lock(&self.lock).set_run(begun.0.id)?;
        Ok(begun)
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        // Without a log beside it the file can be read where nothing can be written. If somebody reads it now, the log stays.
        let _ = lock(&self.connection).pragma_update(None, "journal_mode", "DELETE");
    }
}
