//! The first error in a compiler's output.

use crate::constants::MAX_LINES_ABOUT;

/// An error in a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerError {
    /// The file's name in the compiler's message.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1.
    pub column: Option<usize>,
    /// The message.
    pub message: String,
}

/// The first error in a file for which `is_source` is true, in the messages of any supported compiler: `count.c:7:14:
/// error: …` (GCC, Clang), `Count.java:3: error: …` (javac), `--> count.rs:7:14` under `error…: …` (rustc),
/// `count.pas(7,14) Error: …` (Free Pascal), `./count.go:7:14: …` (Go), `File "count.py", line 3` above `SyntaxError:
/// …` (Python), `count.js:3` above the same (Node).
pub fn first_error(messages: &str, is_source: impl Fn(&str) -> bool) -> Option<CompilerError> {
    Some(find(messages, is_source)?.1)
}

/// The first error in one line, such as `count.c:7: expected ';'`; without one, the first line of the messages.
pub fn first_error_line(messages: &str) -> String {
    first_error(messages, |_| true).map_or_else(
        || messages.lines().next().unwrap_or_default().to_owned(),
        |it| format!("{}:{}: {}", it.file, it.line, it.message),
    )
}

/// The first error with the number of its line in the messages, from 0.
pub(crate) fn find(
    messages: &str,
    is_source: impl Fn(&str) -> bool,
) -> Option<(usize, CompilerError)> {
    // Python and Node print the message some lines after the place.
    let exception = messages.lines().find(|line| is_exception(line));
    let mut before = "";
    messages.lines().enumerate().find_map(|(at, line)| {
        let headline = std::mem::replace(&mut before, line);
        let error = of_line(line, headline, exception)?;
        is_source(&error.file).then_some((at, error))
    })
}

/// What the compiler prints about an error, whose place is in this line: the message, then the lines below, among them that of
/// the source, with `▲` where the compiler points, up to its next message. Each has single spaces, no indentation and a line
/// break at its end.
pub(crate) fn about(messages: &str, at: usize, error: &CompilerError) -> String {
    let mut list = vec![error.message.clone()];
    let is_next =
        |line: &str| line.contains(": warning: ") || of_line(line, "", Some("")).is_some();
    let lines = messages.lines().skip(at + 1);
    // GCC's way to a header.
    let lines = lines.filter(|line| {
        !line.trim_start().starts_with("from /") && !line.starts_with("In file included")
    });
    for line in lines
        .take(MAX_LINES_ABOUT)
        .take_while(|line| !is_next(line))
    {
        // GCC's numbers of lines.
        let line = match line.split_once(" | ") {
            Some((number, rest)) if number.bytes().all(|it| it == b' ' || it.is_ascii_digit()) => {
                rest
            }
            _ => line,
        };
        let is_caret = line.contains('^') && line.trim().trim_matches(['^', '~']).is_empty();
        let column = line.chars().take_while(|&it| it != '^').count();
        match list.last_mut().filter(|_| is_caret) {
            Some(source) => {
                let mut places = source.char_indices().map(|(place, _)| place);
                let place = places.nth(column).unwrap_or(source.len());
                source.insert(place, '▲');
            }
            None => list.push(line.replace('▲', "")),
        }
    }
    let words = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n";
    list.iter().map(words).collect()
}

/// A function of C that is defined nowhere, at the place where the compiler warned of it: the linker names no line.
pub(crate) fn undefined_function(messages: &str) -> Option<(usize, CompilerError)> {
    let (_, rest) = messages.split_once("undefined reference to `")?;
    let (name, _) = rest.split_once('\'')?;
    let warned = format!(": warning: implicit declaration of function '{name}'");
    let mut lines = messages.lines().enumerate();
    let (at, line) = lines.find(|(_, line)| line.contains(&warned))?;
    let (place, message) = line.split_once(": warning: ")?;
    Some((at, error(place, message)?))
}

fn of_line(line: &str, headline: &str, exception: Option<&str>) -> Option<CompilerError> {
    const MARKS: [&str; 4] = [": error: ", ": fatal error: ", " Error: ", " Fatal: "];
    const SCRIPTS: [&str; 3] = [".js:", ".mjs:", ".cjs:"];
    let line = line.trim();
    if let Some((place, message)) = MARKS.iter().find_map(|mark| line.split_once(mark)) {
        return error(place, message);
    }
    if let Some(place) = line.strip_prefix("--> ") {
        return error(place, headline).filter(|_| headline.starts_with("error"));
    }
    if let Some((file, rest)) = line
        .strip_prefix("File \"")
        .and_then(|it| it.split_once("\", line "))
    {
        let number = rest.split(|c: char| !c.is_ascii_digit()).next()?;
        return error(&format!("{file}:{number}"), exception?);
    }
    if let Some((place, message)) = line.split_once(": ").filter(|(it, _)| it.contains(".go:")) {
        return error(place.trim_start_matches("./"), message);
    }
    let is_script = SCRIPTS.iter().any(|it| line.contains(it)) && !line.contains(' ');
    error(line, exception.filter(|_| is_script)?)
}

