//! The judge: what all jobs share.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use crate::calibration::kept::Calibrations;
use crate::checker_program::CheckerPrograms;
use crate::lane::{Lane, Performance};
use crate::memory::Memory;
use crate::quiet::{Beside, Quiet};
use crate::seats::{self, Seats};
use crate::{Fault, JudgeError, Scratch, Stop};
use grader_language::Command;
use grader_model::Outcome;
use grader_sandbox::{Core, Request, Runner, SandboxError};

/// Gives the command that runs a reference which the grader carries, without the case's arguments.
pub type BuiltinCommand = dyn Fn(&str) -> Command + Send + Sync;

/// How a judge works.
pub struct Settings {
    /// Runs programs.
    pub runner: Arc<dyn Runner>,
    /// The references that the grader carries.
    pub builtin: Arc<BuiltinCommand>,
    /// Number of programs at a time, at least 1.
    pub workers: usize,
    /// Whether each worker has two submissions in hand: while a program of one runs, the other is built, and its next
    /// run made ready. Programs then run with the compilers of others beside them, and end in another order than they
    /// began. Without, one submission follows the other.
    pub overlaps: bool,
    /// The cores that programs and compilers run on: each worker's on one of its own, in this order. Where they are
    /// fewer than the workers, both run on any.
    pub cores: Vec<Core>,
    /// Asked before every case whether to go on.
    pub stop: Stop,
    /// Where what is measured of references is kept between runs; nothing is nowhere.
    pub calibrations: Option<Calibrations>,
    /// Keeps the results of jobs and knows those of earlier runs; nothing is nobody.
    pub memory: Option<Arc<dyn Memory>>,
    /// What tells this grader from another one, whose results are not taken: a hash of its program file. Only looked
    /// at where there is a memory.
    pub grader: String,
}

/// Judges submissions. See the crate's theory of operation.
pub struct Judge {
    settings: Settings,
    /// Before the folder that they lie in, so that they are dropped first.
    checkers: CheckerPrograms,
    scratch: Scratch,
    /// Held by the one worker that has a large answer in memory.
    large: Mutex<()>,
    /// Who may run a program now.
    quiet: Quiet,
    /// As many as submissions may be in hand.
    seats: Seats,
    /// For each worker: one program at a time.
    programs: Vec<Lane>,
    /// For each worker: one compiler at a time.
    compilers: Vec<Lane>,
}

/// A command that was run.
pub(crate) struct Executed {
    /// The clock just before it was started.
    pub(crate) began: SystemTime,
    pub(crate) outcome: Outcome,
    /// The time meanwhile in which some program was ready to run and had no processor, where that is known.
    pub(crate) crowded: Option<Duration>,
}

/// What becomes of a program that waits for its turn when somebody asks to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// It is not begun any more: a submission's.
    Yields,
    /// It has its turn all the same, for others hang on what it does.
    Needed,
    /// It waits for no turn: who needs it may hold what others wait for.
    AtOnce,
}

/// Leave to hold an answer in memory; for a large one there is only one at a time.
pub(crate) type Turn<'a> = Option<MutexGuard<'a, ()>>;

/// Answers above this many bytes are read and checked one at a time, so that the grader's memory does not
/// grow with the number of workers.
pub(crate) const LARGE: u64 = 16 << 20;

impl Judge {
    /// A judge with a temporary folder of its own, removed when it is dropped.
    ///
    /// # Errors
    /// When the temporary folder cannot be made.
    pub fn new(settings: Settings) -> Result<Self, JudgeError> {
        Ok(Self::with_scratch(settings, Scratch::new()?))
    }

    /// A judge that works in a temporary folder that is there already.
    pub fn with_scratch(settings: Settings, scratch: Scratch) -> Self {
        settings.runner.guard(scratch.path());
        let workers = settings.workers.max(1);
        let lanes = || {
            std::iter::repeat_with(Lane::default)
                .take(workers)
                .collect()
        };
        Self {
            seats: Seats::new(workers, if settings.overlaps { 2 } else { 1 }),
            programs: lanes(),
            compilers: lanes(),
            settings,
            checkers: CheckerPrograms::default(),
            scratch,
            large: Mutex::new(()),
            quiet: Quiet::default(),
        }
    }

