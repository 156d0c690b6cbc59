//! A grid of codes in which horizontal and vertical neighbours differ in exactly one bit.

mod error;
pub mod grid;
mod program;

pub use error::Error;
pub use program::run;
