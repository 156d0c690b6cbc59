//! The number of ways to place n queens on an n by n board so that no two attack each other.
//!
//! Two methods give the same number: [`array`](mod@array) is the one everybody writes first,
//! [`bitmask`] keeps a whole row of squares in one machine word and is several times as fast.

pub mod array;
pub mod bitmask;
mod error;
pub mod host;
pub mod plan;
mod program;
pub mod symmetric;

pub use error::Error;
pub use program::{Method, run};
