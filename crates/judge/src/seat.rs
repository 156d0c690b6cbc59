//! The two sides of an interaction: they begin together, and neither learns of the other's end before we do.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grader_sandbox::Stage;

use crate::Stop;

/// How often a side that waits for the other looks for a request to stop.
const POLL: Duration = Duration::from_millis(50);

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Program,
    Interactor,
}

impl Side {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Program => Self::Interactor,
            Self::Interactor => Self::Program,
        }
    }
}

/// What both sides share.
pub(crate) struct Joint<'a> {
    stop: &'a Stop,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// For each side, whether it is ready to begin.
    ready: [bool; 2],
    /// For each side, whether it has ended, or will never begin.
    ended: [bool; 2],
    first: Option<Side>,
    /// For each side, what we hold open until it has ended.
    held: [Vec<File>; 2],
}

impl<'a> Joint<'a> {
    pub(crate) fn new(stop: &'a Stop) -> Self {
        Self {
            stop,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until this holds; false if somebody asks to stop before.
    fn wait(&self, until: impl Fn(&State) -> bool) -> bool {
        let mut state = self.state();
        while !until(&state) {
            if self.stop.is_requested() && state.ready != [true; 2] {
                return false;
            }
            let waited = self.changed.wait_timeout(state, POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    /// Holds an end of a pipe open until a side has ended.
    pub(crate) fn hold(&self, side: Side, end: File) {
        self.state().held[side as usize].push(end);
    }

    /// Waits until a side has ended, or will never begin.
    pub(crate) fn wait_for_end(&self, side: Side) {
        self.wait(|state| state.ended[side as usize]);
    }

    /// Who ended first.
    pub(crate) fn first(&self) -> Side {
        self.state().first.unwrap_or(Side::Program)
    }

    fn end(&self, side: Side) {
        let mut state = self.state();
        state.ended[side as usize] = true;
        state.first.get_or_insert(side);
        state.held[side as usize].clear();
        drop(state);
        self.changed.notify_all();
    }
}

/// The place of one side: its pipes, and when it begins and ends.
pub(crate) struct Seat<'a> {
    joint: &'a Joint<'a>,
    side: Side,
    /// The pipes that are its standard input and output.
    pub(crate) stdin: PathBuf,
    pub(crate) stdout: PathBuf,
}

impl<'a> Seat<'a> {
    pub(crate) const fn new(
        joint: &'a Joint<'a>,
        side: Side,
        stdin: PathBuf,
        stdout: PathBuf,
    ) -> Self {
        Self {
            joint,
            side,
            stdin,
            stdout,
        }
    }
}

impl Stage for Seat<'_> {
    /// Both begin at the same time.
    fn enter(&self) -> bool {
        self.joint.state().ready[self.side as usize] = true;
        self.joint.changed.notify_all();
        let other = self.side.other() as usize;
        let met = self
            .joint
            .wait(|state| state.ready[other] || state.ended[other]);
        met && self.joint.state().ready[other]
    }

    fn leave(&self) {
        self.joint.end(self.side);
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if !self.joint.state().ended[self.side as usize] {
            self.joint.end(self.side);
        }
    }
}
