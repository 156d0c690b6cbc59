//! How a submission is built and run: its files in the build folder, and the commands.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use grader_model::{Bytes, SourceFile, Text};

use crate::language::Language;
use crate::layout::{Layout, layout};
use crate::toolchain::{Toolchain, build_environment};

/// One command, with its own environment on top of the judge's for all programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Absolute path of the program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Environment variables.
    pub environment: Vec<(OsString, OsString)>,
}

/// How a submission is built and run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The files to write into the build folder before the first step. A [`PlanPath`] stays in that folder and
    /// fits a file system; no path is there twice, and none is a folder of another.
    pub files: Vec<(PlanPath, Vec<u8>)>,
    /// The commands that build it, one after the other, each started in the build folder.
    pub steps: Vec<Command>,
    /// Advice that is known already.
    pub hints: Vec<Text>,
    names: Names,
}

/// What the placeholders of commands stand for, relative to the build folder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Names {
    program: String,
    main: String,
    files: Vec<String>,
    class: String,
}

/// Names at the top of the build folder that are kept for what builds write.
const RESERVED: [&str; 2] = ["classes", ".cache"];

/// Most files of a plan: their names are arguments of one command, and those have room for 2 MiB.
const MAX_FILES: usize = 1000;

/// The smallest heap, in MiB, with which the Java machine starts without complaint.
const MIN_HEAP_MIB: u64 = 8;

impl Language {
    /// How to build `sources` in the folder `build` (absolute, empty). Sources are not edited: only their encoding
    /// changes, for compilers that refuse the student's, so that line numbers stay what the student sees.
    pub fn plan(&self, sources: &[SourceFile], toolchain: &Toolchain, build: &Path) -> Plan {
        let used = &sources[..sources.len().min(MAX_FILES)];
        let Layout {
            paths,
            compiled,
            main,
            class,
            mut hints,
        } = layout(self, used);
        if used.len() < sources.len() {
            hints.push(too_many_files(sources.len()));
        }
        let mut files = Files::default();
        for (index, (source, path)) in used.iter().zip(&paths).enumerate() {
            let is_text = compiled.contains(&index) || self.is_own(source);
            let bytes = if is_text {
                self.encoding().encode(&source.bytes)
            } else {
                source.bytes.to_vec()
            };
            files.place(path, bytes);
        }
        let path_of = |index: usize| files.all[index].0.to_string();
        let names = Names {
            program: files.free_name("program"),
            main: main.map_or_else(|| "main".to_owned(), path_of),
            files: compiled.into_iter().map(path_of).collect(),
            class,
        };
        let compile = self.definition.compile.as_deref().unwrap_or_default();
        let steps = compile.split_first().map(|(_, arguments)| {
            let in_folder = |path: &str| OsString::from(argument(path));
            let mut values = values(&names, toolchain, in_folder);
            values.push(("{folders}", folders(&files)));
            values.push(("{build}", vec![build.into()]));
            let mut environment = build_environment(toolchain, build);
            environment.extend(self.environment(build));
            Command {
                program: toolchain.programs[0].clone(),
                arguments: arguments
                    .iter()
                    .flat_map(|it| expand(it, &values))
                    .collect(),
                environment,
            }
        });
        Plan {
            files: files.all,
            steps: steps.into_iter().collect(),
            hints,
            names,
        }
    }

    /// The command that runs what [`Language::plan`] built, with so much memory.
    pub fn command(
        &self,
        plan: &Plan,
        toolchain: &Toolchain,
        build: &Path,
        memory: Bytes,
    ) -> Command {
        let absolute = |path: &str| build.join(path).into_os_string();
        let mut values = values(&plan.names, toolchain, absolute);
        let heap = (memory.0 >> 20).max(MIN_HEAP_MIB);
        values.push(("{memory-mib}", vec![heap.to_string().into()]));
        values.push(("{build}", vec![build.into()]));
        let run = self.definition.run.as_deref().unwrap_or_default();
        let (word, arguments) = run
            .split_first()
            .map_or(("", run), |(word, rest)| (word, rest));
        let compile = self.definition.compile.iter().flatten().next();
        let program = match expand(word, &values).pop() {
            Some(program) if word.contains('{') => program.into(),
            // The program that compiles, or the other one.
            _ if compile.is_none_or(|compile| compile == word) => toolchain.programs[0].clone(),
            _ => toolchain
                .programs
                .get(1)
                .unwrap_or(&toolchain.programs[0])
                .clone(),
        };
        Command {
            program,
            arguments: arguments
                .iter()
                .flat_map(|it| expand(it, &values))
                .collect(),
            environment: self.environment(build),
        }
    }

