//! A ledger that is open for writing, and the run that is being made in it.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use grader_judge::{CacheError, JobKey, JobName, JobResult, ResultCache, StoredResult, WholeClass};
use grader_model::{
    LedgerUpgrade, Origin, ProblemId, ProblemInfo, ProblemResult, Results, RunInfo, SourceFile,
    StudentId,
};
use rusqlite::{OptionalExtension as _, Transaction, params};

use crate::content::{self, Hash};
use crate::counterexamples::Counterexamples;
use crate::error::{LedgerError, LedgerFault};
use crate::store::{BeginRun, Store};
use crate::{counterexamples, reader, row_hash};

/// A ledger that only this process writes.
pub struct Ledger {
    pub(crate) store: Store,
}

/// What failed while a run is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A result was not stored.
    Unwritten,
    /// A stored result could not be read.
    Unread,
}

/// Reports the first [`Trouble`] of each kind.
pub type Report = dyn Fn(Trouble, &LedgerError) + Send + Sync;

impl Ledger {
    /// Opens a ledger for writing and locks it, until it and its run are dropped. If there is none, it is created, with
    /// its folder. One of an earlier format is upgraded. Others who want the lock see `class`.
    ///
    /// # Errors
    /// If another process has the lock or may write the file, or if it is no ledger, of a format that cannot be read, damaged
    /// or not writable. It is not changed then.
    pub fn open(path: &Path, class: &Path) -> Result<Self, LedgerError> {
        let store = Store::open(path, class).map_err(|why| LedgerError {
            path: path.to_owned(),
            why: match why {
                LedgerFault::Inaccessible(reason) => LedgerFault::Unwritable(reason),
                why => why,
            },
        })?;
        Ok(Self { store })
    }

    /// How it was upgraded when it was opened; `None` if it had the present format.
    pub const fn upgrade(&self) -> Option<&LedgerUpgrade> {
        self.store.upgrade.as_ref()
    }

    /// Begins a run, or resumes the last one of this class if that is unfinished and the assignment is the same.
    ///
    /// # Errors
    /// If the ledger cannot be read or written.
    pub fn begin(self, wanted: &BeginRun, report: Box<Report>) -> Result<Arc<Run>, LedgerError> {
        let begun = self.store.begin(wanted);
        let (info, resumed, fresh) = begun.map_err(|why| self.store.error(why))?;
        let class = wanted.class.as_os_str().as_bytes().to_owned();
        Ok(Arc::new(Run {
            store: self.store,
            info,
            resumed,
            fresh,
            one_student: wanted.one_student,
            statements: wanted.statements.clone(),
            whole: wanted.whole.clone(),
            class,
            assignment: wanted.assignment.id.to_string(),
            report,
            failed: [false; 2].map(AtomicBool::new),
        }))
    }

    /// Stores how submissions for a problem fail. They are in the results from then on.
    ///
    /// # Errors
    /// If the ledger cannot be written.
    pub fn add_counterexamples(
        &self,
        problem: &ProblemInfo,
        found: &Counterexamples,
    ) -> Result<(), LedgerError> {
        counterexamples::add(&self.store, problem, found)
    }
}

/// A run of the ledger that is being made. It is the judge's [`ResultCache`], and `&Run` the sink of its events. It takes
/// all events, whatever fails: [`Run::has_failed`] reports that in the end.
///
/// A run that lacks something, or is dropped before [`grader_model::EventKind::RunFinished`], counts as killed, and is
/// resumed by the next [`Ledger::begin`].
pub struct Run {
    pub(crate) store: Store,
    info: RunInfo,
    resumed: bool,
    fresh: bool,
    one_student: bool,
    pub(crate) statements: BTreeMap<ProblemId, Vec<SourceFile>>,
    /// As in [`crate::BeginRun`].
    pub(crate) whole: Option<WholeClass>,
    class: Vec<u8>,
    assignment: String,
    report: Box<Report>,
    /// For each [`Trouble`], whether there was one.
    failed: [AtomicBool; 2],
}

impl Run {
    /// Which run it is.
    pub const fn info(&self) -> &RunInfo {
        &self.info
    }

    /// Whether it had begun before, and was not finished.
    pub const fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// Whether there was trouble of this kind.
    pub fn has_failed(&self, trouble: Trouble) -> bool {
        self.failed[trouble as usize].load(Ordering::SeqCst)
    }

    /// The results so far, as [`crate::Reader::results`] gives them.
    ///
    /// # Errors
    /// As there.
    pub fn results(&self) -> Result<Results, LedgerError> {
        let results = reader::results(&self.store.connection(), self.info.id);
        self.reported(Trouble::Unread, results)
    }

