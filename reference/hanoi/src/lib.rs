//! Where the discs of the tower of Hanoi are after k moves, without making these moves.

mod error;
mod program;
pub mod tower;

pub use error::Error;
pub use program::run;
