//! The reference's answers and CPU times, of which limits are multiples.
//!
//! The first job that needs either runs the reference on its own core; other jobs that need the same case wait. With
//! `calibrate`, the same run provides both, so that the method whose time sets the limit also produces the right
//! answer. Short times vary most, so a short time is the smallest of several.

mod one_run;

use std::sync::Arc;
use std::time::Duration;
use std::{mem, slice};

use grader_language::{Language, ProgramSources, SourceText};
use grader_model::{CpuTime, LanguageId, Mark, NamedCase, ReferenceTime, SourceFile, Text};
use grader_problem::{
    Answer, AuthorCall, Case, CaseMultiple, CaseRef, Checker, Problem, Reference, ReferenceProgram,
    ReferenceTimes, RunRule,
};

use self::one_run::{Failure, ReferenceRun, does_not_build, file_parts, generous, no_reference};
use crate::Fault;
use crate::author_programs::Generated;
use crate::build::build_trusted;
use crate::constants::{REFERENCE_MEMORY, SHORT_REFERENCE, SHORT_REFERENCE_RUNS};
use crate::keys::reference_sources;
use crate::lab::{Key, Lab, Task};
use crate::lock::locked;
use crate::run::run;
use crate::together::{Asked, run_together};

/// The reference's run on a case, whose input is made if necessary; several runs if it is fast.
pub(crate) struct Measured<'a> {
    at: CaseRef<'a>,
    /// Whether even a short time is measured once.
    is_once: bool,
}

impl<'a> Measured<'a> {
    pub(crate) fn new(lab: Lab<'_>, at: CaseRef<'a>) -> Self {
        // Unit tests share a run.
        let is_same = |it: &CaseRef<'_>| it.case.test.is_some() && it.case.has_run_of(at.case);
        let first = CaseRef::all(at.problem).find(is_same);
        Self {
            at: first.filter(|_| at.case.test.is_some()).unwrap_or(at),
            // A longer time only makes limits longer, and near a limit, the reference runs again beside the program.
            is_once: lab.is_search && at.problem.needs_reference_time(),
        }
    }
}

impl Task for Measured<'_> {
    type Out = ReferenceRun;

    /// A problem's version tells all about its files. A search has cases of its own, and whoever needs more answers than the
    /// problem asks for changes where they come from.
    fn key(&self) -> Key {
        let CaseRef {
            problem,
            subtask,
            case,
        } = self.at;
        let names = (&subtask.name, &case.name, self.is_once);
        let called = |it: &'_ AuthorCall| (it.program.id, it.arguments.clone());
        let generator = case.generator.as_ref().map(called);
        let second = case.second_run.as_ref();
        let second = second.map(|it| (&it.arguments, it.at_most, it.change.as_ref().map(called)));
        let answer = mem::discriminant(&case.answer);
        // The checker judges the reference's own output.
        let checker = match &case.checker {
            Checker::Program(call) => format!("{:?}", called(call)),
            checker => format!("{checker:?}"),
        };
        let how = (&case.arguments, generator, second, answer, checker);
        let options = format!("{:?}", (names, how));
        let own = [problem.version.as_bytes(), options.as_bytes(), &case.input];
        let reference = problem.reference.iter().flat_map(parts);
        Key::of("reference", own.into_iter().chain(reference))
    }

    fn run(&self, lab: Lab<'_>) -> Result<ReferenceRun, Fault> {
        let Self { at, is_once } = *self;
        let mut first = lab.run_reference(at)?;
        let Some(mut smallest) = first.cpu else {
            return Ok(first);
        };
        let (mut largest, mut samples) = (smallest, 1);
        let rule = at.problem.limits.reference(None);
        // A rounded limit needs no exact time.
        let is_exact = rule.is_none_or(|rule| rule.round_up.is_none()) && !is_once;
        while is_exact && smallest < SHORT_REFERENCE && samples < SHORT_REFERENCE_RUNS {
            let cpu = lab.run_reference(at)?.cpu.unwrap_or(smallest);
            (smallest, largest) = (smallest.min(cpu), largest.max(cpu));
            samples += 1;
        }
        first.cpu = Some(smallest);
        // A time of a student's own case says nothing about the others.
        if !is_once && at.problem.own.as_ref().is_none_or(|it| !it.is_of_student) {
            locked(&lab.judge.measured).push(ReferenceTime {
                problem: at.problem.id.clone(),
                subtask: at.subtask.name.clone(),
                case: at.case.name.clone(),
                cpu: smallest,
                largest,
                samples,
                shard: None,
            });
        }
        Ok(first)
    }

    fn run_together(tasks: &[&Self], lab: Lab<'_>) -> Result<Vec<Option<ReferenceRun>>, Fault> {
        let Some(Self { at, .. }) = tasks.first() else {
            return Ok(Vec::new());
        };
        let (program, limits) = (lab.reference(at.problem)?, generous(at.problem));
        let asked: Vec<_> = tasks.iter().map(|it| Asked::case(it.at.case)).collect();
        let batches = &lab.judge.reference_batches;
        let ended = run_together(lab, &program, limits, batches, &asked)?.into_iter();
        let run = |answer| ReferenceRun {
            answer: Some(answer),
            ..ReferenceRun::default()
        };
        let answers = ended.map(|it| it?.answer(limits.output));
        Ok(answers.map(|it| it.map(run)).collect())
    }

    fn size(run: &ReferenceRun) -> Option<usize> {
        Some(run.answer.as_ref().map_or(0, |it| it.len()))
    }
}

