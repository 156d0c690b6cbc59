//! One board of n queens that do not attack each other, drawn with `#` and `Q`.

mod program;
pub mod search;

pub use program::run;
