//! A part of a class.

use std::collections::BTreeSet;

use grader_model::{ProblemId, StudentId};

use crate::cache::JobName;

/// The part of a class that a run judges. For the rest it carries over the results of the last run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its students; all if there are none.
    pub students: BTreeSet<StudentId>,
    /// Its problems; all if there are none.
    pub problems: BTreeSet<ProblemId>,
}

impl Part {
    /// Whether it has these students.
    pub fn has_student(&self, student: &StudentId) -> bool {
        self.students.is_empty() || self.students.contains(student)
    }

    /// Whether it has this problem.
    pub fn has_problem(&self, problem: &ProblemId) -> bool {
        self.problems.is_empty() || self.problems.contains(problem)
    }

    pub(crate) fn has(&self, job: JobName<'_>) -> bool {
        self.has_student(job.student) && self.has_problem(job.problem)
    }
}
