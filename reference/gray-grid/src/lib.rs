//! A grid of codes in which horizontal and vertical neighbours differ in exactly one bit.

pub mod grid;
mod program;

pub use program::run;
