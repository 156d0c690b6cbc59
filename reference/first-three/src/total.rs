//! The number of all solutions.

/// The number of ways to place `n` queens, counted by the fastest method of the model answer of
/// the task `count`.
///
/// # Panics
///
/// If `n` is not 1 to 32.
pub(crate) fn number_of_solutions(n: u32) -> u64 {
    reference_fast_count::count(n)
}
