//! What the reference says of each case: the right answer, and the CPU time that limits are multiples of.

mod keeping;
mod times;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use grader_language::{Command, recognise};
use grader_model::{
    Bytes, CpuTime, Judgement, LanguageId, Limits, ProblemId, SubtaskName, WallTime, Yardstick,
};
use grader_problem::{Answer, Case, Problem, ReferenceProgram};
use grader_sandbox::{MountPoint, System};

use crate::Fault;
use crate::build::{Build, Built, build};
use crate::calibration::kept::Kept;
use crate::calibration::{Calibration, CaseKey, Gauge, Measured, REPEATS, Reading, SHORT, Samples};
use crate::judge::{Judge, Urgency};
use crate::quiet::Beside;
use crate::run::{Program, run};

/// CPU time that a reference may take for one case.
const TIME: CpuTime = CpuTime(Duration::from_secs(600));
/// Memory that a reference may take.
pub(crate) const MEMORY: Bytes = Bytes(4 << 30);
/// Processes and threads that a reference may have.
pub(crate) const PROCESSES: u32 = 64;

/// So many times a case is measured while others begin epochs.
const TRIES: u32 = 3;

/// What is known of one case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The right answer, where the checker needs one.
    pub(crate) answer: Option<Arc<[u8]>>,
    /// CPU time of the reference, where the limit is a multiple of it.
    pub(crate) yardstick: Option<CpuTime>,
    /// The epoch in which that was measured.
    pub(crate) epoch: u32,
    /// What the case's checker says of the reference's own output, where that output is not the answer.
    pub(crate) judgement: Option<Judgement>,
}

/// What the reference answers in one case, however long it takes.
#[derive(Clone, Debug)]
struct Answered {
    answer: Option<Arc<[u8]>>,
    judgement: Option<Judgement>,
}

/// A failure is kept as text: it concerns every job that comes to the case.
type Cell<T> = Arc<OnceLock<Result<T, String>>>;
/// Locked while the case is measured, so that all who ask meanwhile wait.
type CaseCell = Arc<Mutex<Option<Result<Answered, String>>>>;

/// The reference's word on each case, kept while one assignment is judged, and on disk for the next time.
///
/// One run serves for both: with `calibrate` the output of the yardstick method is the answer too, so that
/// the method whose time is the limit is also the one whose answer is right.
///
/// Nothing here may be called by who holds an [`crate::quiet::Alone`], but for [`References::measure`]: it would wait
/// for others, who wait for quiet.
#[derive(Default)]
pub(crate) struct References {
    /// Whether short times are measured more than once, and the machine is watched.
    steady: bool,
    cases: Mutex<BTreeMap<(ProblemId, CaseKey), CaseCell>>,
    programs: Mutex<BTreeMap<ProblemId, Cell<Arc<Built>>>>,
    problems: Mutex<BTreeMap<ProblemId, Arc<Times>>>,
    /// What is kept on disk of each problem, as it was found; nothing where there was nothing.
    found: Mutex<BTreeMap<ProblemId, Arc<OnceLock<Option<Kept>>>>>,
    /// CPU time of a minimal program, by language.
    start_ups: Mutex<BTreeMap<LanguageId, Cell<CpuTime>>>,
    /// What was measured and is not told yet.
    news: Mutex<Vec<Yardstick>>,
    /// Whether it was said that something kept cannot be read, or written.
    unreadable: AtomicBool,
    unwritable: AtomicBool,
}

/// What is known of the times of one problem's reference.
#[derive(Default)]
struct Times {
    calibration: Mutex<Calibration>,
    /// What an earlier run kept and nobody has asked for; nothing before the file was looked at. Locked while it is.
    kept: Mutex<Option<BTreeMap<CaseKey, Answered>>>,
    /// Whether there is something that is not kept on disk.
    fresh: AtomicBool,
}