    pub(crate) fn runner(&self) -> &dyn Runner {
        self.settings.runner.as_ref()
    }

    /// Runs a program, when it is its turn, and tells when that was. Whoever calls this for a run in company holds
    /// nothing that one who is alone could wait for.
    ///
    /// # Errors
    /// [`Fault::Stopped`] when somebody asked to stop while it waited, and it [yields](Urgency::Yields).
    pub(crate) fn execute(
        &self,
        beside: Beside<'_>,
        urgency: Urgency,
        request: &Request,
    ) -> Result<Executed, Fault> {
        let _company = match beside {
            Beside::Others => Some(self.quiet.company()),
            Beside::Nobody(alone) => {
                debug_assert!(self.quiet.is_of(alone), "one judge makes no other quiet");
                None
            }
        };
        let lane = &self.programs[self.lane()];
        let stop = (urgency == Urgency::Yields).then(|| self.stop());
        let performance = Performance::new(lane, self.runner(), stop);
        let outcome = match self.runner().run_on(&performance, request) {
            Err(SandboxError::Unwanted) => return Err(Fault::Stopped),
            outcome => outcome?,
        };
        let (began, crowded) = performance.seen().ok_or_else(|| {
            SandboxError::Protocol("it tells of a program that never had its turn".to_owned())
        })?;
        Ok(Executed {
            began,
            outcome,
            crowded,
        })
    }

    /// Runs a compiler, when it is its turn, in company: it disturbs whoever is measured beside it.
    ///
    /// # Errors
    /// As [`Judge::execute`].
    pub(crate) fn compile(&self, urgency: Urgency, request: &Request) -> Result<Outcome, Fault> {
        if urgency == Urgency::AtOnce {
            return self.run_at_once(request);
        }
        let lane = &self.compilers[self.lane()];
        let turn = match urgency {
            Urgency::Yields => lane.take_unless(self.stop()),
            Urgency::Needed | Urgency::AtOnce => Some(lane.take()),
        };
        let _turn = turn.ok_or(Fault::Stopped)?;
        let _company = self.quiet.company();
        Ok(self.runner().run(request)?)
    }

    /// Runs a program without waiting for a turn, for one who holds what others wait for.
    pub(crate) fn run_at_once(&self, request: &Request) -> Result<Outcome, Fault> {
        Ok(self.runner().run(request)?)
    }

    /// The worker that this thread belongs to.
    fn lane(&self) -> usize {
        seats::seat() % self.workers()
    }

    pub(crate) const fn quiet(&self) -> &Quiet {
        &self.quiet
    }

    pub(crate) const fn calibrations(&self) -> Option<&Calibrations> {
        self.settings.calibrations.as_ref()
    }

    pub(crate) const fn checkers(&self) -> &CheckerPrograms {
        &self.checkers
    }

    pub(crate) fn memory(&self) -> Option<&dyn Memory> {
        self.settings.memory.as_deref()
    }

    pub(crate) fn grader(&self) -> &str {
        &self.settings.grader
    }

    /// Its temporary folder, for who must end without dropping the judge.
    pub fn folder(&self) -> &Path {
        self.root()
    }

    pub(crate) fn root(&self) -> &Path {
        self.scratch.path()
    }

    pub(crate) fn builtin(&self, name: &str) -> Command {
        (self.settings.builtin)(name)
    }

    /// Waits for leave to hold so many bytes of an answer.
    pub(crate) fn turn(&self, bytes: u64) -> Turn<'_> {
        // A worker that panicked with an answer in memory has dropped it.
        (bytes > LARGE).then(|| self.large.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn seats(&self) -> &Seats {
        &self.seats
    }

    pub(crate) fn workers(&self) -> usize {
        self.settings.workers.max(1)
    }

    /// The core of this thread's programs; nothing where they run on any.
    pub(crate) fn core(&self) -> Option<Core> {
        let cores = &self.settings.cores;
        (cores.len() >= self.workers())
            .then(|| cores.get(self.lane()).copied())
            .flatten()
    }

    pub(crate) fn stop(&self) -> &Stop {
        &self.settings.stop
    }
}
