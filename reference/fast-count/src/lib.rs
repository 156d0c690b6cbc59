//! The number of ways to place n queens, about a hundred times as fast as the textbook's search.
//!
//! [`meet_in_the_middle`] joins halves of boards and cuts the count into parts; [`parallel`] shares the parts among
//! threads, and [`checkpoint`] records them in a file, so that a killed run can resume. [`fundamental`] counts up to
//! symmetry. To read how one counts queens at all, begin with the crate `reference-count`.

pub mod checkpoint;
pub mod fundamental;
pub mod meet_in_the_middle;
pub mod parallel;
mod program;
mod progress;
pub mod simd;

use std::num::NonZeroUsize;

use meet_in_the_middle::MeetInTheMiddle;
use simd::Simd;

pub use program::run;

/// Up to this size, to list halves of boards takes longer than to search whole ones.
const MAX_SEARCHED: u32 = 10;

/// The number of ways to place `n` queens, `n` from 1 to 23, on this thread.
///
/// # Panics
///
/// If `n` is not 1 to 23.
pub fn count(n: u32) -> u64 {
    count_with(n, Simd::widest(), NonZeroUsize::MIN)
}

/// As [`count`], with these vector instructions and this number of threads.
///
/// # Panics
///
/// If `n` is not 1 to 23.
pub fn count_with(n: u32, simd: Simd, threads: NonZeroUsize) -> u64 {
    if n <= MAX_SEARCHED {
        return reference_count::bitmask::number_of_solutions(n);
    }
    let plan = MeetInTheMiddle::new(n, simd);
    let sum = parallel::sum(&plan, threads, &[], &mut |_, _| {
        Ok::<(), std::convert::Infallible>(())
    });
    sum.unwrap_or_else(|never| match never {})
}
