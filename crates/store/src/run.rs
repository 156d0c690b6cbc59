//! A run that is being made: it stores the results of the judge, and finds them again.

use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;

use grader_judge::{CacheError, JobKey, JobName, JobResult, ResultCache, StoredResult};
use grader_model::{AssignmentId, Origin, ProblemResult, Results, RunInfo, Verdict};
use rusqlite::{OptionalExtension as _, Transaction, params};

use crate::content::{self, Packed};
use crate::error::{LedgerError, LedgerFault};
use crate::ledger::{Begun, Reader, Store};
use crate::{BeginRun, RunSink};

/// A run of the ledger that is being made; clones are the same run. The lock of the ledger is held until the last one,
/// and the last [`RunSink`], is dropped.
///
/// A run that is dropped without [`grader_model::EventKind::RunFinished`] counts as killed, and is gone on with.
///
/// **Size.** A job of 20 cases takes about 2.2 KiB: 1 KiB for its result, 0.2 KiB for its key, the rest for rows and
/// indexes. A class of 500 students and 5 problems makes a ledger of 6 MB. A job that is reused from an earlier run takes
/// about 80 bytes, such a run of that class 0.2 MB. Nothing makes a ledger smaller again.
#[derive(Clone)]
pub struct Run {
    store: Arc<Store>,
    info: RunInfo,
    goes_on: bool,
    fresh: bool,
    class: Arc<[u8]>,
    assignment: AssignmentId,
}

impl Run {
    pub(crate) fn new(store: Arc<Store>, begun: Begun, wanted: &BeginRun) -> Self {
        Self {
            store,
            info: begun.info,
            goes_on: begun.goes_on,
            fresh: begun.fresh,
            class: wanted.class.as_os_str().as_bytes().into(),
            assignment: wanted.assignment.clone(),
        }
    }

    /// Which run it is.
    pub const fn info(&self) -> &RunInfo {
        &self.info
    }

    /// Whether it had begun before, and was not finished.
    pub const fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// The sink that must hear all events of the run.
    pub fn sink(&self) -> RunSink {
        RunSink::new(self.clone())
    }

    /// The ledger, to read.
    pub fn reader(&self) -> &Reader {
        &self.store.reader
    }

    /// The results so far: [`Reader::results`] of this run.
    ///
    /// # Errors
    /// As there.
    pub fn results(&self) -> Result<Results, LedgerError> {
        self.reader().results(self.info.id)
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) const fn id(&self) -> i64 {
        self.info.id as i64
    }

    fn stored(&self, job: JobName<'_>, key: &JobKey) -> Result<Option<StoredResult>, LedgerFault> {
        let hash = blake3::hash(&content::json(key)?);
        let Some(found) = self.row(job, &hash)? else {
            return Ok(None);
        };
        let (key, result) = (found.key.json()?, found.result.json()?);
        let origin = serde_json::from_str::<Option<Origin>>(&found.origin);
        // What a version wrote whose words this one does not know is as good as not there.
        let (Ok(key), Ok(mut result), Ok(origin)) = (key, result as Parsed, origin) else {
            return Ok(None);
        };
        result.origin = origin;
        Ok(Some(StoredResult {
            run: found.built as u64,
            is_this_run: found.run == self.id(),
            key,
            result,
        }))
    }

    fn row(&self, job: JobName<'_>, key: &blake3::Hash) -> Result<Option<Found>, LedgerFault> {
        let connection = self.reader().connection();
        let mut statement = connection.prepare(
            "SELECT job.run, job.built, job.origin, job.key, job.result FROM job JOIN run ON run.id = job.run \
             WHERE job.student = ?1 AND job.problem = ?2 AND run.class = ?3 AND run.assignment = ?4 \
             AND (job.run = ?5 OR NOT ?6) \
             ORDER BY job.key = coalesce((SELECT id FROM content WHERE hash = ?7), 0) DESC, job.run = ?5 DESC, \
             job.run DESC LIMIT 1",
        )?;
        let found = statement
            .query_row(
                params![
                    job.student.as_str(),
                    job.problem.as_str(),
                    &*self.class,
                    self.assignment.as_str(),
                    self.id(),
                    self.fresh,
                    key.as_bytes(),
                ],
                |row| {
                    Ok((
                        row.get(0)?,
                        row.get(1)?,
                        row.get(2)?,
                        row.get(3)?,
                        row.get(4)?,
                    ))
                },
            )
            .optional()?;
        let Some((run, built, origin, key, result)) = found else {
            return Ok(None);
        };
        Ok(Some(Found {
            run,
            built,
            origin,
            key: content::get(&connection, key)?,
            result: content::get(&connection, result)?,
        }))
    }

