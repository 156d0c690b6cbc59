//! Counting by halves that fit together.
//!
//! A search places queens on the whole board; here only quarters of it are searched, and put
//! together in two steps. The board is cut down the middle into two halves (an odd one on both
//! sides of its centre column), and each half is cut across into two blocks:
//!
//! ```text
//!   west    east
//!  . . . | . Q .        rows 0, 2, 4 have their queens in the east,
//!  . . Q | . . .        rows 1, 3, 5 in the west
//!  . . . | . . Q
//!  ------+------
//!  Q . . | . . .
//!  . . . | Q . .
//!  . Q . | . . .
//! ```
//!
//! Each column has one queen, so a solution has as many queens in the east as in the west; and each
//! row has one, so the rows of the west are those that the east leaves (but for the row of a queen
//! in the centre column). Given the rows, list all placements on the east half that use just these
//! rows, all its columns, and do not attack each other; the same for the west half with the other
//! rows. Then the solutions are the pairs of an east and a west placement that do not attack each
//! other, and they can do so along diagonals only. A placement is reduced to its *pattern*, the set
//! of diagonals, or *lines*, that it sends into the other half (`geometry`): a pair is a solution
//! exactly if the patterns have no line in common. For 16 queens and given rows there are some
//! thousand placements on either side, hence millions of pairs, but no pair is looked at: one
//! instruction tests 512 of them (`table`).
//!
//! 1. `quadrant`: all placements on the upper and on the lower block of a half, once for all rows.
//! 2. `jobs`: the ways to share the rows, one of each set that are mirror images of each other.
//! 3. `half`: for each of them, the halves, put together from two blocks.
//! 4. `sorted`, `table`: the pairs of halves without a common line.
//!
//! The inner loops of 3 and 4 (`kernel`) are there for plain processors, for AVX2 and for AVX-512.
//!
//! # The quarter turn
//!
//! On an even board the two main diagonals need not be compared. Each holds one queen of a solution
//! at most, so 0, 1 or 2 queens stand on them; two stand on different ones, and so in neighbouring
//! quarters. A quarter turn moves each to the next quarter:
//!
//! ```text
//!  one queen     . | Q    . | .    . | .    Q | .
//!                --+--    --+--    --+--    --+--
//!                . | .    . | Q    Q | .    . | .
//!                east     east     west     west
//!
//!  two queens    Q | Q    . | Q    . | .    Q | .
//!                --+--    --+--    --+--    --+--
//!                . | .    . | Q    Q | Q    Q | .
//!                both     east     both     west
//! ```
//!
//! The turn takes the solutions of each picture, one to one, to those of the next; so the four
//! pictures of a line have equally many. Leave out those with a queen of this kind in both halves,
//! and let those with two in one half count twice: the sum is the same. And in each pair that is
//! left one half has no queen on a main diagonal, so that the two cannot meet there. Let E0, E1, E2
//! be the east halves with 0, 1, 2 queens on main diagonals, W0, W1, W2 the west ones, and J the
//! number of pairs without a common line. Then, added up over all ways to share the rows, the
//! number of solutions is the sum of
//!
//! ```text
//! J(E0, W0) + J(E0, W1) + J(E1, W0) + 2 J(E0, W2) + 2 J(E2, W0)
//! ```
//!
//! # Time and memory
//!
//! Two queens more take about thirty times the time and eight to ten times the memory
//! (see [`MeetInTheMiddle::new`]). Up to 18 queens a pattern has 32 bits, beyond that 64.
//!
//! Source: the idea to join quarters of the board is that of E. Kluev's *N-Queens-Count-Sol* and of
//! deepgreen's pages on the n-queens problem (deepgreen.game.coocan.jp/NQueens), both around 2013. The
//! tables of ANDs and the use of the quarter turn are not from there.

#![allow(
    clippy::inline_always,
    reason = "what is not inlined into a function for wide vectors is compiled without them"
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod geometry;
mod group;
mod half;
mod jobs;
mod kernel;
mod pattern;
mod portable;
mod quadrant;
mod sorted;
mod table;

use geometry::Geometry;
use half::{Blocks, Half};
use jobs::{Job, jobs};
use kernel::AddPairs;
use quadrant::Quadrant;
use sorted::{LINES, Sorted};
use table::Table;

use crate::simd::Simd;

/// The count for one size, cut into parts: 16 ways to share the rows each.
#[derive(Debug)]
pub struct MeetInTheMiddle {
    simd: Simd,
    geometry: Geometry,
    jobs: Vec<Job>,
    quadrants: Quadrants,
}

/// The upper and the lower block of half a board.
#[derive(Debug)]
enum Quadrants {
    /// With at most 32 lines: up to 18 rows.
    Small([Quadrant<u32>; 2]),
    Large([Quadrant<u64>; 2]),
}

/// Jobs of one part.
const PART: usize = 16;

impl MeetInTheMiddle {
    /// Prepares to count the solutions for `n` queens, 4 to 23.
    ///
    /// That lists all placements on the quarters of the board, which takes most of the memory: about
    /// 7 MB for n = 16, 27 MB for 18, 0.3 GB for 20, 0.6 GB for 21, 2.2 GB for 22 and 5.4 GB for 23.
    ///
    /// # Panics
    ///
    /// If `n` is not 4 to 23.
    pub fn new(n: u32, simd: Simd) -> Self {
        let geometry = Geometry::new(n);
        let quadrants = if geometry.bits() <= 32 {
            Quadrants::Small(Quadrant::both(geometry))
        } else {
            Quadrants::Large(Quadrant::both(geometry))
        };
        Self {
            simd,
            geometry,
            jobs: jobs(geometry),
            quadrants,
        }
    }

