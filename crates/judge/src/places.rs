//! Places: how many jobs a worker interleaves.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::constants::ACTIVE_JOBS_PER_WORKER;
use crate::lock::locked;

/// The places of one worker.
#[derive(Debug)]
pub(crate) struct Places {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A job's place, freed on drop.
pub(crate) struct Place<'a>(&'a Places);

impl Places {
    pub(crate) const fn new(overlaps: bool) -> Self {
        Self {
            free: Mutex::new(if overlaps { ACTIVE_JOBS_PER_WORKER } else { 1 }),
            freed: Condvar::new(),
        }
    }

    /// Waits for a place. On a request to stop, jobs end and one soon becomes free.
    pub(crate) fn take(&self) -> Place<'_> {
        let free = locked(&self.free);
        let free = self.freed.wait_while(free, |free| *free == 0);
        *free.unwrap_or_else(PoisonError::into_inner) -= 1;
        Place(self)
    }

    fn give(&self) {
        *locked(&self.free) += 1;
        self.freed.notify_one();
    }

    /// Gives this job's place to another job while `wait` runs.
    pub(crate) fn given_away<R>(&self, wait: impl FnOnce() -> R) -> R {
        self.give();
        let waited = wait();
        std::mem::forget(self.take());
        waited
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.give();
    }
}
