//! What goes on one at a time on a core: the programs that are measured, and beside them the compilers.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use grader_sandbox::{Runner, Stage};

use crate::Stop;

/// How often one that waits looks whether it was asked to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Room for one.
#[derive(Debug, Default)]
pub(crate) struct Lane {
    is_taken: Mutex<bool>,
    left: Condvar,
}

/// A lane that was taken; free again when this is dropped.
#[derive(Debug)]
pub(crate) struct Taken<'a>(&'a Lane);

impl Lane {
    /// Takes the lane when it is free.
    pub(crate) fn take(&self) -> Taken<'_> {
        let waited = self.left.wait_while(self.state(), |taken| *taken);
        *waited.unwrap_or_else(PoisonError::into_inner) = true;
        Taken(self)
    }

    /// The same for who does not wait any longer once somebody has asked to stop; nothing then.
    pub(crate) fn take_unless(&self, stop: &Stop) -> Option<Taken<'_>> {
        let mut state = self.state();
        loop {
            if !*state {
                *state = true;
                return Some(Taken(self));
            }
            if stop.is_requested() {
                return None;
            }
            let waited = self.left.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// A flag is never half-changed.
    fn state(&self) -> MutexGuard<'_, bool> {
        self.is_taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *self.0.state() = false;
        self.0.left.notify_one();
    }
}

/// One program's time in its lane, and what the clocks showed when it began and ended.
pub(crate) struct Performance<'a> {
    lane: &'a Lane,
    runner: &'a dyn Runner,
    /// By whom it is called off while it waits.
    stop: Option<&'a Stop>,
    taken: Cell<Option<Taken<'a>>>,
    began: Cell<Option<SystemTime>>,
    /// How long some program had waited for a processor, at the beginning and at the end.
    crowded: Cell<(Option<Duration>, Option<Duration>)>,
}

impl<'a> Performance<'a> {
    pub(crate) const fn new(
        lane: &'a Lane,
        runner: &'a dyn Runner,
        stop: Option<&'a Stop>,
    ) -> Self {
        Self {
            lane,
            runner,
            stop,
            taken: Cell::new(None),
            began: Cell::new(None),
            crowded: Cell::new((None, None)),
        }
    }

    /// The clock just before the program was started, and the time since then in which some program was ready to run
    /// and had no processor, where that is known. Nothing where it was not started.
    pub(crate) fn seen(&self) -> Option<(SystemTime, Option<Duration>)> {
        let (before, after) = self.crowded.get();
        let crowded = before.zip(after);
        let crowded = crowded.map(|(before, after)| after.saturating_sub(before));
        self.began.get().map(|began| (began, crowded))
    }
}

impl Stage for Performance<'_> {
    fn enter(&self) -> bool {
        let taken = match self.stop {
            None => Some(self.lane.take()),
            Some(stop) => self.lane.take_unless(stop),
        };
        if taken.is_none() {
            return false;
        }
        self.taken.set(taken);
        self.crowded.set((self.runner.crowded(), None));
        self.began.set(Some(SystemTime::now()));
        true
    }

    fn leave(&self) {
        let (before, _) = self.crowded.get();
        self.crowded.set((before, self.runner.crowded()));
        drop(self.taken.take());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn a_lane_has_one_at_a_time_and_everybody_comes_to_it() {
        let lane = Lane::default();
        let stop = Stop::new();
        let (inside, passed) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for number in 0..8 {
                let (lane, stop, inside, passed) = (&lane, &stop, &inside, &passed);
                scope.spawn(move || {
                    for _ in 0..100 {
                        let taken = if number % 2 == 0 {
                            lane.take()
                        } else {
                            lane.take_unless(stop).unwrap()
                        };
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        passed.fetch_add(1, Ordering::SeqCst);
                        drop(taken);
                    }
                });
            }
        });
        assert_eq!(passed.into_inner(), 800);
    }

    #[test]
    fn who_is_asked_to_stop_does_not_wait_for_a_lane_but_takes_a_free_one() {
        let lane = Lane::default();
        let stop = Stop::new();
        let taken = lane.take();
        thread::scope(|scope| {
            let waits = scope.spawn(|| lane.take_unless(&stop).is_none());
            stop.request();
            assert!(waits.join().unwrap());
        });
        drop(taken);
        assert!(lane.take_unless(&stop).is_some());
    }
}
