//! Results as people read them on a terminal.

mod attention;
mod class;
mod explain;
mod student;
mod table;

pub use class::class;
pub(crate) use explain::{
    Explanations, SubtaskColumns, case_head, graded, handed_in, has_run, is_notable, not_judged,
    passed_case, problem_total, submission_lines, subtask_summary,
};
pub use student::{personal, student};

#[cfg(test)]
mod tests;
