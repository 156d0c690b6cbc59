//! Judging a program on inputs that no case has.

use std::collections::{BTreeMap, BTreeSet};
use std::slice;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use grader_intake::Submission;
use grader_model::{CaseResult, ProblemResult, SourceFile, StudentId, SubtaskName, Text, Verdict};
use grader_problem::{Answer, Case, CaseRef, Entry, ExitPolicy, Problem, RunRule, Subtask};

use crate::Fault;
use crate::author_programs::Generated;
use crate::build::Built;
use crate::case_inputs::{CaseInputs, Withheld, WithheldInputs};
use crate::check::accepts;
use crate::constants::MAX_RUNS_TOGETHER;
use crate::decide::timing::BAND;
use crate::hash::hash;
use crate::job::Job;
use crate::judge::Judge;
use crate::judging::Judging;
use crate::lab::Lab;
use crate::lock::locked;
use crate::prepared::Prepared;
use crate::reference::Measured;
use crate::scheduler::for_each;
use crate::together::{Asked, run_together};

/// The subtask of a search. No subtask of a problem has a name like this, so their cases are never mistaken for one another.
const SEARCH: &str = "/search";

/// Of the inputs that a search accepts in a shared sandbox, so many are tried alone, too …
const FIRST_ALONE: usize = 4;
/// … and later the last of each batch, and one of so many before it.
const EVERY_ALONE: usize = 16;

/// What a search finds out about a program on one input.
#[derive(Clone, Debug)]
pub enum Tried {
    /// The program was judged. If it is accepted, there may be nothing but the verdict.
    Judged(Box<CaseResult>),
    /// The validator rejects the input.
    Invalid,
    /// There was not enough time.
    Late,
    /// The problem is at fault, so the input says nothing about the program.
    Fault(ProblemFault),
}

impl Tried {
    /// How the program fails, if it does.
    pub fn failure(&self) -> Option<&CaseResult> {
        match self {
            Self::Judged(it) => is_failure(it.verdict).then_some(it),
            Self::Invalid | Self::Late | Self::Fault(_) => None,
        }
    }
}

/// A fault of a problem on an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProblemFault {
    /// The checker rejects the reference's own answer.
    Rejected,
    /// The checker rejects what the reference answers on a second run.
    Unsteady,
    /// The generator prints another input on a second run.
    Generator,
    /// The generator or the validator fails, for this reason.
    Failed(Text),
}

/// A program that is compared with the reference of its problem.
pub struct Compared<'a> {
    judge: &'a Judge,
    entry: &'a Entry,
    submission: &'a Submission,
    student: StudentId,
    sources: Vec<SourceFile>,
    pub(crate) built: Box<Built>,
    /// Hashes of the inputs on which it is right in a shared sandbox.
    accepted: Mutex<BTreeSet<String>>,
    /// How many of them were tried alone, too.
    alone: AtomicUsize,
    /// Whether one of these was wrong alone.
    differs_alone: AtomicBool,
}

/// What several runs in one sandbox decide about a case.
#[derive(Clone, Copy, PartialEq)]
enum Decided {
    /// The answer is right.
    Accepted,
    /// The answer is right, and the case is judged alone, too.
    Sampled,
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
    ) -> Result<Result<Compared<'a>, Box<ProblemResult>>, Fault> {
        self.compare_in(self.lab(), entry, submission)
    }

    /// Builds several submissions for comparing, in parallel; those that do not build are left out.
    ///
    /// # Errors
    /// The first failure of ours, and [`Fault::Stopped`].
    pub fn compare_all<'a>(
        &'a self,
        submissions: &[(&'a Entry, &'a Submission)],
    ) -> Result<Vec<Option<Compared<'a>>>, Fault> {
        let built = for_each(self, submissions, 0, |lab, _, (entry, submission)| {
            self.compare_in(lab, entry, submission)
        });
        built.into_iter().map(|it| it.map(Result::ok)).collect()
    }

    fn compare_in<'a>(
        &'a self,
        lab: Lab<'_>,
        entry: &'a Entry,
        submission: &'a Submission,
    ) -> Result<Result<Compared<'a>, Box<ProblemResult>>, Fault> {
        let student = StudentId::new("you");
        let job = Job::single(&student, entry, submission);
        let sources = submission.sources();
        let sources = sources.map_err(Fault::file("read", submission.shown.join(", ")))?;
        let prepared = Prepared::new(&entry.problem, &sources);
        let built = job.build(lab, &prepared, &prepared.texts());
        let built = built.ok_or(Fault::Stopped)?;
        let built = built.map_err(|it| Box::new(it.result));
        Ok(built.map(|built| Compared {
            judge: self,
            entry,
            submission,
            student: student.clone(),
            sources: sources.to_vec(),
            built,
            accepted: Mutex::default(),
            alone: AtomicUsize::new(0),
            differs_alone: AtomicBool::new(false),
        }))
    }
}

