//! What the local searches for n queens share: a [`board`] with counters on its diagonals, [`random`] numbers, the check
//! of a board before it is printed ([`legality`]), and its output ([`line`](mod@line)).

pub mod board;
pub mod legality;
pub mod line;
pub mod random;

use std::time::{SystemTime, UNIX_EPOCH};

use reference_program::Error;

/// A seed that differs from run to run.
pub fn seed_from_clock() -> u64 {
    // A clock that is set before 1970 gives the same seed each time, which is as good a seed.
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_nanos() as u64)
}

/// Checks that there is a board of `n` queens, and memory to search it: the search itself would abort.
///
/// A system that promises more memory than it has is not seen through; a limit of the process is.
///
/// # Errors
///
/// If there is no board, or no memory.
pub fn check_size(n: u32, bytes_per_queen: usize) -> Result<(), Error> {
    if [2, 3].contains(&n) {
        return Err(Error::no_board(n));
    }
    let bytes = n as usize * bytes_per_queen;
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| {
        let megabytes = bytes.div_ceil(1_000_000);
        Error::Failed(format!(
            "{n} queens need {megabytes} MB of memory, more than can be had"
        ))
    })
}
