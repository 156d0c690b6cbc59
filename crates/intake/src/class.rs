//! Students and what they submitted.

use std::collections::BTreeMap;

use grader_lms::Layout;
use grader_model::{Person, ProblemId, SimilarGroup, StudentId, Text, UnusedFile};

use crate::submission::Submission;
use crate::unreadable::Unreadable;

/// All students of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// In the order of their ids.
    pub students: Vec<Student>,
    /// Files beside the students' folders.
    pub unused: Vec<UnusedFile>,
    /// The layout that was recognised or asked for.
    pub layout: Layout,
    /// Submissions that are the same program, which the judge finds before it grades.
    pub similar: Vec<SimilarGroup>,
}

/// One student.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Student {
    /// The id in the roster, or else the name of the folder, file or download.
    pub id: StudentId,
    /// Who that is, as far as a roster or a download tells.
    pub person: Option<Person>,
    /// What those who submitted together have in common.
    pub team: Option<String>,
    /// Remarks on the submission: which of several attempts was taken, that it came late.
    pub notes: Vec<Text>,
    /// Remarks for staff only: they may name other students.
    pub remarks: Vec<Text>,
    /// The submission for each problem. A problem that is neither here nor among the faults has none.
    pub submissions: BTreeMap<ProblemId, Submission>,
    /// Problems without a submission for which there is, or may be, something that cannot be read. It may be right, so it
    /// must not cost points.
    pub faults: BTreeMap<ProblemId, Unreadable>,
    /// Files that belong to no submission, and why.
    pub unused: Vec<UnusedFile>,
}

impl Student {
    /// Whose values the tasks have: the team's, so that all members have the same task.
    pub fn owner(&self) -> &str {
        self.team.as_deref().unwrap_or(self.id.as_str())
    }
}
