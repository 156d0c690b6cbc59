//! One submission for one problem, and what comes of it.

use std::sync::Arc;

use grader_intake::Submission;
use grader_language::{AuthorsError, Language};
use grader_model::{
    CaseResult, EventKind, FaultCause, Given, LanguageId, Origin, Points, ProblemResult,
    SourceFile, Status, StudentId, SubtaskResult, Text, Verdict,
};
use grader_problem::{Case, Entry, Sample};

use crate::Fault;
use crate::cache::{JobKey, JobName, JobResult, ResultCache};
use crate::decide::expectation::Samples;
use crate::decide::score::by_hand;
use crate::keys::Keys;

/// Messages from workers to the listening thread.
pub(crate) enum Message {
    /// An event of a job.
    Event(Box<EventKind>),
    /// The result of the job with this index; `None` if it was stopped.
    Done(usize, Option<Box<Finished>>),
}

/// A submission to be judged.
#[derive(Clone)]
pub(crate) struct Job<'a> {
    pub(crate) student: &'a StudentId,
    /// Whose values the problem has, if it is one of a class.
    pub(crate) owner: Option<&'a str>,
    /// The student's index in the class.
    pub(crate) index: usize,
    pub(crate) entry: &'a Entry,
    pub(crate) submission: &'a Submission,
    /// Whether to judge it; if false, the last run's result is carried over.
    pub(crate) is_wanted: bool,
    /// The indices of other students of the team who submitted the same files, so that it counts for them, too.
    pub(crate) sharers: Vec<usize>,
}

/// State shared by all jobs of a run.
#[derive(Default)]
pub(crate) struct Shared<'a> {
    /// Whether it is tried if authors' files work here; if not, the submissions themselves show that, as samples do.
    pub(crate) tries_parts: bool,
    /// The cache, and the shared parts of job keys; `None` if results are not stored.
    pub(crate) cache: Option<(&'a dyn ResultCache, Keys)>,
    pub(crate) samples: Samples<'a>,
}

/// A submission that was judged, or that could not be built.
pub(crate) struct Judged {
    pub(crate) result: ProblemResult,
    /// The error in what the author gave in which all of it failed, if it did.
    pub(crate) error: Option<AuthorsError>,
}

impl From<ProblemResult> for Judged {
    fn from(result: ProblemResult) -> Self {
        let error = None;
        Self { result, error }
    }
}

/// A finished job.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) done: JobResult,
    /// The error in what the author gave in which it failed, if nothing is known of that.
    pub(crate) error: Option<AuthorsError>,
    /// Whether it has yet to be stored as a job of this run.
    pub(crate) is_new: bool,
}

impl Finished {
    pub(crate) const fn new(key: JobKey, result: ProblemResult, sources: Vec<SourceFile>) -> Self {
        Self {
            done: JobResult {
                key,
                result,
                sources,
            },
            error: None,
            is_new: true,
        }
    }
}

impl<'a> Job<'a> {
    /// A submission outside a class.
    pub(crate) const fn single(
        student: &'a StudentId,
        entry: &'a Entry,
        submission: &'a Submission,
    ) -> Self {
        Self {
            student,
            owner: None,
            index: 0,
            entry,
            submission,
            is_wanted: true,
            sharers: Vec::new(),
        }
    }

    pub(crate) fn name(&self) -> JobName<'_> {
        JobName {
            student: self.student,
            problem: &self.entry.problem.id,
        }
    }

    /// The result after a failure of ours.
    pub(crate) fn at_fault(
        &self,
        language: Option<&Arc<Language>>,
        fault: &Fault,
    ) -> ProblemResult {
        let status = Status::Fault(FaultCause::Grader);
        ProblemResult {
            language: language.map(|it| it.id),
            ..unrun(self.entry, status, fault.text())
        }
    }

    /// A job that failed as a whole, on our side. It has no key, so that it is never reused.
    pub(crate) fn failed(&self, fault: &Fault, is_stored: bool) -> Finished {
        let because = Vec::new();
        let result = ProblemResult {
            files: self.submission.shown.clone(),
            origin: is_stored.then_some(Origin::Ran { because }),
            ..self.at_fault(None, fault)
        };
        Finished::new(JobKey::default(), result, Vec::new())
    }
}

/// A sample as a submission.
pub(crate) fn submission_of(sample: &Sample, language: Option<LanguageId>) -> Submission {
    let shown = sample.sources.iter().map(|it| it.path.clone());
    Submission::in_memory(sample.sources.clone(), shown.collect(), language)
}

/// The result of a problem for which nothing was run; with [`Status::Judged`], because nothing could be built.
pub(crate) fn unrun(entry: &Entry, status: Status, message: Text) -> ProblemResult {
    let (verdict, points) = match status {
        Status::NotSubmitted => (Verdict::Skipped, Some(Points::ZERO)),
        Status::NotJudged => (Verdict::Skipped, None),
        Status::Fault(_) => (Verdict::JudgeError, None),
        Status::Judged => (Verdict::CompileError, Some(Points::ZERO)),
    };
    let unrun = |case: &Case| CaseResult::unrun(case.name.clone(), verdict, message.clone());
    let subtasks = entry.problem.subtasks.iter();
    let subtasks = subtasks.map(|subtask| match &subtask.manual {
        // A person may find something in a program that does not compile.
        Some(_) if status == Status::Judged => by_hand(subtask),
        manual => SubtaskResult {
            name: subtask.name.clone(),
            points,
            max_points: subtask.points,
            verdict,
            hidden: subtask.hidden,
            hidden_until: subtask.hidden_until,
            manual: manual.is_some().then(Given::default),
            check: subtask.check.as_ref().map(|it| it.check.clone()),
            cases: subtask.cases.iter().map(unrun).collect(),
            ..SubtaskResult::default()
        },
    });
    let subtasks: Vec<_> = subtasks.collect();
    ProblemResult {
        id: entry.problem.id.clone(),
        points: subtasks.iter().map(|it| it.points).sum(),
        max_points: entry.points,
        bonus: entry.bonus,
        verdict,
        status,
        subtasks,
        message: Some(message),
        ..ProblemResult::default()
    }
}
