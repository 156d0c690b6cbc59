//! Stand-in for the symmetric method: bit masks, one part for each column of the first queen.

use crate::host::Simd;
use crate::plan::{Plan, Worker};

/// Bit masks, one part for each column of the first queen.
pub struct Symmetric {
    n: u32,
}

impl Symmetric {
    /// The plan for `n` queens, `n` from 1 to 32.
    ///
    /// # Panics
    ///
    /// If `n` is not 1 to 32.
    pub fn new(n: u32, _simd: Simd) -> Self {
        assert!((1..=32).contains(&n), "n must be 1 to 32");
        Self { n }
    }
}

impl Plan for Symmetric {
    fn parts(&self) -> usize {
        self.n as usize
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(FirstQueen { n: self.n })
    }

    fn total(&self, sum: u64) -> u64 {
        sum
    }
}

struct FirstQueen {
    n: u32,
}

impl Worker for FirstQueen {
    fn count(&mut self, part: usize) -> u64 {
        let queen = 1 << part;
        place(u32::MAX >> (32 - self.n), queen, queen << 1, queen >> 1)
    }
}

fn place(full: u32, columns: u32, left: u32, right: u32) -> u64 {
    if columns == full {
        return 1;
    }
    let mut solutions = 0;
    let mut free = full & !(columns | left | right);
    while free != 0 {
        let queen = free & free.wrapping_neg();
        free ^= queen;
        solutions += place(
            full,
            columns | queen,
            (left | queen) << 1,
            (right | queen) >> 1,
        );
    }
    solutions
}