impl Compared<'_> {
    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.entry.problem
    }

    /// The lab of the search.
    fn lab(&self) -> Lab<'_> {
        self.judge.lab().searching()
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
        self.lab().input(at(&entry, case))
    }

    /// Makes the inputs of these cases known, which takes time if they are generated.
    ///
    /// # Errors
    /// The failure of a generator, and [`Fault::Stopped`].
    pub fn withhold(&self, withheld: Withheld) -> Result<(), Fault> {
        self.withheld(withheld).map(drop)
    }

    fn withheld(&self, withheld: Withheld) -> Result<Arc<CaseInputs>, Fault> {
        let problem = self.problem();
        self.lab().get(&WithheldInputs { problem, withheld })
    }

    /// Whether the input of a case is that of one which must not be shown.
    ///
    /// # Errors
    /// The failure of a generator, and [`Fault::Stopped`].
    pub fn is_withheld(&self, case: &Case, withheld: Withheld) -> Result<bool, Fault> {
        let (known, entry) = (self.withheld(withheld)?, self.with_case(case));
        known.contain(self.lab(), self.problem(), at(&entry, case))
    }

    /// Judges a case so often, each time with an answer that the reference gave in a run of its own. Ends with the first result
    /// that is no failure.
    ///
    /// # Errors
    /// The first failure of ours or of the reference.
    pub fn repeat(&self, case: &Case, times: usize, end: Instant) -> Result<Tried, Fault> {
        let entry = self.with_case(case);
        let (lab, at) = (self.lab().until(end), at(&entry, case));
        let mut last = Tried::Late;
        let mut earlier: Option<Arc<[u8]>> = None;
        for _ in 0..times {
            lab.forget(&Measured::new(lab, at));
            let tried = self.judge(slice::from_ref(case), end)?.pop();
            last = tried.unwrap_or(Tried::Late);
            if last.failure().is_none() {
                return Ok(last);
            }
            let Some(answer) = self.in_time(lab.answer(at))? else {
                return Ok(Tried::Late);
            };
            if let (Some(earlier), Some(answer)) = (earlier, &answer) {
                let accepts = accepts(lab, at, Some(answer), &earlier);
                match self.in_time(accepts)? {
                    None => return Ok(Tried::Late),
                    Some(false) => return Ok(Tried::Fault(ProblemFault::Unsteady)),
                    Some(true) => {}
                }
            }
            earlier = answer;
        }
        Ok(last)
    }

    /// What is found out in each of these cases of one search before `end`, when all programs are killed.
    ///
    /// # Errors
    /// The first failure of ours or of the reference.
    pub fn judge(&self, cases: &[Case], end: Instant) -> Result<Vec<Tried>, Fault> {
        self.judge.memo.forget_if_full();
        let Some(entry) = cases.first().map(|it| self.with_case(it)) else {
            return Ok(Vec::new());
        };
        let cases: Vec<_> = cases.iter().map(|case| at(&entry, case)).collect();
        let part = cases.len().div_ceil(2 * self.judge.workers());
        let parts: Vec<_> = cases.chunks(part.clamp(1, MAX_RUNS_TOGETHER)).collect();
        let decided = for_each(self.judge, &parts, 0, |lab, _, cases| {
            let decided = self.judge_together(lab.searching().until(end), cases);
            let decided = self.in_time(decided)?;
            Ok(decided.unwrap_or_else(|| vec![Decided::Not; cases.len()]))
        });
        let decided: Vec<_> = decided.into_iter().collect::<Result<_, Fault>>()?;
        let decided = self.sampled(decided.concat());
        let cases: Vec<_> = cases.into_iter().zip(decided).collect();
        let prepared = Prepared::new(self.problem(), &self.sources);
        let judging = Judging {
            sample: None,
            job: &Job::single(&self.student, &entry, self.submission),
            lab: self.lab(),
            prepared: &prepared,
            texts: &prepared.texts(),
            built: &self.built,
        };
        let judged = for_each(self.judge, &cases, 0, |lab, _, (at, decided)| {
            let alone = || {
                let lab = lab.searching().until(end);
                self.in_time(judge_one(&Judging { lab, ..judging }, *at))
            };
            let accepted =
                || CaseResult::unrun(at.case.name.clone(), Verdict::Accepted, Text::default());
            let accepted = || Tried::Judged(Box::new(accepted()));
            match decided {
                Decided::Accepted => Ok(accepted()),
                Decided::Sampled => {
                    // If there is no time, the first answer stays.
                    let judged = alone()?.unwrap_or_else(accepted);
                    if judged.failure().is_some() {
                        self.differs_alone.store(true, Ordering::Relaxed);
                    }
                    Ok(judged)
                }
                Decided::Invalid => Ok(Tried::Invalid),
                Decided::Not => Ok(alone()?.unwrap_or(Tried::Late)),
            }
        });
        judged.into_iter().collect()
    }

    /// Chooses some of the cases that were accepted in a shared sandbox. There is a shell, there are more files and other runs,
    /// so a program may behave otherwise when it is alone.
    fn sampled(&self, mut decided: Vec<Decided>) -> Vec<Decided> {
        let accepted = decided.iter_mut().rev();
        let accepted = accepted.filter(|it| **it == Decided::Accepted);
        for (index, decided) in accepted.enumerate() {
            let is_first = self.alone.load(Ordering::Relaxed) < FIRST_ALONE;
            if is_first || index.is_multiple_of(EVERY_ALONE) {
                self.alone.fetch_add(1, Ordering::Relaxed);
                *decided = Decided::Sampled;
            }
        }
        decided
    }

    /// What several runs in one sandbox decide. What fails here fails again alone, which reports why.
    fn judge_together(&self, lab: Lab<'_>, cases: &[CaseRef<'_>]) -> Result<Vec<Decided>, Fault> {
        let mut decided = vec![Decided::Not; cases.len()];
        let [first, _, ..] = cases else {
            return Ok(decided);
        };
        let generators = cases.iter().filter_map(|at| at.case.generator.as_ref());
        lab.prepare(&generators.map(Generated).collect::<Vec<_>>())?;
        if !can_be_together(*first) || self.differs_alone.load(Ordering::Relaxed) {
            return Ok(decided);
        }
        // Each input once: generators print small ones again and again.
        let mut inputs = BTreeMap::new();
        for (index, at) in cases.iter().enumerate() {
            // Those of the first decide for all.
            if at.case.validators != first.case.validators {
                continue;
            }
            let Ok(case) = lab.with_input(*at) else {
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
        let ended = self.run_together(lab, &new.collect::<Vec<_>>())?;
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
    fn run_together(&self, lab: Lab<'_>, cases: &[CaseRef<'_>]) -> Result<Vec<Decided>, Fault> {
        let mut decided = vec![Decided::Not; cases.len()];
        let Some(CaseRef { problem, case, .. }) = cases.first() else {
            return Ok(decided);
        };
        let mut valid: Vec<usize> = (0..cases.len()).collect();
        let is_made = case.generator.is_some();
        for number in 0..if is_made { 0 } else { case.validators.len() } {
            let inputs = valid.iter().map(|index| &cases[*index].case.input[..]);
            let accepts = lab.are_valid(&case.validators[number], &inputs.collect::<Vec<_>>())?;
            for (index, accepts) in valid.iter().zip(&accepts) {
                if *accepts == Some(false) {
                    decided[*index] = Decided::Invalid;
                }
            }
            let mut accepts = accepts.into_iter();
            valid.retain(|_| accepts.next().flatten() == Some(true));
        }
        let valid: Vec<_> = valid.iter().map(|index| (*index, cases[*index])).collect();
        let asked = valid.iter().map(|(_, at)| *at).filter(is_asked);
        lab.prepare(&asked.map(|at| Measured::new(lab, at)).collect::<Vec<_>>())?;
        let answer = |(index, at)| {
            // Otherwise, the case is judged alone, which reports why.
            let is_accepted = lab.is_accepted(at).ok()?;
            let answer = lab.answer(at).ok()?;
            is_accepted.then_some((index, at, answer))
        };
        let answered: Vec<_> = valid.into_iter().filter_map(answer).collect();
        let (built, limits) = (&self.built, &problem.limits);
        let limits = limits.resolve(None, built.language.id, None);
        let mut together = built.allowed(limits);
        // So that no run is near its limit.
        together.cpu.0 = together.cpu.0.div_f64(BAND);
        let program = built.program(limits.memory);
        let asked = answered.iter().map(|(_, at, _)| Asked::case(at.case));
        let asked: Vec<_> = asked.collect();
        let ended = run_together(lab, &program, together, &built.batches, &asked)?;
        for ((index, at, answer), ended) in answered.iter().zip(ended) {
            if let Some(output) = ended.and_then(|it| it.answer(limits.output))
                && accepts(lab, *at, answer.as_deref(), &output)?
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
}

/// Judges a case of a search in runs of its own.
fn judge_one(judging: &Judging<'_>, at: CaseRef<'_>) -> Result<Tried, Fault> {
    let lab = judging.lab;
    // On an invalid input, programs may run until their limits. A generator hardly ever makes one.
    let is_made = at.case.generator.is_some();
    if !is_made && let Some(mistake) = input_mistake(lab, at)? {
        return Ok(mistake);
    }
    let found = match lab.is_accepted(at) {
        Err(Fault::Stopped) => return Err(Fault::Stopped),
        Ok(false) => Ok(Tried::Fault(ProblemFault::Rejected)),
        // If the reference fails, judging reports why.
        Ok(true) | Err(_) => judging.searched(at).map(|it| Tried::Judged(Box::new(it))),
    };
    let is_right = matches!(&found, Ok(Tried::Judged(it)) if it.verdict == Verdict::Accepted);
    if is_made
        && !is_right
        && let Some(mistake) = input_mistake(lab, at)?
    {
        return Ok(mistake);
    }
    found
}

/// Why an input does not count, if it does not.
fn input_mistake(lab: Lab<'_>, at: CaseRef<'_>) -> Result<Option<Tried>, Fault> {
    let fault = match lab.generator_mistake(at) {
        Ok(None) => match lab.validator_mistake(at) {
            Ok(mistake) => return Ok(mistake.map(|_| Tried::Invalid)),
            Err(fault) => fault,
        },
        Ok(Some(_)) => return Ok(Some(Tried::Fault(ProblemFault::Generator))),
        Err(fault) => fault,
    };
    match fault {
        // What an author's program does says nothing about others.
        Fault::Other(_) | Fault::CheckerWall { .. } => {
            Ok(Some(Tried::Fault(ProblemFault::Failed(fault.text()))))
        }
        fault => Err(fault),
    }
}

/// Whether a verdict says that the program failed.
const fn is_failure(verdict: Verdict) -> bool {
    !matches!(verdict, Verdict::Accepted | Verdict::JudgeError)
}

/// Whether a run needs nothing but arguments and standard input, and nothing but its standard output decides.
fn can_be_together(CaseRef { problem, case, .. }: CaseRef<'_>) -> bool {
    let plain = RunRule {
        passes: 1,
        ..RunRule::default()
    };
    problem.run == plain
        && case.files.is_empty()
        && case.test.is_none()
        && matches!(
            case.exit_status,
            ExitPolicy::Status(0) | ExitPolicy::Ignored
        )
        && case.stderr.is_none()
        && !case.checker.is_interactive()
        && !problem.needs_reference_time()
}

/// Whether the reference's output is all that its run is for.
fn is_asked(CaseRef { case, .. }: &CaseRef<'_>) -> bool {
    !matches!(case.answer, Answer::Given(_)) && case.checker.is_built_in()
}

/// A case in the subtask of a search.
fn at<'a>(entry: &'a Entry, case: &'a Case) -> CaseRef<'a> {
    CaseRef {
        problem: &entry.problem,
        subtask: &entry.problem.subtasks[0],
        case,
    }
}
