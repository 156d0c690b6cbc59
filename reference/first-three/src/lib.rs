//! The first three boards of n queens in numerical order, and the number of all boards.
//!
//! The task is *Checker Challenge* of the USACO training pages: a board is written as the column of the queen of each
//! row, and boards are ordered as these sequences of numbers are. [`mod@array`] is what the task teaches; [`bitmask`] finds
//! the same boards faster, and then the total is that of `reference_fast_count`.

pub mod array;
pub mod bitmask;
mod program;

pub use program::run;
