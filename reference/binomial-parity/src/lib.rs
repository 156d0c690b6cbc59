//! Whether the binomial coefficient C(n, k) is odd, by one AND.

pub mod parity;
mod program;

pub use program::run;
