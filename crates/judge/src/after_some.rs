//! What costs some time to make, and saves a little at each use.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is made at most once, after some uses that do without it.
#[derive(Debug)]
pub(crate) struct AfterSome<T> {
    /// Uses that do without it.
    first: usize,
    /// Uses until now.
    used: AtomicUsize,
    /// `None` if it cannot be made.
    made: OnceLock<Option<T>>,
}

impl<T> AfterSome<T> {
    pub(crate) const fn new(first: usize) -> Self {
        Self {
            first,
            used: AtomicUsize::new(0),
            made: OnceLock::new(),
        }
    }

    /// It, for the next use; `make` makes it for the first use that needs it. `None` if there is none.
    pub(crate) fn get(&self, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        if self.used.fetch_add(1, Ordering::Relaxed) < self.first {
            return None;
        }
        self.made.get_or_init(make).as_ref()
    }
}