    fn environment(&self, build: &Path) -> Vec<(OsString, OsString)> {
        let values = [("{build}", vec![build.into()])];
        let variables = self.definition.environment.iter().flatten();
        variables
            .filter_map(|(name, value)| Some((name.into(), expand(value, &values).pop()?)))
            .collect()
    }

    /// Whether a file is a source or header of this language.
    fn is_own(&self, source: &SourceFile) -> bool {
        let extension = source.extension();
        self.extensions().contains(&extension) || self.headers().contains(&extension)
    }
}

type Value = (&'static str, Vec<OsString>);

fn values(names: &Names, toolchain: &Toolchain, path: impl Fn(&str) -> OsString) -> Vec<Value> {
    let linker = toolchain
        .programs
        .get(1)
        .map_or("cc".into(), |it| it.as_os_str().to_owned());
    vec![
        ("{program}", vec![path(&names.program)]),
        ("{main}", vec![path(&names.main)]),
        (
            "{files}",
            names.files.iter().map(|file| path(file)).collect(),
        ),
        ("{class}", vec![names.class.as_str().into()]),
        (
            "{flags}",
            toolchain.flags.iter().map(OsString::from).collect(),
        ),
        ("{linker}", vec![linker]),
    ]
}

/// An argument with all placeholders filled in; one argument for each of the things that a placeholder stands for.
fn expand(argument: &str, values: &[Value]) -> Vec<OsString> {
    let found = values
        .iter()
        .filter_map(|(name, items)| Some((argument.find(name)?, name, items)));
    let Some((at, name, items)) = found.min_by_key(|(at, ..)| *at) else {
        return vec![argument.into()];
    };
    let rest = expand(&argument[at + name.len()..], values);
    let before = OsStr::new(&argument[..at]);
    items
        .iter()
        .flat_map(|item| {
            rest.iter()
                .map(move |rest| [before, item, rest].into_iter().collect())
        })
        .collect()
}

/// The path as an argument that no compiler takes for an option or a response file.
fn argument(path: &str) -> String {
    if path.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        path.to_owned()
    } else {
        format!("./{path}")
    }
}

/// The folders that hold files, each once.
fn folders(files: &Files) -> Vec<OsString> {
    let folder = |path: &str| format!("./{}", path.rsplit_once('/').map_or("", |(it, _)| it));
    let all: BTreeSet<String> = files.all.iter().map(|(path, _)| folder(path)).collect();
    all.into_iter().map(OsString::from).collect()
}

fn too_many_files(count: usize) -> Text {
    Text::new(
        format!("{count} files were submitted; only the first {MAX_FILES} are compiled."),
        format!("一共提交了 {count} 个文件，只编译前 {MAX_FILES} 个。"),
    )
}

/// Where a file of a [`Plan`] is written, relative to the build folder.
///
/// Whatever a student wrote, a path of this type is not empty, not absolute, and without `.`, `..`, empty parts
/// and NUL; none of its parts is longer than [`PlanPath::LONGEST_PART`], and it is no longer than
/// [`PlanPath::LONGEST`]. Joined to a folder it leads into that folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlanPath(String);

impl PlanPath {
    /// Longest part, in bytes: a file system takes 255, and compilers add endings of their own.
    pub const LONGEST_PART: usize = 200;

    /// Longest path, in bytes: with the build folder in front it stays far below the system's 4096.
    pub const LONGEST: usize = 512;

    /// The nearest path to `wanted`: parts that mean nothing or something else go, parts that are too long
    /// lose their end but for the extension, and a path that is too long loses its folders.
    fn new(wanted: &str) -> Self {
        let wanted = wanted.replace('\0', "_");
        let parts = wanted
            .split('/')
            .filter(|part| !matches!(*part, "" | "." | ".."));
        let parts: Vec<String> = parts.map(shorten).collect();
        let path = parts.join("/");
        match parts.last() {
            None => Self("unnamed".to_owned()),
            // With room for the folder that `Files::place` may add.
            Some(name) if path.len() + "more1000/".len() > Self::LONGEST => Self(name.clone()),
            Some(_) => Self(path),
        }
    }
}