    /// The number of parts of the count. They do not depend on the vector instructions.
    pub fn parts(&self) -> usize {
        self.jobs.len().div_ceil(PART)
    }

    /// Counts the solutions of a part, with the working memory of one thread.
    pub fn counter(&self) -> Box<dyn FnMut(usize) -> u64 + '_> {
        fn of<'a, P: AddPairs>(
            plan: &'a MeetInTheMiddle,
            quadrants: &'a [Quadrant<P>; 2],
        ) -> Box<dyn FnMut(usize) -> u64 + 'a> {
            let mut joiner = Joiner::new(plan, quadrants);
            Box::new(move |part| joiner.count(part))
        }
        match &self.quadrants {
            Quadrants::Small(quadrants) => of(self, quadrants),
            Quadrants::Large(quadrants) => of(self, quadrants),
        }
    }
}

/// Makes halves and joins them.
struct Joiner<'a, P> {
    plan: &'a MeetInTheMiddle,
    quadrants: &'a [Quadrant<P>; 2],
    /// The placements that a queen in the centre column leaves, and the row of the queen.
    with_centre: Option<(u32, [Quadrant<P>; 2])>,
    /// East and west.
    halves: [Half<P>; 2],
    sorted: [[Sorted; 3]; 2],
    table: Table,
    nothing: Sorted,
}

impl<'a, P: AddPairs> Joiner<'a, P> {
    fn new(plan: &'a MeetInTheMiddle, quadrants: &'a [Quadrant<P>; 2]) -> Self {
        Self {
            plan,
            quadrants,
            with_centre: None,
            halves: Default::default(),
            sorted: Default::default(),
            table: Table::default(),
            nothing: Sorted::default(),
        }
    }

    /// What one way to share the rows adds to the sum: the pairs of halves that the quarter turn
    /// asks for, as the formula at the top of the module says. On an odd board, where no square
    /// counts as one of a main diagonal, these are just the solutions.
    fn join(&mut self, job: &Job) -> u64 {
        if let Some(row) = job.centre {
            self.place_centre(row);
        }
        let Self {
            plan,
            with_centre,
            halves,
            sorted,
            table,
            ..
        } = self;
        let simd = plan.simd;
        let quadrants = match with_centre {
            Some((_, left)) => left,
            None => self.quadrants,
        };
        for (half, rows) in halves.iter_mut().zip([job.east, job.west]) {
            half.clear();
            P::add_pairs(simd, half, Blocks::new(plan.geometry, quadrants, rows));
        }
        let key_lines = plan.geometry.bits().saturating_sub(LINES);
        for (half, sorted) in halves.iter().zip(&mut *sorted) {
            for (list, sorted) in half.by_main.iter().zip(sorted) {
                sorted.sort(list.as_slice(), key_lines);
            }
        }

        let [east, west] = &*sorted;
        // One table is made of E0 and asked by W1 and W2, one of W0 and asked by E1 and E2. J(E0, W0)
        // can be found with either: the shorter list asks.
        let east_asks = east[0].len() <= west[0].len();
        let mut sum = 0;
        for (one, other, other_asks) in [(west, east, east_asks), (east, west, !east_asks)] {
            let asking = if other_asks { &other[0] } else { &self.nothing };
            if [asking, &other[1], &other[2]]
                .iter()
                .all(|queries| queries.len() == 0)
            {
                continue;
            }
            table.fill(simd, &one[0]);
            sum += table.pairs(simd, asking)
                + table.pairs(simd, &other[1])
                + 2 * table.pairs(simd, &other[2]);
        }
        sum
    }

    /// Leaves the placements that a queen in this row of the centre column does not attack.
    fn place_centre(&mut self, row: u32) {
        if self.with_centre.as_ref().is_none_or(|&(of, _)| of != row) {
            let lines = self.plan.geometry.lines_of_centre(row);
            let left = [0, 1].map(|block| self.quadrants[block].avoiding(lines));
            self.with_centre = Some((row, left));
        }
    }
}

impl<P: AddPairs> Joiner<'_, P> {
    fn count(&mut self, part: usize) -> u64 {
        let jobs = self.plan.jobs.chunks(PART).nth(part);
        let mut sum = 0;
        for job in jobs.unwrap_or_default() {
            sum += job.weight * self.join(job);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference_count::bitmask;

    /// What some parts count with each vector level.
    fn compare(plan: &mut MeetInTheMiddle, every: usize) -> u64 {
        let mut sums = Vec::new();
        for simd in Simd::all() {
            plan.simd = simd;
            sums.push(
                (0..plan.parts())
                    .step_by(every)
                    .map(plan.counter())
                    .collect::<Vec<_>>(),
            );
        }
        assert!(sums.iter().all(|of_level| *of_level == sums[0]));
        sums[0].iter().sum()
    }

    #[test]
    fn counts_as_many_as_bit_masks_in_all_widths() {
        for n in 4..=13 {
            let expected = bitmask::number_of_solutions(n);
            let mut plan = MeetInTheMiddle::new(n, Simd::Portable);
            assert_eq!(compare(&mut plan, 1), expected, "n = {n}");
            plan.quadrants = Quadrants::Large(Quadrant::both(plan.geometry));
            assert_eq!(compare(&mut plan, 1), expected, "n = {n}, 64 bits");
        }
    }

    #[test]
    fn parts_of_large_boards_count_the_same_in_all_widths() {
        // Patterns have a key. They have 32 bits for n = 18 and 64 for n = 19.
        for n in [18, 19] {
            let mut plan = MeetInTheMiddle::new(n, Simd::Portable);
            let every = plan.parts() / 8;
            assert!(compare(&mut plan, every) > 0);
        }
    }
}
