//! The number of ways to place eight queens on a chessboard so that no two attack each other.

mod program;
pub mod search;

pub use program::run;