/// The case in which the reference takes longest, and its time.
struct Slowest<'a> {
    problem: &'a Problem,
    is_once: bool,
    /// Whether it limits programs in CPython, although times are made for PyPy.
    is_cpython: bool,
}

impl Task for Slowest<'_> {
    type Out = (CpuTime, Option<NamedCase>);

    fn key(&self) -> Key {
        let version = self.problem.own_version();
        let options = [u8::from(self.is_once), u8::from(self.is_cpython)];
        Key::of("slowest case", [version.as_bytes(), &options])
    }

    fn run(&self, lab: Lab<'_>) -> Result<Self::Out, Fault> {
        let judged = CaseRef::all(self.problem);
        let unjudged = CaseRef::in_subtasks(self.problem, &self.problem.unjudged);
        let mut runs = Vec::new();
        for at in judged.chain(unjudged).filter(|at| at.case.time.is_none()) {
            // Not all answers at a time.
            let mut run = lab.measured(at)?;
            run.answer = None;
            runs.push((at, run));
        }
        // CPython's times limit other programs only if there are no others.
        let has_others = runs.iter().any(|(_, run)| run.cpu.is_some());
        let mut slowest = (CpuTime::default(), None);
        for (at, run) in &runs {
            let time = match run.cpu {
                cpu if has_others && !self.is_cpython => cpu,
                _ => run.time(self.is_cpython),
            };
            if let Some(time) = time
                && (slowest.1.is_none() || time > slowest.0)
            {
                slowest = (time, Some(at.named()));
            }
        }
        // One that fails in a case says nothing about its time there; one that fails in all is broken.
        let failed = runs.iter().find_map(|(at, run)| run.fault(at.case));
        match failed.filter(|_| slowest.1.is_none()) {
            Some(fault) => Err(fault),
            None => Ok(slowest),
        }
    }
}

/// The CPU time of a minimal program in a language: the smallest of a few runs.
struct StartUp<'a> {
    problem: &'a Problem,
    language: &'a Arc<Language>,
    source: SourceFile,
}

impl Task for StartUp<'_> {
    type Out = CpuTime;

    fn key(&self) -> Key {
        let (language, limits) = (&self.language, &self.problem.limits);
        let options = (
            language.id,
            &language.definition,
            limits.compile_time,
            limits.output,
        );
        Key::of("start-up time", [format!("{options:?}").as_bytes()])
    }

    fn run(&self, lab: Lab<'_>) -> Result<CpuTime, Fault> {
        let Self {
            problem, source, ..
        } = self;
        let sources = SourceText::all(slice::from_ref(source));
        let built = build_trusted(
            lab,
            Some(&self.language.without_build()),
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
            let ran = run(lab, &program, &rule, &case, limits, None)?.run;
            if !ran.outcome.end.is_success() {
                let why = format!("start-up program `{}`: {}", source.name(), ran.outcome.end);
                return Err(Fault::Other(format!("the reference failed: {why}")));
            }
            smallest = smallest.min(ran.outcome.cpu);
        }
        Ok(smallest)
    }
}

