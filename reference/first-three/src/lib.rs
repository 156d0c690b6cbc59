//! The first boards of n queens in numerical order, and the number of all boards.
//!
//! The task is *Checker Challenge* of the USACO training pages: a board is written as the column
//! of the queen of each row, and boards are ordered as these sequences of numbers are. The list and
//! the total are separate searches, so that each stays simple and the total can be made faster
//! without a thought for the order. Three searches find the same list: [`mod@array`] is what the task teaches, [`plain`] the one to read
//! first, [`feasible`] the faster one on large boards. The total is that of `reference_count`.

pub mod array;
mod error;
pub mod feasible;
pub mod plain;
mod program;
mod total;

pub use error::Error;
pub use program::{Method, run};

/// The largest board of which the searches find solutions: 40 queens, one bit of a word for each
/// column.
pub const LARGEST: u32 = 40;
