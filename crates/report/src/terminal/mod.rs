//! Results as people read them on a terminal.

mod attention;
mod case;
mod cases;
mod class;
mod origins;
mod points;
mod student;
mod submission;

pub(crate) use attention::{TITLES, entries};
pub(crate) use case::{Explanations, is_notable, measured, reason, timing};
pub use cases::cases;
pub use class::class;
pub(crate) use class::statistics;
pub(crate) use origins::{changes, run};
pub(crate) use points::{Column, columns, mean};

pub use student::{corrected, personal, student};
pub(crate) use student::{score, to_fix, unused_files, who};
pub(crate) use submission::{
    adjustments, case_lines, code, facts, has_run, is_failing, is_submitted, problem_total,
    reasons, submission_lines, subtask_lines, subtask_run, subtasks,
};

#[cfg(test)]
mod tests;
