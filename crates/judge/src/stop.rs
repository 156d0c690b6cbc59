//! Stopping early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

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