fn shorten(part: &str) -> String {
    if part.len() <= PlanPath::LONGEST_PART {
        return part.to_owned();
    }
    let extension = part.rfind('.').map_or("", |at| &part[at..]);
    let extension = if extension.len() <= 16 { extension } else { "" };
    let longest = PlanPath::LONGEST_PART - extension.len();
    let end = (0..=longest).rev().find(|&end| part.is_char_boundary(end));
    let end = end.unwrap_or(0);
    format!("{}{extension}", &part[..end])
}

impl Deref for PlanPath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlanPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The files of a plan. All of them can be written: no path is there twice, and none is a folder of another.
#[derive(Default)]
struct Files {
    all: Vec<(PlanPath, Vec<u8>)>,
    taken: BTreeSet<String>,
}

impl Files {
    /// Adds a file at the [nearest path](PlanPath::new) to `wanted`, in a folder of its own if another file is in the
    /// way.
    fn place(&mut self, wanted: &str, bytes: Vec<u8>) {
        let nearest = PlanPath::new(wanted);
        let mut path = nearest.clone();
        let mut number = 0_usize;
        while self.is_taken(&path) {
            number += 1;
            path = PlanPath(format!("more{number}/{nearest}"));
        }
        self.taken.insert(path.0.clone());
        self.all.push((path, bytes));
    }

    /// Whether there is a file of this path, or one that would have to be a folder of it or lie in it.
    fn is_taken(&self, path: &str) -> bool {
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        let inside = format!("{path}/");
        let mut next = self.taken.range(inside.clone()..);
        RESERVED.contains(&path.split('/').next().unwrap_or(path))
            || self.taken.contains(path)
            || folders.any(|folder| self.taken.contains(folder))
            || next.next().is_some_and(|next| next.starts_with(&inside))
    }

    /// A name that no file or folder at the top has, in whatever case.
    fn free_name(&self, wanted: &str) -> String {
        let top = |path: &PlanPath| path.split('/').next().unwrap_or_default().to_lowercase();
        let tops: BTreeSet<String> = self.all.iter().map(|(path, _)| top(path)).collect();
        let numbered = (2..).map(|number| format!("{wanted}{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        names
            .find(|name| !tops.contains(name))
            .unwrap_or_else(|| wanted.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_cannot_leave_the_folder_and_fits_a_file_system() {
        let table = [
            ("a/./../b//c.c".to_owned(), "a/b/c.c".to_owned()),
            ("/etc/passwd".to_owned(), "etc/passwd".to_owned()),
            ("a\0b".to_owned(), "a_b".to_owned()),
            ("./../".to_owned(), "unnamed".to_owned()),
            (
                format!("x/{}.c", "a".repeat(300)),
                format!("x/{}.c", "a".repeat(198)),
            ),
            // Three bytes each, and no character is cut in two.
            (
                format!("{}/x", "皇".repeat(100)),
                format!("{}/x", "皇".repeat(66)),
            ),
            (format!("{}x.c", "a/".repeat(2000)), "x.c".to_owned()),
        ];
        for (wanted, expected) in table {
            assert_eq!(PlanPath::new(&wanted).0, expected);
        }
    }

    #[test]
    fn files_in_each_others_way_get_folders_of_their_own() {
        let mut files = Files::default();
        for wanted in [
            "a",
            "a",
            "a/b",
            "c/d",
            "c",
            "classes/A",
            "Program/x",
            "program2",
        ] {
            files.place(wanted, Vec::new());
        }
        let paths: Vec<&str> = files.all.iter().map(|(path, _)| &**path).collect();
        let expected = [
            "a",
            "more1/a",
            "more2/a/b",
            "c/d",
            "more1/c",
            "more1/classes/A",
            "Program/x",
            "program2",
        ];
        assert_eq!(paths, expected);
        assert_eq!(files.free_name("program"), "program3");
    }

    #[test]
    fn placeholders_are_filled_in_once_for_each_thing() {
        let values: [Value; 2] = [
            ("{main}", vec!["{folders}".into()]),
            ("{folders}", vec!["a".into(), "b".into()]),
        ];
        let expanded = |argument| expand(argument, &values);
        assert_eq!(
            expanded("-I{folders}:{main}"),
            ["-Ia:{folders}", "-Ib:{folders}"]
        );
        assert_eq!(expanded("{x}"), ["{x}"]);
        assert_eq!(argument("@x.java"), "./@x.java");
        assert_eq!(argument("皇后.c"), "皇后.c");
    }
}
