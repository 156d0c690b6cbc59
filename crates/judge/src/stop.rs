//! Stopping early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use grader_sandbox::StartGate;

/// A request to stop, shared between a signal handler and the workers.
///
/// Running programs are killed; their jobs are judged again in a later run.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A request that has not been made yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the judge to stop. Returns whether it had been asked before.
    pub fn request(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether a stop was requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Kills the program on a request to stop.
impl StartGate for Stop {
    fn enter(&self) -> bool {
        !self.is_requested()
    }

    fn is_cancelled(&self) -> bool {
        self.is_requested()
    }

    fn leave(&self, _waited: Option<Duration>) {}
}
