//! Results as people read them on a terminal.

mod attention;
mod case;
mod class;
mod origins;
mod points;
mod student;
mod submission;

pub(crate) use case::{Explanations, block, is_notable};
pub(crate) use class::basic;
pub use class::class;
pub(crate) use student::case_lines;
pub use student::{personal, student};
pub(crate) use submission::{
    graded, has_run, is_submitted, problem_total, submission_lines, subtask_labels, subtask_lines,
    subtask_run,
};

#[cfg(test)]
mod tests;
