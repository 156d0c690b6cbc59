//! What compilers and programs say about the author's files.
//!
//! A message about an included file quotes its lines, which may be hidden tests. Students get a sentence of ours instead, with
//! no more than the name of what is missing.

use grader_model::{LanguageId, Text};

use crate::advice::explain_included;
use crate::constants::MAX_ADVICE;
use crate::failure::{Failure, failure};
use crate::first_error::{CompilerError, first_error};
use crate::language::Language;
use crate::source::SourceText;

/// The files of a build, by their paths in the build folder.
#[derive(Clone, Copy, Debug)]
pub struct BuiltFiles<'a> {
    /// The author's.
    pub included: &'a [String],
    /// The student's.
    pub own: &'a [String],
}

/// A compiler's messages without those about included files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnMessages {
    /// Those that a student may read.
    pub shown: String,
    /// The linker's about included files: they quote no lines, but name the author's functions.
    pub linker: String,
    /// What included files miss in the student's.
    pub missing: Vec<Text>,
}

/// An error in what the author gave: an included file, or a flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthorsError {
    /// The tool's words, with the place.
    pub message: String,
    /// Whether no student's file can be the cause.
    pub is_certain: bool,
}

/// Whose file a line is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Author,
    Student,
}

impl BuiltFiles<'_> {
    /// Whose file a line names as its place: `main.c:3:5: …`, `main.c: In function`, `main.pas(3,4) …`, `./main.go:7:2: …`,
    /// `File "main.py", line 3`.
    fn owner(&self, line: &str) -> Option<Owner> {
        let is_of = |files: &[String]| {
            let linked = line.split_once("ld: ").map(|it| it.1);
            let mut places = [line].into_iter().chain(linked);
            places.any(|place| files.iter().any(|file| is_place(place, file)))
        };
        if is_of(self.included) {
            Some(Owner::Author)
        } else {
            is_of(self.own).then_some(Owner::Student)
        }
    }

    /// Whether a text names one of the author's files.
    fn names_authors(&self, text: &str) -> bool {
        self.included
            .iter()
            .any(|file| text.contains(file.as_str()))
    }

    fn is_authors(&self, file: &str) -> bool {
        let file = file.trim_start_matches("./");
        self.included.iter().any(|it| it == file)
    }
}

/// Whether a line begins with this file as a place.
fn is_place(line: &str, file: &str) -> bool {
    let line = line.trim_start();
    let quoted = line.strip_prefix("File \"");
    let start = quoted.unwrap_or(line).trim_start_matches("./");
    let rest = start.strip_prefix(file);
    rest.is_some_and(|rest| rest.starts_with([':', '(', '"']))
}

/// A line that says how the next one came about, without being about a file itself.
fn is_context(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("In file included from ")
        || line.starts_with("from ")
        || line.contains(": in function `")
        || line.ends_with("warning: in function `")
}

/// A line with single spaces, and without what follows a name in brackets: `rem(int)`, `Tree<T>`.
fn without_arguments(line: &str) -> String {
    let words: Vec<_> = line.split_whitespace().collect();
    let (mut text, mut depth) = (String::new(), 0_usize);
    for c in words.join(" ").chars() {
        let is_after_name = text.ends_with(|it: char| it.is_alphanumeric() || it == '_');
        match c {
            '(' | '<' if depth > 0 || is_after_name => depth += 1,
            ')' | '>' if depth > 0 => depth -= 1,
            c if depth == 0 => text.push(c),
            _ => {}
        }
    }
    text
}

/// The compiler's messages, without typographic quotes.
fn plain(messages: &[u8]) -> String {
    String::from_utf8_lossy(messages).replace(['\u{2018}', '\u{2019}'], "'")
}

