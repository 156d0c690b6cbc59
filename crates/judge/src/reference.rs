//! The reference's answers and CPU times, of which limits are multiples.
//!
//! The first job that needs either runs the reference on its own core; other jobs that need the same case wait. With
//! `calibrate`, the same run provides both, so that the method whose time sets the limit also produces the right
//! answer. Short times vary most, so a short time is the smallest of several.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use grader_language::{Language, ProgramSources, SourceText};
use grader_model::{
    Breach, CpuTime, Excerpt, Judgement, LanguageId, Limits, Mark, NamedCase, ProblemId,
    ReferenceTime, SourceFile, WallTime,
};
use grader_problem::{
    Answer, Case, CaseKey, CaseMultiple, CaseRef, Checker, Problem, ReferenceProgram,
    ReferenceTimes, RunRule,
};
use grader_sandbox::{MountPoint, SystemFolders};

use crate::Fault;
use crate::author_programs::AuthorPrograms;
use crate::build::{Built, build_trusted};
use crate::check::pass_feedback::Feedback;
use crate::check::{CheckedCase, check};
use crate::constants::{
    MAX_REFERENCE_CPU, MAX_REFERENCE_STDERR_BYTES, REFERENCE_MEMORY, REFERENCE_PROCESSES,
    SHORT_REFERENCE, SHORT_REFERENCE_RUNS,
};
use crate::context::RunContext;
use crate::included::{rename, with_included};
use crate::interact;
use crate::judge::Worker;
use crate::lock::locked;
use crate::once::{OnceMap, is_known, keep, once};
use crate::program::Program;
use crate::run::{Held, run};
use crate::together::{Together, call};

/// Results of one run of the reference.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReferenceRun {
    /// The right answer, if it comes from the reference.
    pub(crate) answer: Option<Arc<[u8]>>,
    /// Its CPU time, if the limit is a multiple of it.
    pub(crate) cpu: Option<CpuTime>,
    /// The checker's judgement of its output, unless that output is the answer.
    pub(crate) judgement: Option<Judgement>,
}

/// The references' answers and times, while one assignment is judged.
///
/// Do not call these methods while running exclusively, except [`References::run`] after [`References::program`]: they
/// would wait for other jobs.
#[derive(Default)]
pub(crate) struct References {
    cases: OnceMap<CaseKey, ReferenceRun>,
    /// The reference of each problem, at 0, and the programs that are timed with it.
    built: OnceMap<(ProblemId, usize), Arc<Built>>,
    /// The case of each problem in which its reference takes longest.
    slowest: OnceMap<ProblemId, (CpuTime, Option<NamedCase>)>,
    /// The author's other programs.
    pub(crate) programs: AuthorPrograms,
    /// CPU time of a minimal program, by language.
    start_ups: OnceMap<LanguageId, CpuTime>,
    together: Together,
    /// Whether even a short time is measured once.
    pub(crate) is_timed_once: bool,
    /// Measurements that have not been reported.
    unreported: Mutex<Vec<ReferenceTime>>,
}

impl References {
    /// The right answer of a case, if it has one.
    pub(crate) fn answer(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'_>,
    ) -> Result<Option<Arc<[u8]>>, Fault> {
        match &at.case.answer {
            Answer::Given(bytes) => Ok(Some(bytes.clone())),
            Answer::None => Ok(None),
            Answer::Reference => Ok(self.measured(worker, at)?.answer),
        }
    }

    /// Whether the checker of a case accepts the reference's own output. If it does not, the case says nothing about a program.
    pub(crate) fn is_accepted(&self, worker: Worker<'_>, at: CaseRef<'_>) -> Result<bool, Fault> {
        let run = self.measured(worker, at)?;
        let mark = match (run.judgement, run.answer) {
            (Some(judgement), _) => judgement.mark,
            (None, Some(answer)) if at.case.checker.is_built_in() => {
                grader_check::check(&at.case.checker, &answer, Some(&answer))?.mark
            }
            (None, _) => return Ok(true),
        };
        Ok(mark == Mark::Right)
    }

