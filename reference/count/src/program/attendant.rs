//! Who looks after a long count: shows how far it is, keeps a checkpoint, and heeds Ctrl-C.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::driver::{Tally, Watch};
use crate::progress::ProgressLine;

/// Looks after a count.
pub(super) struct Attendant<'a> {
    /// The time since the count began.
    pub(super) clock: &'a (dyn Fn() -> Duration + Sync),
    /// Whether the count is to end.
    pub(super) requested: &'a (dyn Fn() -> bool + Sync),
    /// Where to show the line and to say what goes wrong; whether that works is of no account.
    pub(super) terminal: &'a mut (dyn Write + Send),
    pub(super) line: Option<ProgressLine>,
    pub(super) keeper: Option<Keeper>,
}

/// Writes a checkpoint from time to time.
pub(super) struct Keeper {
    path: PathBuf,
    checkpoint: Checkpoint,
    every: Duration,
    last: Duration,
    /// The last attempt failed, and it was said.
    failing: bool,
}

impl Keeper {
    /// Writes the checkpoint for the first time: what cannot be written is better known before a
    /// long count than after it. Later ones follow when `every` has passed.
    pub(super) fn new(
        path: PathBuf,
        checkpoint: Checkpoint,
        every: Duration,
    ) -> Result<Self, CheckpointError> {
        checkpoint.save(&path)?;
        Ok(Self {
            path,
            checkpoint,
            every,
            last: Duration::ZERO,
            failing: false,
        })
    }

    /// Where the checkpoint is.
    pub(super) fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// Writes the checkpoint with this tally.
    pub(super) fn save(&mut self, tally: &Tally) -> Result<(), CheckpointError> {
        self.checkpoint.tally.clone_from(tally);
        self.checkpoint.save(&self.path)
    }
}

impl Watch for Attendant<'_> {
    fn counted(&mut self, tally: &Tally) -> ControlFlow<()> {
        if (self.requested)() {
            return ControlFlow::Break(());
        }
        let now = (self.clock)();
        self.keep(now, tally);
        if let Some(text) = self
            .line
            .as_mut()
            .and_then(|line| line.update(now, tally.parts()))
        {
            self.write(&text);
        }
        ControlFlow::Continue(())
    }
}

impl Attendant<'_> {
    /// Writes the checkpoint if it is time. If that fails, the count goes on, and the next attempt
    /// is made when it is time again: what is counted is worth more than what is kept.
    fn keep(&mut self, now: Duration, tally: &Tally) {
        let Some(keeper) = &mut self.keeper else {
            return;
        };
        if now < keeper.last + keeper.every {
            return;
        }
        keeper.last = now;
        match keeper.save(tally) {
            Ok(()) => keeper.failing = false,
            Err(_) if keeper.failing => {}
            Err(error) => {
                keeper.failing = true;
                self.clear();
                self.write(&format!("count: {error}; counting goes on\n"));
            }
        }
    }

    /// Removes the line from the terminal.
    pub(super) fn clear(&mut self) {
        if let Some(text) = self.line.as_mut().and_then(ProgressLine::clear) {
            self.write(&text);
        }
    }

    fn write(&mut self, text: &str) {
        // One call for each text, so that nothing comes between its parts.
        _ = self
            .terminal
            .write_all(text.as_bytes())
            .and_then(|()| self.terminal.flush());
    }
}
