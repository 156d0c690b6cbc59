//! The exception or panic that ended a program, from its standard error.

use grader_model::LanguageId;

/// An exception or panic.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Its name, its message or both.
    pub(crate) what: String,
    /// Its place in the source.
    pub(crate) place: Option<FailurePlace>,
}

/// A line of a source.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FailurePlace {
    /// The file; `None` if it is part of the line, as in panics, or unknown.
    pub(crate) file: Option<String>,
    pub(crate) line: String,
}

impl Failure {
    fn new(what: impl Into<String>, place: Option<FailurePlace>) -> Self {
        Self {
            what: what.into(),
            place,
        }
    }
}

impl FailurePlace {
    fn new(file: Option<&str>, line: &str) -> Self {
        Self {
            file: file.map(str::to_owned),
            line: line.to_owned(),
        }
    }
}

/// Reads the standard error of a failed run.
pub(crate) fn failure(language: LanguageId, stderr: &str) -> Option<Failure> {
    match language {
        LanguageId::Cpp => cpp(stderr),
        LanguageId::Java => java(stderr),
        LanguageId::Pascal => pascal(stderr),
        LanguageId::Python => python(stderr),
        LanguageId::JavaScript => javascript(stderr),
        LanguageId::Rust => rust(stderr),
        LanguageId::Go => go(stderr),
        _ => None,
    }
}

fn cpp(stderr: &str) -> Option<Failure> {
    let (_, rest) = stderr.split_once("terminate called after throwing an instance of '")?;
    let (name, rest) = rest.split_once('\'')?;
    let what = rest
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("what():"));
    let what = what.map_or_else(String::new, |what| format!(": {}", what.trim()));
    Some(Failure::new(format!("{name}{what}"), None))
}

fn pascal(stderr: &str) -> Option<Failure> {
    let (_, rest) = stderr.split_once("An unhandled exception occurred at ")?;
    let what = rest.lines().nth(1).unwrap_or("Exception");
    Some(Failure::new(what, None))
}

/// The innermost cause, since the outer exceptions only wrap it.
fn java(stderr: &str) -> Option<Failure> {
    const UNCAUGHT: &str = "Exception in thread \"";
    let mut lines = stderr
        .lines()
        .skip_while(|line| !line.starts_with(UNCAUGHT));
    // The first quote ends the thread's name; the message may contain more quotes.
    let (_, mut what) = lines.next()?.strip_prefix(UNCAUGHT)?.split_once("\" ")?;
    let mut place = None;
    let mut is_known = false;
    for line in lines.take_while(|line| !line.starts_with(UNCAUGHT)) {
        // A circular cause is printed in brackets.
        if let Some(cause) = line
            .strip_prefix("Caused by: ")
            .filter(|it| !it.starts_with('['))
        {
            (what, is_known) = (cause, false);
        } else if let Some(frame) = line.strip_prefix("\tat ")
            // A cause without its own frames shares those of the exception it caused.
            && !is_known
            && !["java.", "jdk.", "sun."].iter().any(|library| frame.starts_with(library))
        {
            is_known = true;
            // `Main.main(Main.java:5)`
            let number = frame
                .strip_suffix(')')
                .and_then(|frame| frame.rsplit_once(':'));
            place = number.map(|(before, number)| {
                let file = before.rsplit('(').next().unwrap_or(before);
                FailurePlace::new(Some(file), number)
            });
        }
    }
    (!what.is_empty()).then(|| Failure::new(what.trim_end_matches(':'), place))
}

/// The last unindented line that looks like an exception, and the innermost line of the student's source.
fn python(stderr: &str) -> Option<Failure> {
    const ENDS: [&str; 6] = [
        "Error",
        "Exception",
        "Interrupt",
        "Iteration",
        "Exit",
        "Warning",
    ];
    let what = stderr.lines().rev().map(str::trim_end).find(|line| {
        let name = line.split(": ").next().unwrap_or(line);
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"._".contains(&byte);
        ENDS.iter().any(|end| name.ends_with(end)) && name.bytes().all(is_name)
    })?;
    let mut files = stderr
        .lines()
        .rev()
        .filter_map(|line| line.trim_start().strip_prefix("File \""));
    let own = files.find(|rest| !rest.starts_with('<') && !rest.contains("/lib/python"));
    let place = own.and_then(|rest| {
        let (file, rest) = rest.split_once("\", line ")?;
        Some(FailurePlace::new(
            Some(file),
            rest.split([',', ' ']).next()?,
        ))
    });
    Some(Failure::new(what, place))
}

