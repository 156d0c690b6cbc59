//! A problem's own command that builds its submissions, such as `make list`.

use grader_model::{extension_of, file_name, typed};

use crate::definition::BuildCommand;
use crate::first_error::first_error;
use crate::probe::candidates;
use crate::toolchain::{HELPERS, NotInstalled, PACKAGES, tool};

/// The names under which `make` looks for its rules, in lower case, in the order in which it does.
const MAKEFILES: [&str; 2] = ["gnumakefile", "makefile"];

/// Compilers that builds start by their names.
const COMPILERS: [&str; 6] = ["cc", "gcc", "c++", "g++", "clang", "clang++"];

/// What `cmake` says if it lacks a tool.
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

    /// The tools that the command names, the program that it starts as the last one.
    pub fn tools(&self) -> Vec<&str> {
        let first = self.words.first().map_or("", String::as_str);
        let words = self.words.iter().skip(1);
        let words = words.flat_map(|it| it.split([' ', '\t', '\n', ';', '&', '|', '(', ')']));
        let mut tools: Vec<&str> = words.filter(|it| PACKAGES.contains(it)).collect();
        tools.retain(|it| *it != first);
        tools.push(first);
        tools
    }

    /// The Debian packages of these tools, as far as they are known.
    pub fn packages(&self) -> impl Iterator<Item = &str> {
        let tools = self.tools().into_iter();
        tools.filter(|it| PACKAGES.contains(it))
    }
}

/// Whether `make` takes its rules from one of two files of these names instead of the other.
pub(crate) fn are_makefiles(one: &str, other: &str) -> bool {
    let is_makefile = |name: &str| MAKEFILES.contains(&&*name.to_lowercase());
    is_makefile(one) && is_makefile(other)
}

/// Whether a file of this name has the rules by which `make` or `cmake` builds.
pub fn is_build_file(name: &str) -> bool {
    let name = name.to_lowercase();
    MAKEFILES.contains(&&*name) || name == "cmakelists.txt"
}

/// The paths of a problem's sources, those of included files first, as the author's own rules can name them: `list.c` for a
/// student's `list (1).c`, `my_list.c` for `my list.c`, which `make` takes for two files. Without such rules they stay.
pub(crate) fn plain_paths(paths: &mut [String], included: usize, is_source: impl Fn(&str) -> bool) {
    let (authors, own) = paths.split_at_mut(included.min(paths.len()));
    if !authors.iter().any(|path| is_build_file(path)) {
        return;
    }
    for at in 0..own.len() {
        let name = file_name(&own[at]);
        if !is_source(name) {
            continue;
        }
        let folder = own[at].strip_suffix(name).unwrap_or_default();
        let names = [without_number(name), name.to_owned()];
        let mut paths = names
            .map(|it| format!("{folder}{}", plain_name(&it)))
            .into_iter();
        let is_free =
            |path: &String| *path == own[at] || !own.contains(path) && !authors.contains(path);
        if let Some(path) = paths.find(is_free) {
            own[at] = path;
        }
    }
}

/// `list.c` for `list (1).c`.
fn without_number(name: &str) -> String {
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let numbered = stem.strip_suffix(')').and_then(|it| it.rsplit_once('('));
    let is_number = |number: &str| number.chars().all(|c| c.is_ascii_digit());
    match numbered.map(|(before, number)| (before.trim_end(), number)) {
        Some((before, number)) if !before.is_empty() && is_number(number) => {
            format!("{before}.{extension}")
        }
        _ => name.to_owned(),
    }
}

/// A name without characters that are special to `make` or a shell.
fn plain_name(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
    name.replace(|c| !is_plain(c), "_")
}

/// A file's text with line feeds instead of Windows line ends, if it is one whose tool takes these for part of a word: a
/// makefile or a script. Its lines keep their numbers.
pub(crate) fn with_line_feeds(name: &str, mut bytes: Vec<u8>) -> Vec<u8> {
    let name = name.to_lowercase();
    let is_of_make = MAKEFILES.contains(&&*name) || matches!(&*extension_of(&name), "mk" | "sh");
    if !is_of_make && !bytes.starts_with(b"#!") {
        return bytes;
    }
    let original = bytes.clone();
    let mut next = original.iter().skip(1);
    bytes.retain(|byte| next.next() != Some(&b'\n') || *byte != b'\r');
    bytes
}

/// The tool that a failed build did not find, as its messages say, if it is indeed not here.
pub fn missing_tool(messages: &str) -> Option<NotInstalled> {
    if first_error(messages, |_| true).is_some() {
        return None;
    }
    let of_cmake = CMAKE_LACKS.iter().find(|(says, _)| messages.contains(says));
    let of_cmake = of_cmake.map(|(_, tool)| *tool);
    let program = of_cmake.or_else(|| messages.lines().find_map(not_found))?;
    // What is elsewhere on this machine, the sandbox does not show.
    let is_here = !candidates(HELPERS.join(":").as_ref(), program).is_empty();
    (!is_here).then(|| NotInstalled {
        program: program.to_owned(),
        install: match &*tool(program).package {
            "" => String::new(),
            package => format!("apt-get install {package}"),
        },
        broken: None,
    })
}

