//! One board of n queens that do not attack each other, drawn with `#` and `Q`.

mod error;
mod program;
pub mod search;

pub use error::Error;
pub use program::run;
