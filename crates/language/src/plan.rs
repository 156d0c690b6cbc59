//! Plans of builds and runs: a submission's files in the build folder, and the commands.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grader_model::{Bytes, LanguageId, SourceFile, Text, extension_of, file_name, text};

use crate::build_command::with_line_feeds;
use crate::constants::{MAX_FILES, MAX_PATH_BYTES, MAX_PATH_PART_BYTES, MIN_JAVA_HEAP_MIB};
use crate::copies::has_name_of;
use crate::definition::Definition;
use crate::encoding::without_mark;
use crate::facts::SourceFacts;
use crate::language::Language;
use crate::layout::layout;
use crate::python::{ModuleStart, START};
use crate::source::ProgramSources;
use crate::toolchain::{Toolchain, build_environment};

/// One command. Its environment is added to the judge's environment for all programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Absolute path of the program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// Environment variables.
    pub environment: Vec<(OsString, OsString)>,
}

/// The plan for building and running a submission.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The files to write into the build folder, by their paths relative to it.
    ///
    /// Whatever a student wrote, each path stays inside that folder (it is relative and non-empty, without `.`, `..`,
    /// empty parts or NUL) and suits a file system; paths are distinct, and none is the folder of another.
    pub files: Vec<(String, Vec<u8>)>,
    /// What it may read besides its input: the student's files that are no sources, for the folder in which it starts. Their paths
    /// are as safe as those of `files`; a file that a source names otherwise is there under that name, too.
    pub data: Arc<[SourceFile]>,
    /// The command that builds it in the build folder, if it is to be built.
    pub step: Option<Command>,
    /// Advice for every outcome.
    pub hints: Vec<Text>,
    /// Whether its entry point is in an included file: the task requires a function, not a program.
    pub has_authors_main: bool,
    /// Whether a part of a source is changed.
    pub is_edited: bool,
    /// Why a failure to build may not be the student's.
    pub doubt: Option<Text>,
    /// Why no failure may be the student's: there are too many files, and some are left out.
    pub cut: Option<Text>,
    /// Facts about its input and output, from its own sources.
    pub facts: SourceFacts,
    names: ProgramNames,
}

impl Plan {
    /// Nothing is built, and the files lie where a run looks for them, in UTF-8 if a mark says that they are text: the shell of
    /// Windows writes UTF-16.
    fn of_outputs(sources: &ProgramSources<'_>) -> Self {
        let files = sources.own.iter().map(|it| {
            let bytes = without_mark(&it.file.bytes);
            SourceFile::new(it.file.path.as_str(), bytes)
        });
        Self {
            data: files.collect(),
            ..Self::default()
        }
    }
}

/// Values of the placeholders in commands, relative to the build folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ProgramNames {
    program: String,
    main: String,
    files: Vec<String>,
    class: String,
    /// How `main` is started if not by its path.
    module: Option<ModuleStart>,
}

/// Top-level names in the build folder that builds write to.
const RESERVED: [&str; 2] = ["classes", ".cache"];

