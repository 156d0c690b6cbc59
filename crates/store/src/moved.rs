//! A class that was packed, unpacked, moved or renamed since it was graded.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use grader_model::{ProblemId, StudentId};
use rusqlite::{Transaction, params};

use crate::error::{LedgerError, LedgerFault};
use crate::ledger::Ledger;
use crate::row_hash;
use crate::store::BeginRun;

/// The names of the submissions of a class ([`grader_judge::submission_name`]).
pub type Submissions = BTreeMap<(StudentId, ProblemId), String>;

impl Ledger {
    /// Gives the class the runs of another one for the same assignment, if it has none itself and is the same class: more
    /// than half of the submissions of both are equal, and the other is gone, or one is an archive and one a folder. Returns
    /// the path of the other.
    ///
    /// # Errors
    /// If the ledger cannot be read or written.
    pub fn adopt_runs(
        &self,
        wanted: &BeginRun,
        submissions: impl FnOnce() -> Submissions,
    ) -> Result<Option<PathBuf>, LedgerError> {
        let adopted = self.store.write(true, |transaction| {
            let others = other_classes(transaction, wanted)?;
            if others.is_empty() {
                return Ok(None);
            }
            let submissions = submissions();
            let mut same = others.into_iter().filter(|(path, stored)| {
                let equal = stored
                    .iter()
                    .filter(|(job, name)| submissions.get(job) == Some(name));
                let is_moved = path.is_dir() != wanted.class.is_dir() || !path.exists();
                is_moved && equal.count() * 2 > stored.len().max(submissions.len())
            });
            let (Some((other, _)), None) = (same.next(), same.next()) else {
                return Ok(None);
            };
            rename(transaction, wanted, &other)?;
            Ok(Some(other))
        });
        adopted.map_err(|why| self.store.error(why))
    }
}

/// The submissions in the last run of each class that was graded by this assignment; none if this class is one of them.
fn other_classes(
    transaction: &Transaction<'_>,
    wanted: &BeginRun,
) -> Result<BTreeMap<PathBuf, Submissions>, LedgerFault> {
    let mut statement = transaction.prepare(
        "SELECT class, student, problem, submission FROM run LEFT JOIN result ON result.run = run.id \
         WHERE run.id IN (SELECT max(id) FROM run WHERE assignment = ?1 AND shard IS ?2 GROUP BY class)",
    )?;
    let shard = wanted.shard.map(|shard| shard.to_string());
    let mut rows = statement.query(params![wanted.assignment.id.as_str(), shard])?;
    let mut classes: BTreeMap<PathBuf, Submissions> = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let class: Vec<u8> = row.get(0)?;
        let class = classes.entry(OsStr::from_bytes(&class).into()).or_default();
        if let Some(name) = row.get::<_, Option<String>>(3)? {
            let (student, problem): (String, String) = (row.get(1)?, row.get(2)?);
            class.insert((StudentId::new(student), ProblemId::new(problem)), name);
        }
    }
    if classes.contains_key(&wanted.class) {
        classes.clear();
    }
    Ok(classes)
}

/// Writes the path of the class into the runs of another one.
fn rename(
    transaction: &Transaction<'_>,
    wanted: &BeginRun,
    other: &Path,
) -> Result<(), LedgerFault> {
    let assignment = wanted.assignment.id.as_str();
    let other = other.as_os_str().as_bytes();
    let mut statement =
        transaction.prepare("SELECT * FROM run WHERE class = ?1 AND assignment = ?2")?;
    let mut rows = statement.query(params![other, assignment])?;
    let mut runs: Vec<i64> = Vec::new();
    while let Some(row) = rows.next()? {
        // Damage must not get a new hash.
        row_hash::check_run(row)?;
        runs.push(row.get("id")?);
    }
    for run in runs {
        let class = wanted.class.as_os_str().as_bytes();
        transaction.execute(
            "UPDATE run SET class = ?2 WHERE id = ?1",
            params![run, class],
        )?;
        row_hash::set_of_run(transaction, run)?;
    }
    Ok(())
}
