//! What the reference says of each case: the right answer, and the CPU time that limits are multiples of.
//!
//! The first job that needs either runs the reference on its own core; other jobs that need the same case wait. With
//! `calibrate` one run serves for both, so that the method whose time makes the limit also gives the right answer. A
//! short time is the smallest of several, because it varies most.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use grader_language::{language, recognise};
use grader_model::{
    Breach, Bytes, CpuTime, Excerpt, Judgement, LanguageId, Limits, ProblemId, ReferenceTime,
    SourceFile, WallTime,
};
use grader_problem::{
    Answer, Case, CaseMultiple, Checker, Problem, ReferenceProgram, ReferenceTimes, RunRule,
    TimeRule,
};
use grader_sandbox::{MountPoint, SystemFolders};

use crate::Fault;
use crate::build::{Built, build_trusted};
use crate::checker_program::{CheckerPrograms, Question};
use crate::included::with_included;
use crate::inputs::{self, Inputs};
use crate::interaction::{CaseProgram, Interaction};
use crate::judge::Worker;
use crate::once::{OnceMap, locked, once};
use crate::passes::Passes;
use crate::run::{CaseKey, CaseRef, Program, run};
use crate::run_lock::Exclusive;

/// CPU time that a reference may take for one case.
const MAX_CPU: CpuTime = CpuTime(Duration::from_secs(600));
/// Bytes of its standard error that are shown if it fails.
const MAX_SHOWN_BYTES: usize = 2048;
/// Memory that a reference may take.
const MEMORY: Bytes = Bytes(4 << 30);
/// Processes and threads that a reference may have.
const PROCESSES: u32 = 64;
/// Shorter times are measured [`REPEATS`] times.
const SHORT: CpuTime = CpuTime(Duration::from_millis(50));
const REPEATS: u32 = 3;

/// Results of one run of the reference.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReferenceRun {
    /// The right answer, if it comes from the reference.
    pub(crate) answer: Option<Arc<[u8]>>,
    /// Its CPU time, if the limit is a multiple of it.
    pub(crate) cpu: Option<CpuTime>,
    /// What the checker says of the reference's output, if that output is not itself the answer.
    pub(crate) judgement: Option<Judgement>,
}

/// Answers and times of the references, for as long as one assignment is judged.
///
/// Nothing here may be called while running exclusively, but for [`References::run`] after [`References::program`]: it
/// would wait for other jobs.
#[derive(Default)]
pub(crate) struct References {
    cases: OnceMap<CaseKey, ReferenceRun>,
    programs: OnceMap<ProblemId, Arc<Built>>,
    /// The programs of authors.
    pub(crate) checkers: CheckerPrograms,
    inputs: Inputs,
    /// CPU time of a minimal program, by language.
    start_ups: OnceMap<LanguageId, CpuTime>,
    /// What was measured and is not reported yet.
    unreported: Mutex<Vec<ReferenceTime>>,
}

