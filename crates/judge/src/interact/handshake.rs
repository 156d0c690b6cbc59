//! Synchronises the two sides of an interaction: they start together, and neither learns that the other has ended
//! before we do.

use std::fs::File;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use grader_sandbox::StartGate;

use crate::Stop;
use crate::lock::{locked, wait};

/// One side of an interaction.
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

/// The state that both sides share.
pub(crate) struct Handshake<'a> {
    stop: &'a Stop,
    state: Mutex<HandshakeState>,
    changed: Condvar,
}

#[derive(Default)]
struct HandshakeState {
    /// Whether each side is ready to begin.
    ready: [bool; 2],
    /// Whether both have begun.
    begun: bool,
    /// Whether each side has ended, or will never begin.
    ended: [bool; 2],
    first: Option<Side>,
    /// How long each side waited for a processor, if known.
    waited: [Duration; 2],
    /// Files that stay open until the side has ended.
    held: [Vec<File>; 2],
    /// Whether the interactor's decision is final, however the program ends.
    decided: bool,
}

impl HandshakeState {
    fn end(&mut self, side: Side) {
        self.ended[side as usize] = true;
        self.first.get_or_insert(side);
        self.held[side as usize].clear();
    }
}

impl<'a> Handshake<'a> {
    pub(crate) fn new(stop: &'a Stop) -> Self {
        Self {
            stop,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Keeps a pipe end open until a side has ended.
    pub(crate) fn hold(&self, side: Side, end: File) {
        locked(&self.state).held[side as usize].push(end);
    }

    /// Waits until a side has ended, or will never begin.
    pub(crate) fn wait_for_end(&self, side: Side) {
        let mut state = locked(&self.state);
        while !state.ended[side as usize] {
            state = wait(&self.changed, state);
        }
    }

    /// The side that ended first.
    pub(crate) fn first(&self) -> Side {
        locked(&self.state).first.unwrap_or(Side::Program)
    }

    /// Kills the program: the interactor has decided, however it ends.
    pub(crate) fn end_program(&self) {
        locked(&self.state).decided = true;
    }

    /// How long a side that has ended waited for a processor, if known.
    pub(crate) fn waited(&self, side: Side) -> Duration {
        locked(&self.state).waited[side as usize]
    }

    fn end(&self, side: Side) {
        locked(&self.state).end(side);
        self.changed.notify_all();
    }
}

/// One side's pipes, and its part in the handshake. Dropping it ends the side.
pub(crate) struct PipeEnd<'a> {
    pub(super) handshake: &'a Handshake<'a>,
    pub(super) side: Side,
    /// Pipes for its standard input and output.
    pub(crate) stdin: PathBuf,
    pub(crate) stdout: PathBuf,
}

impl PipeEnd<'_> {
    /// Waits until the other side has ended.
    pub(crate) fn wait_for_other(&self) {
        self.handshake.wait_for_end(self.side.other());
    }
}

impl StartGate for PipeEnd<'_> {
    /// Waits for the other side; both begin, or neither.
    fn enter(&self) -> bool {
        let Self {
            handshake, side, ..
        } = self;
        let mut state = locked(&handshake.state);
        state.ready[*side as usize] = true;
        state.begun = state.ready == [true; 2] && state.ended == [false; 2];
        handshake.changed.notify_all();
        while !state.begun {
            if handshake.stop.is_requested() || state.ended[side.other() as usize] {
                state.end(*side);
                handshake.changed.notify_all();
                return false;
            }
            state = wait(&handshake.changed, state);
        }
        true
    }

    fn is_cancelled(&self) -> bool {
        let Self {
            handshake, side, ..
        } = self;
        handshake.stop.is_requested()
            || (*side == Side::Program && locked(&handshake.state).decided)
    }

    fn leave(&self, waited: Option<Duration>) {
        locked(&self.handshake.state).waited[self.side as usize] = waited.unwrap_or_default();
        self.handshake.end(self.side);
    }
}

impl Drop for PipeEnd<'_> {
    fn drop(&mut self) {
        self.handshake.end(self.side);
    }
}
