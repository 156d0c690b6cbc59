//! Results as people read them on a terminal.

mod attention;
mod case;
mod class;
mod origins;
mod points;
mod student;
mod submission;

pub(crate) use case::{Explanations, block};
pub use class::class;
pub(crate) use origins::changes;
pub(crate) use points::{Column, columns};
pub use student::{personal, student};
pub(crate) use student::{score, to_fix, unused_files, who};
pub(crate) use submission::{
    case_lines, has_run, is_graded, is_submitted, problem_total, reasons, submission_lines,
    subtask_lines, subtask_run, subtasks,
};

#[cfg(test)]
mod tests;
