//! The reference's answers and CPU times, of which limits are multiples.
//!
//! The first job that needs either runs the reference on its own core; other jobs that need the same case wait. With
//! `calibrate`, the same run provides both, so that the method whose time sets the limit also produces the right
//! answer. Short times vary most, so a short time is the smallest of several.

use std::sync::Arc;
use std::time::Duration;
use std::{mem, slice};

use grader_language::{Language, ProgramSources, SourceText};
use grader_model::{
    Breach, CpuTime, Excerpt, Judgement, LanguageId, Limits, Mark, NamedCase, ReferenceTime,
    SourceFile, Text, WallTime,
};
use grader_problem::{
    Answer, Case, CaseMultiple, CaseRef, Checker, ExitPolicy, Problem, Reference, ReferenceProgram,
    ReferenceTimes, RunRule,
};
use grader_sandbox::{MountPoint, SystemFolders};

use crate::Fault;
use crate::build::{Built, build_trusted};
use crate::check::pass_feedback::Feedback;
use crate::check::{CheckedCase, check, second_run};
use crate::constants::{
    MAX_REFERENCE_CPU, MAX_REFERENCE_STDERR_BYTES, REFERENCE_MEMORY, REFERENCE_PROCESSES,
    SHORT_REFERENCE, SHORT_REFERENCE_RUNS,
};
use crate::decide::run::Run;
use crate::included::with_included;
use crate::keys::reference_sources;
use crate::lab::{Key, Lab, Task};
use crate::lock::locked;
use crate::prepared::Prepared;
use crate::program::Program;
use crate::run::{Execution, run};
use crate::together::{Asked, run_together};

/// Why the reference gave no output in a case, in one line.
#[derive(Clone, Debug)]
enum Failure {
    /// It does not build.
    Build(String),
    /// It failed, with this standard error.
    Run(String, String),
}

/// Results of one run of the reference.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReferenceRun {
    /// The right answer, if it comes from the reference.
    pub(crate) answer: Option<Arc<[u8]>>,
    /// The CPU time of which the limit is a multiple: its own, or that of the slowest program that is timed with it.
    pub(crate) cpu: Option<CpuTime>,
    /// The same of programs in CPython whose authors used PyPy: it limits only others in CPython, if there is another.
    pub(crate) cpython: Option<CpuTime>,
    /// How it failed in a case whose answer does not come from it: a fault only if nothing else can be timed there.
    failure: Option<Failure>,
    /// The checker's judgement of its output, unless that output is the answer.
    pub(crate) judgement: Option<Judgement>,
}

impl ReferenceRun {
    /// The time that limits a program, or others in CPython if it `is_cpython`, although times are made for PyPy.
    pub(crate) fn time(&self, is_cpython: bool) -> Option<CpuTime> {
        if is_cpython {
            self.cpu.max(self.cpython)
        } else {
            self.cpu.or(self.cpython)
        }
    }

    /// Adds the time of a program with these sources.
    fn add(&mut self, problem: &Problem, sources: &[SourceFile], cpu: CpuTime) {
        let language = problem.languages.recognise(&SourceText::all(sources));
        let is_cpython = language.is_some_and(|it| it.lacks_pypy());
        let slowest = if is_cpython {
            &mut self.cpython
        } else {
            &mut self.cpu
        };
        *slowest = (*slowest).max(Some(cpu));
    }

    /// The failure in this case, as a fault.
    pub(crate) fn fault(&self, case: &Case) -> Option<Fault> {
        let case = case.name.to_string();
        Some(match self.failure.clone()? {
            Failure::Build(why) => Fault::ReferenceBuild(why),
            Failure::Run(why, stderr) => Fault::Reference { case, why, stderr },
        })
    }

    /// The time, if it is needed. Fails if it is not known because the reference failed in this case.
    fn needed_time(&self, case: &Case, is_cpython: bool) -> Result<Option<CpuTime>, Fault> {
        match (self.time(is_cpython), self.fault(case)) {
            (None, Some(fault)) => Err(fault),
            (time, _) => Ok(time),
        }
    }
}

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
        let generator = case.generator.as_ref();
        let generator = generator.map(|it| (it.program.id, &it.arguments));
        let answer = mem::discriminant(&case.answer);
        let options = format!("{:?}", (names, &case.arguments, generator, answer));
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
        if !is_once {
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

/// The build of a reference, or of a program that is timed with it.
struct ReferenceBuild<'a> {
    problem: &'a Problem,
    sources: &'a [SourceFile],
}

