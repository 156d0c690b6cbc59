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
    let found = said.and_then(|said| first_error(&said.text, &problem.files));
    if let Some((place, said)) = found {
        return Some((place, Some(said)));
    }
    let file = problem.files.first()?;
    let place = Place {
        file: safe(file),
        line: None,
        column: None,
    };
    Some((place, None))
}

/// The first error in what a compiler said of one of these files: `count.c:7:14: error: …` (gcc, clang),
/// `Count.java:3: error: …` (javac), `  --> count.rs:7:14` under `error…: …` (rustc), `File "count.py", line 3` before the
/// last line (Python).
fn first_error(said: &str, files: &[String]) -> Option<(Place, String)> {
    let lines: Vec<&str> = said.split('\n').collect();
    for (index, line) in lines.iter().enumerate() {
        if let Some((at, message)) = ["error: ", "fatal error: "]
            .iter()
            .find_map(|word| line.split_once(&format!(": {word}")))
            && let Some(place) = place(at, files)
        {
            return Some((place, safe(message)));
        }
        if let Some(at) = line.trim_start().strip_prefix("--> ")
            && let Some(headline) = lines[..index].last()
            && headline.starts_with("error")
            && let Some(place) = place(at, files)
        {
            return Some((place, safe(headline)));
        }
        if let Some((file, rest)) = line
            .trim_start()
            .strip_prefix("File \"")
            .and_then(|rest| rest.split_once("\", line "))
            && let Some(last) = lines.last()
        {
            let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
            let place = Place {
                file: known(file, files)?,
                line: Some(digits?.parse().ok()?),
                column: None,
            };
            return Some((place, safe(last)));
        }
    }
    None
}

/// `count.c:7:14` or `Count.java:3`, where that is one of the files.
fn place(at: &str, files: &[String]) -> Option<Place> {
    let parts: Vec<&str> = at.rsplitn(3, ':').collect();
    let number = |text: &str| text.trim().parse().ok();
    let (file, line, column) = match parts.as_slice() {
        [column, line, file] if number(line).is_some() => (*file, number(line), number(column)),
        [line, ..] => (
            at.strip_suffix(line)?.strip_suffix(':')?,
            number(line),
            None,
        ),
        [] => return None,
    };
    line?;
    Some(Place {
        file: known(file, files)?,
        line,
        column,
    })
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

    fn found(said: &str) -> Option<(String, Option<usize>, Option<usize>, String)> {
        let files = ["src/count.c", "Count.java", "count.py", "count.rs"].map(str::to_owned);
        let (place, said) = first_error(said, &files)?;
        Some((place.file, place.line, place.column, said))
    }

    #[test]
    fn the_first_error_is_found_in_what_each_compiler_says() {
        let at = |file: &str, line, column, said: &str| {
            Some((file.to_owned(), Some(line), column, said.to_owned()))
        };
        assert_eq!(
            found(
                "count.c: In function 'main':\ncount.c:3:1: warning: x\ncount.c:7:14: error: expected ';'"
            ),
            at("src/count.c", 7, Some(14), "expected ';'")
        );
        assert_eq!(
            found("Count.java:3: error: ';' expected"),
            at("Count.java", 3, None, "';' expected")
        );
        assert_eq!(
            found("error[E0425]: cannot find value `x`\n --> count.rs:2:5\n  |"),
            at(
                "count.rs",
                2,
                Some(5),
                "error[E0425]: cannot find value `x`"
            )
        );
        assert_eq!(
            found(
                "  File \"count.py\", line 3\n    print(\n         ^\nSyntaxError: '(' was never closed"
            ),
            at("count.py", 3, None, "SyntaxError: '(' was never closed")
        );
    }

    #[test]
    fn what_is_not_in_the_submission_is_not_blamed() {
        assert_eq!(found("/usr/include/stdio.h:7:1: error: x"), None);
        assert_eq!(found("count.c: error: x\n:::: error: y\n: error: "), None);
        assert_eq!(found("File \"count.py\", line x"), None);
        assert_eq!(found(""), None);
    }
}