impl Language {
    /// A compiler's messages as a student may read them. `None` if none of them is about an included file.
    pub fn own_messages(&self, messages: &[u8], files: BuiltFiles<'_>) -> Option<OwnMessages> {
        let text = plain(messages);
        if !files.names_authors(&text) {
            return None;
        }
        let mut own = OwnMessages::default();
        let mut withheld: Vec<String> = Vec::new();
        if self.id == LanguageId::Rust {
            for block in text.split_inclusive("\n\n") {
                let mut places = block.lines().filter_map(|line| {
                    let line = line.trim_start();
                    line.strip_prefix("--> ").or(line.strip_prefix("::: "))
                });
                if places.any(|place| files.owner(place) == Some(Owner::Author)) {
                    withheld.extend(block.lines().next().map(without_arguments));
                } else {
                    own.shown += block;
                }
            }
        } else {
            own.by_line(&text, files, &mut withheld);
        }
        if own.shown == text {
            return None;
        }
        own.missing = explain_included(self.id, &withheld, files.included);
        own.missing.truncate(MAX_ADVICE);
        if own.missing.is_empty() && own.linker.is_empty() && own.shown.trim().is_empty() {
            own.missing.push(Text::new(
                "The task's own files do not compile with yours: compare the names, parameters and types of your code with the statement.",
                "题目自带的文件无法与你的程序一起编译：请对照题面，检查名称、参数和类型。",
            ));
        }
        Some(own)
    }