/// The first panic: `thread 'main' panicked at main.rs:3:5:` and its message in the next line.
fn rust(stderr: &str) -> Option<Failure> {
    let mut lines = stderr.lines();
    let line = lines.find(|line| line.starts_with("thread '") && line.contains(" panicked at "))?;
    let (_, rest) = line.split_once(" panicked at ")?;
    // Before Rust 1.73 the message came first, in quotes.
    let (message, place) = match rest.strip_suffix(':') {
        Some(place) => (lines.next().unwrap_or_default(), place),
        None => rest.rsplit_once(", ")?,
    };
    Some(Failure::new(
        message.trim_matches('\''),
        Some(FailurePlace::new(None, place)),
    ))
}

/// `panic: …` or `fatal error: …`, and the innermost frame in package `main`.
fn go(stderr: &str) -> Option<Failure> {
    let mut lines = stderr.lines();
    let what = lines.find_map(|line| {
        line.strip_prefix("panic: ")
            .or_else(|| line.strip_prefix("fatal error: "))
    })?;
    let frame = lines.skip_while(|line| !line.starts_with("main.")).nth(1);
    // `\t/build/main.go:6 +0x1d`
    let place = frame.and_then(|frame| frame.trim().split(' ').next()?.rsplit('/').next());
    Some(Failure::new(
        what,
        place.map(|it| FailurePlace::new(None, it)),
    ))
}

/// `TypeError: …`, and the line of the first frame in a file.
fn javascript(stderr: &str) -> Option<Failure> {
    let what = stderr.lines().find(|line| {
        let name = line.split([':', ' ']).next().unwrap_or(line);
        name.ends_with("Error")
            && line.contains(':')
            && name.bytes().all(|it| it.is_ascii_alphanumeric())
    })?;
    let mut frames = stderr
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("at "));
    let own = frames.find(|frame| frame.contains('/') && !frame.contains("node:"));
    let place = own.and_then(|frame| {
        let mut parts = frame.trim_end_matches(')').rsplitn(3, ':').skip(1);
        let line = parts.next()?;
        let file = parts.next()?.rsplit(['(', '/', ' ']).next()?;
        Some(FailurePlace::new(Some(file), line))
    });
    Some(Failure::new(what, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_failure_is_the_students_own() {
        #[rustfmt::skip]
        let table = [
            (LanguageId::Java,
             "Exception in thread \"main\" java.util.NoSuchElementException: No line found\n\
             \tat java.base/java.util.Scanner.nextLine(Scanner.java:1651)\n\tat Main.main(Main.java:5)\n",
             Some(("java.util.NoSuchElementException: No line found", Some(("Main.java", "5"))))),
            (LanguageId::Java, "all is well", None),
            (LanguageId::Rust, "\nthread 'main' (7) panicked at main.rs:3:5:\nindex out of bounds\nnote: x\n",
             Some(("index out of bounds", Some(("", "main.rs:3:5"))))),
            (LanguageId::Rust, "thread 'main' panicked at 'attempt, bad', main.rs:3:5\nnote",
             Some(("attempt, bad", Some(("", "main.rs:3:5"))))),
            (LanguageId::Go,
             "panic: runtime error: index out of range [5] with length 1\n\ngoroutine 1 [running]:\nruntime.x(...)\n\
             \t/usr/lib/go/src/runtime/x.go:5\nmain.main()\n\t/build/main.go:6 +0x1d\n",
             Some(("runtime error: index out of range [5] with length 1", Some(("", "main.go:6"))))),
            (LanguageId::JavaScript,
             "node:fs:573\n  return binding.open(\n\nError: ENOENT: no such file or directory, open 'x.in'\n    at \
             Object.openSync (node:fs:573:18)\n    at Object.<anonymous> (/tmp/main.js:1:15)\n",
             Some(("Error: ENOENT: no such file or directory, open 'x.in'", Some(("main.js", "1"))))),
        ];
        for (language, stderr, expected) in table {
            let found = failure(language, stderr);
            let found = found.as_ref().map(|failure| {
                let place = failure.place.as_ref();
                (
                    &*failure.what,
                    place.map(|it| (it.file.as_deref().unwrap_or_default(), &*it.line)),
                )
            });
            assert_eq!(found, expected);
        }
    }
}
