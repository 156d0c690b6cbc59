//! A run that is being made: what the judge is told to remember, and remembers.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;

use grader_judge::{Done, JobKey, JobName, KeptRun, Memory, MemoryError, Remembered};
use grader_model::{AssignmentId, Origin, ProblemResult, Results, RunInfo, Verdict};
use rusqlite::{Connection, OptionalExtension as _, Transaction, params};

use crate::content::{self, Packed};
use crate::error::{LedgerError, LedgerFault};
use crate::ledger::{Begun, Reader, Store};
use crate::{BeginRun, RunSink};

/// A run of the ledger that is being made; clones are the same run. The lock of the ledger is held until the last one,
/// and the last [`RunSink`], is dropped.
///
/// A run that is dropped without [`grader_model::EventKind::RunFinished`] counts as killed, and is gone on with.
///
/// **Size.** Besides long outputs, a job of 20 cases takes about 2.7 KiB: 1 KiB for its result, 0.2 KiB for its key, 0.5
/// KiB for what is kept of its runs, the rest for rows and indexes. A class of 500 students and 5 problems makes a
/// ledger of 7 MB. A job that is taken from an earlier run takes about 80 bytes, such a run of that class 0.2 MB.
/// Outputs take what they take compressed, once each; how long an output is kept at most the judge decides. Nothing
/// makes a ledger smaller again.
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

    fn recalled(&self, job: JobName<'_>, key: &JobKey) -> Result<Option<Remembered>, LedgerFault> {
        let hash = blake3::hash(&content::json(key)?);
        let Some(found) = self.find(job, &hash)? else {
            return Ok(None);
        };
        let (key, result) = (found.key.json()?, found.result.json()?);
        let origin = serde_json::from_str::<Option<Origin>>(&found.origin);
        // What a version wrote whose words this one does not know is as good as not there.
        let (Ok(key), Ok(mut result), Ok(origin)) = (key, result as Parsed, origin) else {
            return Ok(None);
        };
        result.origin = origin;
        Ok(Some(Remembered {
            run: found.built as u64,
            is_this_run: found.run == self.id(),
            key,
            result,
        }))
    }

    fn find(&self, job: JobName<'_>, key: &blake3::Hash) -> Result<Option<Found>, LedgerFault> {
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

    fn kept(&self, job: JobName<'_>, built: u64) -> Result<Vec<KeptRun>, LedgerFault> {
        let connection = self.reader().connection();
        let mut statement = connection.prepare(
            "SELECT job.id, job.runs FROM job JOIN run ON run.id = job.run \
             WHERE job.student = ?1 AND job.problem = ?2 AND run.class = ?3 AND run.assignment = ?4 \
             AND job.built = ?5 AND job.runs IS NOT NULL AND (job.run = ?6 OR NOT ?7) ORDER BY job.run DESC",
        )?;
        let jobs = statement
            .query_map(
                params![
                    job.student.as_str(),
                    job.problem.as_str(),
                    &*self.class,
                    self.assignment.as_str(),
                    built as i64,
                    self.id(),
                    self.fresh,
                ],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?
            .collect::<Result<Vec<(i64, i64)>, _>>()?;
        let mut runs = Vec::new();
        let mut seen = BTreeSet::new();
        for (job, said) in jobs {
            // One that checked these outputs again may have kept those of cases that it had to run.
            for run in outputs(&connection, job, said)? {
                if seen.insert((run.subtask.clone(), run.case.clone())) {
                    runs.push(run);
                }
            }
        }
        Ok(runs)
    }

    /// Keeps jobs, all of them or none.
    fn keep_jobs(&self, jobs: &[(JobName<'_>, &Done)]) -> Result<(), LedgerFault> {
        // A result that was only taken can be taken again, should the machine die.
        let flush = jobs
            .iter()
            .any(|(_, done)| taken(&done.result).1 != "reused" || !done.runs.is_empty());
        self.store.write(flush, |transaction| {
            for (job, done) in jobs {
                self.keep_job(transaction, *job, done)?;
            }
            Ok(())
        })
    }

    fn keep_job(
        &self,
        transaction: &Transaction<'_>,
        job: JobName<'_>,
        done: &Done,
    ) -> Result<(), LedgerFault> {
        let (built, taken) = taken(&done.result);
        let built = built.map_or(self.id(), |run| run as i64);
        let origin = content::json(&done.result.origin)?;
        let origin = String::from_utf8_lossy(&origin);
        let key = content::put_json(transaction, &done.key)?;
        let result = content::put_json(transaction, &without_origin(&done.result))?;
        let runs = if done.runs.is_empty() {
            None
        } else {
            Some(content::put_json(transaction, &done.runs)?)
        };
        let (student, problem) = (job.student.as_str(), job.problem.as_str());
        transaction.execute(
            "DELETE FROM job WHERE student = ?1 AND problem = ?2 AND run = ?3",
            params![student, problem, self.id()],
        )?;
        transaction.execute(
            "INSERT INTO job (run, student, problem, built, key, result, origin, taken, fault, runs) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
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
                runs
            ],
        )?;
        keep_outputs(transaction, transaction.last_insert_rowid(), &done.runs)
    }
}

/// From which earlier run the program's runs are, and how the result came of them.
const fn taken(result: &ProblemResult) -> (Option<u64>, &'static str) {
    match &result.origin {
        Some(Origin::Reused { run }) => (Some(*run), "reused"),
        Some(Origin::Checked { run, .. }) => (Some(*run), "checked"),
        Some(Origin::Ran { .. }) | None => (None, "ran"),
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

fn keep_outputs(
    transaction: &Transaction<'_>,
    job: i64,
    runs: &[KeptRun],
) -> Result<(), LedgerFault> {
    let mut statement = transaction
        .prepare("INSERT INTO kept (job, place, answer, stderr) VALUES (?1, ?2, ?3, ?4)")?;
    for (place, run) in runs.iter().enumerate() {
        let answer = match &run.answer {
            Some(answer) => Some(content::put(transaction, answer)?),
            None => None,
        };
        let stderr = match run.stderr.as_slice() {
            [] => None,
            stderr => Some(content::put(transaction, stderr)?),
        };
        statement.execute(params![job, place as i64, answer, stderr])?;
    }
    Ok(())
}

/// What the programs of a job did, with their outputs.
fn outputs(connection: &Connection, job: i64, said: i64) -> Result<Vec<KeptRun>, LedgerFault> {
    let Ok(mut runs) = content::get(connection, said)?.json::<Vec<KeptRun>>()? else {
        return Ok(Vec::new());
    };
    let mut statement =
        connection.prepare("SELECT answer, stderr FROM kept WHERE job = ?1 ORDER BY place")?;
    let ids = statement
        .query_map(params![job], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<Result<Vec<(Option<i64>, Option<i64>)>, _>>()?;
    if ids.len() != runs.len() {
        return Err(LedgerFault::Damaged(format!(
            "job {job} has {} runs and {} outputs",
            runs.len(),
            ids.len()
        )));
    }
    for (run, (answer, stderr)) in runs.iter_mut().zip(ids) {
        if let Some(answer) = answer {
            run.answer = Some(content::get(connection, answer)?.bytes()?);
        }
        if let Some(stderr) = stderr {
            run.stderr = content::get(connection, stderr)?.bytes()?;
        }
    }
    Ok(runs)
}

impl Run {
    fn told<T>(&self, result: Result<T, LedgerFault>) -> Result<T, MemoryError> {
        result.map_err(|why| MemoryError(Box::new(self.store.at(why))))
    }
}

impl Memory for Run {
    fn run(&self) -> Option<RunInfo> {
        Some(self.info.clone())
    }

    fn recall(&self, job: JobName<'_>, key: &JobKey) -> Result<Option<Remembered>, MemoryError> {
        self.told(self.recalled(job, key))
    }

    fn runs(&self, job: JobName<'_>, run: u64) -> Result<Vec<KeptRun>, MemoryError> {
        self.told(self.kept(job, run))
    }

    fn keep(&self, job: JobName<'_>, done: &Done) -> Result<(), MemoryError> {
        self.told(self.keep_jobs(&[(job, done)]))
    }

    fn keep_all(&self, jobs: &[(JobName<'_>, &Done)]) -> Result<(), MemoryError> {
        self.told(self.keep_jobs(jobs))
    }

    fn is_fresh(&self) -> bool {
        self.fresh
    }
}
