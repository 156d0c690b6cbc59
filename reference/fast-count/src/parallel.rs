//! Shares the parts of a count among threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use reference_program::Error;

use crate::meet_in_the_middle::MeetInTheMiddle;

/// The number of solutions: counts the parts with this thread and `threads - 1` more.
///
/// `known` has the counts of some parts, by number, from an earlier run. `counted` sees each other part and its count
/// as soon as it is counted, from one thread at a time; if it fails, no further part is begun.
///
/// # Errors
///
/// The first error of `counted`.
pub fn sum(
    plan: &MeetInTheMiddle,
    threads: NonZeroUsize,
    known: &[Option<u64>],
    counted: &mut (dyn FnMut(usize, u64) -> Result<(), Error> + Send),
) -> Result<u64, Error> {
    let next = AtomicUsize::new(0);
    let state = Mutex::new((known.iter().flatten().sum(), Ok(()), counted));
    let work = || {
        let mut count_part = plan.counter();
        loop {
            // The numbers only have to differ; counts are handed over under the lock.
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= plan.parts() {
                return;
            }
            if known.get(part).is_some_and(Option::is_some) {
                continue;
            }
            let count = count_part(part);
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            let (sum, result, counted) = &mut *state;
            *sum += count;
            if result.is_ok() {
                *result = counted(part, count);
            }
            if result.is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.get().min(plan.parts()) {
            // If the system gives no more threads, those that it gave do all the work.
            _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let (sum, result, _) = state.into_inner().unwrap_or_else(PoisonError::into_inner);
    result.map(|()| sum)
}
