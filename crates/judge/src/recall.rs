//! What is remembered of a job, and what may be made of it.
//!
//! | what differs from what is remembered | what is done |
//! |---|---|
//! | nothing, and it was found in this run, before that was stopped or killed | it is taken, whatever it is but a fault |
//! | nothing, and it was found in an earlier run | it is taken, unless it is a fault or was drawn by lot |
//! | only how outputs are judged | outputs that were kept are judged again; what was not kept is run |
//! | anything else | the job is built and run |

use std::sync::{Mutex, PoisonError};

use grader_model::{Change, LanguageId, ProblemResult, SourceFile, Verdict};
use grader_problem::{Assignment, Entry, Problem, Subtask};

use crate::judge::Judge;
use crate::keys::{Keys, changes};
use crate::memory::{JobKey, JobName, KeptRun, Memory, MemoryError, Remembered};

/// A memory, with what all its keys are made of.
pub(crate) struct Past<'a> {
    memory: &'a dyn Memory,
    keys: Keys,
    /// The first failure to read it.
    unread: Mutex<Option<MemoryError>>,
}

/// What is made of what is remembered.
#[derive(Debug)]
pub(crate) enum Way {
    /// The result stands.
    Take(Box<Remembered>),
    /// Its outputs are judged again.
    Check(Box<Known>),
    /// It is built and run, for these reasons.
    Run(Vec<Change>),
}

/// A result that is judged again.
#[derive(Debug)]
pub(crate) struct Known {
    /// The run in which its program was run.
    pub(crate) run: u64,
    pub(crate) result: ProblemResult,
    pub(crate) runs: Vec<KeptRun>,
}

impl<'a> Past<'a> {
    /// What the judge remembers; nothing where it has no memory.
    pub(crate) fn of(judge: &'a Judge, assignment: &Assignment) -> Option<Self> {
        Some(Self {
            memory: judge.memory()?,
            keys: Keys::new(judge, assignment),
            unread: Mutex::default(),
        })
    }

    pub(crate) fn memory(&self) -> &'a dyn Memory {
        self.memory
    }

    /// What the result of a job depends on.
    pub(crate) fn key(
        &self,
        entry: &Entry,
        language: Option<LanguageId>,
        sources: &[SourceFile],
    ) -> JobKey {
        self.keys.of(entry, language, sources)
    }

    /// The first failure to read the memory.
    pub(crate) fn unread(self) -> Option<MemoryError> {
        let unread = self.unread.into_inner();
        unread.unwrap_or_else(PoisonError::into_inner)
    }

    /// What is to be done about a job of this key.
    pub(crate) fn way(&self, job: JobName<'_>, key: &JobKey, problem: &Problem) -> Way {
        let known = match self.memory.recall(job, key) {
            Ok(Some(known)) => known,
            Ok(None) if self.memory.is_fresh() => return Way::Run(vec![Change::Fresh]),
            Ok(None) => return Way::Run(Vec::new()),
            Err(error) => {
                self.failed(error);
                return Way::Run(Vec::new());
            }
        };
        let mut because = changes(&known.key, key);
        if known.result.verdict == Verdict::JudgeError {
            if known.key == JobKey::default() {
                // It failed before anything was known of it.
                because.clear();
            }
            because.push(Change::Fault);
            return Way::Run(because);
        }
        // What did not compile was not run at all.
        let was_run = known.result.verdict != Verdict::CompileError;
        let is_random = was_run && problem.subtasks.iter().any(|it| it.attempts.is_some());
        match because[..] {
            [] if is_random && !known.is_this_run => Way::Run(vec![Change::Random]),
            [] => Way::Take(Box::new(known)),
            [Change::Judging] => {
                let runs = if was_run {
                    self.runs(job, known.run)
                } else {
                    Vec::new()
                };
                if was_run && runs.is_empty() {
                    if is_random {
                        because.push(Change::Random);
                    }
                    let is_kept = |it: &Subtask| it.growth.is_none() && it.attempts.is_none();
                    if problem.subtasks.iter().any(is_kept) {
                        because.push(Change::NotKept);
                    }
                    return Way::Run(because);
                }
                Way::Check(Box::new(Known {
                    run: known.run,
                    result: known.result,
                    runs,
                }))
            }
            _ => Way::Run(because),
        }
    }

    fn runs(&self, job: JobName<'_>, run: u64) -> Vec<KeptRun> {
        self.memory.runs(job, run).unwrap_or_else(|error| {
            self.failed(error);
            Vec::new()
        })
    }

    fn failed(&self, error: MemoryError) {
        let mut unread = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        unread.get_or_insert(error);
    }
}
