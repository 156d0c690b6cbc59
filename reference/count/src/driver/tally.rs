//! What is counted so far.

use std::ops::RangeInclusive;

/// Which parts of a plan are counted, and what they gave together.
///
/// Threads finish parts nearly in their order, so the parts are kept as ranges: there are about as
/// many of them as threads, however many parts there are.
///
/// Invariant: the ranges are ascending, none is empty, and between two of them at least one part is
/// missing; `sum` is what exactly the parts in them gave.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    ranges: Vec<RangeInclusive<usize>>,
    sum: u64,
}

impl Tally {
    /// The tally of these ranges of parts with this sum; `None` if they are not as the ranges of a
    /// tally are.
    pub fn new(ranges: Vec<RangeInclusive<usize>>, sum: u64) -> Option<Self> {
        let ascending = ranges.iter().all(|range| range.start() <= range.end());
        let apart = ranges
            .windows(2)
            .all(|pair| pair[0].end() < pair[1].start() && pair[1].start() - pair[0].end() > 1);
        (ascending && apart).then_some(Self { ranges, sum })
    }

    /// Adds `part`, which gave `sum`.
    ///
    /// # Panics
    ///
    /// If the part is counted already, or if the sum of all would exceed 64 bits.
    pub fn add(&mut self, part: usize, sum: u64) {
        self.sum = self
            .sum
            .checked_add(sum)
            .expect("a sum that one can count up to fits 64 bits");
        // Ranges up to `at` lie below the part, the others above it.
        let at = self.ranges.partition_point(|range| *range.end() < part);
        let (below, above) = self.ranges.split_at(at);
        assert!(
            above.first().is_none_or(|range| part < *range.start()),
            "part {part} must not be counted twice"
        );
        let first = below.last().filter(|range| range.end() + 1 == part);
        let last = above.first().filter(|range| part + 1 == *range.start());
        let joined =
            first.map_or(part, |range| *range.start())..=last.map_or(part, |range| *range.end());
        let replaced = at - usize::from(first.is_some())..at + usize::from(last.is_some());
        self.ranges.splice(replaced, [joined]);
    }

    /// Whether `part` is counted.
    pub fn contains(&self, part: usize) -> bool {
        let at = self.ranges.partition_point(|range| *range.end() < part);
        self.ranges
            .get(at)
            .is_some_and(|range| range.contains(&part))
    }

    /// The number of parts that are counted.
    pub fn parts(&self) -> usize {
        let parts = |range: &RangeInclusive<usize>| range.end() - range.start() + 1;
        self.ranges.iter().map(parts).sum()
    }

    /// The parts that are counted, as ascending ranges between which at least one is missing.
    pub fn ranges(&self) -> &[RangeInclusive<usize>] {
        &self.ranges
    }

    /// What the parts gave together, in the unit of the plan.
    pub fn sum(&self) -> u64 {
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(parts: &[usize]) -> Tally {
        let mut tally = Tally::default();
        for &part in parts {
            tally.add(part, 10);
        }
        tally
    }

    #[test]
    fn parts_that_touch_are_one_range() {
        assert_eq!(tally(&[3]).ranges(), [3..=3]);
        assert_eq!(tally(&[3, 4]).ranges(), [3..=4]);
        assert_eq!(tally(&[3, 2]).ranges(), [2..=3]);
        assert_eq!(tally(&[0, 4, 2]).ranges(), [0..=0, 2..=2, 4..=4]);
        assert_eq!(tally(&[0, 4, 2, 3]).ranges(), [0..=0, 2..=4]);
        assert_eq!(
            tally(&[0, 4, 2, 3, 1]),
            Tally::new(vec![0..=4], 50).unwrap()
        );
    }

    #[test]
    fn every_order_gives_the_same_tally() {
        // All orders of five parts.
        for order in 0..5usize.pow(5) {
            let parts: Vec<usize> = (0..5).map(|digit| order / 5usize.pow(digit) % 5).collect();
            if (0..5).all(|part| parts.contains(&part)) {
                for known in 0..5 {
                    let so_far = tally(&parts[..known]);
                    let found: Vec<usize> = (0..5).filter(|&part| so_far.contains(part)).collect();
                    let mut expected = parts[..known].to_vec();
                    expected.sort_unstable();
                    assert_eq!(found, expected);
                    assert_eq!(so_far.parts(), known);
                    let ranges = so_far.ranges().to_vec();
                    assert_eq!(Tally::new(ranges, so_far.sum()), Some(so_far));
                }
                assert_eq!(tally(&parts), Tally::new(vec![0..=4], 50).unwrap());
            }
        }
    }

    #[test]
    #[should_panic(expected = "part 1 must not be counted twice")]
    fn a_part_that_comes_again_is_noticed() {
        tally(&[0, 1, 2, 1]);
    }

    #[test]
    fn ranges_that_are_out_of_order_or_touch_are_no_tally() {
        #[expect(clippy::reversed_empty_ranges, reason = "it is to be refused")]
        let backwards = 3..=2;
        for ranges in [
            vec![backwards],
            vec![5..=6, 1..=2],
            vec![1..=2, 2..=3],
            vec![1..=2, 3..=4],
        ] {
            assert_eq!(Tally::new(ranges.clone(), 1), None, "{ranges:?}");
        }
    }
}
