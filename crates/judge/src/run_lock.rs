//! Who may run now: on each core one program and one compiler, or one program alone on the machine.
//!
//! A writer-preferring RW lock whose readers are the slots of the cores. It is free of deadlocks because whoever holds
//! a slot waits only for the sandbox, and whoever runs alone passes its guard on instead of taking the lock again. An
//! exclusive holder must therefore not wait for another job.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Stop;

/// How often a waiting thread looks for a request to stop.
const POLL: Duration = Duration::from_millis(50);

/// What a slot of a core is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotKind {
    Program,
    Compiler,
}

/// One slot of each kind per core.
#[derive(Debug)]
pub(crate) struct RunLock {
    state: Mutex<State>,
    /// One for each core, so that a program that ends does not wake the threads of every core.
    slot_freed: Vec<Condvar>,
    drained: Condvar,
}

#[derive(Debug)]
struct State {
    /// For each core whether a program, and whether a compiler, runs.
    taken: Vec<[bool; 2]>,
    exclusive: bool,
    waiting_for_exclusive: usize,
}

/// A slot of a core; free again when dropped.
#[derive(Debug)]
pub(crate) struct Shared<'a> {
    lock: &'a RunLock,
    core: usize,
    kind: SlotKind,
}

/// The whole machine; free again when dropped.
#[derive(Debug)]
pub(crate) struct Exclusive<'a>(&'a RunLock);

impl RunLock {
    pub(crate) fn new(cores: usize) -> Self {
        Self {
            state: Mutex::new(State {
                taken: vec![[false; 2]; cores],
                exclusive: false,
                waiting_for_exclusive: 0,
            }),
            slot_freed: std::iter::repeat_with(Condvar::new).take(cores).collect(),
            drained: Condvar::new(),
        }
    }

    /// Takes a slot of a core. `None` if somebody asks to stop before it is free.
    pub(crate) fn shared(&self, core: usize, kind: SlotKind, stop: &Stop) -> Option<Shared<'_>> {
        let mut state = self.state();
        while state.taken[core][kind as usize] || state.exclusive || state.waiting_for_exclusive > 0
        {
            if stop.is_requested() {
                return None;
            }
            let waited = self.slot_freed[core].wait_timeout(state, POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.taken[core][kind as usize] = true;
        Some(Shared {
            lock: self,
            core,
            kind,
        })
    }

    /// Waits until nothing runs; slots that are asked for meanwhile wait. `None` if somebody asks to stop.
    pub(crate) fn exclusive(&self, stop: &Stop) -> Option<Exclusive<'_>> {
        let mut state = self.state();
        state.waiting_for_exclusive += 1;
        let is_used =
            |state: &State| state.exclusive || state.taken.iter().any(|it| *it != [false; 2]);
        while !stop.is_requested() && is_used(&state) {
            let waited = self.drained.wait_timeout(state, POLL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        state.waiting_for_exclusive -= 1;
        if stop.is_requested() {
            drop(state);
            self.wake_all();
            return None;
        }
        state.exclusive = true;
        Some(Exclusive(self))
    }

    fn wake_all(&self) {
        self.drained.notify_all();
        for core in &self.slot_freed {
            core.notify_all();
        }
    }

    /// Each change is one step, so a panic leaves the state whole.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Shared<'_> {
    fn drop(&mut self) {
        self.lock.state().taken[self.core][self.kind as usize] = false;
        self.lock.slot_freed[self.core].notify_all();
        self.lock.drained.notify_all();
    }
}

impl Drop for Exclusive<'_> {
    fn drop(&mut self) {
        self.0.state().exclusive = false;
        self.0.wake_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn a_core_runs_one_program_at_a_time_and_nothing_beside_an_exclusive_one() {
        const CORES: usize = 2;
        let lock = RunLock::new(CORES);
        let stop = Stop::new();
        let running: [AtomicUsize; CORES] = Default::default();
        thread::scope(|scope| {
            for thread in 0..8 {
                let (lock, stop, running) = (&lock, &stop, &running);
                scope.spawn(move || {
                    for round in 0..200 {
                        if (thread + round) % 5 == 0 {
                            let _guard = lock.exclusive(stop).unwrap();
                            thread::yield_now();
                            for core in running {
                                assert_eq!(core.load(Ordering::SeqCst), 0);
                            }
                        } else {
                            let core = thread % CORES;
                            let _guard = lock.shared(core, SlotKind::Program, stop).unwrap();
                            assert_eq!(running[core].fetch_add(1, Ordering::SeqCst), 0);
                            thread::yield_now();
                            running[core].fetch_sub(1, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        assert!(lock.exclusive(&stop).is_some());
    }

    #[test]
    fn a_compiler_runs_beside_the_program_of_its_core() {
        let (lock, stop) = (RunLock::new(1), Stop::new());
        let program = lock.shared(0, SlotKind::Program, &stop);
        assert!(lock.shared(0, SlotKind::Compiler, &stop).is_some());
        drop(program);
    }

    #[test]
    fn a_waiting_thread_obeys_a_request_to_stop_and_leaves_the_lock_free() {
        let (lock, stop) = (RunLock::new(1), Stop::new());
        let slot = lock.shared(0, SlotKind::Program, &stop);
        thread::scope(|scope| {
            let exclusive = scope.spawn(|| lock.exclusive(&stop).is_none());
            let shared = scope.spawn(|| lock.shared(0, SlotKind::Program, &stop).is_none());
            stop.request();
            assert!(exclusive.join().unwrap() && shared.join().unwrap());
        });
        drop(slot);
        assert!(lock.exclusive(&Stop::new()).is_some());
    }

    #[test]
    fn a_panic_releases_the_lock() {
        let lock = RunLock::new(1);
        thread::scope(|scope| {
            let broken = scope.spawn(|| {
                let _guard = lock.exclusive(&Stop::new());
                panic!("a bug");
            });
            assert!(broken.join().is_err());
        });
        assert!(lock.shared(0, SlotKind::Program, &Stop::new()).is_some());
    }
}
