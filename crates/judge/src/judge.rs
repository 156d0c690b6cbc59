//! What all jobs share, and the workers that run their programs.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use grader_language::{Command, Token};
use grader_model::{Isolation, Outcome, SourceFile};
use grader_sandbox::{Core, Request, Runner, StartGate};

use crate::cache::ResultCache;
use crate::places::Places;
use crate::run_lock::{RunLock, SlotKind};
use crate::{Fault, Part, Scratch, Stop};

/// Gives the command that runs a reference which the grader carries, without the case's arguments.
pub type BuiltinCommand = dyn Fn(&str) -> Command + Send + Sync;

/// What is missing, beside layers of isolation, if another grader uses our cores.
const OWN_CORES: &str = "own-cores";

/// How a judge works.
pub struct Settings {
    /// Runs programs.
    pub runner: Arc<dyn Runner>,
    /// The references that the grader carries.
    pub builtin: Arc<BuiltinCommand>,
    /// Number of programs at a time, at least 1.
    pub workers: usize,
    /// Whether each worker has several submissions in hand: while a program of one runs, another is built, and the next
    /// run is set up. Without, one submission follows the other.
    pub overlaps: bool,
    /// Whether to skip the cases that cannot change much for somebody who waits: in a subtask that needs all of its
    /// cases those after the first that fails, and in all subtasks those after the first time-out. They earn nothing.
    pub stops_early: bool,
    /// The core of each worker, on which its programs and compilers run. If there are fewer than workers, both run on
    /// any core.
    pub cores: Vec<Core>,
    /// Whether another grader uses some of them too, which the results say.
    pub shares_cores: bool,
    /// Asked before every case whether to go on.
    pub stop: Stop,
    /// Stores the results of jobs and finds those of earlier runs, if results are stored.
    pub cache: Option<Arc<dyn ResultCache>>,
    /// What is judged of a class. Of the rest the cache gives what the last run found.
    pub part: Part,
    /// A hash of the grader's program file: the results of another grader are not reused. Only used with a cache.
    pub grader: String,
}

/// Judges submissions. See the crate's theory of operation.
pub struct Judge {
    pub(crate) settings: Settings,
    scratch: Scratch,
    /// Held by the one thread that has a large answer in memory, other than one that runs alone.
    large: Mutex<()>,
    run_lock: RunLock,
    /// Those of each worker.
    places: Vec<Places>,
}

/// Permission to hold an answer, or the tokens of a source, in memory; only one large one is held at a time. Whoever has it
/// may wait for a core, so whoever runs alone must not wait for it.
pub(crate) type LargeAnswer<'a> = Option<MutexGuard<'a, ()>>;

/// Answers above this many bytes are read and checked one at a time, so that the grader's memory does not grow with the
/// number of workers.
const LARGE_ANSWER_BYTES: u64 = 16 << 20;

/// How often a waiting job looks for a request to stop.
const POLL: Duration = Duration::from_millis(50);
/// The longest wait for a second of the clock, which is only reached if the clock is set back meanwhile.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Memory of a token, which may be one byte of a source.
const TOKEN_BYTES: u64 = size_of::<Token<'_>>() as u64;

impl Judge {
    /// A judge that works in a temporary folder that exists already.
    pub fn with_scratch(settings: Settings, scratch: Scratch) -> Self {
        settings.runner.guard(scratch.path());
        let workers = settings.workers.max(1);
        let places = || Places::new(settings.overlaps);
        Self {
            run_lock: RunLock::new(workers),
            places: std::iter::repeat_with(places).take(workers).collect(),
            settings,
            scratch,
            large: Mutex::new(()),
        }
    }

    /// Its temporary folder, for code that must end the process without dropping the judge.
    pub fn folder(&self) -> &Path {
        self.scratch.path()
    }

    pub(crate) fn runner(&self) -> &dyn Runner {
        self.settings.runner.as_ref()
    }