    /// Stores jobs, all of them or none.
    fn store_jobs(&self, jobs: &[(JobName<'_>, &JobResult)]) -> Result<(), LedgerFault> {
        // A reused result can be reused again, should the machine die.
        let flush = jobs
            .iter()
            .any(|(_, done)| reused_from(&done.result).is_none());
        self.store.write(flush, |transaction| {
            for (job, done) in jobs {
                self.store_job(transaction, *job, done)?;
            }
            Ok(())
        })
    }

    fn store_job(
        &self,
        transaction: &Transaction<'_>,
        job: JobName<'_>,
        done: &JobResult,
    ) -> Result<(), LedgerFault> {
        let reused = reused_from(&done.result);
        let built = reused.map_or(self.id(), |run| run as i64);
        let taken = if reused.is_some() { "reused" } else { "ran" };
        let origin = content::json(&done.result.origin)?;
        let origin = String::from_utf8_lossy(&origin);
        let key = content::put_json(transaction, &done.key)?;
        let result = content::put_json(transaction, &without_origin(&done.result))?;
        let (student, problem) = (job.student.as_str(), job.problem.as_str());
        transaction.execute(
            "DELETE FROM job WHERE student = ?1 AND problem = ?2 AND run = ?3",
            params![student, problem, self.id()],
        )?;
        transaction.execute(
            "INSERT INTO job (run, student, problem, built, key, result, origin, taken, fault) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                self.id(),
                student,
                problem,
                built,
                key,
                result,
                origin,
                taken,
                is_fault(&done.result),
            ],
        )?;
        Ok(())
    }
}

/// The earlier run in which a reused result was found.
const fn reused_from(result: &ProblemResult) -> Option<u64> {
    match &result.origin {
        Some(Origin::Reused { run }) => Some(*run),
        Some(Origin::Ran { .. }) | None => None,
    }
}

/// A result, if it could be read.
type Parsed = Result<ProblemResult, serde_json::Error>;

/// What is known of a job, still packed.
struct Found {
    run: i64,
    built: i64,
    origin: String,
    key: Packed,
    result: Packed,
}

/// The result with nothing said of where it comes from: so it is the same in every run that takes it.
pub(crate) fn without_origin(result: &ProblemResult) -> ProblemResult {
    let mut result = result.clone();
    result.origin = None;
    result
}

/// Whether a result is a fault of ours.
pub(crate) const fn is_fault(result: &ProblemResult) -> bool {
    matches!(result.verdict, Verdict::JudgeError)
}

impl Run {
    fn cached<T>(&self, result: Result<T, LedgerFault>) -> Result<T, CacheError> {
        result.map_err(|why| CacheError(Box::new(self.store.at(why))))
    }
}

impl ResultCache for Run {
    fn run(&self) -> Option<RunInfo> {
        Some(self.info.clone())
    }

    fn find(&self, job: JobName<'_>, key: &JobKey) -> Result<Option<StoredResult>, CacheError> {
        self.cached(self.stored(job, key))
    }

    fn store(&self, job: JobName<'_>, done: &JobResult) -> Result<(), CacheError> {
        self.cached(self.store_jobs(&[(job, done)]))
    }

    fn store_all(&self, jobs: &[(JobName<'_>, &JobResult)]) -> Result<(), CacheError> {
        self.cached(self.store_jobs(jobs))
    }

    fn is_fresh(&self) -> bool {
        self.fresh
    }
}
