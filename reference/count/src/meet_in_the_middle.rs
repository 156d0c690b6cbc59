//! Stand-in for meet-in-the-middle: the parts of the symmetric stand-in.

use crate::host::Simd;
use crate::plan::{Plan, Worker};
use crate::symmetric::Symmetric;

/// The parts of the symmetric stand-in.
pub struct MeetInTheMiddle(Symmetric);

impl MeetInTheMiddle {
    /// The plan for `n` queens, `n` from 4 to 32.
    ///
    /// # Panics
    ///
    /// If `n` is not 4 to 32.
    pub fn new(n: u32, simd: Simd) -> Self {
        assert!((4..=32).contains(&n), "n must be 4 to 32");
        Self(Symmetric::new(n, simd))
    }
}

impl Plan for MeetInTheMiddle {
    fn parts(&self) -> usize {
        self.0.parts()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        self.0.worker()
    }

    fn total(&self, sum: u64) -> u64 {
        self.0.total(sum)
    }
}
