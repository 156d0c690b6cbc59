//! A program's turn on its core.

use std::cell::Cell;
use std::time::{Duration, SystemTime};

use grader_sandbox::{Request, SandboxError, StartGate};

use crate::Fault;
use crate::decide::run::Run;
use crate::interact::handshake::PipeEnd;
use crate::lab::Lab;
use crate::run_lock::{Shared, SlotKind};

impl Lab<'_> {
    /// Runs a program when its turn comes; with pipes, it starts together with the other side.
    ///
    /// # Errors
    /// [`Fault::Stopped`] on a request to stop, which kills the program.
    pub(crate) fn execute(
        self,
        request: &Request,
        pipes: Option<&PipeEnd<'_>>,
    ) -> Result<Run, Fault> {
        let turn = CoreTurn {
            lab: self,
            pipes,
            slot: Cell::new(None),
            began: Cell::new(None),
            waited: Cell::new(None),
            is_stopped: Cell::new(false),
        };
        let outcome = match self.judge.runner().run(&turn, request) {
            Err(SandboxError::Cancelled) => return Err(Fault::Stopped),
            _ if turn.is_stopped.get() => return Err(Fault::Stopped),
            outcome => outcome?,
        };
        let began = turn.began.get().ok_or_else(|| {
            SandboxError::Protocol("it reports a program that was never started".to_owned())
        })?;
        Ok(Run::new(outcome, began, turn.waited.get()))
    }
}

/// One program's turn on its core. The sandbox prepares the run before it and cleans up after it.
struct CoreTurn<'a> {
    lab: Lab<'a>,
    pipes: Option<&'a PipeEnd<'a>>,
    slot: Cell<Option<Shared<'a>>>,
    began: Cell<Option<SystemTime>>,
    waited: Cell<Option<Duration>>,
    /// Whether it was killed by a request to stop.
    is_stopped: Cell<bool>,
}

impl StartGate for CoreTurn<'_> {
    fn enter(&self) -> bool {
        let judge = self.lab.judge;
        if self.lab.must_stop() {
            return false;
        }
        if self.lab.alone.is_none() {
            let (lock, core) = (&judge.run_lock, self.lab.number);
            let Ok(slot) = lock.shared(core, SlotKind::Program, judge.stop()) else {
                return false;
            };
            self.slot.set(Some(slot));
        }
        if self.pipes.is_some_and(|pipes| !pipes.enter()) {
            return false;
        }
        self.began.set(Some(SystemTime::now()));
        true
    }

    fn is_cancelled(&self) -> bool {
        let is_stopped = self.lab.must_stop();
        self.is_stopped.set(self.is_stopped.get() || is_stopped);
        is_stopped || self.pipes.is_some_and(StartGate::is_cancelled)
    }

    fn leave(&self, waited: Option<Duration>) {
        self.waited.set(waited);
        if let Some(pipes) = self.pipes {
            pipes.leave(waited);
            // The interactor must not run beside the next program.
            pipes.wait_for_other();
        }
        drop(self.slot.take());
    }
}
