//! Locks that ignore poison: each change of a locked value is a single step, so a panic leaves it consistent.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::constants::STOP_POLL;

/// Locks a value.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for a change, but not longer than a thread may ignore a request to stop.
pub(crate) fn wait<'a, T>(changed: &Condvar, value: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    let waited = changed.wait_timeout(value, STOP_POLL);
    waited.unwrap_or_else(PoisonError::into_inner).0
}