impl Language {
    /// The plan for building `sources` in the folder `build` (absolute, empty). Line numbers match what the student sees:
    /// of a source, only the encoding is converted, for compilers that reject the student's, a Java package that the author's
    /// files could not find is changed, with its imports, and the paths of headers get slashes.
    ///
    /// Included files are always compiled, and one of them is started if it can be.
    pub fn plan(&self, sources: &ProgramSources<'_>, toolchain: &Toolchain, build: &Path) -> Plan {
        if !self.is_of_programs() {
            return Plan::of_outputs(sources);
        }
        let used = sources.first(MAX_FILES);
        let mut layout = layout(self, &used);
        let count = sources.included.len() + sources.own.len();
        let cut = (count > MAX_FILES).then(|| too_many_files(count));
        layout.hints.extend(cut.clone());
        let own_build = self.definition.build.as_ref();
        let mut files = PlannedFiles {
            is_built_by_author: own_build.is_some(),
            ..PlannedFiles::default()
        };
        for (index, (source, path)) in used.all().iter().zip(&layout.paths).enumerate() {
            let bytes = &source.file.bytes;
            let mut bytes = if layout.compiled.contains(&index) || self.is_code(source.file) {
                self.definition.encoding.encode(bytes)
            } else {
                bytes.to_vec()
            };
            if matches!(self.id, LanguageId::C | LanguageId::Cpp) && !used.is_included(index) {
                with_slashes(&mut bytes);
            }
            for (range, text) in layout.edits.get(&index).into_iter().flatten().rev() {
                edit(&mut bytes, range, text);
            }
            let mut path = path.clone();
            if let Some(own_build) = own_build {
                bytes = with_line_feeds(source.file.name(), bytes);
                // What was built elsewhere: `make` would take it for up to date.
                if path == own_build.program && !self.is_source(source.file) {
                    path.insert_str(0, "submitted/");
                }
            }
            files.place(&path, bytes);
        }
        for source in used.left_out.iter().take(MAX_FILES) {
            let path = &*source.file.path;
            let mut authors = used.included.iter().filter(|it| has_name_of(source, it));
            let forward = authors.find_map(|it| self.forward(path, &it.file.path));
            if let Some(text) = forward.filter(|_| is_safe(path) && !files.is_taken(path)) {
                files.place(path, text.into_bytes());
            }
        }
        let data = self.data(&used, &layout.compiled);
        let path_of = |index: usize| files.all[index].0.clone();
        let main = layout.main;
        let names = ProgramNames {
            program: files.free_name("program"),
            main: main.map_or_else(|| "main".to_owned(), path_of),
            files: layout.compiled.into_iter().map(path_of).collect(),
            class: layout.class,
            // Only if no path had to be changed.
            module: layout
                .module
                .filter(|_| main.is_some_and(|main| path_of(main) == layout.paths[main])),
        };
        let words = own_build.map_or(&self.definition.compile, |it| &it.words);
        let step = words.split_first().map(|(_, arguments)| {
            let mut values = values(&names, toolchain, build, argument);
            values.push(("{folders}", files.folders()));
            let mut environment = build_environment(toolchain, build);
            environment.extend(self.variables(build));
            // The tool of the author's command is the last one.
            let (program, values) = match own_build {
                Some(_) => (toolchain.programs.last(), &[][..]),
                None => (toolchain.programs.first(), &values[..]),
            };
            Command {
                program: program.cloned().unwrap_or_default(),
                arguments: arguments.iter().flat_map(|it| expand(it, values)).collect(),
                environment,
            }
        });
        let mut facts = self.facts(&sources.own);
        let is_here = |name: &String| data.iter().any(|it| it.path == *name);
        facts.missing = facts.missing.filter(|it| !is_here(it));
        Plan {
            files: files.all,
            step,
            hints: layout.hints,
            has_authors_main: layout.has_authors_main,
            is_edited: !layout.edits.is_empty(),
            doubt: layout.doubt.or_else(|| cut.clone()),
            cut,
            facts,
            data: data.into(),
            names,
        }
    }

    /// The command that runs a program built by [`Language::plan`], with this much memory.
    pub fn command(
        &self,
        plan: &Plan,
        toolchain: &Toolchain,
        build: &Path,
        memory: Bytes,
    ) -> Command {
        if let Some(own_build) = &self.definition.build {
            return Command {
                program: build.join(&own_build.program),
                arguments: Vec::new(),
                environment: self.variables(build),
            };
        }
        let mut values = values(&plan.names, toolchain, build, |path| {
            build.join(path).into()
        });
        let heap = (memory.0 >> 20).max(MIN_JAVA_HEAP_MIB);
        values.push(("{memory-mib}", vec![heap.to_string().into()]));
        if let Some(start) = &plan.names.module {
            let folder = |path: &str| build.join(path).into();
            let (above, own) = (folder(&start.folder), folder(&start.own_folder));
            let words = vec![
                "-c".into(),
                START.into(),
                above,
                own,
                start.module.as_str().into(),
            ];
            values.retain(|(name, _)| *name != "{main}");
            values.push(("{main}", words));
        }
        let word = &self.definition.run[0];
        let is_compiler = self
            .definition
            .compile
            .first()
            .is_none_or(|compile| compile == word);
        let program = match expand(word, &values).pop() {
            Some(program) if word.contains('{') => program.into(),
            _ if is_compiler => toolchain.programs[0].clone(),
            _ => toolchain.programs[toolchain.programs.len() - 1].clone(),
        };
        Command {
            program,
            arguments: self.definition.run[1..]
                .iter()
                .flat_map(|it| expand(it, &values))
                .collect(),
            environment: self.variables(build),
        }
    }

