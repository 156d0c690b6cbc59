//! The first three boards of n queens in numerical order, and the number of all boards.
//!
//! The task is *Checker Challenge* of the USACO training pages: a board is written as the column
//! of the queen of each row, and boards are ordered as these sequences of numbers are. The list
//! ([`ordered`]) and the total ([`total`]) are separate searches, so that each stays simple and
//! the total can be made faster without a thought for the order.

mod error;
pub mod ordered;
mod program;
pub mod total;

pub use error::Error;
pub use program::run;
