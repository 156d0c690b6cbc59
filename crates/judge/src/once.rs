//! Values that are computed once per run of the grader, by the first job that needs them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::Fault;
use crate::judge::Judge;
use crate::lock::locked;

/// Values by key. Each is locked while it is computed, so that other jobs wait for it. A failure is stored, too, and
/// returned to every job.
pub(crate) type OnceMap<K, T> = Mutex<BTreeMap<K, Arc<Mutex<Option<Result<T, Fault>>>>>>;

/// Whether a value is computed, or was.
pub(crate) fn is_known<K: Ord, T>(map: &OnceMap<K, T>, key: &K) -> bool {
    locked(map).contains_key(key)
}

/// Keeps a value that was computed in another way.
pub(crate) fn keep<K: Ord, T>(map: &OnceMap<K, T>, key: K, value: T) {
    let cell = locked(map).entry(key).or_default().clone();
    locked(&cell).get_or_insert(Ok(value));
}

/// Computes a value once for each key, however many threads ask. A failure is retried once, so that a transient
/// fault does not become a judge error.
pub(crate) fn once<K: Ord, T: Clone>(
    map: &OnceMap<K, T>,
    key: K,
    judge: &Judge,
    compute: impl Fn() -> Result<T, Fault>,
) -> Result<T, Fault> {
    let cell = locked(map).entry(key).or_default().clone();
    let mut cell = locked(&cell);
    if let Some(known) = &*cell {
        return known.as_ref().cloned().map_err(Fault::copy);
    }
    // The computing job was stopped.
    if judge.stop().is_requested() {
        return Err(Fault::Stopped);
    }
    let computed = match compute() {
        Err(_) if judge.stop().is_requested() => Err(Fault::Stopped),
        Err(_) => compute(),
        computed => computed,
    };
    if matches!(computed, Err(Fault::Stopped)) {
        return computed;
    }
    let computed = cell.insert(computed).as_ref();
    computed.cloned().map_err(Fault::copy)
}
