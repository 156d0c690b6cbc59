//! The number of ways to place n queens on an n by n board so that no two attack each other.
//!
//! Two methods give the same number: [`array`](mod@array) is the one everybody writes first, [`bitmask`] keeps a whole
//! row of squares in one machine word and is several times as fast. The crate `reference-fast-count` is a hundred times
//! as fast again, and a hundred times as long to read.

pub mod array;
pub mod bitmask;
mod program;

pub use program::run;
