//! From raw tables to validated values.

mod assignment;
mod attempts;
mod by_time;
mod case;
mod checker;
mod file;
mod growth;
mod limits;
mod problem;
mod reference;
mod samples;
mod source;
mod statement;
mod submission;
mod subtask;
mod time_flags;

pub use assignment::load_assignment;
pub use problem::load_problem;
pub use samples::{Sample, load_samples};
pub use statement::statement;
