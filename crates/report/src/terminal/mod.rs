//! Results as people read them on a terminal.

mod attention;
mod class;
mod explain;
mod student;
mod table;

pub use class::class;
pub(crate) use explain::{
    Explanations, SubtaskColumns, case_head, handed_in, has_run, problem_total, submission_lines,
    subtask_summary,
};
pub use student::student;

#[cfg(test)]
mod tests;
