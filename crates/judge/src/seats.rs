//! Seats of workers: as many submissions are in hand at a time as there are seats, and each seat has its core, which
//! may be that of another seat too.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, PoisonError};

thread_local! {
    /// The seat that this thread has.
    static SEAT: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The seat of the calling thread, from 0 on. Who has none runs programs while nobody has one, as the thread that
/// started everything does, and counts as the first.
///
/// A thread runs all the programs of its job itself: so the number need not travel through everything that lies
/// between a job and its runs.
pub(crate) fn seat() -> usize {
    SEAT.get().unwrap_or(0)
}

/// Seats, to be taken by threads.
pub(crate) struct Seats {
    /// Of each, whether somebody has it.
    taken: Mutex<Vec<bool>>,
    /// Number of cores: seats whose numbers differ by a multiple of it have one core.
    cores: usize,
    count: usize,
    freed: Condvar,
}

/// The seat of this thread; given back when it is dropped.
pub(crate) struct Seated<'a>(&'a Seats);

impl Seats {
    /// So many seats on each of so many cores.
    pub(crate) fn new(cores: usize, each: usize) -> Self {
        Self {
            taken: Mutex::new(vec![false; cores * each]),
            cores,
            count: cores * each,
            freed: Condvar::new(),
        }
    }

    /// How many there are, free or not.
    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// Takes a seat for this thread, which has none; waits until there is one. It is the first of those on whose core
    /// the fewest are taken.
    pub(crate) fn take(&self) -> Seated<'_> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let none = |taken: &mut Vec<bool>| taken.iter().all(|&taken| taken);
        let waited = self.freed.wait_while(taken, none);
        let mut taken = waited.unwrap_or_else(PoisonError::into_inner);
        let on_core = |seat: &usize| {
            let core = (seat % self.cores..self.count).step_by(self.cores);
            core.filter(|&seat| taken[seat]).count()
        };
        let free = (0..self.count).filter(|&seat| !taken[seat]);
        let seat = free.min_by_key(on_core);
        if let Some(seat) = seat {
            taken[seat] = true;
        }
        SEAT.set(seat);
        Seated(self)
    }

    /// Does what needs no seat; another thread may have this one's meanwhile. A thread without a seat simply does it.
    pub(crate) fn away<T>(&self, wait: impl FnOnce() -> T) -> T {
        let Some(seat) = SEAT.take() else {
            return wait();
        };
        let _return = Return(self);
        self.give(seat);
        wait()
    }

    fn give(&self, seat: usize) {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)[seat] = false;
        self.freed.notify_one();
    }
}

/// Takes a seat again when it is dropped, even where what was done meanwhile panicked: one is given back later.
struct Return<'a>(&'a Seats);

impl Drop for Return<'_> {
    fn drop(&mut self) {
        std::mem::forget(self.0.take());
    }
}

impl Drop for Seated<'_> {
    fn drop(&mut self) {
        if let Some(seat) = SEAT.take() {
            self.0.give(seat);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn the_first_free_seat_is_taken_and_a_thread_without_one_counts_as_the_first() {
        let seats = Seats::new(3, 1);
        assert_eq!(seat(), 0);
        let first = seats.take();
        let in_thread = |seats: &Seats| {
            thread::scope(|scope| {
                let taken = scope.spawn(|| {
                    let _seat = seats.take();
                    seat()
                });
                taken.join().unwrap()
            })
        };
        assert_eq!((seat(), in_thread(&seats), in_thread(&seats)), (0, 1, 1));
        drop(first);
        assert_eq!(in_thread(&seats), 0);
    }

    #[test]
    fn who_is_away_leaves_the_seat_to_another_and_comes_back_to_one() {
        let seats = Seats::new(1, 1);
        let held = seats.take();
        let other = seats.away(|| {
            thread::scope(|scope| {
                let other = scope.spawn(|| {
                    let _seat = seats.take();
                    SEAT.get()
                });
                other.join().unwrap()
            })
        });
        assert_eq!((other, SEAT.get()), (Some(0), Some(0)));
        drop(held);
        assert_eq!((SEAT.get(), seats.away(|| 7)), (None, 7));
    }

    #[test]
    fn no_seat_is_lost_or_had_by_two_however_often_threads_are_away() {
        const SEATS: usize = 3;
        let seats = Seats::new(SEATS, 1);
        let seated: [AtomicUsize; SEATS] = Default::default();
        thread::scope(|scope| {
            for _ in 0..12 {
                scope.spawn(|| {
                    for round in 0..200 {
                        let _seat = seats.take();
                        if round % 3 == 0 {
                            seats.away(thread::yield_now);
                        }
                        assert_eq!(seated[seat()].fetch_add(1, Ordering::SeqCst), 0);
                        thread::yield_now();
                        seated[seat()].fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        let taken = seats.taken.into_inner().unwrap();
        assert_eq!(taken, [false; SEATS]);
    }

    #[test]
    fn a_seat_on_a_core_that_nobody_has_goes_before_one_on_a_shared_core() {
        let seats = Seats::new(2, 2);
        let taken = |seats: &Seats| {
            // Held until the end of the test.
            std::mem::forget(seats.take());
            SEAT.take()
        };
        let all = [0, 1, 2].map(|_| taken(&seats));
        assert_eq!(all, [Some(0), Some(1), Some(2)]);
        seats.give(1);
        // Of 1 and 3, on the second core, the first; then of those that are left.
        assert_eq!(taken(&seats), Some(1));
        seats.give(0);
        seats.give(2);
        seats.give(1);
        assert_eq!([taken(&seats), taken(&seats)], [Some(0), Some(1)]);
    }
}
