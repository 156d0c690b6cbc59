//! Ctrl-C during a count that keeps something, or that has a line on the terminal.
//!
//! A count that keeps a checkpoint finishes the parts that were begun, which take minutes where there
//! are many queens. Otherwise there is nothing to wait for.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::INTERRUPTED;
use crate::progress::WIDTH;

/// The handler belongs to the process, so what it reads does too.
static REQUESTED: AtomicBool = AtomicBool::new(false);
/// The counts that heed a request; without any, Ctrl-C ends the process as usual.
static HEEDED: AtomicUsize = AtomicUsize::new(0);

/// As long as it lives, the first Ctrl-C is a request to end, which [`requested`] tells; the second
/// one ends the process. The system's wish that the process ends (SIGTERM, SIGHUP) counts alike.
pub(super) struct Heed(());

impl Heed {
    /// Listens from now on.
    ///
    /// A process has one handler. If it has another one already, because this is part of a larger
    /// program, Ctrl-C does what that program wants.
    pub(super) fn new() -> Self {
        HEEDED.fetch_add(1, Ordering::SeqCst);
        leave_cleanly();
        Self(())
    }
}

impl Drop for Heed {
    fn drop(&mut self) {
        HEEDED.fetch_sub(1, Ordering::SeqCst);
    }
}

/// From now on Ctrl-C clears the line on the terminal before it ends the process.
pub(super) fn leave_cleanly() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| _ = ctrlc::set_handler(handle));
}

/// Whether the count is to end.
pub(super) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// What Ctrl-C does; it runs in a thread of its own.
fn handle() {
    let heeded = HEEDED.load(Ordering::SeqCst) > 0;
    if REQUESTED.swap(true, Ordering::SeqCst) {
        exit();
    }
    let mut stderr = io::stderr().lock();
    if stderr.is_terminal() {
        // The line that says how far the count is, and the ^C behind it.
        _ = write!(stderr, "\r{:WIDTH$}\r", "");
    }
    let message = if heeded {
        "the parts that were begun are finished first; Ctrl-C again ends at once"
    } else {
        "stopped; without `--checkpoint FILE`, nothing is kept"
    };
    // Without a terminal there may be nobody to tell.
    _ = writeln!(stderr, "count: {message}");
    if !heeded {
        // The lock is kept, so that no other thread shows the line again.
        exit();
    }
}

fn exit() -> ! {
    #[expect(clippy::exit, reason = "this is not the thread that could return")]
    std::process::exit(INTERRUPTED.into());
}