impl References {
    /// A case with its input, which a generator may print.
    pub(crate) fn with_input<'a>(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'a>,
    ) -> Result<Cow<'a, Case>, Fault> {
        if at.case.generator.is_none() {
            return Ok(Cow::Borrowed(at.case));
        }
        Ok(Cow::Owned(Case {
            input: self.inputs.of(&self.checkers, worker, at)?,
            ..at.case.clone()
        }))
    }

    /// What is wrong with the input of a case.
    pub(crate) fn input_mistake(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'_>,
    ) -> Result<Option<String>, Fault> {
        inputs::mistake(&self.inputs, &self.checkers, worker, at)
    }

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
        let time_of = |bound: &CaseMultiple| {
            // The loader has found the case.
            let at = find(problem, bound).ok_or_else(no_reference)?;
            self.measured(worker, at).map(|run| run.cpu)
        };
        let (own, at_least, at_most) = match (&at.case.time, &problem.limits.time) {
            (Some(time), _) => (time_of(&time.multiple)?, &None, &time.at_most),
            (None, rule) => {
                let own = self.measured(worker, at)?.cpu;
                match rule {
                    TimeRule::Reference {
                        at_least, at_most, ..
                    } => (own, at_least, at_most),
                    TimeRule::Absolute(_) => (own, &None, &None),
                }
            }
        };
        let mut times = ReferenceTimes {
            own: own.unwrap_or_default(),
            ..ReferenceTimes::default()
        };
        if let Some(bound) = at_least {
            times.at_least = time_of(bound)?;
        }
        if let Some(bound) = at_most
            && problem.limits.of_language(language).time_factor > 1.0
        {
            times.at_most = time_of(bound)?;
        }
        if let Some(source) = grader_language::language(language).startup_program() {
            times.start_up = once(&self.start_ups, language, worker.judge, || {
                measure_start_up(worker, problem, &source)
            })?;
        }
        Ok(Some(times))
    }

    /// What the reference gives in a case. The first to ask runs it.
    pub(crate) fn measured(
        &self,
        worker: Worker<'_>,
        at: CaseRef<'_>,
    ) -> Result<ReferenceRun, Fault> {
        once(&self.cases, at.key(), worker.judge, || {
            self.measure(worker, at)
        })
    }

    /// Runs the reference, several times if that takes little.
    fn measure(&self, worker: Worker<'_>, at: CaseRef<'_>) -> Result<ReferenceRun, Fault> {
        let mut first = self.run(worker, None, at)?;
        if let Some(answer) = &first.answer {
            self.inputs.keep(answer)?;
        }
        let Some(mut smallest) = first.cpu else {
            return Ok(first);
        };
        let (mut largest, mut samples) = (smallest, 1);
        while smallest < SHORT && samples < REPEATS {
            let cpu = self.run(worker, None, at)?.cpu.unwrap_or(smallest);
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

    /// Runs the reference on a case once, whether or not that has been done.
    pub(crate) fn run(
        &self,
        worker: Worker<'_>,
        exclusive: Option<&Exclusive<'_>>,
        at: CaseRef<'_>,
    ) -> Result<ReferenceRun, Fault> {
        let CaseRef { problem, .. } = at;
        let case = &*self.with_input(worker, at)?;
        let is_timed = problem.needs_reference_time() && case.time.is_none();
        let program = self.program(worker, problem)?;
        let mut asked = case.clone();
        if let Some(reference) = problem.reference.as_ref().filter(|_| is_timed) {
            asked.arguments.extend(reference.calibrate.iter().cloned());
        }
        let limits = generous(problem);
        // Its first pass is measured and judged.
        let passes = (problem.run.passes > 1).then(|| Passes::new(worker.judge.folder()));
        let passes = passes.transpose()?;
        let given = match &case.answer {
            Answer::Given(right) => Some(&right[..]),
            Answer::Reference | Answer::None => None,
        };
        let question = Question {
            worker,
            exclusive,
            at: CaseRef { case: &asked, ..at },
            output: b"",
            answer: given,
            passes: passes.as_ref(),
        };
        let Interaction { ran, judged, .. } = CaseProgram {
            checkers: &self.checkers,
            program: &program,
            limits,
            question,
        }
        .run()?;
        let stderr = Excerpt::block(ran.stderr.trim_ascii(), MAX_SHOWN_BYTES).to_string();
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
        if judgement.is_some() {
            // The interactor has judged it.
        } else if !is_answer || matches!(case.checker, Checker::Program(_)) {
            judgement = Some(self.checkers.check(Question {
                at: CaseRef { case, ..at },
                output: &output,
                answer: given.or_else(|| is_answer.then_some(&output[..])),
                ..question
            })?);
        }
        Ok(ReferenceRun {
            answer: is_answer.then(|| output.into()),
            cpu: is_timed.then_some(ran.outcome.cpu),
            judgement,
        })
    }

    /// The program of a problem's reference, built if it is in sources.
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
                    reserves_memory: false,
                }
            }
            ReferenceProgram::Sources(sources) => {
                let built = once(&self.programs, problem.id.clone(), worker.judge, || {
                    let time = problem.limits.compile_time;
                    let included = &problem.submission.include;
                    let (sources, of_author) = match recognise(sources) {
                        Some(id) => with_included(language(id), sources, included),
                        None => (sources.into(), 0),
                    };
                    build_trusted(worker, (&sources, of_author), time, does_not_build).map(Arc::new)
                })?;
                built.program(MEMORY)
            }
        })
    }

    /// What was measured and has not been reported.
    pub(crate) fn take_measured(&self) -> Vec<ReferenceTime> {
        std::mem::take(&mut *locked(&self.unreported))
    }
}

/// The case that a bound names.
pub(crate) fn find<'a>(problem: &'a Problem, bound: &CaseMultiple) -> Option<CaseRef<'a>> {
    let mut subtasks = problem.subtasks.iter().chain(&problem.unjudged);
    let subtask = subtasks.find(|subtask| subtask.name == bound.subtask)?;
    let case = subtask.cases.iter().find(|case| case.name == bound.case)?;
    Some(CaseRef {
        problem,
        subtask,
        case,
    })
}

fn no_reference() -> Fault {
    Fault::Other("the problem has no reference".to_owned())
}

fn does_not_build(why: &str) -> Fault {
    Fault::Other(format!("the reference does not build: {why}"))
}

/// The limits of trusted programs.
fn generous(problem: &Problem) -> Limits {
    Limits {
        cpu: MAX_CPU,
        wall: WallTime(MAX_CPU.0 * 3),
        memory: MEMORY,
        output: problem.limits.output,
        processes: PROCESSES,
    }
}

/// What a minimal program takes: the smallest of a few runs.
fn measure_start_up(
    worker: Worker<'_>,
    problem: &Problem,
    source: &SourceFile,
) -> Result<CpuTime, Fault> {
    let sources = std::slice::from_ref(source);
    let built = build_trusted(
        worker,
        (sources, 0),
        problem.limits.compile_time,
        does_not_build,
    )?;
    let program = built.program(MEMORY);
    let case = Case::default();
    let rule = RunRule {
        passes: 1,
        ..RunRule::default()
    };
    let limits = generous(problem);
    let mut smallest = CpuTime(Duration::MAX);
    for _ in 0..REPEATS {
        let ran = run(worker, None, &program, &rule, &case, limits, None)?;
        if !ran.outcome.end.is_success() {
            let why = format!("start-up program `{}`: {}", source.name(), ran.outcome.end);
            return Err(Fault::Other(format!("the reference failed: {why}")));
        }
        smallest = smallest.min(ran.outcome.cpu);
    }
    Ok(smallest)
}
