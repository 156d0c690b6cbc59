//! A correction as it was asked for.

use std::path::PathBuf;

use super::edit::Keys;

/// How a correction changes those that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It is added to them.
    Add,
    /// It replaces those of the same thing.
    Replace,
    /// They are removed.
    Remove,
}

/// A correction as it was asked for.
#[derive(Clone, Debug)]
pub struct AskedCorrection {
    /// The table that has the corrections, in place of the student and what is set.
    pub from: Option<PathBuf>,
    /// The student, by id, name or address.
    pub student: String,
    /// The problem; `None` if all.
    pub problem: Option<String>,
    /// The subtask that is graded by hand.
    pub subtask: Option<String>,
    /// The rubric items that the student earned.
    pub items: Vec<String>,
    /// The line of the source that it is about.
    pub at: Option<String>,
    /// What is set.
    pub keys: Keys,
    /// Whether points may be more than the problem is worth.
    pub bonus: bool,
    /// What becomes of those that are there.
    pub way: Way,
}
