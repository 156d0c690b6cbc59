//! Results as people read them on a terminal.

mod attention;
mod case;
mod cases;
mod class;
mod points;
mod review;
mod student;
mod submission;

pub use case::case;
pub(crate) use case::{case_group_lines, case_lines, hint_lines, reproduction_lines};
pub use cases::cases;
pub use class::class;
pub(crate) use points::{Column, columns};
pub use review::{group_lines, review};
pub use student::{corrected, personal, student};
pub(crate) use student::{score, to_fix, unused_files};
pub(crate) use submission::{problem_total, submission_lines, subtask_lines, subtasks};

#[cfg(test)]
mod tests;