impl References {
    /// References whose times limits are taken from: watched, and kept where the judge keeps them.
    pub(crate) fn steady() -> Self {
        Self {
            steady: true,
            ..Self::default()
        }
    }

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
        if !problem.needs_yardstick() && case.answer != Answer::Reference {
            return Ok(Known {
                answer: given,
                ..Known::default()
            });
        }
        let known = self.known(judge, problem, subtask, case, false)?;
        Ok(Known {
            answer: given.or(known.answer),
            ..known
        })
    }

    /// The right answer of a case, where there is one. It stays what it is however fast the machine becomes: where it is
    /// known, nothing is run.
    pub(crate) fn answer(
        &self,
        judge: &Judge,
        problem: &Problem,
        subtask: &SubtaskName,
        case: &Case,
    ) -> Result<Option<Arc<[u8]>>, Fault> {
        match &case.answer {
            Answer::Given(bytes) => return Ok(Some(bytes.clone())),
            Answer::None => return Ok(None),
            Answer::Reference => {}
        }
        let place = (subtask.clone(), case.name.clone());
        match self.known_answer(judge, problem, &place) {
            Some(answer) => Ok(Some(answer)),
            None => Ok(self.ask(judge, problem, subtask, case)?.answer),
        }
    }

    /// What the reference says of a case, its checker's judgement among it.
    pub(crate) fn measured(
        &self,
        judge: &Judge,
        problem: &Problem,
        subtask: &SubtaskName,
        case: &Case,
    ) -> Result<Known, Fault> {
        self.known(judge, problem, subtask, case, true)
    }

    /// Runs the reference on a case, unless that has been done in this epoch.
    fn known(
        &self,
        judge: &Judge,
        problem: &Problem,
        subtask: &SubtaskName,
        case: &Case,
        judged: bool,
    ) -> Result<Known, Fault> {
        let place = (subtask.clone(), case.name.clone());
        let times = self.times(judge, problem);
        let cell = locked(&self.cases)
            .entry((problem.id.clone(), place.clone()))
            .or_default()
            .clone();
        let mut cell = locked(&cell);
        if cell.is_none() {
            let kept = locked(&times.kept)
                .as_mut()
                .and_then(|kept| kept.remove(&place));
            if let Some(kept) = kept
                && (!judged || kept.judgement.is_some() || case.answer == Answer::Reference)
            {
                self.tell(problem, &times, &place);
                *cell = Some(Ok(kept));
            }
        }
        // Looked up once: another worker may begin an epoch at any time.
        let measured = locked(&times.calibration).of(&place);
        let (answered, measured) = match &*cell {
            Some(Err(text)) => return Err(Fault::Earlier(text.clone())),
            Some(Ok(answered)) if !problem.needs_yardstick() || measured.is_some() => {
                (answered.clone(), measured)
            }
            Some(Ok(_)) | None => {
                let fresh = again(judge, || self.fresh(judge, problem, &times, &place, case))
                    .map_err(|fault| fault.chain());
                *cell = Some(fresh.clone().map(|(answered, _)| answered));
                fresh.map_err(Fault::Earlier)?
            }
        };
        Ok(Known {
            answer: answered.answer,
            yardstick: measured.map(|measured| measured.samples.smallest),
            epoch: measured.map_or(0, |measured| measured.epoch),
            judgement: answered.judgement,
        })
    }

    /// Measures a case: a short one more than once, and one whose limit depends on it beside the gauge. Where another
    /// worker begins an epoch meanwhile, it is measured again, so that no time of the old one stands in the new one.
    fn fresh(
        &self,
        judge: &Judge,
        problem: &Problem,
        times: &Times,
        place: &CaseKey,
        case: &Case,
    ) -> Result<(Answered, Option<Measured>), Fault> {
        times.fresh.store(true, Ordering::Relaxed);
        let mut tries = 0;
        loop {
            tries += 1;
            let mut epoch = locked(&times.calibration).epoch();
            let known = self.measure(judge, Beside::Others, problem, case)?;
            let answered = Answered {
                answer: known.answer,
                judgement: known.judgement,
            };
            let Some(first) = known.yardstick else {
                return Ok((answered, None));
            };
            let mut samples = Samples::one(first);
            while self.steady
                && samples.smallest < SHORT
                && samples.count < REPEATS
                && !judge.stop().is_requested()
            {
                let again = self.measure(judge, Beside::Others, problem, case)?;
                again.yardstick.into_iter().for_each(|cpu| samples.add(cpu));
            }
            // Else the gauge could be of another speed of the machine than this time, and never tell.
            let gauge = locked(&times.calibration).gauge();
            if self.steady
                && samples.smallest >= SHORT
                && let Some(gauge) =
                    gauge.filter(|gauge| gauge.place != *place && gauge.epoch == epoch)
                && let Some(reading) = self.read(judge, problem, gauge)?
                && !reading.agrees()
                && let Some(begun) = self.begin_epoch(judge, problem, &reading)
            {
                epoch = begun;
            }
            let measured = {
                let mut calibration = locked(&times.calibration);
                match calibration.record_of(epoch, place, samples) {
                    // A machine whose epochs are shorter than this case has no better time.
                    None if tries == TRIES || judge.stop().is_requested() => {
                        Some(calibration.record(place, samples))
                    }
                    measured => measured,
                }
            };
            if measured.is_some() {
                self.tell(problem, times, place);
                return Ok((answered, measured));
            }
        }
    }

    /// The program of a problem's reference, built where it is in sources.
    pub(crate) fn program(&self, judge: &Judge, problem: &Problem) -> Result<Program, Fault> {
        let reference = problem.reference.as_ref().ok_or(Fault::NoReference)?;
        Ok(match &reference.program {
            ReferenceProgram::Builtin(name) => carried(judge, judge.builtin(name)),
            ReferenceProgram::Sources(_) => {
                let built = once(&self.programs, problem.id.clone(), || {
                    again(judge, || build_reference(judge, problem).map(Arc::new))
                })?;
                Program {
                    command: built.command(MEMORY),
                    readable: built.readable(),
                    system: built.system(),
                    reserves_memory: built.language().reserves_memory(),
                    urgency: Urgency::Needed,
                }
            }
        })
    }

    /// Runs the reference on a case, whether or not that has been done.
    ///
    /// Alone only after [`References::program`]: building it may mean to wait for somebody else who builds it.
    pub(crate) fn measure(
        &self,
        judge: &Judge,
        beside: Beside<'_>,
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
        let program = self.program(judge, problem)?;
        let mut asked = case.clone();
        if problem.needs_yardstick() {
            asked.arguments.extend(reference.calibrate.iter().cloned());
        }
        let ran = run(judge, beside, &program, &problem.run, &asked, limits)?;
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
            let mut said = format!("case `{}`: {}", case.name, ran.outcome.end);
            let stderr = grader_model::Excerpt::new(ran.stderr.trim_ascii());
            if !stderr.is_empty() {
                said = format!("{said}: {stderr}");
            }
            return Err(Fault::ReferenceRun(said));
        }
        let answer = ran.answer.ok_or_else(|| {
            Fault::ReferenceRun(format!("case `{}`: it wrote no output file", case.name))
        })?;
        let yardstick = problem.needs_yardstick().then_some(ran.outcome.cpu);
        let given = match &case.answer {
            Answer::Reference => {
                return Ok(Known {
                    answer: Some(answer.into()),
                    yardstick,
                    ..Known::default()
                });
            }
            Answer::Given(bytes) => Some(&bytes[..]),
            Answer::None => None,
        };
        Ok(Known {
            yardstick,
            judgement: Some(grader_check::judge(&case.checker, &answer, given)?),
            ..Known::default()
        })
    }

    /// The spread of what was measured of a case in this epoch: the largest divided by the smallest.
    pub(crate) fn spread(&self, problem: &Problem, subtask: &SubtaskName, case: &Case) -> f64 {
        let place = (subtask.clone(), case.name.clone());
        let times = locked(&self.problems).get(&problem.id).cloned();
        times
            .and_then(|times| locked(&times.calibration).of(&place))
            .map_or(1.0, |measured| measured.samples.spread())
    }

    /// Reads the gauge. Nothing where nothing was measured yet, or when asked to stop before it was read once.
    pub(crate) fn read_gauge(
        &self,
        judge: &Judge,
        problem: &Problem,
    ) -> Result<Option<Reading>, Fault> {
        let gauge = {
            let times = self.times(judge, problem);
            locked(&times.calibration).gauge()
        };
        match gauge {
            Some(gauge) => self.read(judge, problem, gauge),
            None => Ok(None),
        }
    }

    fn read(
        &self,
        judge: &Judge,
        problem: &Problem,
        gauge: Gauge,
    ) -> Result<Option<Reading>, Fault> {
        let Some(case) = find(problem, &gauge.place) else {
            return Ok(None);
        };
        let mut read: Option<Samples> = None;
        while !read.is_some_and(|now| gauge.is_read(now)) && !judge.stop().is_requested() {
            let known = self.measure(judge, Beside::Others, problem, case)?;
            let Some(cpu) = known.yardstick else { break };
            match &mut read {
                None => read = Some(Samples::one(cpu)),
                Some(now) => now.add(cpu),
            }
        }
        Ok(read.map(|now| Reading { gauge, now }))
    }

    /// Begins an epoch with what the gauge reads; times are measured anew when next asked for.
    /// The epoch, unless somebody else has begun one meanwhile.
    pub(crate) fn begin_epoch(
        &self,
        judge: &Judge,
        problem: &Problem,
        reading: &Reading,
    ) -> Option<u32> {
        let times = self.times(judge, problem);
        let begun = locked(&times.calibration).begin_epoch(reading);
        self.tell(problem, &times, &reading.gauge.place);
        begun
    }

    /// Adds times of a case that were measured otherwise than by asking.
    pub(crate) fn learn(
        &self,
        judge: &Judge,
        problem: &Problem,
        subtask: &SubtaskName,
        case: &Case,
        measured: &[CpuTime],
    ) {
        let place = (subtask.clone(), case.name.clone());
        let times = self.times(judge, problem);
        for cpu in measured {
            locked(&times.calibration).record(&place, Samples::one(*cpu));
            times.fresh.store(true, Ordering::Relaxed);
            self.tell(problem, &times, &place);
        }
    }

    /// What was measured and has not been told.
    pub(crate) fn news(&self) -> Vec<Yardstick> {
        std::mem::take(&mut *locked(&self.news))
    }

    /// What is known of a problem's times; the first to ask looks for what an earlier run has kept.
    fn times(&self, judge: &Judge, problem: &Problem) -> Arc<Times> {
        let times = locked(&self.problems)
            .entry(problem.id.clone())
            .or_default()
            .clone();
        let mut kept = locked(&times.kept);
        if kept.is_none() {
            *kept = Some(self.open(judge, problem, &times));
        }
        drop(kept);
        times
    }

    fn tell(&self, problem: &Problem, times: &Times, place: &CaseKey) {
        let yardstick = locked(&times.calibration).yardstick(&problem.id, place);
        locked(&self.news).extend(yardstick);
    }
}