    /// Whether [`Run::results`] can be read.
    ///
    /// # Errors
    /// If they cannot.
    pub fn check_results(&self) -> Result<(), LedgerError> {
        let checked = reader::check_results(&self.store.connection(), self.info.id);
        self.reported(Trouble::Unread, checked)
    }

    /// As [`Ledger::add_counterexamples`].
    ///
    /// # Errors
    /// As there.
    pub fn add_counterexamples(
        &self,
        problem: &ProblemInfo,
        found: &Counterexamples,
    ) -> Result<(), LedgerError> {
        counterexamples::add(&self.store, problem, found)
    }

    pub(crate) const fn id(&self) -> i64 {
        self.info.id as i64
    }

    pub(crate) const fn is_of_one_student(&self) -> bool {
        self.one_student
    }

    pub(crate) fn write<T>(
        &self,
        durable: bool,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, LedgerFault>,
    ) -> Result<T, LedgerError> {
        let written = self.store.write(durable, change);
        self.reported(Trouble::Unwritten, written)
    }

    /// Reports the first failure of its kind.
    fn reported<T>(
        &self,
        trouble: Trouble,
        result: Result<T, LedgerFault>,
    ) -> Result<T, LedgerError> {
        result.map_err(|why| {
            let error = self.store.error(why);
            if !self.failed[trouble as usize].swap(true, Ordering::SeqCst) {
                (self.report)(trouble, &error);
            }
            error
        })
    }

    fn stored(&self, job: JobName<'_>, key: &JobKey) -> Result<Option<StoredResult>, LedgerFault> {
        let connection = self.store.connection();
        let hash = *blake3::hash(content::json(key)?.as_bytes()).as_bytes();
        let mut statement = connection.prepare(
            "SELECT result.run, result.origin, result.key, result.content \
             FROM result JOIN run ON run.id = result.run \
             WHERE result.student = ?1 AND result.problem = ?2 AND result.key IS NOT NULL \
             AND run.class = ?3 AND run.assignment = ?4 AND (run.id = ?5 OR NOT ?6) \
             ORDER BY result.key = ?7 DESC, run.id DESC LIMIT 1",
        )?;
        let (student, problem) = (job.student.as_str(), job.problem.as_str());
        let (class, assignment, fresh) = (&self.class, &self.assignment, self.fresh);
        let wanted = params![student, problem, class, assignment, self.id(), fresh, hash];
        let found = statement.query_row(wanted, |row| {
            let (run, origin): (i64, String) = (row.get(0)?, row.get(1)?);
            Ok((run, origin, row.get(2)?, row.get(3)?))
        });
        let Some((run, origin, key, result)) = found.optional()? else {
            return Ok(None);
        };
        let read = || -> Result<StoredResult, LedgerFault> {
            let result = ProblemResult {
                origin: serde_json::from_str(&origin)?,
                ..content::get_json(&connection, &result)?
            };
            Ok(StoredResult {
                run: reused_from(&result).unwrap_or(run as u64),
                is_this_run: run == self.id(),
                key: content::get_json(&connection, &key)?,
                result,
            })
        };
        match read() {
            // Another version of the grader wrote it, so it would not be reused anyway.
            Err(LedgerFault::Format(_)) => Ok(None),
            read => read.map(Some),
        }
    }

    /// Copies the last result of a job, with its sources, into this run.
    fn copy_last(
        &self,
        transaction: &Transaction<'_>,
        job: JobName<'_>,
    ) -> Result<Option<ProblemResult>, LedgerFault> {
        let (student, problem) = (job.student.as_str(), job.problem.as_str());
        let last = transaction.query_row(
            "SELECT run.id FROM result JOIN run ON run.id = result.run \
             WHERE result.student = ?1 AND result.problem = ?2 AND result.submission IS NOT NULL \
             AND run.class = ?3 AND run.assignment = ?4 ORDER BY run.id DESC LIMIT 1",
            params![student, problem, self.class, self.assignment],
            |row| row.get::<_, i64>(0),
        );
        let Some(last) = last.optional()? else {
            return Ok(None);
        };
        if last != self.id() {
            // Before this run was resumed, it may have had a result that was not judged.
            delete_result(transaction, self.id(), job.student, problem)?;
            let copied = params![last, student, problem, self.id()];
            for sql in [
                "INSERT INTO result (run, student, problem, verdict, points, origin, key, content, submission, submitted, hash) \
                 SELECT ?4, student, problem, verdict, points, \
                 iif(origin ->> 'kind' = 'reused', origin, json_object('kind', 'reused', 'run', run)), \
                 key, content, submission, submitted, hash \
                 FROM result WHERE run = ?1 AND student = ?2 AND problem = ?3",
                "INSERT INTO source (run, student, problem, place, path, content) \
                 SELECT ?4, student, problem, place, path, content \
                 FROM source WHERE run = ?1 AND student = ?2 AND problem = ?3",
            ] {
                transaction.execute(sql, copied)?;
            }
        }
        let sql = "SELECT * FROM result WHERE run = ?1 AND student = ?2 AND problem = ?3";
        let mut statement = transaction.prepare(sql)?;
        let wanted = params![self.id(), student, problem];
        let mut results =
            statement.query_and_then(wanted, |row| reader::problem_result(transaction, row))?;
        results.next().transpose()
    }

