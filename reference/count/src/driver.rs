//! Hands the parts of a plan out to threads, and collects what they give.

mod tally;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::plan::Plan;

pub use tally::Tally;

/// Who wants to know how a count goes on.
pub trait Watch: Send {
    /// Is told after each part what is counted by now; with `Break`, no further part is begun.
    ///
    /// It is called by the thread that counted the part, by one at a time. The others wait if they
    /// have a part to report meanwhile, so it should be quick.
    fn counted(&mut self, tally: &Tally) -> ControlFlow<()>;
}

/// Nobody wants to know.
pub struct Unwatched;

impl Watch for Unwatched {
    fn counted(&mut self, _tally: &Tally) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Counts the parts of `plan` that are not in `tally` yet, with this thread and `threads - 1` more.
///
/// The parts are handed out one by one in their order: a thread that is done with one takes the
/// next, so all threads are busy until the last parts. Which thread counts which part, and which is
/// done first, differs from run to run; the result does not, because a sum does not depend on the
/// order. There are never more threads than parts, and where the system gives fewer threads, those
/// that it gave do all the work.
///
/// Returns the tally with the parts that were counted: all of them, unless `watch` broke off. Parts
/// that other threads had begun by then are in it.
///
/// # Panics
///
/// If counting a part panics, with that panic, after the other threads have finished the parts that
/// they had begun. If the sum would exceed 64 bits.
pub fn drive(plan: &dyn Plan, threads: NonZeroUsize, tally: Tally, watch: &mut dyn Watch) -> Tally {
    let left = plan.parts() - tally.parts();
    if left == 0 {
        return tally;
    }
    let shared = Shared {
        plan,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        before: tally.clone(),
        book: Mutex::new(Book { tally, watch }),
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads.get().min(left))
            .map_while(|_| {
                thread::Builder::new()
                    .spawn_scoped(scope, || shared.work())
                    .ok()
            })
            .collect();
        shared.work();
        for other in others {
            if let Err(payload) = other.join() {
                panic::resume_unwind(payload);
            }
        }
    });
    let book = shared.book.into_inner();
    book.unwrap_or_else(PoisonError::into_inner).tally
}

/// What the threads share.
struct Shared<'a> {
    plan: &'a dyn Plan,
    /// All parts below it are counted, or handed out.
    next: AtomicUsize,
    /// No further part is to be begun.
    stop: AtomicBool,
    /// The parts that were counted before.
    before: Tally,
    book: Mutex<Book<'a>>,
}

/// What one thread at a time may touch.
struct Book<'a> {
    tally: Tally,
    watch: &'a mut dyn Watch,
}

impl Shared<'_> {
    /// What each thread does: takes part after part until there is none left.
    fn work(&self) {
        let _alarm = Alarm(&self.stop);
        let mut worker = self.plan.worker();
        while !self.stop.load(Ordering::Relaxed) {
            // The numbers only have to differ; what is counted is handed over under the lock.
            let part = self.next.fetch_add(1, Ordering::Relaxed);
            if part >= self.plan.parts() {
                return;
            }
            if self.before.contains(part) {
                continue;
            }
            let sum = worker.count(part);
            // The lock is poisoned if another thread panicked in the watch: that panic ends it all.
            let mut book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
            let Book { tally, watch } = &mut *book;
            tally.add(part, sum);
            if watch.counted(tally).is_break() {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// Stops all threads when the one that holds it panics: nobody will see what they would still count.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
