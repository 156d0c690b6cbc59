//! The number of ways to place n queens on an n by n board so that no two attack each other.
//!
//! Four methods give the same number. [`array`](mod@array) is the one everybody writes first;
//! [`bitmask`] keeps a whole row of squares in one machine word and is several times as fast;
//! [`symmetric`] searches one board of each class of turned and mirrored ones; and
//! [`meet_in_the_middle`] joins halves of boards. [`method::choose`] says which is the fastest where.
//!
//! The last two are [plans](plan): they cut a count into parts, which [`driver`] hands out to
//! threads and [`checkpoint`] keeps. [`fundamental`] counts up to symmetry.

pub mod array;
pub mod bitmask;
pub mod checkpoint;
pub mod driver;
mod error;
pub mod fundamental;
pub mod host;
pub mod meet_in_the_middle;
pub mod method;
pub mod plan;
mod program;
pub mod progress;
pub mod symmetric;
pub mod table;

pub use error::{Error, Kept};
pub use method::{Method, count};
pub use program::run;
