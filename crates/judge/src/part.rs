//! A part of a class.

use std::collections::BTreeSet;

use grader_model::{ProblemId, StudentId};

/// The part of a class that a run judges. The other results are carried over from the last run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// The students; empty for all.
    pub students: BTreeSet<StudentId>,
    /// The problems; empty for all.
    pub problems: BTreeSet<ProblemId>,
}

impl Part {
    /// Whether it contains a student.
    pub fn has_student(&self, student: &StudentId) -> bool {
        self.students.is_empty() || self.students.contains(student)
    }

    /// Whether it contains a problem.
    pub fn has_problem(&self, problem: &ProblemId) -> bool {
        self.problems.is_empty() || self.problems.contains(problem)
    }
}
