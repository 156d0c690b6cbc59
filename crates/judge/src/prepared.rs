//! A program's sources as they are built.

use std::sync::Arc;

use grader_language::{Language, SourceText};
use grader_model::SourceFile;
use grader_problem::Problem;

/// Sources for a problem.
pub(crate) struct Prepared<'a> {
    /// `None` if it is not recognised.
    pub(crate) language: Option<&'a Arc<Language>>,
    /// As they were submitted.
    pub(crate) files: &'a [SourceFile],
    /// As they are built, if one of them gets another name.
    renamed: Option<Vec<SourceFile>>,
}

impl<'a> Prepared<'a> {
    /// A submission.
    pub(crate) fn new(problem: &'a Problem, files: &'a [SourceFile]) -> Self {
        Self::in_language(problem.language_of(files), problem, files)
    }

    /// The reference, which is a program whatever is submitted.
    pub(crate) fn reference(problem: &'a Problem, files: &'a [SourceFile]) -> Self {
        let language = problem.languages.recognise(&SourceText::all(files));
        Self::in_language(language, problem, files)
    }

    fn in_language(
        language: Option<&'a Arc<Language>>,
        problem: &'a Problem,
        files: &'a [SourceFile],
    ) -> Self {
        Self {
            language,
            files,
            renamed: language.and_then(|it| problem.submission.renamed(it, files)),
        }
    }

    /// Their texts, under the names with which they are built.
    pub(crate) fn texts(&self) -> Vec<SourceText<'_>> {
        let mut texts = SourceText::all(self.files);
        for (text, file) in texts.iter_mut().zip(self.renamed.iter().flatten()) {
            text.file = file;
        }
        texts
    }
}
