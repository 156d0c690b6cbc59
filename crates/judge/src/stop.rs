//! Stopping early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop, shared between a signal handler and the workers.
///
/// What runs is killed, and its job is judged again another time.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A stop that nobody has asked for yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the judge to stop. Returns whether somebody had asked before.
    pub fn request(&self) -> bool {
        self.0.swap(true, Ordering::SeqCst)
    }

    /// Whether somebody has asked.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
