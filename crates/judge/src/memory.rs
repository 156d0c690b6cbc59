//! What earlier runs have found out, kept by somebody else: so that nothing is lost, and nothing is done twice.

use std::collections::BTreeMap;

use grader_model::{
    CaseName, CpuTime, Limits, Outcome, ProblemId, ProblemResult, RunInfo, StudentId, SubtaskName,
};
use serde::{Deserialize, Serialize};

/// Keeps the results of jobs, and gives them back.
///
/// It is asked and told by several threads. What to make of what it gives back the judge decides: it compares keys.
pub trait Memory: Send + Sync {
    /// The run that is being made.
    fn run(&self) -> Option<RunInfo>;

    /// What is known of a job: of the same key the most recent, else the most recent of all. Results of this run,
    /// before it was stopped or killed, go before those of earlier runs.
    ///
    /// # Errors
    /// When what is kept cannot be read. The job is then judged as if nothing were known.
    fn recall(&self, job: JobName<'_>, key: &JobKey) -> Result<Option<Remembered>, MemoryError>;

    /// What the programs of a job did in a run, as far as it was kept.
    ///
    /// # Errors
    /// As [`Memory::recall`].
    fn runs(&self, job: JobName<'_>, run: u64) -> Result<Vec<KeptRun>, MemoryError>;

    /// Keeps a job of this run for good: when this returns it survives the death of this process.
    ///
    /// # Errors
    /// When it cannot be written. The run goes on: who keeps results for people tells them.
    fn keep(&self, job: JobName<'_>, done: &Done) -> Result<(), MemoryError>;

    /// Keeps several jobs at once, as [`Memory::keep`] does one. Who can do that at the cost of one does.
    ///
    /// # Errors
    /// When any cannot be written: then the judge keeps each by itself, those that were written too.
    fn keep_all(&self, jobs: &[(JobName<'_>, &Done)]) -> Result<(), MemoryError> {
        jobs.iter()
            .try_for_each(|(job, done)| self.keep(*job, done))
    }

    /// Whether it was asked that nothing of earlier runs be taken, so that [`Memory::recall`] knows this run only.
    fn is_fresh(&self) -> bool {
        false
    }
}

/// Which job: who handed in, for which problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobName<'a> {
    /// The student.
    pub student: &'a StudentId,
    /// The problem.
    pub problem: &'a ProblemId,
}

/// What the result of a job depends on, as hashes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobKey(pub BTreeMap<KeyPart, String>);

/// One thing that the result of a job depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeyPart {
    /// The student's files.
    Sources,
    /// How outputs are judged and points counted.
    Judging,
    /// Inputs, limits, the reference: what decides what a program does.
    Running,
    /// The compiler, its version and flags.
    Toolchain,
    /// This program.
    Grader,
    /// The kind of machine.
    Host,
    /// Level and layers of isolation.
    Isolation,
}

/// A job that is done, with all that is worth keeping.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    /// What the result depends on.
    pub key: JobKey,
    /// The result.
    pub result: ProblemResult,
    /// What its programs did, for cases whose output may be checked again, those among them that were checked in this
    /// run; empty where the result was taken from an earlier run unchanged, whose runs then still hold.
    pub runs: Vec<KeptRun>,
}

/// What an earlier run has found out.
#[derive(Clone, Debug, PartialEq)]
pub struct Remembered {
    /// In which run it was built and run: of a result that was taken from an earlier run, or whose outputs were checked
    /// again, that earlier run. Its [`KeptRun`]s are asked for by this number, and are all that were kept of the job
    /// since, of several of a case the last.
    pub run: u64,
    /// Whether that is the run that is being made.
    pub is_this_run: bool,
    /// What it depended on.
    pub key: JobKey,
    /// The result.
    pub result: ProblemResult,
}

/// What one program did in one case: enough to check its output again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRun {
    /// The subtask.
    pub subtask: SubtaskName,
    /// The case.
    pub case: CaseName,
    /// What the run did.
    pub outcome: Outcome,
    /// The limits that it was judged by.
    pub limits: Limits,
    /// CPU time of the reference, where the limit is a multiple of it.
    pub yardstick: Option<CpuTime>,
    /// The answer; nothing where the output file was missing.
    #[serde(skip)]
    pub answer: Option<Vec<u8>>,
    /// The beginning of standard error, as the program wrote it, but for the path of the folder that it was built in.
    #[serde(skip)]
    pub stderr: Vec<u8>,
    /// Files that were found where an output file was missing, or nothing came to standard output.
    pub left: Vec<String>,
}

/// What is kept cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct MemoryError(#[source] pub Box<dyn std::error::Error + Send + Sync>);
