//! What is remembered of a job, and what may be made of it.
//!
//! | what differs from what is remembered | what is done |
//! |---|---|
//! | nothing, and it was found in this run, before that was stopped or killed | it is taken, whatever it is but a fault |
//! | nothing, and it was found in an earlier run | it is taken, unless it is a fault, did not compile or was drawn by lot |
//! | only how outputs are judged | outputs that were kept are judged again; what was not kept is run |
//! | anything else | the job is built and run |
//!
//! What did not compile in an earlier run is built again: that costs little, and what was missing may be there now.

use grader_model::{Change, LanguageId, ProblemResult, SourceFile, Verdict};
use grader_problem::{Assignment, Entry, Problem, Subtask};

use crate::judge::Judge;
use crate::keys::{Keys, changes};
use crate::memory::{JobKey, JobName, KeptRun, Memory, Remembered};

/// A memory, with what all its keys are made of.
pub(crate) struct Past<'a> {
    memory: &'a dyn Memory,
    keys: Keys,
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

    /// What is to be done about a job of this key.
    pub(crate) fn way(&self, job: JobName<'_>, key: &JobKey, problem: &Problem) -> Way {
        let known = match self.memory.recall(job, key) {
            Ok(Some(known)) => known,
            Ok(None) if self.memory.is_fresh() => return Way::Run(vec![Change::Fresh]),
            Ok(None) => return Way::Run(Vec::new()),
            // What has failed the memory tells itself.
            Err(_) => return Way::Run(vec![Change::Unread]),
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
        if because.is_empty() && known.is_this_run {
            return Way::Take(Box::new(known));
        }
        let is_broken = known.result.verdict == Verdict::CompileError;
        let is_random = problem.subtasks.iter().any(|it| it.attempts.is_some());
        match because[..] {
            [] | [Change::Judging] if is_broken => {
                because.push(Change::CompileError);
                Way::Run(because)
            }
            [] if is_random => Way::Run(vec![Change::Random]),
            [] => Way::Take(Box::new(known)),
            [Change::Judging] => {
                let Ok(runs) = self.memory.runs(job, known.run) else {
                    because.push(Change::Unread);
                    return Way::Run(because);
                };
                if runs.is_empty() {
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
}
