//! Work that several jobs need: built programs, generated inputs, the reference's answers and times.
//!
//! Such work is a value, a [`Task`]. Its key is a hash of all that it reads, so no two different pieces of work share a
//! result, whoever asks for it. [`Lab::get`] does it at most once and remembers the result. Whoever asks for the same work
//! meanwhile waits, as long as nobody asks to stop.
//!
//! The lab also notes what the work reads that no file of the problem tells: the languages of the author's programs, whose
//! compilers may change. So a stored result can be reused only if all of that is part of its key.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use grader_model::{LanguageId, Outcome};
use grader_sandbox::{Core, Request};

use crate::Fault;
use crate::constants::{MAX_CLOCK_WAIT, MAX_SIGNAL_DELAY, STOP_POLL};
use crate::judge::Judge;
use crate::lock::locked;
use crate::memo::Done;
pub(crate) use crate::memo::Key;
use crate::places::Places;
use crate::run_lock::{Exclusive, SlotKind};

/// Work that is done at most once.
pub(crate) trait Task {
    /// Its result, which is cheap to clone.
    type Out: Clone + Send + Sync + 'static;

    /// A hash of all that it reads.
    fn key(&self) -> Key;

    /// Does the work, beside other programs.
    fn run(&self, lab: Lab<'_>) -> Result<Self::Out, Fault>;

    /// Does several pieces of the work in one sandbox, as far as that is possible; the others are done alone.
    fn run_together(_tasks: &[&Self], _lab: Lab<'_>) -> Result<Vec<Option<Self::Out>>, Fault> {
        Ok(Vec::new())
    }

    /// The bytes of a result that a search may forget; `None` for one that is always kept.
    fn size(_result: &Self::Out) -> Option<usize> {
        None
    }
}

/// Where a worker runs programs, one at a time, on its own core if there are enough cores.
#[derive(Clone, Copy)]
pub(crate) struct Lab<'a> {
    pub(crate) judge: &'a Judge,
    /// The worker.
    pub(crate) number: usize,
    /// When its programs are killed, as if somebody asked to stop.
    pub(crate) until: Option<Instant>,
    /// Set if its programs run alone on the machine.
    pub(crate) alone: Option<&'a Exclusive<'a>>,
    /// Whether it works for a search, where a limit may be longer than it need be.
    pub(crate) is_search: bool,
    /// Whether nothing that earlier runs built is used.
    pub(crate) builds_anew: bool,
    /// What its work reads.
    trace: Option<&'a Trace>,
}

/// The languages of the author's programs that some work needed.
#[derive(Debug, Default)]
pub(crate) struct Trace(Mutex<BTreeSet<LanguageId>>);

impl Trace {
    /// What was noted.
    pub(crate) fn languages(&self) -> BTreeSet<LanguageId> {
        locked(&self.0).clone()
    }
}

impl Judge {
    /// The lab of the first worker.
    pub(crate) fn lab(&self) -> Lab<'_> {
        Lab::new(self, 0)
    }
}

impl<'a> Lab<'a> {
    /// The lab of the worker with this number, modulo the number of workers.
    pub(crate) fn new(judge: &'a Judge, number: usize) -> Self {
        Self {
            judge,
            number: number % judge.workers(),
            until: None,
            alone: None,
            is_search: false,
            builds_anew: false,
            trace: None,
        }
    }

    /// The same, whose programs are killed at this time.
    pub(crate) const fn until(self, end: Instant) -> Self {
        Self {
            until: Some(end),
            ..self
        }
    }

    /// The same, whose programs run alone on the machine if this is set.
    pub(crate) const fn alone(self, alone: Option<&'a Exclusive<'a>>) -> Self {
        Self { alone, ..self }
    }

    /// The same for a search.
    pub(crate) const fn searching(self) -> Self {
        Self {
            is_search: true,
            ..self
        }
    }

    /// The same, which uses nothing that earlier runs built if this is set.
    pub(crate) const fn building_anew(self, builds_anew: bool) -> Self {
        Self {
            builds_anew,
            ..self
        }
    }

    /// The same, whose work is noted here.
    pub(crate) const fn noting(self, trace: &'a Trace) -> Self {
        Self {
            trace: Some(trace),
            ..self
        }
    }