impl Task for ReferenceBuild<'_> {
    type Out = Arc<Built>;

    fn key(&self) -> Key {
        let version = self.problem.version.as_bytes();
        let sources = self.sources.iter().flat_map(file_parts);
        Key::of("reference's program", [version].into_iter().chain(sources))
    }

    fn run(&self, lab: Lab<'_>) -> Result<Arc<Built>, Fault> {
        let Self { problem, sources } = self;
        let included = SourceText::all(&problem.submission.include);
        let prepared = Prepared::reference(problem, sources);
        let (language, own) = (prepared.language, prepared.texts());
        let sources = match language {
            Some(language) => with_included(language, &problem.languages, &own, &included),
            None => ProgramSources::own(&own),
        };
        let time = problem.limits.compile_time;
        build_trusted(lab, language, &sources, time, does_not_build).map(Arc::new)
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
        let version = self.problem.version.as_bytes();
        let options = [u8::from(self.is_once), u8::from(self.is_cpython)];
        Key::of("slowest case", [version, &options])
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
impl<'a> Lab<'a> {
    /// The reference's results on a case.
    pub(crate) fn measured(self, at: CaseRef<'_>) -> Result<ReferenceRun, Fault> {
        self.get(&Measured::new(self, at))
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

    /// Runs the reference on a case once more.
    pub(crate) fn run_reference(self, at: CaseRef<'_>) -> Result<ReferenceRun, Fault> {
        let problem = at.problem;
        let case = &*self.with_input(at)?;
        let is_timed = problem.needs_reference_time() && case.time.is_none();
        let mut asked = case.clone();
        if let Some(reference) = problem.reference.as_ref().filter(|_| is_timed) {
            asked.arguments.extend(reference.calibrate.iter().cloned());
            if let Some(second) = &mut asked.second_run {
                second.arguments.extend(reference.calibrate.iter().cloned());
            }
        }
        let limits = generous(problem);
        // Its first pass is timed and judged.
        let feedback = Feedback::of_one_run(problem, self.judge.folder())?;
        let given = match &case.answer {
            Answer::Given(right) => Some(&right[..]),
            Answer::Input => Some(&case.input[..]),
            Answer::Reference | Answer::None => None,
        };
        let checked = CheckedCase {
            at: CaseRef { case: &asked, ..at },
            answer: given,
            feedback: feedback.as_ref(),
        };
        self.build_checker(at)?;
        let is_answer = case.answer == Answer::Reference;
        let failed = |failure| {
            let mut run = ReferenceRun {
                failure: Some(failure),
                ..ReferenceRun::default()
            };
            if is_timed {
                self.add_timed(&mut run, checked, limits)?;
            }
            Ok(run)
        };
        let program = match self.reference(problem) {
            Ok(program) => program,
            // Other programs may build here.
            Err(Fault::ReferenceBuild(why)) if is_timed && !is_answer => {
                return failed(Failure::Build(why));
            }
            Err(fault) => return Err(fault),
        };
        // The permission to keep a large answer ends here: the programs that are timed below ask for one of their own.
        let Execution {
            run: mut ran,
            judged,
            ..
        } = self.run_all(&program, checked, limits)?;
        let stderr = Excerpt::block(ran.stderr.trim_ascii(), MAX_REFERENCE_STDERR_BYTES);
        let own = ran.outcome.cpu;
        // One that is too slow would make the limit too short.
        let is_slow = matches!(ran.outcome.breach, Some(Breach::Cpu | Breach::Wall));
        let output = match output(&mut ran, &limits, case.exit_status) {
            Ok(output) => output,
            Err(why) if is_answer || is_slow => {
                let (case, stderr) = (case.name.to_string(), stderr.to_string());
                return Err(Fault::Reference { case, why, stderr });
            }
            Err(why) => return failed(Failure::Run(why, stderr.to_string())),
        };
        let mut judgement = judged.transpose()?;
        if judgement.is_some() || case.test.is_some() {
            // The interactor has judged it, or its harness has ended with exit status 0.
        } else if !is_answer || matches!(case.checker, Checker::Program(_)) {
            let checked = CheckedCase {
                at: CaseRef { case, ..at },
                answer: given.or_else(|| is_answer.then_some(&output[..])),
                ..checked
            };
            judgement = Some(check(self, checked, &output)?);
        }
        let mut run = ReferenceRun {
            answer: is_answer.then(|| output.into()),
            judgement,
            ..ReferenceRun::default()
        };
        if is_timed {
            match problem.reference.as_ref().map(|it| &it.program) {
                Some(ReferenceProgram::Sources(sources)) => run.add(problem, sources, own),
                _ => run.cpu = Some(own),
            }
            self.add_timed(&mut run, checked, limits)?;
        }
        Ok(run)
    }

    /// Adds the CPU times of the programs that are timed with the reference. One that cannot be built or run here sets no limit.
    fn add_timed(
        self,
        to: &mut ReferenceRun,
        case: CheckedCase<'_>,
        limits: Limits,
    ) -> Result<(), Fault> {
        let problem = case.at.problem;
        for sources in problem.reference.iter().flat_map(|it| &it.timed) {
            let built = self.get(&ReferenceBuild { problem, sources });
            let ran = built.and_then(|built| {
                let program = built.program(REFERENCE_MEMORY);
                self.run_all(&program, case, limits)
            });
            match ran.map(|it| it.run.outcome) {
                Err(Fault::Stopped) => return Err(Fault::Stopped),
                Ok(outcome) if outcome.breach.is_none() && outcome.end.is_success() => {
                    to.add(problem, sources, outcome.cpu);
                }
                Ok(_) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// Runs a trusted program on a case; if there is a second run and the first ended well, that one, with the time of the slower.
    fn run_all(
        self,
        program: &Program,
        checked: CheckedCase<'_>,
        limits: Limits,
    ) -> Result<Execution<'a>, Fault> {
        let (rule, case, interactor) = (
            &checked.at.problem.run,
            checked.at.case,
            checked.with_interactor(),
        );
        let mut first = run(self, program, rule, case, limits, interactor)?;
        let Some(second) = &case.second_run else {
            return Ok(first);
        };
        let Ok(printed) = output(&mut first.run, &limits, case.exit_status) else {
            return Ok(first);
        };
        let cpu = first.run.outcome.cpu;
        drop(first);
        let too_long = |why: Text| Fault::Other(format!("the reference's first run: {}", why.en));
        let input = second_run::input(self, second, &printed, checked.feedback)?;
        let input = input.map_err(too_long)?;
        if let Some(feedback) = checked.feedback {
            feedback.begin(2)?;
        }
        let case = Case {
            input,
            arguments: second.arguments.clone(),
            second_run: None,
            ..case.clone()
        };
        let mut last = run(self, program, rule, &case, limits, interactor)?;
        last.run.outcome.cpu = last.run.outcome.cpu.max(cpu);
        Ok(last)
    }

    /// The program of a problem's reference, built if it is given as sources.
    pub(crate) fn reference(self, problem: &Problem) -> Result<Program, Fault> {
        let reference = problem.reference.as_ref().ok_or_else(no_reference)?;
        Ok(match &reference.program {
            ReferenceProgram::Builtin(name) => {
                let mut command = self.judge.builtin(name);
                let ours = self.judge.runner();
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
                let built = self.get(&ReferenceBuild { problem, sources })?;
                built.program(REFERENCE_MEMORY)
            }
        })
    }
}

/// The output of a run of the reference, or why it does not count.
fn output(run: &mut Run, limits: &Limits, wanted: ExitPolicy) -> Result<Vec<u8>, String> {
    if let Some(breach) = run.outcome.breach {
        let limit = match breach {
            Breach::Cpu => format!("CPU time, {}", limits.cpu),
            Breach::Wall => format!("wall time, {}", limits.wall),
            Breach::Memory => format!("memory, {}", limits.memory),
            Breach::Output => format!("output, {}", limits.output),
        };
        return Err(format!("over its limit of {limit}"));
    }
    // Where any exit status will do, that of a failure is still a failure of the reference.
    let wanted = match wanted {
        ExitPolicy::Ignored => ExitPolicy::default(),
        wanted @ ExitPolicy::Status(_) => wanted,
    };
    if !wanted.accepts(run.outcome.end) {
        // The last line of a traceback is the error.
        let last = run.stderr.trim_ascii().rsplit(|byte| *byte == b'\n').next();
        let last = Excerpt::new(last.unwrap_or_default());
        let text = format!("{}: {last}", run.outcome.end);
        return Err(text.trim_end_matches(": ").to_owned());
    }
    run.answer
        .take()
        .ok_or_else(|| "it wrote no output file".to_owned())
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

fn file_parts(file: &SourceFile) -> [&[u8]; 2] {
    [file.path.as_bytes(), &file.bytes]
}

fn no_reference() -> Fault {
    Fault::Other("the problem has no reference".to_owned())
}

fn does_not_build(why: &str) -> Fault {
    Fault::ReferenceBuild(why.to_owned())
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