/// Whether a line begins with the name of an exception: `SyntaxError: …`.
fn is_exception(line: &str) -> bool {
    let name = line.split(": ").next().unwrap_or(line);
    name.ends_with("Error") && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// An error at `file:line`, `file:line:column` or `file(line,column)`.
fn error(place: &str, message: &str) -> Option<CompilerError> {
    let split = |text: &str| {
        let (before, number) = text.rsplit_once([':', '(', ','])?;
        Some((before.to_owned(), number.trim().parse().ok()?))
    };
    let (start, last) = split(place.trim_end_matches(')'))?;
    let (file, line, column) = match split(&start) {
        Some((file, line)) => (file, line, Some(last)),
        None => (start, last, None),
    };
    let message = message.trim().to_owned();
    (!file.is_empty()).then_some(CompilerError {
        file,
        line,
        column,
        message,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_is_found_in_what_each_compiler_prints() {
        #[rustfmt::skip]
        let table = [
            ("count.c: In function 'main':\ncount.c:3:1: warning: x\ncount.c:7:14: error: expected ';'",
             Some(("count.c", 7, Some(14), "expected ';'"))),
            ("count.c:1:10: fatal error: conio.h: No such file or directory",
             Some(("count.c", 1, Some(10), "conio.h: No such file or directory"))),
            ("Count.java:3: error: ';' expected\nclass A", Some(("Count.java", 3, None, "';' expected"))),
            ("error[E0425]: cannot find value `x`\n --> count.rs:2:5\n  |",
             Some(("count.rs", 2, Some(5), "error[E0425]: cannot find value `x`"))),
            ("warning: unused\n --> count.rs:2:5\n", None),
            ("  File \"count.py\", line 3\n    print(\n         ^\nSyntaxError: '(' was never closed",
             Some(("count.py", 3, None, "SyntaxError: '(' was never closed"))),
            ("count.pas(4,3) Fatal: Syntax error, \";\" expected\nFatal: Compilation aborted",
             Some(("count.pas", 4, Some(3), "Syntax error, \";\" expected"))),
            ("# command-line-arguments\n./count.go:7:14: undefined: x",
             Some(("count.go", 7, Some(14), "undefined: x"))),
            ("count.js:1\nconsole.log(x\n   ^\n\nSyntaxError: missing ) after argument list\n    at x",
             Some(("count.js", 1, None, "SyntaxError: missing ) after argument list"))),
            ("count.c: error: x\n:::: error: y\n: error: ", None),
            ("File \"count.py\", line x", None),
            ("", None),
        ];
        for (messages, expected) in table {
            let found = first_error(messages, |_| true);
            let found = found
                .as_ref()
                .map(|it| (&*it.file, it.line, it.column, &*it.message));
            assert_eq!(found, expected, "{messages}");
        }
        #[rustfmt::skip]
        let table = [
            ("A.java:2: error: ';' expected\n\tint ▲n = 1\n\t         ^\nA.java:3: error: x\n",
             "';' expected\nint n = 1▲\n"),
            ("A.java:2: error: cannot find symbol\n  f(x);\n    ^\n  symbol:   variable x\n1 error\n",
             "cannot find symbol\nf(▲x);\nsymbol: variable x\n1 error\n"),
            ("  File \"a.py\", line 1\n    皇 = = 1\n        ^^^\nSyntaxError: invalid syntax\n",
             "SyntaxError: invalid syntax\n皇 = ▲= 1\nSyntaxError: invalid syntax\n"),
            ("a.c:3:5: error: 'x' undeclared\n    3 |   f(x | y);\n      |     ^\n", "'x' undeclared\nf(▲x | y);\n"),
        ];
        for (messages, expected) in table {
            let (at, error) = find(messages, |_| true).unwrap();
            assert_eq!(about(messages, at, &error), expected);
        }
        let system = "/usr/include/stdio.h:7:1: error: x\na.c:2:1: error: y";
        let found = first_error(system, |file| file == "a.c").unwrap();
        assert_eq!(found.message, "y");
    }
}
