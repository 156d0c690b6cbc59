//! Judging a program on inputs that no case has.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use grader_intake::Submission;
use grader_language::SourceText;
use grader_model::{
    CaseResult, EventKind, Points, ProblemResult, SourceFile, StudentId, SubtaskName, Verdict,
};
use grader_problem::{Case, CaseRef, Entry, Problem, ScoreRule, Subtask};

use crate::Fault;
use crate::build::Built;
use crate::constants::MAX_RUNS_TOGETHER;
use crate::included::rename;
use crate::job::Job;
use crate::judge::{Judge, Worker};
use crate::judging::Judging;
use crate::reference::References;
use crate::scheduler::for_each;

/// What the references of an assignment answered, for all programs that are compared with them.
pub struct KnownAnswers(References);

impl Default for KnownAnswers {
    fn default() -> Self {
        Self(References::of_search())
    }
}

impl KnownAnswers {
    /// Answers of a program that may be hostile: each of its runs has a sandbox of its own.
    pub fn of_untrusted() -> Self {
        let answers = Self::default();
        answers.0.are_alone.store(true, Ordering::Relaxed);
        answers
    }
}

/// The arguments and the standard input of a run.
pub type RunInput = (Vec<String>, Arc<[u8]>);

/// A program that is compared with the reference of its problem. The reference runs once on each input: the name of a case
/// must tell its input.
pub struct Compared<'a> {
    judge: &'a Judge,
    entry: &'a Entry,
    submission: &'a Submission,
    student: StudentId,
    sources: Vec<SourceFile>,
    pub(crate) built: Box<Built>,
    references: &'a References,
}

impl Judge {
    /// Builds a submission for comparing. If it does not build, returns its result.
    ///
    /// # Errors
    /// Our own failure, and [`Fault::Stopped`].
    pub fn compare<'a>(
        &'a self,
        entry: &'a Entry,
        submission: &'a Submission,
        answers: &'a KnownAnswers,
    ) -> Result<Result<Compared<'a>, Box<ProblemResult>>, Fault> {
        self.compare_on(self.worker(0), entry, submission, answers)
    }

    /// Builds several submissions for comparing, in parallel; those that do not build are left out.
    ///
    /// # Errors
    /// The first failure of ours, and [`Fault::Stopped`].
    pub fn compare_all<'a>(
        &'a self,
        submissions: &[(&'a Entry, &'a Submission)],
        answers: &'a KnownAnswers,
    ) -> Result<Vec<Option<Compared<'a>>>, Fault> {
        let built = for_each(self, submissions, 0, |worker, _, (entry, submission)| {
            self.compare_on(worker, entry, submission, answers)
        });
        built.into_iter().map(|it| it.map(Result::ok)).collect()
    }

    fn compare_on<'a>(
        &'a self,
        worker: Worker<'_>,
        entry: &'a Entry,
        submission: &'a Submission,
        KnownAnswers(references): &'a KnownAnswers,
    ) -> Result<Result<Compared<'a>, Box<ProblemResult>>, Fault> {
        let student = StudentId::new("you");
        let job = Job {
            student: &student,
            index: 0,
            entry,
            submission,
            is_wanted: true,
        };
        let sources = submission.sources();
        let sources = sources.map_err(Fault::file("read", submission.shown.join(", ")))?;
        let mut texts = SourceText::all(&sources);
        let problem = &entry.problem;
        let language = problem.languages.recognise(&texts);
        let renamed = language.and_then(|it| problem.submission.renamed(it, &sources));
        rename(&mut texts, renamed.as_ref());
        let built = job.build(worker, language, &sources, &texts);
        Ok(built.ok_or(Fault::Stopped)?.map(|built| Compared {
            judge: self,
            entry,
            submission,
            student: student.clone(),
            sources: sources.to_vec(),
            built,
            references,
        }))
    }
}

