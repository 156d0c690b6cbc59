//! A class that was packed, unpacked, moved or renamed since it was graded.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use grader_model::{AssignmentId, ProblemId, StudentId};
use rusqlite::{Connection, Transaction, params};

use crate::error::{LedgerError, LedgerFault};
use crate::ledger::Ledger;
use crate::reader::Reader;
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
            let other = moved_from(transaction, wanted, submissions)?;
            if let Some(other) = &other {
                rename(transaction, wanted, other)?;
            }
            Ok(other)
        });
        adopted.map_err(|why| self.store.error(why))
    }
}

/// A class in a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredClass {
    /// Its folder or archive.
    pub path: PathBuf,
    /// Where it was before, the earliest place first.
    pub former: Vec<PathBuf>,
    /// The assignment.
    pub assignment: AssignmentId,
}

/// The students of a class, in any of its runs, and the names of all that they submitted.
pub type Members = BTreeMap<StudentId, BTreeSet<String>>;

impl Reader {
    /// The class whose runs [`Ledger::adopt_runs`] would give to the wanted one.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn moved_from(
        &self,
        wanted: &BeginRun,
        submissions: impl FnOnce() -> Submissions,
    ) -> Result<Option<PathBuf>, LedgerError> {
        self.read(moved_from(&self.connection, wanted, submissions))
    }

    /// The classes that have students, in the order in which they were graded first.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn classes(&self) -> Result<Vec<StoredClass>, LedgerError> {
        let read = || {
            let mut former = former(&self.connection)?;
            let mut statement = self.connection.prepare(
                "SELECT class, assignment FROM run WHERE EXISTS (SELECT 1 FROM student WHERE run = run.id) \
                 GROUP BY class, assignment ORDER BY min(id)",
            )?;
            let classes = statement.query_map([], |row| {
                let class: Vec<u8> = row.get(0)?;
                Ok((class, row.get::<_, String>(1)?))
            })?;
            let classes = classes.map(|class| {
                let (path, assignment) = class?;
                Ok(StoredClass {
                    former: former
                        .remove(&(path.clone(), assignment.clone()))
                        .unwrap_or_default(),
                    path: OsStr::from_bytes(&path).into(),
                    assignment: AssignmentId::new(assignment),
                })
            });
            classes.collect()
        };
        self.read(read())
    }

    /// The students of a class.
    ///
    /// # Errors
    /// If the ledger cannot be read.
    pub fn members(&self, class: &StoredClass) -> Result<Members, LedgerError> {
        let read = || {
            let mut statement = self.connection.prepare(
                "SELECT DISTINCT student.id, submission FROM run JOIN student ON student.run = run.id \
                 LEFT JOIN result ON result.run = run.id AND result.student = student.id \
                 WHERE class = ?1 AND assignment = ?2",
            )?;
            let path = class.path.as_os_str().as_bytes();
            let mut rows = statement.query(params![path, class.assignment.as_str()])?;
            let mut members = Members::new();
            while let Some(row) = rows.next()? {
                let student = StudentId::new(row.get::<_, String>(0)?);
                members
                    .entry(student)
                    .or_default()
                    .extend(row.get::<_, Option<String>>(1)?);
            }
            Ok(members)
        };
        self.read(read())
    }
}

/// Paths, by the path of the class now and its assignment.
type Former = BTreeMap<(Vec<u8>, String), Vec<PathBuf>>;

/// Where classes were before.
fn former(connection: &Connection) -> Result<Former, LedgerFault> {
    let mut former = Former::new();
    let sql = "SELECT class, assignment, path FROM former_class ORDER BY rowid";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let path: Vec<u8> = row.get(2)?;
        let of = former.entry((row.get(0)?, row.get(1)?)).or_default();
        of.push(OsStr::from_bytes(&path).into());
    }
    Ok(former)
}

/// The only other class that is this one.
fn moved_from(
    connection: &Connection,
    wanted: &BeginRun,
    submissions: impl FnOnce() -> Submissions,
) -> Result<Option<PathBuf>, LedgerFault> {
    let others = other_classes(connection, wanted)?;
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
    Ok(Some(other))
}

/// The submissions in the last run of each class that was graded by this assignment; none if this class is one of them.
fn other_classes(
    connection: &Connection,
    wanted: &BeginRun,
) -> Result<BTreeMap<PathBuf, Submissions>, LedgerFault> {
    let mut statement = connection.prepare(
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
    let class = wanted.class.as_os_str().as_bytes();
    let sql = "UPDATE former_class SET class = ?2 WHERE class = ?1 AND assignment = ?3";
    transaction.execute(sql, params![other, class, assignment])?;
    let sql = "INSERT INTO former_class VALUES (?2, ?3, ?1)";
    transaction.execute(sql, params![other, class, assignment])?;
    for run in runs {
        transaction.execute(
            "UPDATE run SET class = ?2 WHERE id = ?1",
            params![run, class],
        )?;
        row_hash::set_of_run(transaction, run)?;
    }
    Ok(())
}