    /// The result of some work. Not while programs run alone, unless it is known: it would wait for other jobs.
    ///
    /// # Errors
    /// The failure of the work, which is the same for everybody who asks, and [`Fault::Stopped`].
    pub(crate) fn get<T: Task>(self, task: &T) -> Result<T::Out, Fault> {
        let done = self.judge.memo.get(
            task.key(),
            || self.must_stop(),
            || {
                let trace = Trace::default();
                let result = task.run(self.alone(None).noting(&trace))?;
                let size = T::size(&result);
                Ok(Done::new(result, size, trace.languages()))
            },
        )?;
        for language in &done.languages {
            self.note(*language);
        }
        Ok(done.result())
    }

    /// Makes the results of this work known, as far as several pieces of it can be done in one sandbox.
    ///
    /// # Errors
    /// Our own failure, and [`Fault::Stopped`].
    pub(crate) fn prepare<T: Task>(self, tasks: &[T]) -> Result<(), Fault> {
        let memo = &self.judge.memo;
        let new = tasks.iter().filter(|it| !memo.has(&it.key()));
        let new: Vec<&T> = new.collect();
        let trace = Trace::default();
        let done = T::run_together(&new, self.noting(&trace))?;
        for (task, result) in new.into_iter().zip(done) {
            if let Some(result) = result {
                let size = T::size(&result);
                memo.keep(task.key(), Done::new(result, size, trace.languages()))?;
            }
        }
        Ok(())
    }

    /// Forgets a result, so that the work is done again.
    pub(crate) fn forget<T: Task>(self, task: &T) {
        self.judge.memo.forget(&task.key());
    }

    /// Notes that the work depends on the tools of a language.
    pub(crate) fn note(self, language: LanguageId) {
        if let Some(Trace(languages)) = self.trace {
            locked(languages).insert(language);
        }
    }

    pub(crate) fn places(self) -> &'a Places {
        &self.judge.places[self.number]
    }

    /// Whether its programs must end: somebody asks to stop, or their time is over.
    pub(crate) fn must_stop(self) -> bool {
        self.judge.stop().is_requested() || self.until.is_some_and(|it| Instant::now() >= it)
    }

    /// Whether its programs must end, as we know now or in a moment.
    pub(crate) fn must_stop_soon(self) -> bool {
        let end = Instant::now() + MAX_SIGNAL_DELAY;
        while !self.must_stop() && Instant::now() < end {
            thread::sleep(STOP_POLL);
        }
        self.must_stop()
    }

    /// The core of its programs; `None` if they are not pinned.
    pub(crate) fn core(self) -> Option<Core> {
        let cores = &self.judge.settings.cores;
        (cores.len() >= self.judge.workers())
            .then(|| cores.get(self.number).copied())
            .flatten()
    }

    /// Waits until the clock reaches a second, for at most [`MAX_CLOCK_WAIT`]. Meanwhile the worker takes another job.
    ///
    /// # Errors
    /// [`Fault::Stopped`] if somebody asks to stop.
    pub(crate) fn wait_for(self, second: u64) -> Result<(), Fault> {
        let begins = UNIX_EPOCH + Duration::from_secs(second);
        let end = Instant::now() + MAX_CLOCK_WAIT;
        self.places().given_away(|| {
            while let Ok(left) = begins.duration_since(SystemTime::now())
                && Instant::now() < end
            {
                self.judge.check_stop()?;
                thread::sleep(left.min(STOP_POLL));
            }
            Ok(())
        })
    }

    /// Runs a compiler, beside this worker's program.
    ///
    /// # Errors
    /// [`Fault::Stopped`] on a request to stop, which kills the compiler.
    pub(crate) fn compile(self, request: &Request) -> Result<Outcome, Fault> {
        let stop = self.judge.stop();
        let lock = &self.judge.run_lock;
        let _slot = lock.shared(self.number, SlotKind::Compiler, stop)?;
        match self.judge.runner().run(stop, request) {
            _ if stop.is_requested() => Err(Fault::Stopped),
            outcome => Ok(outcome?),
        }
    }
}
