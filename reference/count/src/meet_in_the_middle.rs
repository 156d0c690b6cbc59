//! Counting by halves that fit together.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod buckets;
mod geometry;
mod half;
mod jobs;
mod kernel;
mod pattern;
mod portable;
mod quadrant;
mod table;

use crate::host::Simd;
use crate::plan::{Plan, Worker};
use buckets::{Sort, Sorted};
use geometry::Geometry;
use half::{Blocks, Half};
use jobs::{Job, jobs};
use kernel::AddPairs;
use quadrant::Quadrant;
use table::Table;

/// The count for one size, cut into parts.
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
    /// Prepares to count the solutions for `n` queens, 4 to 32.
    ///
    /// # Panics
    ///
    /// If `n` is not 4 to 32.
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
}

impl Plan for MeetInTheMiddle {
    fn parts(&self) -> usize {
        self.jobs.len().div_ceil(PART)
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        match &self.quadrants {
            Quadrants::Small(quadrants) => Box::new(Joiner::new(self, quadrants)),
            Quadrants::Large(quadrants) => Box::new(Joiner::new(self, quadrants)),
        }
    }

    fn total(&self, sum: u64) -> u64 {
        sum
    }
}

/// Makes halves and joins them.
struct Joiner<'a, P> {
    plan: &'a MeetInTheMiddle,
    quadrants: &'a [Quadrant<P>; 2],
    /// The placements that a queen in the centre column leaves, and the row of the queen.
    with_centre: Option<(u32, [Quadrant<P>; 2])>,
    east: Half<P>,
    west: Half<P>,
    sorted: [[Sorted; 3]; 2],
    table: Table,
}

impl<'a, P: AddPairs + Sort> Joiner<'a, P> {
    fn new(plan: &'a MeetInTheMiddle, quadrants: &'a [Quadrant<P>; 2]) -> Self {
        Self {
            plan,
            quadrants,
            with_centre: None,
            east: Half::default(),
            west: Half::default(),
            sorted: Default::default(),
            table: Table::default(),
        }
    }

    /// The number of solutions that share the rows as the job says.
    fn join<const CHUNKS: usize>(&mut self, job: &Job) -> u64 {
        let Geometry { n, columns } = self.plan.geometry;
        let simd = self.plan.simd;
        let quadrants = match job.centre {
            None => self.quadrants,
            Some(row) => {
                if self.with_centre.as_ref().is_none_or(|&(of, _)| of != row) {
                    let lines = self.plan.geometry.from_centre(row);
                    let left = [0, 1].map(|block| self.quadrants[block].avoiding(lines));
                    self.with_centre = Some((row, left));
                }
                self.with_centre.as_ref().map_or(self.quadrants, |(_, left)| left)
            }
        };
        _ = n;
        for (half, rows) in [(&mut self.east, job.east), (&mut self.west, job.west)] {
            let north_rows = self.plan.geometry.north_rows();
            let north = (&quadrants[0], rows & ((1 << north_rows) - 1));
            let south = (&quadrants[1], rows >> north_rows);
            let (few, many) = if 2 * north.1.count_ones() <= columns {
                (north, south)
            } else {
                (south, north)
            };
            half.clear();
            P::add_pairs(simd, half, Blocks { few, many });
        }
        let keys = 1 << self.plan.geometry.bits().saturating_sub(32);
        let [east, west] = &mut self.sorted;
        let sort = |half: &'_ Half<P>, i: usize| half.by_main[i].as_slice().len();
        _ = sort;
        let [e0, e1, e2] = east;
        let [w0, w1, w2] = west;
        let (east, west) = (&self.east.by_main, &self.west.by_main);
        let e0 = P::sort(east[0].as_slice(), keys, e0);
        let e1 = P::sort(east[1].as_slice(), keys, e1);
        let e2 = P::sort(east[2].as_slice(), keys, e2);
        let w0 = P::sort(west[0].as_slice(), keys, w0);
        let w1 = P::sort(west[1].as_slice(), keys, w1);
        let w2 = P::sort(west[2].as_slice(), keys, w2);
        let table = &mut self.table;
        e0.pairs::<CHUNKS>(&[(w0, 1), (w1, 1), (w2, 2)], table, simd)
            + w0.pairs::<CHUNKS>(&[(e1, 1), (e2, 2)], table, simd)
    }
}

impl<P: AddPairs + Sort> Worker for Joiner<'_, P> {
    fn count(&mut self, part: usize) -> u64 {
        let jobs = self.plan.jobs.chunks(PART).nth(part);
        let mut sum = 0;
        for job in jobs.unwrap_or_default() {
            let solutions = if self.plan.geometry.bits() <= 28 {
                self.join::<5>(job)
            } else {
                self.join::<6>(job)
            };
            sum += job.weight * solutions;
        }
        sum
    }
}