impl Compared<'_> {
    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.entry.problem
    }

    /// The problem, with this case only. It stands for others of the same search, too.
    fn with_case(&self, case: &Case) -> Entry {
        let problem = &self.entry.problem;
        let search = Subtask {
            name: SubtaskName::new("search"),
            points: Points::ZERO,
            score: ScoreRule::Sum,
            require: Vec::new(),
            hidden: false,
            hidden_until: None,
            manual: None,
            ascending: false,
            growth: None,
            // Who draws random numbers may fail now and then.
            attempts: problem.subtasks.iter().find_map(|it| it.attempts),
            by_time: Vec::new(),
            cases: vec![case.clone()],
        };
        Entry {
            problem: Arc::new(Problem {
                // Limits may be multiples of the reference's time in their cases.
                unjudged: problem.subtasks.clone(),
                subtasks: vec![search],
                ..Problem::clone(problem)
            }),
            ..self.entry.clone()
        }
    }

    /// The input of a case, generated if necessary.
    ///
    /// # Errors
    /// The failure of the generator, and [`Fault::Stopped`].
    pub fn input(&self, case: &Case) -> Result<Arc<[u8]>, Fault> {
        let entry = self.with_case(case);
        let programs = &self.references.programs;
        programs.input(self.judge.worker(0), at(&entry, case))
    }

    /// Makes the inputs of these cases of one search and the reference's answers ready, in less time than one by one; at `end`,
    /// all programs are killed.
    ///
    /// # Errors
    /// The failure of a generator, and [`Fault::Stopped`].
    pub fn prepare(&self, cases: &[Case], end: Instant) -> Result<(), Fault> {
        self.references.forget_if_full();
        let parts = cases.len().div_ceil(2 * self.judge.workers());
        let parts: Vec<_> = cases.chunks(parts.clamp(1, MAX_RUNS_TOGETHER)).collect();
        let prepared = for_each(self.judge, &parts, 0, |worker, _, cases| {
            let entry = self.with_case(&cases[0]);
            let cases: Vec<_> = cases.iter().map(|case| at(&entry, case)).collect();
            let prepared = self.references.prepare(worker.until(end), &cases);
            self.in_time(prepared).map(|_| ())
        });
        prepared.into_iter().collect()
    }

    /// Makes the reference run again on a case, alone.
    pub fn forget_answer(&self, case: &Case) {
        self.references.forget(at(&self.with_case(case), case));
    }

    /// The arguments and inputs of the problem's cases.
    ///
    /// # Errors
    /// The failure of a generator, and [`Fault::Stopped`].
    pub fn known_inputs(&self) -> Result<Vec<RunInput>, Fault> {
        let inputs = CaseRef::all(self.problem()).map(|at| {
            let programs = &self.references.programs;
            let case = programs.with_input(self.judge.worker(0), at)?;
            Ok((case.arguments.clone(), case.input.clone()))
        });
        inputs.collect()
    }

    /// The result in each of these cases; `None` if the problem's validator rejects its input, or it was not judged before
    /// `end`, when all programs are killed.
    ///
    /// # Errors
    /// The first failure of ours or of the reference.
    pub fn judge(&self, cases: &[Case], end: Instant) -> Result<Vec<Option<CaseResult>>, Fault> {
        let Some(entry) = cases.first().map(|it| self.with_case(it)) else {
            return Ok(Vec::new());
        };
        let texts = SourceText::all(&self.sources);
        let judged = for_each(self.judge, cases, 0, |worker, _, case| {
            let judged = self.judge_one(worker.until(end), at(&entry, case), &entry, &texts);
            self.in_time(judged).map(Option::flatten)
        });
        judged.into_iter().collect()
    }

    /// `None` if the time was over.
    fn in_time<T>(&self, done: Result<T, Fault>) -> Result<Option<T>, Fault> {
        match done {
            Err(Fault::Stopped) if !self.judge.stop().is_requested() => Ok(None),
            done => done.map(Some),
        }
    }

    fn judge_one(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'_>,
        entry: &Entry,
        texts: &[SourceText<'_>],
    ) -> Result<Option<CaseResult>, Fault> {
        let judging = Judging {
            sample: None,
            has_transcript: Cell::new(false),
            report: RefCell::default(),
            student: &self.student,
            entry,
            submission: self.submission,
            worker,
            references: self.references,
            sources: &self.sources,
            texts,
            built: &self.built,
            send: &|_: EventKind| (),
        };
        let programs = &self.references.programs;
        let is_valid = || programs.input_mistake(worker, at).map(|it| it.is_none());
        // On an invalid input, programs may run until their limits. A generator hardly ever makes one.
        let is_made = at.case.generator.is_some();
        if !is_made && !is_valid()? {
            return Ok(None);
        }
        let found = judging.searched(at);
        let has_failed = !matches!(&found, Ok(it) if it.verdict == Verdict::Accepted);
        if is_made && has_failed && !is_valid()? {
            return Ok(None);
        }
        found.map(Some)
    }
}

/// A case in the subtask of a search.
fn at<'a>(entry: &'a Entry, case: &'a Case) -> CaseRef<'a> {
    CaseRef {
        problem: &entry.problem,
        subtask: &entry.problem.subtasks[0],
        case,
    }
}
