//! Whether the binomial coefficient C(n, k) is odd, by one AND.

mod error;
pub mod parity;
mod program;

pub use error::Error;
pub use program::run;
