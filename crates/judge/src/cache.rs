//! Cached results of earlier runs.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::{Change, Origin, ProblemId, ProblemResult, RunInfo, SourceFile, StudentId};
use grader_problem::Problem;
use serde::{Deserialize, Serialize};

use crate::decide::reuse::{Known, against};

/// Stores job results and finds them again. Used by several threads at once.
pub trait ResultCache: Send + Sync {
    /// The current run.
    fn run(&self) -> Option<RunInfo>;

    /// The stored result of a job: the most recent one with the same key, else the most recent of all. Results of this
    /// run, from before it was stopped or killed, take precedence over those of earlier runs.
    ///
    /// # Errors
    /// If the store cannot be read. The job is then judged as if nothing were stored.
    fn find(&self, job: JobName<'_>, key: &JobKey) -> Result<Option<StoredResult>, CacheError>;

    /// Stores a job of this run durably: once this returns, the result survives a crash of this process.
    ///
    /// # Errors
    /// If it cannot be written. The cache reports that to the user; the run continues.
    fn store(&self, job: JobName<'_>, done: &JobResult) -> Result<(), CacheError>;

    /// Stores several jobs at once, at the cost of one if possible.
    ///
    /// # Errors
    /// If any cannot be written. The judge then stores each separately.
    fn store_all(&self, jobs: &[(JobName<'_>, &JobResult)]) -> Result<(), CacheError> {
        jobs.iter()
            .try_for_each(|(job, done)| self.store(*job, done))
    }

    /// Copies the last result of a job that this run does not judge into this run; `None` if no run has one.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    fn carry_over(&self, job: JobName<'_>) -> Result<Option<ProblemResult>, CacheError>;

    /// Whether results of earlier runs are ignored, so that [`ResultCache::find`] finds only those of this run.
    fn is_fresh(&self) -> bool {
        false
    }
}

/// A job's key: for each kind of change, a hash of everything it covers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobKey(pub BTreeMap<Change, String>);

impl JobKey {
    /// What has changed since this key, in the order in which it is reported. A part that only one of them has is a change.
    pub fn changes(&self, now: &Self) -> Vec<Change> {
        let all: BTreeSet<Change> = self.0.keys().chain(now.0.keys()).copied().collect();
        let differs = |part: &Change| self.0.get(part) != now.0.get(part);
        all.into_iter().filter(differs).collect()
    }
}

/// The student and the problem of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobName<'a> {
    /// The student.
    pub student: &'a StudentId,
    /// The problem.
    pub problem: &'a ProblemId,
}

/// A judged job.
#[derive(Clone, Debug, PartialEq)]
pub struct JobResult {
    /// Hashes of everything that the result depends on.
    pub key: JobKey,
    /// The result.
    pub result: ProblemResult,
    /// The files that were judged; empty if they could not be read.
    pub sources: Vec<SourceFile>,
}

/// A result that the cache found.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredResult {
    /// The run in which the submission was built and run.
    pub run: u64,
    /// Whether that is the current run.
    pub is_this_run: bool,
    /// Hashes of everything that it depends on.
    pub key: JobKey,
    /// The result.
    pub result: ProblemResult,
}

/// The cache cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct CacheError(#[source] pub Box<dyn std::error::Error + Send + Sync>);

/// Why a result is not known.
#[derive(Debug, Default)]
pub(crate) struct Unknown {
    /// Why the submission must be built and run; `None` without a cache.
    pub(crate) origin: Option<Origin>,
    /// The earlier result, which cannot be reused.
    pub(crate) earlier: Option<Box<ProblemResult>>,
}

/// Looks up a job with this key.
pub(crate) fn lookup(
    cache: &dyn ResultCache,
    job: JobName<'_>,
    key: &JobKey,
    problem: &Problem,
) -> Result<StoredResult, Unknown> {
    let ran = |because, earlier| Unknown {
        origin: Some(Origin::Ran { because }),
        earlier,
    };
    let stored = match cache.find(job, key) {
        Ok(Some(stored)) => stored,
        Ok(None) if cache.is_fresh() => return Err(ran(vec![Change::Fresh], None)),
        Ok(None) => return Err(ran(Vec::new(), None)),
        // The cache itself reports the failure.
        Err(_) => return Err(ran(vec![Change::Unread], None)),
    };
    let known = Known {
        result: &stored.result,
        is_this_run: stored.is_this_run,
        has_key: stored.key != JobKey::default(),
    };
    match against(known, stored.key.changes(key), problem) {
        because if because.is_empty() => Ok(stored),
        because => Err(ran(because, Some(Box::new(stored.result)))),
    }
}
