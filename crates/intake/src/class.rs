//! Students and what they handed in.

use std::collections::BTreeMap;

use grader_model::{ProblemId, SourceFile, StudentId, UnusedFile};

/// All students of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// The students, in the order of their names.
    pub students: Vec<Student>,
    /// Files that lie beside the students' folders.
    pub unused: Vec<UnusedFile>,
}

/// One student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Student {
    /// Name of the folder.
    pub id: StudentId,
    /// What is handed in for each problem.
    pub submissions: BTreeMap<ProblemId, Submission>,
    /// Files that belong to no submission, and why.
    pub unused: Vec<UnusedFile>,
}

/// What one student handed in for one problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// The source files, paths relative to the submission (the name alone for a single file).
    pub sources: Vec<SourceFile>,
    /// The same files by their paths in the student's folder, escaped, for reports.
    pub shown: Vec<String>,
}
