//! Results as people read them on a terminal.

mod attempts;
mod attention;
mod calibration;
mod class;
mod explain;
mod limit;
mod origins;
mod student;
mod submission;
mod subtask;
mod table;

pub use class::class;
pub(crate) use explain::{Explanations, is_notable};
pub(crate) use student::case_lines;
pub use student::{personal, student};
pub(crate) use submission::{
    graded, has_run, is_submitted, not_judged, problem_total, submission_lines,
};
pub(crate) use subtask::{SubtaskColumns, subtask_lines, subtask_run, subtask_summary};

#[cfg(test)]
mod tests;
