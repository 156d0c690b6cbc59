//! What threads do with the parts of a plan.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use reference_count::Method;
use reference_count::driver::{Tally, Unwatched, Watch, drive};
use reference_count::host::Simd;
use reference_count::plan::{Plan, Worker};

/// A plan whose part p gives 2^p, and that remembers which parts were counted.
struct Recorder {
    parts: usize,
    /// The part that panics instead.
    broken: Option<usize>,
    counted: Mutex<Vec<usize>>,
}

impl Recorder {
    fn new(parts: usize) -> Self {
        Self {
            parts,
            broken: None,
            counted: Mutex::default(),
        }
    }

    /// The parts that were counted, in ascending order.
    fn counted(&self) -> Vec<usize> {
        let mut counted = self
            .counted
            .lock()
            .expect("no thread panics with the lock")
            .clone();
        counted.sort_unstable();
        counted
    }
}

impl Plan for Recorder {
    fn parts(&self) -> usize {
        self.parts
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Recording(self))
    }

    fn total(&self, sum: u64) -> u64 {
        sum
    }
}

struct Recording<'a>(&'a Recorder);

impl Worker for Recording<'_> {
    fn count(&mut self, part: usize) -> u64 {
        assert!(self.0.broken != Some(part), "part {part} is broken");
        self.0
            .counted
            .lock()
            .expect("no thread panics with the lock")
            .push(part);
        1 << part
    }
}

/// Breaks off when so many parts are counted.
struct StopAt(usize);

impl Watch for StopAt {
    fn counted(&mut self, tally: &Tally) -> ControlFlow<()> {
        if tally.parts() >= self.0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn threads(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).expect("a test has threads")
}

#[test]
fn each_part_is_counted_once_by_any_number_of_threads() {
    for number in 1..=4 {
        for parts in [0, 1, 3, 40] {
            let plan = Recorder::new(parts);
            let tally = drive(&plan, threads(number), Tally::default(), &mut Unwatched);
            assert_eq!(
                tally.sum(),
                (1 << parts) - 1,
                "{number} threads, {parts} parts"
            );
            assert_eq!(tally.parts(), parts);
            assert_eq!(plan.counted(), (0..parts).collect::<Vec<_>>());
        }
    }
}

#[test]
fn the_total_does_not_depend_on_the_number_of_threads() {
    for method in Method::ALL {
        let plan = method.plan(10, Simd::widest());
        for number in 1..=4 {
            let tally = drive(&*plan, threads(number), Tally::default(), &mut Unwatched);
            assert_eq!(tally.parts(), plan.parts());
            assert_eq!(
                plan.total(tally.sum()),
                724,
                "{} by {number}",
                method.name()
            );
        }
    }
}

#[test]
fn a_count_that_stops_after_any_part_goes_on_without_counting_a_part_twice() {
    for number in 1..=4 {
        for stop in 1..=10 {
            let plan = Recorder::new(10);
            let stopped = drive(&plan, threads(number), Tally::default(), &mut StopAt(stop));
            // Parts that other threads had begun are counted too, but no more.
            assert!((stop..stop + number).contains(&stopped.parts()));
            let first = plan.counted();
            assert_eq!(first.len(), stopped.parts());

            let tally = drive(&plan, threads(number), stopped, &mut Unwatched);
            assert_eq!(tally, Tally::new(vec![0..=9], (1 << 10) - 1).unwrap());
            assert_eq!(plan.counted(), (0..10).collect::<Vec<_>>());
        }
    }
}

#[test]
fn parts_between_counted_ones_are_found() {
    let plan = Recorder::new(8);
    let before = Tally::new(vec![0..=1, 3..=3, 7..=7], 0b1000_1011).unwrap();
    let tally = drive(&plan, threads(2), before, &mut Unwatched);
    assert_eq!(plan.counted(), [2, 4, 5, 6]);
    assert_eq!(tally.sum(), 0b1111_1111);
}

#[test]
fn a_finished_count_begins_no_part() {
    let plan = Recorder::new(2);
    let before = Tally::new(vec![0..=1], 3).unwrap();
    assert_eq!(
        drive(&plan, threads(4), before.clone(), &mut Unwatched),
        before
    );
    assert_eq!(plan.counted(), [0; 0]);
}

#[test]
fn the_panic_of_a_part_ends_the_count_with_it() {
    for number in 1..=4 {
        let mut plan = Recorder::new(20);
        plan.broken = Some(5);
        let payload = catch_unwind(AssertUnwindSafe(|| {
            drive(&plan, threads(number), Tally::default(), &mut Unwatched)
        }))
        .unwrap_err();
        assert_eq!(
            payload.downcast_ref::<String>().unwrap(),
            "part 5 is broken"
        );
    }
}
