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
use half::Half;
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

    /// The number of solutions that share the rows as the job says, each counted as often as turns
    /// of it are to be counted.
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
            half.make(simd, plan.geometry, quadrants, rows);
        }
        let key_lines = plan.geometry.bits().saturating_sub(LINES);
        for (half, sorted) in halves.iter().zip(&mut *sorted) {
            for (list, sorted) in half.by_main.iter().zip(sorted) {
                sorted.sort(list.as_slice(), key_lines);
            }
        }

        let [east, west] = &*sorted;
        // Pairs of which neither uses a main diagonal are met from both sides: the shorter list asks.
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
            let lines = self.plan.geometry.from_centre(row);
            let left = [0, 1].map(|block| self.quadrants[block].avoiding(lines));
            self.with_centre = Some((row, left));
        }
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
