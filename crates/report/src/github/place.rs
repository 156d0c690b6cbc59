//! Where in the sources a submission failed.

use grader_model::{ProblemResult, Verdict};

use crate::style::safe;

/// A place in a file of a student, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its path in what was handed in.
    pub(super) file: String,
    /// From 1.
    pub(super) line: Option<usize>,
    /// From 1.
    pub(super) column: Option<usize>,
}

/// Where the compiler says that the first error is, and what it says; else only the first file of the submission.
pub(super) fn blamed(problem: &ProblemResult) -> Option<(Place, Option<String>)> {
    let build = problem
        .build
        .as_ref()
        .filter(|_| problem.verdict == Verdict::CompileError);
    let said = build.and_then(|build| build.messages.as_ref());
    if let Some(said) = said
        && let Some(found) = first_error(&said.text, &problem.files)
    {
        return Some(found);
    }
    let file = problem.files.first()?;
    let place = Place {
        file: safe(file),
        line: None,
        column: None,
    };
    Some((place, None))
}

/// The first error in one of these files.
fn first_error(messages: &str, files: &[String]) -> Option<(Place, Option<String>)> {
    let is_known = |called: &str| known(called, files).is_some();
    let error = grader_language::first_error(messages, is_known)?;
    let place = Place {
        file: known(&error.file, files)?,
        line: Some(error.line),
        column: error.column,
    };
    Some((place, Some(safe(&error.message))))
}

/// The path of the file that the compiler calls so: it may know a part of the path only.
fn known(called: &str, files: &[String]) -> Option<String> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let exact = files.iter().find(|file| *file == called);
    let file = exact.or_else(|| files.iter().find(|file| name(file) == name(called)))?;
    Some(safe(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_submission_are_blamed_under_their_own_paths() {
        let files = ["src/count.c", "Count.java"].map(str::to_owned);
        let found =
            |messages| first_error(messages, &files).map(|(place, _)| (place.file, place.line));
        let system = "/usr/include/stdio.h:7:1: error: x";
        assert_eq!(found(system), None);
        let both = format!("{system}\ncount.c:3:1: error: y");
        assert_eq!(found(&both), Some(("src/count.c".to_owned(), Some(3))));
    }
}
