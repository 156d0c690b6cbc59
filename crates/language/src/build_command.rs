//! A problem's own command that builds its submissions, such as `make list`.

use std::env;
use std::ffi::OsStr;

use grader_model::{file_name, typed};

use crate::definition::Definition;
use crate::first_error::first_error;
use crate::probe::candidates;
use crate::toolchain::{HELPERS, NotInstalled};

/// A problem's own command that builds its submissions, instead of their language's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildCommand {
    /// The command: the name of a program, then its arguments. No shell is involved.
    pub words: Vec<String>,
    /// The program that it makes, by its path in the build folder.
    pub program: String,
}

/// The names under which `make` looks for its rules, in lower case, in the order in which it does.
const MAKEFILES: [&str; 2] = ["gnumakefile", "makefile"];

/// Compilers that builds start by their names.
const COMPILERS: [&str; 6] = ["cc", "gcc", "c++", "g++", "clang", "clang++"];

/// Tools whose Debian package has their name.
const PACKAGES: [&str; 7] = ["bison", "cmake", "flex", "g++", "gcc", "make", "meson"];

/// What CMake says if it lacks a tool.
const CMAKE_LACKS: [(&str, &str); 3] = [
    ("No CMAKE_C_COMPILER could be found", "gcc"),
    ("No CMAKE_CXX_COMPILER could be found", "g++"),
    ("build program corresponding to \"Unix Makefiles\"", "make"),
];

impl BuildCommand {
    /// The command as people type it.
    pub fn typed(&self) -> String {
        typed(&self.words)
    }

    /// How the program that the command starts is looked for.
    pub(crate) fn tool(&self) -> Definition {
        tool(self.words.first().map_or("", String::as_str))
    }
}

/// How a tool is looked for.
pub(crate) fn tool(name: &str) -> Definition {
    let package = PACKAGES.iter().find(|it| **it == name);
    Definition {
        compile: vec![name.to_owned()],
        package: package.map(ToString::to_string).unwrap_or_default(),
        ..Definition::default()
    }
}

/// Whether `make` takes its rules from one of two files of these names instead of the other.
pub fn are_makefiles(one: &str, other: &str) -> bool {
    let is_makefile = |name: &str| MAKEFILES.contains(&&*name.to_lowercase());
    is_makefile(one) && is_makefile(other)
}

/// Whether a file has the rules by which `make` or CMake builds.
fn is_rules(name: &str) -> bool {
    let name = name.to_lowercase();
    MAKEFILES.contains(&&*name) || name == "cmakelists.txt"
}

/// The paths of a problem's sources, those of included files first, as the author's own rules can name them: `list.c` for a
/// student's `list (1).c`, `my_list.c` for `my list.c`, which `make` takes for two files. Without such rules they stay.
pub(crate) fn plain_paths(paths: &mut [String], included: usize, is_source: impl Fn(&str) -> bool) {
    let (authors, own) = paths.split_at_mut(included.min(paths.len()));
    if !authors.iter().any(|path| is_rules(path)) {
        return;
    }
    for at in 0..own.len() {
        let name = file_name(&own[at]);
        let plain = plain_name(name);
        if plain != name && is_source(name) {
            let folder = own[at].strip_suffix(name).unwrap_or_default();
            let path = format!("{folder}{plain}");
            if !own.contains(&path) && !authors.contains(&path) {
                own[at] = path;
            }
        }
    }
}

/// A name without the number of a copy, and without characters that are special to `make` or a shell.
fn plain_name(name: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let numbered = stem.strip_suffix(')').and_then(|it| it.rsplit_once('('));
    let is_number = |number: &str| number.chars().all(|c| c.is_ascii_digit());
    let stem = numbered
        .filter(|(_, number)| is_number(number))
        .map_or(stem, |it| it.0.trim_end());
    let is_plain = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
    let plain = |text: &str| text.replace(|c| !is_plain(c), "_");
    format!("{}.{}", plain(stem), plain(extension))
}

/// A file's text with line feeds instead of Windows line ends, if it is one whose tool takes these for part of a word: a
/// makefile or a script. Its lines keep their numbers.
pub(crate) fn with_line_feeds(name: &str, bytes: Vec<u8>) -> Vec<u8> {
    let name = name.to_lowercase();
    let is_of_make = MAKEFILES.contains(&&*name) || name.ends_with(".mk") || name.ends_with(".sh");
    if !is_of_make && !bytes.starts_with(b"#!") {
        return bytes;
    }
    let mut text = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => text.extend([line, b"\n"].concat()),
            None => text.extend(line),
        }
    }
    text
}

/// The tool that a failed build did not find, as its messages say, if it is indeed not here.
pub fn missing_tool(messages: &str) -> Option<NotInstalled> {
    if first_error(messages, |_| true).is_some() {
        return None;
    }
    let of_cmake = CMAKE_LACKS.iter().find(|(says, _)| messages.contains(says));
    let of_cmake = of_cmake.map(|(_, tool)| *tool);
    let program = of_cmake.or_else(|| messages.lines().find_map(not_found))?;
    let path = env::join_paths(HELPERS).ok()?;
    let is_here = |path: &OsStr| !candidates(path, program).is_empty();
    if is_here(&path) || env::var_os("PATH").is_some_and(|path| is_here(&path)) {
        return None;
    }
    Some(NotInstalled {
        program: program.to_owned(),
        install: match &*tool(program).package {
            "" => String::new(),
            package => format!("apt-get install {package}"),
        },
        broken: None,
    })
}

/// The program that a shell, `make` or `env` did not find, by its name alone: `make: cmake: No such file or directory`,
/// `/bin/sh: 1: cmake: not found`, `sh: line 1: cmake: command not found`.
fn not_found(line: &str) -> Option<&str> {
    let line = line.trim();
    let by_shell = [": not found", ": command not found"];
    let by_shell = by_shell.iter().find_map(|end| line.strip_suffix(end));
    let by_tool = || {
        let (who, _) = line.split_once(": ")?;
        let is_tool = who.starts_with("make") || who.ends_with("env");
        line.strip_suffix(": No such file or directory")
            .filter(|_| is_tool)
    };
    let (_, name) = by_shell.or_else(by_tool)?.rsplit_once(": ")?;
    let name = name.trim_matches(['\'', '\u{2018}', '\u{2019}']);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

/// Scripts with the names of compilers, for a folder in front of `PATH`: they start these with more flags, after all others.
pub fn compilers_with(flags: &[String]) -> impl Iterator<Item = (&'static str, String)> {
    COMPILERS.into_iter().map(move |name| {
        let flags = typed(flags);
        let script = format!("#!/bin/sh\nPATH=${{PATH#*:}}\nexec {name} \"$@\" {flags}\n");
        (name, script)
    })
}