    /// The first error of a failed build, if it is in what the author gave: these files, flags, or commands.
    pub fn authors_build_error(
        &self,
        messages: &[u8],
        files: BuiltFiles<'_>,
        included: &[&SourceText<'_>],
    ) -> Option<AuthorsError> {
        if included.is_empty() && !self.has_own_commands() {
            return None;
        }
        let text = plain(messages);
        if let Some(error) = first_error(&text, |file| {
            let own = file.trim_start_matches("./");
            files.is_authors(file) || files.own.iter().any(|it| it == own)
        }) {
            let CompilerError {
                file,
                line,
                message,
                ..
            } = error;
            // A student can forget a `"tree.h"`, but no header of the system.
            let header = message.strip_suffix(": No such file or directory");
            let include = header.map(|name| format!("<{name}>"));
            let is_certain =
                include.is_some_and(|name| included.iter().any(|it| it.text.contains(&name)));
            return files.is_authors(&file).then(|| AuthorsError {
                message: format!("{file}:{line}: {message}"),
                is_certain,
            });
        }
        let mut lines = text.lines().map(str::trim);
        let line = lines.find(|line| {
            line.to_lowercase().contains("error")
                || line.contains(": cannot find ")
                || line.contains("undefined reference")
                || line.contains("multiple definition")
                || line.contains("*** ")
        });
        // A command of the author's may say anything.
        let has_own_build = self.definition.build.is_some();
        let line = line.or_else(|| text.lines().next().filter(|_| has_own_build))?;
        if files.own.iter().any(|file| line.contains(file.as_str())) {
            return None;
        }
        let is_flag = |flag: &String| flag.len() > 2 && line.contains(flag.as_str());
        Some(AuthorsError {
            message: line.to_owned(),
            is_certain: self.own_flags().iter().any(is_flag),
        })
    }

    /// The exception that ended a run, if it comes from a line of an included file. `is_own` says whether a module of this
    /// name could be the student's.
    pub fn authors_run_error(
        &self,
        stderr: &[u8],
        files: BuiltFiles<'_>,
        is_own: impl Fn(&str) -> bool,
    ) -> Option<AuthorsError> {
        let text = plain(stderr);
        let Failure { what, place } = failure(self.id, &text)?;
        let file = match self.id {
            LanguageId::JavaScript => innermost_script(&text)?.to_owned(),
            _ => place?.file?,
        };
        if !files.is_authors(&file) {
            return None;
        }
        let module = what.strip_prefix("ModuleNotFoundError: No module named '");
        let module = module.and_then(|it| it.split(['\'', '.']).next());
        Some(AuthorsError {
            message: format!("{file}: {what}"),
            is_certain: module.is_some_and(|it| !is_own(it)),
        })
    }

    /// What a failed run wrote to standard error, without the lines of included files that a traceback quotes.
    pub fn without_quoted_lines(&self, stderr: &[u8], included: &[String]) -> Vec<u8> {
        if self.id != LanguageId::Python {
            return stderr.to_vec();
        }
        let mut is_quote = false;
        let lines = stderr
            .split_inclusive(|&byte| byte == b'\n')
            .filter(|line| {
                let line = String::from_utf8_lossy(line);
                if let Some(place) = line.strip_prefix("  File \"") {
                    let file = place.split('"').next().unwrap_or_default();
                    is_quote = included.iter().any(|it| it == file);
                    return true;
                }
                is_quote &= line.starts_with("    ");
                !is_quote
            });
        lines.flatten().copied().collect()
    }
}

impl OwnMessages {
    /// Sorts messages whose lines follow their place. `withheld` gets what is said about included files, without quoted lines.
    fn by_line(&mut self, text: &str, files: BuiltFiles<'_>, withheld: &mut Vec<String>) {
        let mut owner = Owner::Student;
        let mut context: Vec<&str> = Vec::new();
        for line in text.split_inclusive('\n') {
            let place = files.owner(line);
            if place.is_none() && is_context(line) {
                context.push(line);
                continue;
            }
            owner = place.unwrap_or(owner);
            if owner == Owner::Student {
                let before = context.drain(..).filter(|it| !files.names_authors(it));
                self.shown.extend(before);
                self.shown += line;
                continue;
            }
            context.clear();
            let (line, said) = (line.trim_end(), line.trim());
            if line.contains(":(.") {
                self.linker += line;
                self.linker.push('\n');
            } else if place.is_some() {
                withheld.push(without_arguments(line));
            } else if said.starts_with("symbol:") {
                // As javac describes it.
                withheld.push(without_arguments(said));
            } else if let (true, Some(symbol)) =
                (said.starts_with("location:"), withheld.last_mut())
            {
                *symbol = format!("{symbol} {}", without_arguments(said));
            }
        }
    }
}

/// The file of the innermost frame in a script that is not the library's.
fn innermost_script(stderr: &str) -> Option<&str> {
    let mut frames = stderr
        .lines()
        .filter_map(|it| it.trim_start().strip_prefix("at "));
    let own = frames.find(|frame| frame.contains(".js:") && !frame.contains("node:"))?;
    own.split_once('(').map_or(own, |it| it.1).split(':').next()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use grader_model::SourceFile;

    use super::*;
    use crate::language::{Languages, built_in};

    /// What a student reads of messages in a build of `main` and `Tree` of this language: the messages, then the sentences.
    fn own(id: LanguageId, extension: &str, messages: &str) -> String {
        let included = [format!("main.{extension}")];
        let own = [format!("tree.{extension}")];
        let files = BuiltFiles {
            included: &included,
            own: &own,
        };
        match built_in(id).own_messages(messages.as_bytes(), files) {
            None => "all".to_owned(),
            Some(own) => {
                let missing: Vec<_> = own.missing.iter().map(|it| it.en.as_str()).collect();
                format!("{}|{}|{}", own.shown, own.linker, missing.join(" "))
            }
        }
    }

    #[test]
    fn no_line_of_an_included_file_is_shown() {
        type Id = LanguageId;
        #[rustfmt::skip]
        let table = [
            (Id::C, "c", "tree.c: In function 'f':\ntree.c:3:1: error: x\n    3 | y\n", "all"),
            (Id::C, "c", "main.c: In function 'main':\nmain.c:3:1: warning: implicit declaration of function 'rem' [-W]\n    3 |   rem(SECRET);\n      |   ^~~\n\
                      tree.c:1:1: error: expected ';'\n    1 | int x\n",
             "tree.c:1:1: error: expected ';'\n    1 | int x\n||The task's own files use `rem`, which your program does not declare."),
            (Id::C, "c", "/usr/bin/ld: /tmp/a.o: in function `test_secret':\nmain.c:(.text+0x5): undefined reference to `rem'\ncollect2: error: ld returned 1 exit status\n",
             "|main.c:(.text+0x5): undefined reference to `rem'\n|"),
            (Id::C, "c", "In file included from main.c:1:\ntree.c:2:1: error: x\n", "tree.c:2:1: error: x\n||"),
            (Id::Cpp, "cpp", "main.cpp:2:9: error: 'class Tree' has no member named 'rem'\n    2 |  t.rem(SECRET);\n",
             "||Your class `Tree` has no member `rem`."),
            (Id::Java, "java", "main.java:22: error: cannot find symbol\n  t.rem(SECRET);\n   ^\n  symbol:   method rem(int)\n  location: variable t of type Tree\n\
                            tree.java:1: error: ';' expected\nint x\n",
             "tree.java:1: error: ';' expected\nint x\n||Your class `Tree` has no method `rem`."),
            (Id::Java, "java", "main.java:22: error: constructor Tree in class Tree cannot be applied to given types;\n  new Tree(SECRET);\n  ^\n  required: no arguments\n1 error\n",
             "||The constructor of your class `Tree` takes other arguments than the task gives it."),
            (Id::Java, "java", "main.java:22: error: something new\n  new Tree(SECRET);\n",
             "||The task's own files do not compile with yours: compare the names, parameters and types of your code with the statement."),
            (Id::Rust, "rs", "error[E0425]: cannot find function `rem` in this scope\n --> main.rs:3:5\n  |\n3 | rem(SECRET)\n\nerror: x\n --> tree.rs:1:1\n",
             "error: x\n --> tree.rs:1:1\n||The task's own files use `rem`, which your program does not declare."),
            (Id::Go, "go", "# program\n./main.go:7:14: undefined: rem\n./tree.go:1:1: x\n",
             "# program\n./tree.go:1:1: x\n||The task's own files use `rem`, which your program does not declare."),
        ];
        for (id, extension, messages, expected) in table {
            assert_eq!(own(id, extension, messages), expected, "{messages}");
        }
    }

    #[test]
    fn an_exception_is_of_the_file_in_which_its_cause_was_thrown() {
        let (included, own) = (["Main.java".to_owned()], ["Tree.java".to_owned()]);
        let files = BuiltFiles {
            included: &included,
            own: &own,
        };
        let java = built_in(LanguageId::Java);
        let thrown = "Exception in thread \"main\" java.lang.ExceptionInInitializerError\n\tat Main.main(Main.java:3)\n";
        let caused = format!("{thrown}Caused by: a.Error\n\tat Tree.<clinit>(Tree.java:5)\n");
        for (stderr, expected) in [
            (
                thrown,
                Some("Main.java: java.lang.ExceptionInInitializerError"),
            ),
            (&caused, None),
        ] {
            let found = java.authors_run_error(stderr.as_bytes(), files, |_| true);
            assert_eq!(found.as_ref().map(|it| it.message.as_str()), expected);
        }
    }

    #[test]
    fn an_error_in_what_the_author_gave_is_told_from_a_students() {
        let (included, own) = (["main.c".to_owned()], ["gcd.c".to_owned()]);
        let files = BuiltFiles {
            included: &included,
            own: &own,
        };
        let main = "#include <lab.h>\n#include \"gcd.h\"\n".as_bytes();
        let main = [SourceFile::new("main.c", main)];
        let main = SourceText::all(&main);
        let flags = BTreeMap::from([(LanguageId::C, vec!["-fbogus".to_owned()])]);
        #[rustfmt::skip]
        let table = [
            ("gcd.c:1:1: error: x\nmain.c:1:1: error: y", None),
            ("main.c:1:10: fatal error: lab.h: No such file or directory", Some(("main.c:1: lab.h: No such file or directory", true))),
            ("main.c:1:10: fatal error: gcd.h: No such file or directory", Some(("main.c:1: gcd.h: No such file or directory", false))),
            ("gcc: error: unrecognized command-line option '-fbogus'", Some(("gcc: error: unrecognized command-line option '-fbogus'", true))),
            ("gcd.c:(.text+0x1): multiple definition of `main'", None),
            ("", None),
        ];
        let languages = Languages::built_in().with_flags(&flags);
        let language = languages.get(LanguageId::C).unwrap();
        for (messages, expected) in table {
            let found = language.authors_build_error(messages.as_bytes(), files, &[&main[0]]);
            let found = found
                .as_ref()
                .map(|it| (it.message.as_str(), it.is_certain));
            assert_eq!(found, expected, "{messages}");
        }
    }
}
