//! The reflected Gray code: all binary numbers of n digits, each one digit apart from the next.

pub mod code;
mod program;

pub use program::run;
