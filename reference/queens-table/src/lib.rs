//! The number of ways to place n queens, for each n of the input; 0 ends it.

mod program;

pub use program::run;
