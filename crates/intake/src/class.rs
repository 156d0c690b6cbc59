//! Students and what they handed in.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io;

use grader_model::{LanguageId, Person, ProblemId, SourceFile, StudentId, Text, UnusedFile};

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
    /// Who that is, where a roster or a download tells.
    pub person: Option<Person>,
    /// What is to be known of what was handed in: which of several attempts was taken, that it came late.
    pub notes: Vec<Text>,
    /// What is handed in for each problem.
    ///
    /// A problem that is neither here nor among the faults is one for which nothing was handed in.
    pub submissions: BTreeMap<ProblemId, Submission>,
    /// Problems whose submission is there, or may be, but cannot be read, and why: never among the
    /// submissions too. That is no failure of the student's, so it must not cost points.
    pub faults: BTreeMap<ProblemId, Text>,
    /// Files that belong to no submission, and why.
    pub unused: Vec<UnusedFile>,
}

/// What one student handed in for one problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// Its files, paths relative to the submission (the name alone for a single file).
    ///
    /// At least one is a program, by its name or by what it holds. In a folder headers and other texts come
    /// with it, since a source may include a file of any name.
    pub(crate) sources: Vec<SourceFile>,
    /// The language that it is in; nothing where that cannot be told.
    pub language: Option<LanguageId>,
    /// The same files by their paths in the student's folder, escaped, for reports.
    pub shown: Vec<String>,
}

impl Submission {
    /// A submission whose files are in memory.
    pub fn held(
        sources: Vec<SourceFile>,
        shown: Vec<String>,
        language: Option<LanguageId>,
    ) -> Self {
        Self {
            sources,
            language,
            shown,
        }
    }

    /// Its files.
    ///
    /// # Errors
    /// When they cannot be read any more.
    pub fn sources(&self) -> io::Result<Cow<'_, [SourceFile]>> {
        Ok(Cow::Borrowed(&self.sources))
    }
}
