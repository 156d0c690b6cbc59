//! Admission: one program and one compiler per core, or one program alone on the machine.
//!
//! A writer-preferring RW lock whose readers are the slots of the cores. It cannot deadlock: a slot's holder waits only
//! for the sandbox, and an exclusive holder passes its guard on instead of taking the lock again. So an exclusive
//! holder must not wait for another job.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex};

use crate::lock::{locked, wait};
use crate::{Fault, Stop};

/// The kind of process that a slot admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SlotKind {
    Program,
    Compiler,
}

/// One slot of each kind per core.
#[derive(Debug)]
pub(crate) struct RunLock {
    state: Mutex<State>,
    /// One per core, so that the end of a program does not wake the threads of every core.
    slot_freed: Vec<Condvar>,
    drained: Condvar,
}

#[derive(Debug, Default)]
struct State {
    taken: BTreeSet<Slot>,
    exclusive: bool,
    waiting_for_exclusive: usize,
}

/// A core and a kind of process.
type Slot = (usize, SlotKind);

/// A core's slot, freed on drop.
#[derive(Debug)]
pub(crate) struct Shared<'a>(&'a RunLock, Slot);

/// The whole machine, freed on drop.
#[derive(Debug)]
pub(crate) struct Exclusive<'a>(&'a RunLock);

impl RunLock {
    pub(crate) fn new(cores: usize) -> Self {
        Self {
            state: Mutex::default(),
            slot_freed: std::iter::repeat_with(Condvar::new).take(cores).collect(),
            drained: Condvar::new(),
        }
    }

    /// Takes a slot of a core.
    ///
    /// # Errors
    /// [`Fault::Stopped`] if somebody asks to stop before it is free.
    pub(crate) fn shared(
        &self,
        core: usize,
        kind: SlotKind,
        stop: &Stop,
    ) -> Result<Shared<'_>, Fault> {
        let slot = (core, kind);
        let mut state = locked(&self.state);
        while state.taken.contains(&slot) || state.exclusive || state.waiting_for_exclusive > 0 {
            if stop.is_requested() {
                return Err(Fault::Stopped);
            }
            state = wait(&self.slot_freed[core], state);
        }
        state.taken.insert(slot);
        Ok(Shared(self, slot))
    }

    /// Waits until nothing runs. Requests for slots wait meanwhile.
    ///
    /// # Errors
    /// [`Fault::Stopped`] if somebody asks to stop.
    pub(crate) fn exclusive(&self, stop: &Stop) -> Result<Exclusive<'_>, Fault> {
        let mut state = locked(&self.state);
        state.waiting_for_exclusive += 1;
        while !stop.is_requested() && (state.exclusive || !state.taken.is_empty()) {
            state = wait(&self.drained, state);
        }
        state.waiting_for_exclusive -= 1;
        if stop.is_requested() {
            self.wake_all();
            return Err(Fault::Stopped);
        }
        state.exclusive = true;
        Ok(Exclusive(self))
    }

    fn wake_all(&self) {
        let slots = self.slot_freed.iter();
        slots.chain([&self.drained]).for_each(Condvar::notify_all);
    }
}

impl Drop for Shared<'_> {
    fn drop(&mut self) {
        locked(&self.0.state).taken.remove(&self.1);
        self.0.slot_freed[self.1.0].notify_all();
        self.0.drained.notify_all();
    }
}

impl Drop for Exclusive<'_> {
    fn drop(&mut self) {
        locked(&self.0.state).exclusive = false;
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
        assert!(lock.exclusive(&stop).is_ok());
    }

    #[test]
    fn a_compiler_runs_beside_the_program_of_its_core() {
        let (lock, stop) = (RunLock::new(1), Stop::new());
        let _program = lock.shared(0, SlotKind::Program, &stop).unwrap();
        assert!(lock.shared(0, SlotKind::Compiler, &stop).is_ok());
    }

    #[test]
    fn a_waiting_thread_obeys_a_request_to_stop_and_leaves_the_lock_free() {
        let (lock, stop) = (RunLock::new(1), Stop::new());
        let slot = lock.shared(0, SlotKind::Program, &stop);
        thread::scope(|scope| {
            let exclusive = scope.spawn(|| lock.exclusive(&stop).is_err());
            let shared = scope.spawn(|| lock.shared(0, SlotKind::Program, &stop).is_err());
            stop.request();
            assert!(exclusive.join().unwrap() && shared.join().unwrap());
        });
        drop(slot);
        assert!(lock.exclusive(&Stop::new()).is_ok());
    }
}
