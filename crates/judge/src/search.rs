//! Judging a program on inputs that no case has.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use grader_intake::Submission;
use grader_language::SourceText;
use grader_model::{
    CaseResult, EventKind, Mark, ProblemResult, SourceFile, StudentId, SubtaskName, Text, Verdict,
};
use grader_problem::{Case, CaseRef, Entry, Problem, RunRule, Subtask};

use crate::Fault;
use crate::build::Built;
use crate::check::{CheckedCase, check};
use crate::constants::MAX_RUNS_TOGETHER;
use crate::context::RunContext;
use crate::decide::timing::BAND;
use crate::included::rename;
use crate::job::Job;
use crate::judge::{Judge, Worker};
use crate::judging::Judging;
use crate::keys::hash;
use crate::lock::locked;
use crate::reference::References;
use crate::scheduler::for_each;
use crate::together::call;

/// The subtask of a search. No subtask of a problem has a name like this, so their cases are never mistaken for one another.
const SEARCH: &str = "/search";

/// What the references of an assignment answered, for all programs that are compared with them.
pub struct KnownAnswers(References);

impl Default for KnownAnswers {
    fn default() -> Self {
        let mut references = References::default();
        // A longer time only makes limits longer, and near a limit, the reference runs again beside the program.
        references.is_timed_once = true;
        Self(references)
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
    /// Hashes of the inputs on which it is right.
    accepted: Mutex<BTreeSet<String>>,
}

/// What several runs in one sandbox decide about a case.
#[derive(Clone, Copy, PartialEq)]
enum Decided {
    /// The answer is right.
    Accepted,
    /// The validator rejects the input.
    Invalid,
    /// The case must be judged alone.
    Not,
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
        let built = built.ok_or(Fault::Stopped)?.map_err(|it| it.result);
        Ok(built.map(|built| Compared {
            judge: self,
            entry,
            submission,
            student: student.clone(),
            sources: sources.to_vec(),
            built,
            references,
            accepted: Mutex::default(),
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
            name: SubtaskName::new(SEARCH),
            // Who draws random numbers may fail now and then.
            attempts: problem.subtasks.iter().find_map(|it| it.attempts),
            cases: vec![case.clone()],
            ..Subtask::default()
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

    /// The result in each of these cases of one search; `None` if the problem's validator rejects its input, or it was not
    /// judged before `end`, when all programs are killed. An accepted case may have nothing but its verdict.
    ///
    /// # Errors
    /// The first failure of ours or of the reference.
    pub fn judge(&self, cases: &[Case], end: Instant) -> Result<Vec<Option<CaseResult>>, Fault> {
        self.references.forget_if_full();
        let Some(entry) = cases.first().map(|it| self.with_case(it)) else {
            return Ok(Vec::new());
        };
        let cases: Vec<_> = cases.iter().map(|case| at(&entry, case)).collect();
        let part = cases.len().div_ceil(2 * self.judge.workers());
        let parts: Vec<_> = cases.chunks(part.clamp(1, MAX_RUNS_TOGETHER)).collect();
        let decided = for_each(self.judge, &parts, 0, |worker, _, cases| {
            let decided = self.judge_together(worker.until(end), cases);
            let decided = self.in_time(decided)?;
            Ok(decided.unwrap_or_else(|| vec![Decided::Not; cases.len()]))
        });
        let decided: Vec<_> = decided.into_iter().collect::<Result<_, Fault>>()?;
        let cases: Vec<_> = cases.into_iter().zip(decided.concat()).collect();
        let texts = SourceText::all(&self.sources);
        let judged = for_each(self.judge, &cases, 0, |worker, _, (at, decided)| {
            let (name, message) = (at.case.name.clone(), Text::default());
            match decided {
                Decided::Accepted => Ok(Some(CaseResult::unrun(name, Verdict::Accepted, message))),
                Decided::Invalid => Ok(None),
                Decided::Not => {
                    let judged = self.judge_one(worker.until(end), *at, &entry, &texts);
                    self.in_time(judged).map(Option::flatten)
                }
            }
        });
        judged.into_iter().collect()
    }

    /// What several runs in one sandbox decide. What fails here fails again alone, which reports why.
    fn judge_together(
        &self,
        worker: Worker<'_>,
        cases: &[CaseRef<'_>],
    ) -> Result<Vec<Decided>, Fault> {
        let mut decided = vec![Decided::Not; cases.len()];
        let [first, _, ..] = cases else {
            return Ok(decided);
        };
        let programs = &self.references.programs;
        programs.generate_together(worker, cases)?;
        if !can_be_together(*first) {
            return Ok(decided);
        }
        // Each input once: generators print small ones again and again.
        let mut inputs = BTreeMap::new();
        for (index, at) in cases.iter().enumerate() {
            let Ok(case) = programs.with_input(worker, *at) else {
                continue;
            };
            let words = case.arguments.iter().map(String::as_bytes);
            let hash = hash(words.chain([&case.input[..]]));
            if locked(&self.accepted).contains(&hash) {
                decided[index] = Decided::Accepted;
            } else {
                let (_, indexes) = inputs.entry(hash).or_insert((case, Vec::new()));
                indexes.push(index);
            }
        }
        let new = inputs.values().map(|(case, _)| CaseRef { case, ..*first });
        let ended = self.run_together(worker, &new.collect::<Vec<_>>())?;
        for ((hash, (_, indexes)), end) in inputs.iter().zip(ended) {
            for index in indexes {
                decided[*index] = end;
            }
            if end == Decided::Accepted {
                locked(&self.accepted).insert(hash.clone());
            }
        }
        Ok(decided)
    }

    /// The same for cases with inputs that are made and differ.
    fn run_together(
        &self,
        worker: Worker<'_>,
        cases: &[CaseRef<'_>],
    ) -> Result<Vec<Decided>, Fault> {
        let mut decided = vec![Decided::Not; cases.len()];
        let Some(CaseRef { problem, case, .. }) = cases.first() else {
            return Ok(decided);
        };
        let (references, programs) = (self.references, &self.references.programs);
        let mut valid: Vec<usize> = (0..cases.len()).collect();
        if let (Some(validator), None) = (&case.validator, &case.generator) {
            let inputs: Vec<_> = cases.iter().map(|at| &at.case.input[..]).collect();
            let accepts = programs.are_valid(worker, validator, &inputs)?;
            valid.retain(|index| accepts[*index] == Some(true));
            let rejected = decided.iter_mut().zip(accepts);
            for (decided, _) in rejected.filter(|(_, accepts)| *accepts == Some(false)) {
                *decided = Decided::Invalid;
            }
        }
        let valid: Vec<_> = valid.iter().map(|index| (*index, cases[*index])).collect();
        references.prepare(worker, valid.iter().map(|(_, at)| *at))?;
        let answer = |(index, at)| Some((index, at, references.answer(worker, at).ok()?));
        let answered: Vec<_> = valid.into_iter().filter_map(answer).collect();
        let (built, limits) = (&self.built, &problem.limits);
        let limits = limits.resolve(None, built.language.id, None);
        let mut together = built.allowed(limits);
        // So that no run is near its limit.
        together.cpu.0 = together.cpu.0.div_f64(BAND);
        let program = built.program(limits.memory);
        let calls: Vec<_> = answered.iter().map(|(_, at, _)| call(at)).collect();
        let ran = built.together.run(worker, (&program, together), &calls)?;
        for ((index, at, answer), ran) in answered.iter().zip(ran) {
            let checked = CheckedCase {
                at: *at,
                answer: answer.as_deref(),
                feedback: None,
            };
            if let Some((0, output)) = ran.filter(|it| it.1.len() as u64 <= limits.output.0)
                && check(RunContext::beside(worker), programs, checked, &output)?.mark
                    == Mark::Right
            {
                decided[*index] = Decided::Accepted;
            }
        }
        Ok(decided)
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
            errors: RefCell::default(),
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

/// Whether a run needs nothing but arguments and standard input, and nothing but its standard output decides.
fn can_be_together(CaseRef { problem, case, .. }: CaseRef<'_>) -> bool {
    let plain = RunRule {
        exit_status: problem.run.exit_status,
        passes: 1,
        ..RunRule::default()
    };
    problem.run == plain
        && case.files.is_empty()
        && case.test.is_none()
        && !case.checker.is_interactive()
        && !problem.needs_reference_time()
}

/// A case in the subtask of a search.
fn at<'a>(entry: &'a Entry, case: &'a Case) -> CaseRef<'a> {
    CaseRef {
        problem: &entry.problem,
        subtask: &entry.problem.subtasks[0],
        case,
    }
}
