//! One run of the reference on a case, twice where `[second-run]` asks for that, and the programs that are timed with it.

use std::sync::Arc;

use grader_language::{ProgramSources, SourceText};
use grader_model::{Breach, CpuTime, Excerpt, Judgement, Limits, SourceFile, Text, WallTime};
use grader_problem::{Answer, Case, CaseRef, Checker, ExitPolicy, Problem, ReferenceProgram};
use grader_sandbox::{MountPoint, SystemFolders};

use crate::Fault;
use crate::build::{Built, build_trusted};
use crate::check::pass_feedback::Feedback;
use crate::check::{CheckedCase, check, second_run};
use crate::constants::{
    MAX_REFERENCE_CPU, MAX_REFERENCE_STDERR_BYTES, REFERENCE_MEMORY, REFERENCE_PROCESSES,
};
use crate::decide::run::Run;
use crate::included::with_included;
use crate::lab::{Key, Lab, Task};
use crate::prepared::Prepared;
use crate::program::Program;
use crate::run::{Execution, run};

/// Why the reference gave no output in a case.
#[derive(Clone, Debug)]
pub(super) enum Failure {
    /// It does not build, with these messages.
    Build(String),
    /// It failed, for a reason in one line and with this standard error.
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
    /// The CPU time of its own run.
    pub(crate) took: CpuTime,
    /// How it failed in a case whose answer does not come from it: a fault only if nothing else can be timed there.
    pub(super) failure: Option<Failure>,
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
            Failure::Build(messages) => does_not_build(&messages),
            Failure::Run(why, stderr) => Fault::Reference { case, why, stderr },
        })
    }

    /// The time, if it is needed. Fails if it is not known because the reference failed in this case.
    pub(super) fn needed_time(
        &self,
        case: &Case,
        is_cpython: bool,
    ) -> Result<Option<CpuTime>, Fault> {
        match (self.time(is_cpython), self.fault(case)) {
            (None, Some(fault)) => Err(fault),
            (time, _) => Ok(time),
        }
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

impl<'a> Lab<'a> {
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
        // Without a second run, its first pass is timed and judged.
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
            Err(Fault::Build { messages, .. }) if is_timed && !is_answer => {
                return failed(Failure::Build(messages));
            }
            Err(fault) => return Err(fault),
        };
        // The permission to keep a large answer ends here: the programs that are timed below ask for one of their own.
        let Execution {
            run: mut ran,
            judged,
            ..
        } = self.run_once_or_twice(&program, checked, limits)?;
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
            took: own,
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
                self.run_once_or_twice(&program, case, limits)
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

    /// What the reference prints in the first of two runs.
    pub(crate) fn first_output(self, at: CaseRef<'_>) -> Result<Vec<u8>, Fault> {
        let mut case = self.with_input(at)?.into_owned();
        case.second_run = None;
        let checked = CheckedCase {
            at: CaseRef { case: &case, ..at },
            answer: None,
            feedback: None,
        };
        let (program, limits) = (self.reference(at.problem)?, generous(at.problem));
        let mut ran = self.run_once_or_twice(&program, checked, limits)?.run;
        output(&mut ran, &limits, case.exit_status).map_err(Fault::Other)
    }

    /// Runs a trusted program on a case; if there is a second run and the first ended well, that one, with the time of the slower.
    fn run_once_or_twice(
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
        let input = second_run::hand_over_input(self, second, &printed, checked.feedback)?;
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

pub(super) fn file_parts(file: &SourceFile) -> [&[u8]; 2] {
    [file.path.as_bytes(), &file.bytes]
}

pub(super) fn no_reference() -> Fault {
    Fault::Other("the problem has no reference".to_owned())
}

pub(super) fn does_not_build(messages: &str) -> Fault {
    Fault::build("the reference does not build", messages, "")
}

/// Limits of the reference and of start-up measurements.
pub(super) fn generous(problem: &Problem) -> Limits {
    Limits {
        cpu: MAX_REFERENCE_CPU,
        wall: WallTime(MAX_REFERENCE_CPU.0 * 3),
        memory: REFERENCE_MEMORY,
        output: problem.limits.output,
        processes: REFERENCE_PROCESSES,
    }
}