    fn store_job(
        &self,
        transaction: &Transaction<'_>,
        job: JobName<'_>,
        done: &JobResult,
    ) -> Result<(), LedgerFault> {
        let (run, student, problem) = (self.id(), job.student, job.problem.as_str());
        delete_result(transaction, run, student, problem)?;
        let key = content::put_json(transaction, &done.key)?;
        put_result(transaction, run, student, Some(key), &done.result)?;
        let student = student.as_str();
        for (place, source) in done.sources.iter().enumerate() {
            let content = content::put(transaction, &source.bytes)?;
            transaction.execute(
                "INSERT INTO source (run, student, problem, place, path, content) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![run, student, problem, place as i64, source.path, content],
            )?;
        }
        Ok(())
    }
}

/// Removes a result with its sources.
pub(crate) fn delete_result(
    transaction: &Transaction<'_>,
    run: i64,
    student: &StudentId,
    problem: &str,
) -> Result<(), LedgerFault> {
    let sql = "DELETE FROM result WHERE run = ?1 AND student = ?2 AND problem = ?3";
    transaction.execute(sql, params![run, student.as_str(), problem])?;
    Ok(())
}

/// Stores a result. In place of a different one it has no key, because it is not known what it depends on.
pub(crate) fn put_result(
    transaction: &Transaction<'_>,
    run: i64,
    student: &StudentId,
    key: Option<Hash>,
    result: &ProblemResult,
) -> Result<(), LedgerFault> {
    let origin = result.origin.as_ref().map(content::json).transpose()?;
    // Without these it is the same in every run that reuses it.
    let shared = ProblemResult {
        origin: None,
        submitted: None,
        ..result.clone()
    };
    let content = content::put_json(transaction, &shared)?;
    let (student, problem) = (student.as_str(), result.id.as_str());
    let verdict = result.verdict.code();
    let points = result.points.map(|points| points.thousandths() as i64);
    transaction.execute(
        "INSERT INTO result (run, student, problem, verdict, points, origin, key, content, submission, submitted) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO UPDATE SET verdict = excluded.verdict, \
         points = excluded.points, origin = excluded.origin, content = excluded.content, \
         key = iif(content = excluded.content AND origin IS excluded.origin, key, NULL), \
         submitted = coalesce(excluded.submitted, submitted)",
        params![
            run,
            student,
            problem,
            verdict,
            points,
            origin,
            key,
            content,
            result.submission,
            // Known once the student is finished.
            result.submitted.map(|time| time.to_string()),
        ],
    )?;
    row_hash::set_of_result(transaction, run, student, problem)
}

/// The earlier run in which a reused result was judged.
const fn reused_from(result: &ProblemResult) -> Option<u64> {
    match &result.origin {
        Some(Origin::Reused { run }) => Some(*run),
        Some(Origin::Ran { .. }) | None => None,
    }
}

fn cached<T>(result: Result<T, LedgerError>) -> Result<T, CacheError> {
    result.map_err(|error| CacheError(Box::new(error)))
}

impl ResultCache for Run {
    fn run(&self) -> Option<RunInfo> {
        Some(self.info.clone())
    }

    fn find(&self, job: JobName<'_>, key: &JobKey) -> Result<Option<StoredResult>, CacheError> {
        cached(self.reported(Trouble::Unread, self.stored(job, key)))
    }

    fn store(&self, job: JobName<'_>, done: &JobResult) -> Result<(), CacheError> {
        // A reused result could be reused again.
        let durable = reused_from(&done.result).is_none();
        cached(self.write(durable, |it| self.store_job(it, job, done)))
    }

    fn store_all(&self, jobs: &[(JobName<'_>, &JobResult)]) -> Result<(), CacheError> {
        let durable = jobs
            .iter()
            .any(|(_, done)| reused_from(&done.result).is_none());
        let written = self.store.write(durable, |transaction| {
            let mut all = jobs.iter();
            all.try_for_each(|(job, done)| self.store_job(transaction, *job, done))
        });
        // If it fails, the judge stores each by itself, and that failure is reported.
        cached(written.map_err(|why| self.store.error(why)))
    }

    fn carry_over(&self, job: JobName<'_>) -> Result<Option<ProblemResult>, CacheError> {
        cached(self.write(false, |it| self.copy_last(it, job)))
    }

    fn is_fresh(&self) -> bool {
        self.fresh
    }
}