    /// What people type to compile and to start a program by hand, in a folder with its files. `None` if that takes more
    /// than one line.
    pub fn by_hand(&self, plan: &Plan) -> Option<(Vec<String>, Vec<String>)> {
        let names = &plan.names;
        let Definition { run, by_hand, .. } = &self.definition;
        let flags = self.own_flags();
        // The classes would have to be found at the start, too.
        if flags
            .iter()
            .any(|flag| CLASS_PATHS.contains(&flag.as_str()))
        {
            return None;
        }
        let compile = by_hand.iter().flat_map(|word| match word.as_str() {
            "{files}" => names.files.clone(),
            "{flags}" => flags.clone(),
            word => vec![
                word.replace("{program}", &names.program)
                    .replace("{main}", &names.main),
            ],
        });
        let has = |word| run.iter().any(|it| it == word);
        let (start, is_compiled) = match run.first()?.as_str() {
            "{program}" => (vec![format!("./{}", names.program)], true),
            tool if has("{main}") => (vec![tool.to_owned(), names.main.clone()], false),
            tool if has("{class}") => (vec![tool.to_owned(), names.class.clone()], true),
            _ => return None,
        };
        (!is_compiled || !by_hand.is_empty()).then(|| (compile.collect(), start))
    }

    fn variables(&self, build: &Path) -> Vec<(OsString, OsString)> {
        let values = [("{build}", vec![build.into()])];
        let variables = self.definition.environment.iter();
        variables
            .filter_map(|(name, value)| Some((name.into(), expand(value, &values).pop()?)))
            .collect()
    }
}

/// Java's flags that say where classes are.
const CLASS_PATHS: [&str; 3] = ["-cp", "-classpath", "--class-path"];

type Value = (&'static str, Vec<OsString>);

fn values(
    names: &ProgramNames,
    toolchain: &Toolchain,
    build: &Path,
    path: impl Fn(&str) -> OsString,
) -> Vec<Value> {
    let linker = toolchain
        .programs
        .get(1)
        .map_or("cc".into(), OsString::from);
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
        ("{build}", vec![build.into()]),
    ]
}

/// Fills in an argument's placeholders; returns one argument for each value of a placeholder.
fn expand(argument: &str, values: &[Value]) -> Vec<OsString> {
    let found = values
        .iter()
        .filter_map(|(name, items)| Some((argument.find(name)?, name, items)));
    let Some((at, name, items)) = found.min_by_key(|(at, ..)| *at) else {
        return vec![argument.into()];
    };
    let rest = expand(&argument[at + name.len()..], values);
    let before = OsStr::new(&argument[..at]);
    let filled = items
        .iter()
        .flat_map(|item| rest.iter().map(move |rest| [before, item, rest]));
    filled.map(|parts| parts.into_iter().collect()).collect()
}

/// The path as an argument that no compiler mistakes for an option or a response file.
fn argument(path: &str) -> OsString {
    let is_plain = path.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if is_plain {
        path.into()
    } else {
        format!("./{path}").into()
    }
}

/// Writes the paths in `#include "..\\list.h"` as all systems understand them.
fn with_slashes(source: &mut [u8]) {
    for line in source.split_mut(|byte| *byte == b'\n') {
        let mut parts = line.split_mut(|byte| *byte == b'"');
        let words = parts.next().unwrap_or_default().iter();
        if words.filter(|it| !it.is_ascii_whitespace()).eq(b"#include") {
            let path = parts.next().unwrap_or_default().iter_mut();
            path.filter(|it| **it == b'\\').for_each(|it| *it = b'/');
        }
    }
}

/// Replaces a part of a text. Line numbers stay, and columns where there is room.
pub(crate) fn edit(bytes: &mut Vec<u8>, range: &Range<usize>, text: &str) {
    let Some(old) = bytes.get(range.clone()) else {
        return;
    };
    let (under, rest) = old.split_at(text.len().min(old.len()));
    let blank = |byte: &u8| if byte.is_ascii_control() { *byte } else { b' ' };
    let ends = under.iter().copied().filter(u8::is_ascii_control);
    let new: Vec<u8> = text
        .bytes()
        .chain(ends)
        .chain(rest.iter().map(blank))
        .collect();
    bytes.splice(range.clone(), new);
}

fn too_many_files(count: usize) -> Text {
    text!(
        "{count} files were submitted; only the first {MAX_FILES} are compiled: submit only what the program needs.",
        "一共提交了 {count} 个文件，只编译前 {MAX_FILES} 个：请只提交程序需要的文件。"
    )
}

/// The files of a [`Plan`].
#[derive(Default)]
pub(crate) struct PlannedFiles {
    all: Vec<(String, Vec<u8>)>,
    taken: BTreeSet<String>,
    /// Whether the author's command builds them, which writes to other folders than ours.
    is_built_by_author: bool,
}

impl PlannedFiles {
    /// Those of the folder in which a program is started.
    pub(crate) fn of_run() -> Self {
        Self {
            is_built_by_author: true,
            ..Self::default()
        }
    }

