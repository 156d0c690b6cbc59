//! Who looks after a long count: shows how far it is, keeps a checkpoint, and heeds Ctrl-C.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use crate::checkpoint::{Checkpoint, CheckpointError, CheckpointFile};
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
    file: CheckpointFile,
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
        mut file: CheckpointFile,
        checkpoint: Checkpoint,
        every: Duration,
    ) -> Result<Self, CheckpointError> {
        file.save(&checkpoint)?;
        Ok(Self {
            file,
            checkpoint,
            every,
            last: Duration::ZERO,
            failing: false,
        })
    }

    /// Where the checkpoint is.
    pub(super) fn path(&self) -> PathBuf {
        self.file.named().to_owned()
    }

    /// Writes the checkpoint with this tally.
    pub(super) fn save(&mut self, tally: &Tally) -> Result<(), CheckpointError> {
        self.checkpoint.tally.clone_from(tally);
        self.file.save(&self.checkpoint)
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

    use super::*;
    use crate::method::Method;

    /// A checkpoint of a count in ten parts with nothing counted.
    fn empty() -> Checkpoint {
        Checkpoint {
            n: 10,
            method: Method::Symmetric,
            parts: 10,
            tally: Tally::default(),
        }
    }

    /// The tally with the first so many parts.
    fn first(parts: usize) -> Tally {
        let mut tally = Tally::default();
        for part in 0..parts {
            tally.add(part, 1);
        }
        tally
    }

    #[test]
    fn the_checkpoint_is_written_at_once_and_then_from_time_to_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        let now = AtomicU64::new(0);
        let keeper = Keeper::new(
            CheckpointFile::open(&path).unwrap(),
            empty(),
            Duration::from_secs(10),
        )
        .unwrap();
        let mut said = Vec::new();
        let mut attendant = Attendant {
            clock: &|| Duration::from_secs(now.load(Ordering::Relaxed)),
            requested: &|| false,
            terminal: &mut said,
            line: None,
            keeper: Some(keeper),
        };
        let kept = || Checkpoint::load(&path).unwrap().unwrap().tally.parts();
        assert_eq!(kept(), 0);
        for (second, counted, expected) in [
            (1, 1, 0),
            (9, 2, 0),
            (10, 3, 3),
            (19, 4, 3),
            (25, 5, 5),
            (34, 6, 5),
            (35, 7, 7),
        ] {
            now.store(second, Ordering::Relaxed);
            assert!(attendant.counted(&first(counted)).is_continue());
            assert_eq!(kept(), expected, "after {second} s");
        }
        assert_eq!(said, b"");
    }

    #[test]
    fn a_checkpoint_that_cannot_be_written_is_said_once_and_counting_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        std::fs::create_dir(&below).unwrap();
        let path = below.join("kept");
        let keeper = Keeper::new(
            CheckpointFile::open(&path).unwrap(),
            empty(),
            Duration::ZERO,
        )
        .unwrap();
        let mut said = Vec::new();
        let mut attendant = Attendant {
            clock: &|| Duration::from_secs(1),
            requested: &|| false,
            terminal: &mut said,
            line: Some(ProgressLine::new(10, 0)),
            keeper: Some(keeper),
        };
        assert!(attendant.counted(&first(1)).is_continue());
        std::fs::remove_dir_all(&below).unwrap();
        assert!(attendant.counted(&first(2)).is_continue());
        assert!(attendant.counted(&first(3)).is_continue());
        std::fs::create_dir(&below).unwrap();
        assert!(attendant.counted(&first(4)).is_continue());
        assert_eq!(Checkpoint::load(&path).unwrap().unwrap().tally, first(4));

        let line = format!("\r{:<79}", "10 % of 10 parts, 1.0 a second, 9 s left");
        let cleared = format!("\r{:79}\r", "");
        let message = format!(
            "count: cannot write the checkpoint `{}`: No such file or directory (os error 2); \
             counting goes on\n",
            path.display()
        );
        let again = format!("\r{:<79}", "20 % of 10 parts, 2.0 a second, 4 s left");
        assert_eq!(
            String::from_utf8(said).unwrap(),
            [line, cleared, message, again].concat()
        );
    }

    #[test]
    fn a_request_ends_the_count_and_leaves_no_line() {
        let requested = AtomicBool::new(false);
        let mut said = Vec::new();
        let mut attendant = Attendant {
            clock: &|| Duration::from_secs(2),
            requested: &|| requested.load(Ordering::Relaxed),
            terminal: &mut said,
            line: Some(ProgressLine::new(10, 0)),
            keeper: None,
        };
        assert!(attendant.counted(&first(5)).is_continue());
        requested.store(true, Ordering::Relaxed);
        assert!(attendant.counted(&first(6)).is_break());
        attendant.clear();
        assert_eq!(
            String::from_utf8(said).unwrap(),
            format!(
                "\r{:<79}\r{:79}\r",
                "50 % of 10 parts, 2.5 a second, 2 s left", ""
            )
        );
    }
}
