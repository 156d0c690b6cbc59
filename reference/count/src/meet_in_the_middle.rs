//! Counting by halves that fit together.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod geometry;
mod half;
mod jobs;
mod kernel;
mod pattern;
mod portable;
mod quadrant;
mod sorted;
mod table;

use crate::host::Simd;
use crate::plan::{Plan, Worker};
use geometry::Geometry;
use half::{Blocks, Half};
use jobs::{Job, jobs};
use kernel::AddPairs;
use quadrant::Quadrant;
use sorted::{LINES, Sorted};
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

impl<'a, P: AddPairs> Joiner<'a, P> {
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
    fn join(&mut self, job: &Job) -> u64 {
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
                self.with_centre
                    .as_ref()
                    .map_or(self.quadrants, |(_, left)| left)
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
        let key_lines = self.plan.geometry.bits().saturating_sub(LINES);
        for (half, sorted) in [&self.east, &self.west].into_iter().zip(&mut self.sorted) {
            for (list, sorted) in half.by_main.iter().zip(sorted) {
                sorted.sort(list.as_slice(), key_lines);
            }
        }
        let [east, west] = &self.sorted;
        let table = &mut self.table;
        table.fill(simd, &east[0]);
        let mut sum = table.pairs(simd, &west[0])
            + table.pairs(simd, &west[1])
            + 2 * table.pairs(simd, &west[2]);
        table.fill(simd, &west[0]);
        sum += table.pairs(simd, &east[1]) + 2 * table.pairs(simd, &east[2]);
        sum
    }
}

impl<P: AddPairs> Worker for Joiner<'_, P> {
    fn count(&mut self, part: usize) -> u64 {
        let jobs = self.plan.jobs.chunks(PART).nth(part);
        let mut sum = 0;
        for job in jobs.unwrap_or_default() {
            sum += job.weight * self.join(job);
        }
        sum
    }
}
