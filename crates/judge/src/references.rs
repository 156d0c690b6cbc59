//! What the reference says of each case: the right answer, and the CPU time that limits are multiples of.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use grader_language::{Command, recognise};
use grader_model::{Bytes, CaseName, CpuTime, Judgement, Limits, ProblemId, SubtaskName, WallTime};
use grader_problem::{Answer, Case, Problem, ReferenceProgram};
use grader_sandbox::Place;

use crate::Fault;
use crate::build::{Build, Built, build};
use crate::judge::Judge;
use crate::run::{Program, run};

/// CPU time that a reference may take for one case.
const TIME: CpuTime = CpuTime(Duration::from_secs(600));
/// Memory that a reference may take.
pub(crate) const MEMORY: Bytes = Bytes(4 << 30);
/// Processes and threads that a reference may have.
pub(crate) const PROCESSES: u32 = 64;

/// What is known of one case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The right answer, where the checker needs one.
    pub(crate) answer: Option<Arc<[u8]>>,
    /// CPU time of the reference, where the limit is a multiple of it.
    pub(crate) yardstick: Option<CpuTime>,
    /// What the case's checker says of the reference's own output, where that output is not the answer.
    pub(crate) judgement: Option<Judgement>,
}

type Key = (ProblemId, SubtaskName, CaseName);
/// A failure is kept as text: it concerns every job that comes to the case.
type Cell<T> = Arc<OnceLock<Result<T, String>>>;

/// The reference's word on each case, asked once and kept while one assignment is judged.
///
/// One run serves for both: with `calibrate` the output of the yardstick method is the answer too, so that
/// the method whose time is the limit is also the one whose answer is right.
#[derive(Default)]
pub(crate) struct References {
    cases: Mutex<BTreeMap<Key, Cell<Known>>>,
    programs: Mutex<BTreeMap<ProblemId, Cell<Arc<Built>>>>,
}

impl References {
    /// What the reference says of a case. The first to ask waits for the run; so do all who ask meanwhile.
    pub(crate) fn ask(
        &self,
        judge: &Judge,
        problem: &Problem,
        subtask: &SubtaskName,
        case: &Case,
    ) -> Result<Known, Fault> {
        let given = match &case.answer {
            Answer::Given(bytes) => Some(bytes.clone()),
            Answer::Reference | Answer::None => None,
        };
        if !problem.limits.needs_yardstick() && case.answer != Answer::Reference {
            return Ok(Known {
                answer: given,
                ..Known::default()
            });
        }
        let known = self.measured(judge, problem, subtask, case)?;
        Ok(Known {
            answer: given.or(known.answer),
            ..known
        })
    }

    /// Runs the reference on a case, unless that has been done.
    pub(crate) fn measured(
        &self,
        judge: &Judge,
        problem: &Problem,
        subtask: &SubtaskName,
        case: &Case,
    ) -> Result<Known, Fault> {
        let key = (problem.id.clone(), subtask.clone(), case.name.clone());
        once(&self.cases, key, || self.measure(judge, problem, case))
    }

    /// Runs the reference on a case, whether or not that has been done.
    pub(crate) fn measure(
        &self,
        judge: &Judge,
        problem: &Problem,
        case: &Case,
    ) -> Result<Known, Fault> {
        let reference = problem.reference.as_ref().ok_or(Fault::NoReference)?;
        let limits = Limits {
            cpu: TIME,
            wall: WallTime(TIME.0 * 3),
            memory: MEMORY,
            output: problem.limits.output,
            processes: PROCESSES,
        };
        let program = match &reference.program {
            ReferenceProgram::Builtin(name) => carried(judge, judge.builtin(name)),
            ReferenceProgram::Sources(_) => {
                let built = once(&self.programs, problem.id.clone(), || {
                    build_reference(judge, problem).map(Arc::new)
                })?;
                Program {
                    command: built.command(limits.memory),
                    readable: built.readable(),
                    reserves_memory: built.language().reserves_memory(),
                }
            }
        };
        let mut asked = case.clone();
        if problem.limits.needs_yardstick() {
            asked.arguments.extend(reference.calibrate.iter().cloned());
        }
        let ran = run(judge, &program, &problem.run, &asked, limits)?;
        if let Some(breach) = ran.outcome.breach {
            return Err(Fault::ReferenceRun(format!(
                "case `{}`: over its limit of {}",
                case.name,
                match breach {
                    grader_model::Breach::Cpu => format!("CPU time, {}", limits.cpu),
                    grader_model::Breach::Wall => format!("wall time, {}", limits.wall),
                    grader_model::Breach::Memory => format!("memory, {}", limits.memory),
                    grader_model::Breach::Output => format!("output, {}", limits.output),
                }
            )));
        }
        if !ran.outcome.end.is_success() {
            let stderr = grader_model::Excerpt::new(ran.stderr.trim_ascii());
            return Err(Fault::ReferenceRun(format!(
                "case `{}`: {}: {stderr}",
                case.name, ran.outcome.end
            )));
        }
        let answer = ran.answer.ok_or_else(|| {
            Fault::ReferenceRun(format!("case `{}`: it wrote no output file", case.name))
        })?;
        let yardstick = problem.limits.needs_yardstick().then_some(ran.outcome.cpu);
        let given = match &case.answer {
            Answer::Reference => {
                return Ok(Known {
                    answer: Some(answer.into()),
                    yardstick,
                    judgement: None,
                });
            }
            Answer::Given(bytes) => Some(&bytes[..]),
            Answer::None => None,
        };
        Ok(Known {
            answer: None,
            yardstick,
            judgement: Some(grader_check::judge(&case.checker, &answer, given)?),
        })
    }
}

/// A program that the grader carries, by the command that runs it on the host.
pub(crate) fn carried(judge: &Judge, mut command: Command) -> Program {
    let ours = judge.runner().seen(Place::Program, &command.program);
    command.program.clone_from(&ours.inside);
    Program {
        command,
        readable: vec![ours],
        reserves_memory: false,
    }
}

fn build_reference(judge: &Judge, problem: &Problem) -> Result<Built, Fault> {
    let Some(ReferenceProgram::Sources(sources)) = problem
        .reference
        .as_ref()
        .map(|reference| &reference.program)
    else {
        return Err(Fault::NoReference);
    };
    let language = recognise(sources)
        .ok_or_else(|| Fault::ReferenceBuild("its language cannot be told".to_owned()))?;
    match build(judge, language, sources, problem.limits.compile_time)? {
        Build::Done(built) => Ok(*built),
        Build::Failed {
            report, message, ..
        } => Err(Fault::ReferenceBuild(
            report.messages.map_or(message.en, |excerpt| excerpt.text),
        )),
    }
}

/// Computes a value once for each key, however many threads ask.
fn once<K: Ord, T: Clone>(
    map: &Mutex<BTreeMap<K, Cell<T>>>,
    key: K,
    compute: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    let cell = map
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .entry(key)
        .or_default()
        .clone();
    cell.get_or_init(|| compute().map_err(|fault| fault.chain()))
        .clone()
        .map_err(Fault::Earlier)
}
