//! Where the discs of the tower of Hanoi are after k moves, without making these moves.

mod program;
pub mod tower;

pub use program::run;
