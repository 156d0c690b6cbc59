//! The count of one size: by search if it is small, else by joining halves of boards.

use reference_count::bitmask;

use crate::meet_in_the_middle::MeetInTheMiddle;
use crate::simd::Simd;

/// Up to this size, to list halves of boards takes longer than to search whole ones.
pub(crate) const MAX_SEARCHED: u32 = 10;

/// The number of ways to place `n` queens, `n` from 1 to 23, on this thread.
///
/// # Panics
///
/// If `n` is not 1 to 23.
pub fn count(n: u32) -> u64 {
    if n <= MAX_SEARCHED {
        return bitmask::number_of_solutions(n);
    }
    let plan = MeetInTheMiddle::new(n, Simd::widest());
    (0..plan.parts()).map(plan.counter()).sum()
}
