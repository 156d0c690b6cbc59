//! What a run is of.

use std::path::PathBuf;

use grader_model::AssignmentId;

/// Which run is to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BeginRun {
    /// The folder or archive of the class, absolute and without links: runs of one path belong together.
    pub class: PathBuf,
    /// The assignment.
    pub assignment: AssignmentId,
    /// The version of the grader, for people.
    pub grader: String,
    /// Whether a new run is made and nothing is taken from earlier ones, not even from one that was not finished.
    pub fresh: bool,
}