    /// Runs the reference on these cases of one search, whose inputs are made, as far as several runs in one sandbox can do that.
    pub(crate) fn prepare<'a>(
        &self,
        worker: Worker<'_>,
        cases: impl Iterator<Item = CaseRef<'a>>,
    ) -> Result<(), Fault> {
        let new = cases.filter(|at| {
            !matches!(at.case.answer, Answer::Given(_))
                && at.case.checker.is_built_in()
                && !is_known(&self.cases, &at.key())
        });
        let new: Vec<_> = new.collect();
        let Some(CaseRef { problem, .. }) = new.first() else {
            return Ok(());
        };
        let program = self.program(worker, problem)?;
        let limits = generous(problem);
        let calls: Vec<_> = new.iter().map(call).collect();
        let ran = self.together.run(worker, (&program, limits), &calls)?;
        for (at, ran) in new.iter().zip(ran) {
            if let Some((0, answer)) = ran.filter(|it| it.1.len() as u64 <= limits.output.0) {
                self.programs.keep(&answer)?;
                let run = ReferenceRun {
                    answer: Some(answer),
                    ..ReferenceRun::default()
                };
                keep(&self.cases, at.key(), run);
            }
        }
        Ok(())
    }

    /// Forgets the results on a case, so that the reference runs again.
    pub(crate) fn forget(&self, at: CaseRef<'_>) {
        locked(&self.cases).remove(&at.key());
    }

    /// Forgets all inputs and results of a search if they take half of the memory that they may take.
    pub(crate) fn forget_if_full(&self) {
        if self.programs.forget_if_full() {
            locked(&self.cases).clear();
        }
    }

    /// The times that limit a run of this case in `language`. `None` if they are not needed.
    pub(crate) fn times(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'_>,
        language: LanguageId,
    ) -> Result<Option<ReferenceTimes>, Fault> {
        if !at.problem.needs_reference_time() {
            return Ok(None);
        }
        let problem = at.problem;
        let rule = problem.limits.reference(at.case.time.as_ref());
        let time_in = |named: &NamedCase| {
            // The loader has checked that the case exists.
            let at = CaseRef::find(problem, named).ok_or_else(no_reference)?;
            self.measured(worker, at).map(|run| run.cpu)
        };
        let (own, slowest) = match rule.map(|rule| (&rule.case, rule.slowest)) {
            Some((Some(named), _)) => (time_in(named)?, None),
            Some((None, true)) => {
                let (time, case) = self.slowest(worker, problem)?;
                (Some(time), case)
            }
            _ => (self.measured(worker, at)?.cpu, None),
        };
        let bound = |bound: Option<&CaseMultiple>| bound.map_or(Ok(None), |it| time_in(&it.case));
        let is_slow = problem.limits.for_language(language).time_factor > 1.0;
        let at_most = rule.and_then(|rule| rule.at_most.as_ref());
        let mut times = ReferenceTimes {
            own: own.unwrap_or_default(),
            slowest,
            at_least: bound(rule.and_then(|rule| rule.at_least.as_ref()))?,
            at_most: bound(at_most.filter(|_| is_slow))?,
            start_up: CpuTime::default(),
        };
        if let Some(known) = problem.languages.get(language)
            && let Some(source) = known.startup_program()
        {
            times.start_up = once(&self.start_ups, language, worker.judge, || {
                measure_start_up(worker, problem, known, &source)
            })?;
        }
        Ok(Some(times))
    }

    /// The case in which the reference takes longest, and its time.
    fn slowest(
        &self,
        worker: Worker<'_>,
        problem: &Problem,
    ) -> Result<(CpuTime, Option<NamedCase>), Fault> {
        once(&self.slowest, problem.id.clone(), worker.judge, || {
            let judged = CaseRef::all(problem);
            let all = judged.chain(CaseRef::in_subtasks(problem, &problem.unjudged));
            let mut slowest = (CpuTime::default(), None);
            for at in all.filter(|at| at.case.time.is_none()) {
                let time = self.measured(worker, at)?.cpu.unwrap_or_default();
                if slowest.1.is_none() || time > slowest.0 {
                    slowest = (time, Some(at.named()));
                }
            }
            Ok(slowest)
        })
    }

    /// The reference's results on a case. The first caller runs it.
    pub(crate) fn measured(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'_>,
    ) -> Result<ReferenceRun, Fault> {
        // Unit tests share a run.
        let is_same = |it: &CaseRef<'_>| it.case.test.is_some() && it.case.has_run_of(at.case);
        let first = CaseRef::all(at.problem).find(is_same);
        let at = first.filter(|_| at.case.test.is_some()).unwrap_or(at);
        once(&self.cases, at.key(), worker.judge, || {
            self.measure(worker, at)
        })
    }

    /// Runs the reference, several times if it is fast.
    fn measure(&self, worker: Worker<'_>, at: CaseRef<'_>) -> Result<ReferenceRun, Fault> {
        let context = RunContext::beside(worker);
        let mut first = self.run(context, at)?;
        if let Some(answer) = &first.answer {
            self.programs.keep(answer)?;
        }
        let Some(mut smallest) = first.cpu else {
            return Ok(first);
        };
        let (mut largest, mut samples) = (smallest, 1);
        let rule = at.problem.limits.reference(None);
        // A rounded limit needs no exact time.
        let is_exact = rule.is_none_or(|rule| rule.round_up.is_none()) && !self.is_timed_once;
        while is_exact && smallest < SHORT_REFERENCE && samples < SHORT_REFERENCE_RUNS {
            let cpu = self.run(context, at)?.cpu.unwrap_or(smallest);
            (smallest, largest) = (smallest.min(cpu), largest.max(cpu));
            samples += 1;
        }
        first.cpu = Some(smallest);
        locked(&self.unreported).push(ReferenceTime {
            problem: at.problem.id.clone(),
            subtask: at.subtask.name.clone(),
            case: at.case.name.clone(),
            cpu: smallest,
            largest,
            samples,
            shard: None,
        });
        Ok(first)
    }

    /// Runs the reference on a case once more.
    pub(crate) fn run(
        &self,
        context: RunContext<'_>,
        at: CaseRef<'_>,
    ) -> Result<ReferenceRun, Fault> {
        let (worker, CaseRef { problem, .. }) = (context.worker, at);
        let case = &*self.programs.with_input(worker, at)?;
        let is_timed = problem.needs_reference_time() && case.time.is_none();
        let program = self.program(worker, problem)?;
        let mut asked = case.clone();
        if let Some(reference) = problem.reference.as_ref().filter(|_| is_timed) {
            asked.arguments.extend(reference.calibrate.iter().cloned());
        }
        let limits = generous(problem);
        // Its first pass is timed and judged.
        let feedback = Feedback::of_one_run(problem, worker.judge.folder())?;
        let given = match &case.answer {
            Answer::Given(right) => Some(&right[..]),
            Answer::Reference | Answer::None => None,
        };
        let checked = CheckedCase {
            at: CaseRef { case: &asked, ..at },
            answer: given,
            feedback: feedback.as_ref(),
        };
        // The permission to keep a large answer ends here: the programs that are timed below ask for one of their own.
        let Held {
            run: ran, judged, ..
        } = interact::run(context, &self.programs, &program, checked, limits)?;
        let stderr =
            Excerpt::block(ran.stderr.trim_ascii(), MAX_REFERENCE_STDERR_BYTES).to_string();
        let failed = |why: String| Fault::Reference {
            case: case.name.to_string(),
            why,
            stderr: stderr.clone(),
        };
        if let Some(breach) = ran.outcome.breach {
            let limit = match breach {
                Breach::Cpu => format!("CPU time, {}", limits.cpu),
                Breach::Wall => format!("wall time, {}", limits.wall),
                Breach::Memory => format!("memory, {}", limits.memory),
                Breach::Output => format!("output, {}", limits.output),
            };
            return Err(failed(format!("over its limit of {limit}")));
        }
        if !ran.outcome.end.is_success() {
            // The last line of a traceback is the error.
            let last = ran.stderr.trim_ascii().rsplit(|byte| *byte == b'\n').next();
            let last = Excerpt::new(last.unwrap_or_default());
            let text = format!("{}: {last}", ran.outcome.end);
            return Err(failed(text.trim_end_matches(": ").to_owned()));
        }
        let output = ran
            .answer
            .ok_or_else(|| failed("it wrote no output file".to_owned()))?;
        let is_answer = case.answer == Answer::Reference;
        let mut judgement = judged.transpose()?;
        if judgement.is_some() || case.test.is_some() {
            // The interactor has judged it, or its harness has ended with exit status 0.
        } else if !is_answer || matches!(case.checker, Checker::Program(_)) {
            let checked = CheckedCase {
                at: CaseRef { case, ..at },
                answer: given.or_else(|| is_answer.then_some(&output[..])),
                ..checked
            };
            judgement = Some(check(context, &self.programs, checked, &output)?);
        }
        let mut cpu = ran.outcome.cpu;
        let others = problem.reference.iter().flat_map(|it| &it.timed);
        for (index, sources) in (1..).zip(others.filter(|_| is_timed)) {
            // One that cannot be built or run here sets no limit.
            let other = self.built(worker, problem, (index, sources.as_slice()));
            let held = other.and_then(|built| {
                let program = built.program(REFERENCE_MEMORY);
                interact::run(context, &self.programs, &program, checked, limits)
            });
            match held.map(|held| held.run.outcome) {
                Err(Fault::Stopped) => return Err(Fault::Stopped),
                Ok(outcome) if outcome.breach.is_none() => cpu = cpu.max(outcome.cpu),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(ReferenceRun {
            answer: is_answer.then(|| output.into()),
            cpu: is_timed.then_some(cpu),
            judgement,
        })
    }

    /// The program of a problem's reference, built if it is given as sources.
    pub(crate) fn program(&self, worker: Worker<'_>, problem: &Problem) -> Result<Program, Fault> {
        let reference = problem.reference.as_ref().ok_or_else(no_reference)?;
        Ok(match &reference.program {
            ReferenceProgram::Builtin(name) => {
                let mut command = worker.judge.builtin(name);
                let ours = worker.judge.runner();
                let ours = ours.mount(MountPoint::Program, &command.program);
                command.program.clone_from(&ours.inside);
                Program {
                    command,
                    readable: vec![ours],
                    system: SystemFolders::Runtime,
                    data: Arc::default(),
                    reserves_memory: false,
                }
            }
            ReferenceProgram::Sources(sources) => {
                let built = self.built(worker, problem, (0, sources.as_slice()))?;
                built.program(REFERENCE_MEMORY)
            }
        })
    }

    /// Builds the reference (0) or a program that is timed with it.
    fn built(
        &self,
        worker: Worker<'_>,
        problem: &Problem,
        (index, sources): (usize, &[SourceFile]),
    ) -> Result<Arc<Built>, Fault> {
        once(
            &self.built,
            (problem.id.clone(), index),
            worker.judge,
            || {
                let time = problem.limits.compile_time;
                let included = &problem.submission.include;
                let included = SourceText::all(included);
                let mut own = SourceText::all(sources);
                let languages = &problem.languages;
                let language = languages.recognise(&own);
                let renamed = language.and_then(|it| problem.submission.renamed(it, sources));
                rename(&mut own, renamed.as_ref());
                let sources = match language {
                    Some(language) => with_included(language, languages, &own, &included),
                    None => ProgramSources::own(&own),
                };
                build_trusted(worker, language, &sources, time, does_not_build).map(Arc::new)
            },
        )
    }

    /// Takes the measurements that have not been reported yet.
    pub(crate) fn take_measured(&self) -> Vec<ReferenceTime> {
        std::mem::take(&mut *locked(&self.unreported))
    }
}

fn no_reference() -> Fault {
    Fault::Other("the problem has no reference".to_owned())
}

fn does_not_build(why: &str) -> Fault {
    Fault::Other(format!("the reference does not build: {why}"))
}

/// Limits of the reference and of start-up measurements.
fn generous(problem: &Problem) -> Limits {
    Limits {
        cpu: MAX_REFERENCE_CPU,
        wall: WallTime(MAX_REFERENCE_CPU.0 * 3),
        memory: REFERENCE_MEMORY,
        output: problem.limits.output,
        processes: REFERENCE_PROCESSES,
    }
}

/// The CPU time of a minimal program: the smallest of a few runs.
fn measure_start_up(
    worker: Worker<'_>,
    problem: &Problem,
    language: &Arc<Language>,
    source: &SourceFile,
) -> Result<CpuTime, Fault> {
    let sources = SourceText::all(std::slice::from_ref(source));
    let built = build_trusted(
        worker,
        Some(&language.without_build()),
        &ProgramSources::own(&sources),
        problem.limits.compile_time,
        does_not_build,
    )?;
    let program = built.program(REFERENCE_MEMORY);
    let case = Case::default();
    let rule = RunRule {
        passes: 1,
        ..RunRule::default()
    };
    let limits = generous(problem);
    let mut smallest = CpuTime(Duration::MAX);
    for _ in 0..SHORT_REFERENCE_RUNS {
        let context = RunContext::beside(worker);
        let ran = run(context, &program, &rule, &case, limits, None)?.run;
        if !ran.outcome.end.is_success() {
            let why = format!("start-up program `{}`: {}", source.name(), ran.outcome.end);
            return Err(Fault::Other(format!("the reference failed: {why}")));
        }
        smallest = smallest.min(ran.outcome.cpu);
    }
    Ok(smallest)
}
