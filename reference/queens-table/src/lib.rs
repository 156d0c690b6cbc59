//! The number of ways to place n queens, for each n of the input; 0 ends it.

mod error;
mod program;
pub mod total;

pub use error::Error;
pub use program::run;