/// A program that the grader carries, by the command that runs it on the host.
pub(crate) fn carried(judge: &Judge, mut command: Command) -> Program {
    let ours = judge.runner().mount(MountPoint::Program, &command.program);
    command.program.clone_from(&ours.inside);
    Program {
        command,
        readable: vec![ours],
        system: System::Runtime,
        reserves_memory: false,
        urgency: Urgency::Needed,
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
    match build(
        judge,
        language,
        sources,
        problem.limits.compile_time,
        Urgency::Needed,
    )? {
        Build::Done(built) => Ok(*built),
        Build::Failed {
            report, message, ..
        } => Err(Fault::ReferenceBuild(
            report.messages.map_or(message.en, |excerpt| excerpt.text),
        )),
    }
}

/// Tries what every job needs once more where it fails: a fault that passes is nobody's judge error.
fn again<T>(judge: &Judge, mut attempt: impl FnMut() -> Result<T, Fault>) -> Result<T, Fault> {
    attempt().or_else(|fault| {
        if judge.stop().is_requested() {
            Err(fault)
        } else {
            attempt()
        }
    })
}

/// Computes a value once for each key, however many threads ask.
fn once<K: Ord, T: Clone>(
    map: &Mutex<BTreeMap<K, Cell<T>>>,
    key: K,
    compute: impl FnOnce() -> Result<T, Fault>,
) -> Result<T, Fault> {
    let cell = locked(map).entry(key).or_default().clone();
    cell.get_or_init(|| compute().map_err(|fault| fault.chain()))
        .clone()
        .map_err(Fault::Earlier)
}

/// A case of a problem.
pub(crate) fn find<'a>(problem: &'a Problem, (subtask, case): &CaseKey) -> Option<&'a Case> {
    let mut subtasks = problem.subtasks.iter();
    let subtask = subtasks.find(|it| it.name == *subtask)?;
    subtask.cases.iter().find(|it| it.name == *case)
}

/// What a panic leaves behind is whole: each change is one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