/// The program of the build folder that a failed build could not start: `/bin/sh: 1: ./gen: Permission denied`.
pub fn unstartable(messages: &str) -> Option<&str> {
    let of_line = |line| {
        let (_, program) = str::strip_suffix(line, ": Permission denied")?.rsplit_once(": ")?;
        program.starts_with("./").then_some(program)
    };
    messages.lines().find_map(of_line)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_missing_only_if_it_is_neither_here_nor_in_the_students_folder() {
        #[rustfmt::skip]
        let table = [
            ("make: no-such-tool: No such file or directory\nmake: *** [Makefile:2: list] Error 127", Some("no-such-tool")),
            ("make[1]: no-such-tool: No such file or directory", Some("no-such-tool")),
            ("/bin/sh: 1: no-such-tool: not found", Some("no-such-tool")),
            ("sh: line 3: no-such-tool: command not found", Some("no-such-tool")),
            ("/usr/bin/env: \u{2018}no-such-tool\u{2019}: No such file or directory", Some("no-such-tool")),
            ("/bin/sh: 1: ls: not found", None),
            ("/bin/sh: 1: ./gen: not found", None),
            ("cp: cannot stat 'x': No such file or directory", None),
            ("cat: util.c: No such file or directory", None),
            ("list.c:1:1: error: x\n/bin/sh: 1: no-such-tool: not found", None),
            ("cc1: fatal error: util.c: No such file or directory", None),
            ("", None),
        ];
        for (messages, expected) in table {
            let found = missing_tool(messages).map(|it| it.program);
            assert_eq!(found.as_deref(), expected, "{messages}");
        }
        assert_eq!(
            unstartable("/bin/sh: 1: ./gen: Permission denied"),
            Some("./gen")
        );
        assert_eq!(
            unstartable(
                "touch: cannot touch '/x': Permission denied\nmake: stat: list: Permission denied"
            ),
            None
        );
    }

    #[test]
    fn a_shell_command_names_its_tools() {
        let tools = |words: &[&str]| {
            let build = BuildCommand {
                words: words.iter().map(ToString::to_string).collect(),
                program: "list".to_owned(),
            };
            build.tools().join(" ")
        };
        assert_eq!(tools(&["make", "list", "make"]), "make");
        let shell = ["sh", "-c", "cmake -S . -B build&&make -C build; true"];
        assert_eq!(tools(&shell), "cmake make sh");
        assert_eq!(tools(&["python3", "build.py", "cmakefile"]), "python3");
    }

    #[test]
    fn makefiles_and_scripts_lose_windows_line_ends_and_nothing_else_does() {
        let windows = b"#!/bin/sh\r\na \\\r\n\r b\r\n\r".to_vec();
        let plain = b"#!/bin/sh\na \\\n\r b\n\r".to_vec();
        assert_eq!(with_line_feeds("list.c", windows.clone()), plain);
        let (windows, plain) = (b"a\r\n".to_vec(), b"a\n".to_vec());
        for name in [
            "Makefile",
            "makefile",
            "GNUmakefile",
            "rules.mk",
            "build.sh",
        ] {
            assert_eq!(with_line_feeds(name, windows.clone()), plain, "{name}");
        }
        for name in ["list.c", "data.csv", "CMakeLists.txt", "Makefile.txt"] {
            assert_eq!(with_line_feeds(name, windows.clone()), windows, "{name}");
        }
    }

    #[test]
    fn the_authors_rules_can_name_every_source() {
        let is_source = |name: &str| extension_of(name) == "c";
        let built = |paths: &[&str]| {
            let mut paths: Vec<String> = paths.iter().map(ToString::to_string).collect();
            plain_paths(&mut paths, 1, is_source);
            paths[1..].join(" ")
        };
        #[rustfmt::skip]
        let table: [(&[&str], &str); 6] = [
            (&["Makefile", "list (1).c", "my src/a b.c", "a b.h"], "list.c my src/a_b.c a b.h"),
            (&["CMakeLists.txt", "list(2).c"], "list.c"),
            (&["Makefile", "list (1).c", "list.c"], "list__1_.c list.c"),
            (&["Makefile", "链表 (x).c", "$(HOME).c"], "链表__x_.c __HOME_.c"),
            (&["list.c", "list (1).c"], "list (1).c"),
            (&["Makefile", "(1).c", "list.c"], "_1_.c list.c"),
        ];
        for (paths, expected) in table {
            let found = built(paths);
            let expected = if paths[0] == "list.c" {
                "list (1).c"
            } else {
                expected
            };
            assert_eq!(found, expected, "{paths:?}");
        }
    }
}
