//! Programs that run beside others, and programs that run alone.
//!
//! A lock of readers and writers with two differences from that of the standard library: who waits to be alone goes
//! before everybody who begins a run after that, and heeds a request to stop. It cannot lock itself up: a run in
//! company holds its guard only while the sandbox works, and takes no other lock meanwhile; whoever is alone shows
//! the guard instead of asking for another ([`Beside`]), and must wait for nobody who may be about to run something.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Stop;

/// How often one that waits looks whether it was asked to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Who may run now.
#[derive(Debug, Default)]
pub(crate) struct Quiet {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Runs in company.
    running: usize,
    /// Whether somebody is alone.
    alone: bool,
    /// How many wait to be alone.
    waiting: usize,
}

/// Held while a program runs beside others.
#[derive(Debug)]
pub(crate) struct Company<'a>(&'a Quiet);

/// Held while nobody else runs anything.
#[derive(Debug)]
pub(crate) struct Alone<'a>(&'a Quiet);

/// Beside whom a program runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Beside<'a> {
    /// Beside those of the other workers.
    Others,
    /// Nobody: the others wait between their runs.
    Nobody(&'a Alone<'a>),
}

impl Quiet {
    /// Waits until nobody is alone, nor waits to be.
    pub(crate) fn company(&self) -> Company<'_> {
        let state = self.state();
        let mut state = self
            .changed
            .wait_while(state, |state| state.alone || state.waiting > 0)
            .unwrap_or_else(PoisonError::into_inner);
        state.running += 1;
        Company(self)
    }

    /// Waits until nothing runs. Nothing when asked to stop.
    pub(crate) fn alone(&self, stop: &Stop) -> Option<Alone<'_>> {
        let mut state = self.state();
        state.waiting += 1;
        while !stop.is_requested() && (state.alone || state.running > 0) {
            state = self
                .changed
                .wait_timeout(state, LOOK)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        state.waiting -= 1;
        if stop.is_requested() {
            self.changed.notify_all();
            return None;
        }
        state.alone = true;
        Some(Alone(self))
    }

    /// Whether this is what makes it quiet here.
    pub(crate) fn is_of(&self, alone: &Alone<'_>) -> bool {
        std::ptr::eq(self, alone.0)
    }

    /// A worker that panicked has given its guard back, so that the numbers are right all the same.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Company<'_> {
    fn drop(&mut self) {
        self.0.state().running -= 1;
        self.0.changed.notify_all();
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        self.0.state().alone = false;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn nobody_runs_beside_one_that_is_alone_and_all_come_to_an_end() {
        let quiet = Quiet::default();
        let stop = Stop::new();
        let (running, alone, broken) = (
            AtomicUsize::new(0),
            AtomicUsize::new(0),
            AtomicUsize::new(0),
        );
        thread::scope(|scope| {
            for worker in 0..8 {
                let (quiet, stop) = (&quiet, &stop);
                let (running, alone, broken) = (&running, &alone, &broken);
                scope.spawn(move || {
                    for round in 0..200 {
                        if (worker + round) % 5 == 0 {
                            let guard = quiet.alone(stop).unwrap();
                            alone.fetch_add(1, Ordering::SeqCst);
                            thread::yield_now();
                            let company = running.load(Ordering::SeqCst);
                            let me = alone.fetch_sub(1, Ordering::SeqCst);
                            broken.fetch_add(company + me - 1, Ordering::SeqCst);
                            drop(guard);
                        } else {
                            let guard = quiet.company();
                            running.fetch_add(1, Ordering::SeqCst);
                            thread::yield_now();
                            broken.fetch_add(alone.load(Ordering::SeqCst), Ordering::SeqCst);
                            running.fetch_sub(1, Ordering::SeqCst);
                            drop(guard);
                        }
                    }
                });
            }
        });
        assert_eq!(broken.into_inner(), 0);
        let State {
            running,
            alone,
            waiting,
        } = *quiet.state();
        assert_eq!((running, alone, waiting), (0, false, 0));
    }

    #[test]
    fn who_waits_to_be_alone_heeds_a_request_to_stop_and_leaves_the_way_free() {
        let quiet = Quiet::default();
        let stop = Stop::new();
        let company = quiet.company();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| quiet.alone(&stop).is_none());
            stop.request();
            assert!(waiting.join().unwrap());
        });
        let other = quiet.company();
        drop((company, other));
        assert!(quiet.alone(&Stop::new()).is_some());
    }

    #[test]
    fn a_panic_gives_the_guard_back() {
        let quiet = Quiet::default();
        thread::scope(|scope| {
            let broken = scope.spawn(|| {
                let _alone = quiet.alone(&Stop::new());
                panic!("a bug");
            });
            assert!(broken.join().is_err());
        });
        drop(quiet.company());
    }
}
