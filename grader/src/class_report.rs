//! The report on a class: what `grade` and `report` write, and their options for it.
//!
//! Mistakes that can be seen before there are results are found first ([`ClassReportArgs::prepare`]): grading may take
//! hours. What is written is made of the results alone ([`write::Prepared::give`]).

mod args;
mod explain;
mod format;
mod gradebook;
mod withheld;
mod write;

pub(crate) use args::ClassReportArgs;
use grader_model::{Results, Verdict};

/// Whether some results are faults, so that their points are not known.
pub(crate) fn has_faults(results: &Results) -> bool {
    let problems = results
        .students
        .iter()
        .flat_map(|student| &student.problems);
    problems
        .into_iter()
        .any(|problem| problem.verdict == Verdict::JudgeError)
}
