//! What CPU times say of how an answer came about. Flags for the instructor, never points.

use grader_model::{Flag, SubtaskResult};
use grader_problem::Problem;

/// The flags that the times of a submission's runs raise.
pub(crate) fn time_flags(_problem: &Problem, _results: &[SubtaskResult]) -> Vec<Flag> {
    Vec::new()
}
