//! The exception or panic that ended a program, from its standard error.

use grader_model::LanguageId;

/// An exception or panic: its name, its message or both; and its place in the student's source: a line, for panics with
/// the file.
pub(crate) type Failure = (String, Option<String>);

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
    Some((format!("{name}{what}"), None))
}

fn pascal(stderr: &str) -> Option<Failure> {
    let (_, rest) = stderr.split_once("An unhandled exception occurred at ")?;
    Some((rest.lines().nth(1).unwrap_or("Exception").to_owned(), None))
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
            place = number.map(|(_, number)| number.to_owned());
        }
    }
    (!what.is_empty()).then(|| (what.trim_end_matches(':').to_owned(), place))
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
    let line = own.and_then(|rest| rest.split_once("\", line ")?.1.split([',', ' ']).next());
    Some((what.to_owned(), line.map(str::to_owned)))
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
    Some((
        message.trim_matches('\'').to_owned(),
        Some(place.to_owned()),
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
    Some((what.to_owned(), place.map(str::to_owned)))
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
    let line = own.and_then(|frame| frame.trim_end_matches(')').rsplit(':').nth(1));
    Some((what.to_owned(), line.map(str::to_owned)))
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
             Some(("java.util.NoSuchElementException: No line found", Some("5")))),
            (LanguageId::Java, "all is well", None),
            (LanguageId::Rust, "\nthread 'main' (7) panicked at main.rs:3:5:\nindex out of bounds\nnote: x\n",
             Some(("index out of bounds", Some("main.rs:3:5")))),
            (LanguageId::Rust, "thread 'main' panicked at 'attempt, bad', main.rs:3:5\nnote",
             Some(("attempt, bad", Some("main.rs:3:5")))),
            (LanguageId::Go,
             "panic: runtime error: index out of range [5] with length 1\n\ngoroutine 1 [running]:\nruntime.x(...)\n\
             \t/usr/lib/go/src/runtime/x.go:5\nmain.main()\n\t/build/main.go:6 +0x1d\n",
             Some(("runtime error: index out of range [5] with length 1", Some("main.go:6")))),
            (LanguageId::JavaScript,
             "node:fs:573\n  return binding.open(\n\nError: ENOENT: no such file or directory, open 'x.in'\n    at \
             Object.openSync (node:fs:573:18)\n    at Object.<anonymous> (/tmp/main.js:1:15)\n",
             Some(("Error: ENOENT: no such file or directory, open 'x.in'", Some("1")))),
        ];
        for (language, stderr, expected) in table {
            let found = failure(language, stderr);
            let found = found
                .as_ref()
                .map(|(what, place)| (&**what, place.as_deref()));
            assert_eq!(found, expected);
        }
    }
}