    /// How programs are isolated, from each other's times too.
    pub(crate) fn isolation(&self) -> Isolation {
        let mut isolation = self.runner().isolation();
        if self.settings.shares_cores {
            isolation.missing.push(OWN_CORES.to_owned());
        }
        isolation
    }

    pub(crate) const fn run_lock(&self) -> &RunLock {
        &self.run_lock
    }

    pub(crate) fn builtin(&self, name: &str) -> Command {
        (self.settings.builtin)(name)
    }

    /// Waits for permission to hold this many bytes of an answer.
    pub(crate) fn large_answer(&self, bytes: u64) -> LargeAnswer<'_> {
        // A thread that panicked with an answer in memory has dropped it.
        (bytes > LARGE_ANSWER_BYTES)
            .then(|| self.large.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn workers(&self) -> usize {
        self.settings.workers.max(1)
    }

    /// Waits for permission to read so many bytes of sources as tokens.
    pub(crate) fn large_source(&self, sources: &[SourceFile]) -> LargeAnswer<'_> {
        let bytes: u64 = sources.iter().map(|it| it.bytes.len() as u64).sum();
        self.large_answer(bytes * TOKEN_BYTES)
    }

    /// The worker with this number, modulo the number of workers.
    pub(crate) fn worker(&self, number: usize) -> Worker<'_> {
        Worker {
            judge: self,
            number: number % self.workers(),
        }
    }

    pub(crate) const fn stop(&self) -> &Stop {
        &self.settings.stop
    }

    /// # Errors
    /// [`Fault::Stopped`] if somebody asks to stop.
    pub(crate) fn check_stop(&self) -> Result<(), Fault> {
        if self.stop().is_requested() {
            return Err(Fault::Stopped);
        }
        Ok(())
    }
}

/// Runs programs, one at a time, on one core if there are cores enough.
#[derive(Clone, Copy)]
pub(crate) struct Worker<'a> {
    pub(crate) judge: &'a Judge,
    pub(crate) number: usize,
}

impl<'a> Worker<'a> {
    pub(crate) fn places(&self) -> &'a Places {
        &self.judge.places[self.number]
    }

    /// The core of its programs; `None` if they run on any.
    pub(crate) fn core(&self) -> Option<Core> {
        let cores = &self.judge.settings.cores;
        (cores.len() >= self.judge.workers())
            .then(|| cores.get(self.number).copied())
            .flatten()
    }

    /// Waits until a second of the clock begins, or for [`MAX_WAIT`]. Meanwhile the worker takes another job.
    ///
    /// # Errors
    /// [`Fault::Stopped`] if somebody asks to stop.
    pub(crate) fn wait_for(&self, second: u64) -> Result<(), Fault> {
        let begins = UNIX_EPOCH + Duration::from_secs(second);
        let end = Instant::now() + MAX_WAIT;
        self.places().given_away(|| {
            while let Ok(left) = begins.duration_since(SystemTime::now())
                && Instant::now() < end
            {
                self.judge.check_stop()?;
                thread::sleep(left.min(POLL));
            }
            Ok(())
        })
    }

    /// Runs a compiler, beside a program of this worker.
    ///
    /// # Errors
    /// [`Fault::Stopped`] as [`Worker::execute`].
    pub(crate) fn compile(&self, request: &Request) -> Result<Outcome, Fault> {
        let stop = self.judge.stop();
        let lock = &self.judge.run_lock;
        let _slot = lock.shared(self.number, SlotKind::Compiler, stop)?;
        match self.judge.runner().run_gated(&UntilStopped(stop), request) {
            _ if stop.is_requested() => Err(Fault::Stopped),
            outcome => Ok(outcome?),
        }
    }
}

/// A program that is killed when somebody asks to stop.
struct UntilStopped<'a>(&'a Stop);

impl StartGate for UntilStopped<'_> {
    fn enter(&self) -> bool {
        !self.0.is_requested()
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_requested()
    }

    fn leave(&self, _: Option<Duration>) {}
}