/// Not while programs run alone, except [`Lab::run_reference`] after [`Lab::reference`]: the others would wait for other jobs.
impl Lab<'_> {
    /// The reference's results on a case.
    pub(crate) fn measured(self, at: CaseRef<'_>) -> Result<ReferenceRun, Fault> {
        self.get(&Measured::new(self, at))
    }

    /// Forgets what is known of a case that only one student has, so that there is room for the others.
    pub(crate) fn forget_own(self, at: CaseRef<'_>) {
        if at.case.unfilled.is_some() && self.judge.memo.is_half_full() {
            self.forget(&Measured::new(self, at));
            if let Some(generator) = &at.case.generator {
                self.forget(&Generated(generator));
            }
        }
    }

    /// The right answer of a case, if it has one.
    pub(crate) fn answer(self, at: CaseRef<'_>) -> Result<Option<Arc<[u8]>>, Fault> {
        match &at.case.answer {
            Answer::Given(bytes) => Ok(Some(bytes.clone())),
            Answer::None => Ok(None),
            Answer::Input => self.input(at).map(Some),
            Answer::Reference => Ok(self.measured(at)?.answer),
        }
    }

    /// Whether the checker of a case accepts the reference's own output. If it does not, the case says nothing about a program.
    pub(crate) fn is_accepted(self, at: CaseRef<'_>) -> Result<bool, Fault> {
        let run = self.measured(at)?;
        if let Some(fault) = run.fault(at.case) {
            return Err(fault);
        }
        let mark = match (run.judgement, run.answer) {
            (Some(judgement), _) => judgement.mark,
            (None, Some(answer)) if at.case.checker.is_built_in() => {
                grader_check::check(&at.case.checker, &answer, Some(&answer))?.mark
            }
            (None, _) => return Ok(true),
        };
        Ok(mark == Mark::Right)
    }

    /// The times that limit a run of this case in `language`. `None` if they are not needed.
    pub(crate) fn times(
        self,
        at: CaseRef<'_>,
        language: LanguageId,
    ) -> Result<Option<ReferenceTimes>, Fault> {
        if !at.problem.needs_reference_time() {
            return Ok(None);
        }
        let problem = at.problem;
        let is_cpython = lacks_pypy(problem, language);
        let rule = problem.limits.reference(at.case.time.as_ref());
        let time_in = |named: &NamedCase| {
            // The loader has checked that the case exists.
            let at = CaseRef::find(problem, named).ok_or_else(no_reference)?;
            self.measured(at)?.needed_time(at.case, is_cpython)
        };
        let (own, slowest) = match rule.map(|rule| (&rule.case, rule.slowest)) {
            Some((Some(named), _)) => (time_in(named)?, None),
            Some((None, true)) => {
                let (time, case) = self.get(&Slowest {
                    problem,
                    is_once: self.is_search,
                    is_cpython,
                })?;
                (Some(time), case)
            }
            _ => (self.measured(at)?.needed_time(at.case, is_cpython)?, None),
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
            times.start_up = self.get(&StartUp {
                problem,
                language: known,
                source,
            })?;
        }
        Ok(Some(times))
    }

    /// Why a time-out in a case says nothing about a program: its limit is made for PyPy, the reference does not build, or it failed
    /// in this case, so that other cases alone set the limit.
    pub(crate) fn no_time_limit(
        self,
        at: CaseRef<'_>,
        language: &Language,
    ) -> Result<Option<Text>, Fault> {
        if let Some(why) = not_for_cpython(at.problem, language) {
            return Ok(Some(why));
        }
        if !at.problem.needs_reference_time() || at.case.time.is_some() {
            return Ok(None);
        }
        let known = self.measured(at)?;
        let fault = match known.failure {
            // It may take longer than the others.
            Some(Failure::Build(_)) => known.fault(at.case),
            _ => known.needed_time(at.case, language.lacks_pypy()).err(),
        };
        Ok(fault.map(|fault| fault.text()))
    }
}

/// Whether a language's programs run in CPython although times are made for PyPy.
pub(crate) fn lacks_pypy(problem: &Problem, language: LanguageId) -> bool {
    let language = problem.languages.get(language);
    language.is_some_and(|it| it.lacks_pypy())
}

/// Why a time-out says nothing about a program in this language: the limit is made for PyPy, which is not here, and no program
/// in CPython was timed for it. `None` if it says enough.
pub(crate) fn not_for_cpython(problem: &Problem, language: &Language) -> Option<Text> {
    let mut timed = reference_sources(problem).filter_map(|sources| {
        let language = problem.languages.recognise(&SourceText::all(sources));
        language.map(|it| it.id)
    });
    let is_timed = problem.needs_reference_time() && timed.any(|it| it == language.id);
    (language.lacks_pypy() && !is_timed).then(|| {
        Text::new(
            "slower than a time limit that is made for PyPy, but PyPy is not installed here: run `apt-get install pypy3` and judge \
             again; to count the times of CPython, remove `tools.python` from `[build]` in `problem.toml`",
            "超出了为 PyPy 设定的时间限制，但评测机上没有安装 PyPy：请运行 `apt-get install pypy3` 后重新评测；若要按 CPython 的用时计，\
             请删去 `problem.toml` 的 `[build]` 中的 `tools.python`",
        )
    })
}

/// What a reference consists of.
fn parts(reference: &Reference) -> impl Iterator<Item = &[u8]> {
    let (name, own) = match &reference.program {
        ReferenceProgram::Builtin(name) => (name.as_bytes(), &[][..]),
        ReferenceProgram::Sources(sources) => (&b""[..], &**sources),
    };
    let timed = reference.timed.iter().flatten();
    let files = own.iter().chain(timed).flat_map(file_parts);
    [name].into_iter().chain(files)
}