    /// Takes a path, if it is safe and free.
    pub(crate) fn take(&mut self, path: &str) -> bool {
        is_safe(path) && !self.is_taken(path) && self.taken.insert(path.to_owned())
    }

    /// Adds a file at this path or, if the path is unsafe or taken, in a separate folder.
    fn place(&mut self, wanted: &str, bytes: Vec<u8>) {
        let name = file_name(wanted);
        let name = if is_safe(name) {
            name.to_owned()
        } else {
            format!("unnamed.{}", extension_of(name))
        };
        let name = if is_safe(&name) { &name } else { "unnamed" };
        let others = (1..).map(|number| format!("more{number}/{name}"));
        let mut paths = std::iter::once(wanted.to_owned()).chain(others);
        let path = paths.find(|path| is_safe(path) && !self.is_taken(path));
        let path = path.expect("one of endlessly many folders is free");
        self.taken.insert(path.clone());
        self.all.push((path, bytes));
    }

    /// Whether a file has this path, or a path above or below it.
    fn is_taken(&self, path: &str) -> bool {
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        let inside = format!("{path}/");
        let mut next = self.taken.range(inside.clone()..);
        !self.is_built_by_author && RESERVED.contains(&top(path))
            || self.taken.contains(path)
            || folders.any(|folder| self.taken.contains(folder))
            || next.next().is_some_and(|next| next.starts_with(&inside))
    }

    /// A name that no top-level file or folder has, ignoring case.
    fn free_name(&self, wanted: &str) -> String {
        let tops: BTreeSet<String> = self
            .all
            .iter()
            .map(|(path, _)| top(path).to_lowercase())
            .collect();
        let numbered = (2..).map(|number| format!("{wanted}{number}"));
        let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
        let free = names.find(|it| !tops.contains(it));
        free.expect("one of endlessly many names is free")
    }

    /// The folders of the files, those above them, and last the build folder: a header that is beside no file that includes it is
    /// the student's, if there is one.
    fn folders(&self) -> Vec<OsString> {
        let (mut near, mut above) = (BTreeSet::new(), BTreeSet::new());
        for (path, _) in &self.all {
            let mut folders = path
                .match_indices('/')
                .map(|(at, _)| format!("./{}", &path[..at]));
            near.extend(folders.next_back());
            above.extend(folders);
        }
        let far = above.difference(&near).cloned();
        let all = near.iter().cloned().chain(far).take(MAX_FILES);
        all.chain(["./".to_owned()]).map(OsString::from).collect()
    }
}

/// The first component of a path.
fn top(path: &str) -> &str {
    path.split_once('/').map_or(path, |(top, _)| top)
}

/// Whether a path stays inside the folder that it is relative to, and suits a file system.
pub(crate) fn is_safe(path: &str) -> bool {
    let is_plain =
        |part: &str| !matches!(part, "" | "." | "..") && part.len() <= MAX_PATH_PART_BYTES;
    path.len() <= MAX_PATH_BYTES && !path.contains('\0') && path.split('/').all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_at_unsafe_paths_and_in_each_others_way_get_folders_of_their_own() {
        let (long, deep) = (
            format!("x/{}.c", "皇".repeat(85)),
            format!("{}x.c", "a/".repeat(2000)),
        );
        #[rustfmt::skip]
        let table = [
            ("a", "a"), ("a", "more1/a"), ("a/b", "more1/b"), ("c/d", "c/d"), ("c", "more1/c"), ("Program/x", "Program/x"),
            ("classes/A", "more1/A"), ("program2", "program2"), ("x/./../b", "more2/b"), ("/etc/passwd", "more1/passwd"),
            ("a\0b", "more1/unnamed."), ("./../", "more2/unnamed."), (&long, "more1/unnamed.c"), (&deep, "more1/x.c"),
        ];
        let mut files = PlannedFiles::default();
        for (wanted, expected) in table {
            files.place(wanted, Vec::new());
            assert_eq!(files.all.last().unwrap().0, expected, "{wanted}");
        }
        assert_eq!(files.free_name("program"), "program3");
    }

    #[test]
    fn placeholders_are_filled_in_once_for_each_thing() {
        let values: [Value; 2] = [
            ("{main}", vec!["{folders}".into()]),
            ("{folders}", vec!["a".into(), "b".into()]),
        ];
        assert_eq!(
            expand("-I{folders}:{main}", &values),
            ["-Ia:{folders}", "-Ib:{folders}"]
        );
        assert_eq!(expand("{x}", &values), ["{x}"]);
        assert_eq!(
            (argument("@x.java"), argument("皇后.c")),
            ("./@x.java".into(), "皇后.c".into())
        );
    }
}
