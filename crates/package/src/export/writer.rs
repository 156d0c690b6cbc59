//! A package under construction, and what its parts have in common.

use std::collections::{BTreeMap, BTreeSet};

use grader_model::SourceFile;
use grader_problem::{Case, Checker, Problem, Subtask};
use serde_json::{Map, Value};

/// An exported package, to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Its files, by their paths in the package.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Differences from the problem, one sentence each.
    pub notes: BTreeSet<String>,
}

/// A package under construction.
pub(super) struct PackageWriter<'a> {
    pub(super) problem: &'a Problem,
    pub(super) is_legacy: bool,
    /// Whether programs read their arguments from standard input.
    pub(super) reads_arguments: bool,
    pub(super) writes: Writes,
    /// How groups make points; `None` if the package is pass-fail.
    pub(super) scoring: Option<Scoring>,
    /// A path that two different files of the package would have.
    pub(super) clash: Option<String>,
    pub(super) exported: Exported,
}

pub(super) fn cases(problem: &Problem) -> impl Iterator<Item = (&Subtask, &Case)> {
    let subtasks = problem.subtasks.iter();
    subtasks.flat_map(|subtask| subtask.cases.iter().map(move |case| (subtask, case)))
}

impl PackageWriter<'_> {
    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.exported.notes.insert(note.into());
    }

    pub(super) fn file(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        let (path, bytes) = (path.into(), bytes.into());
        let before = self.exported.files.insert(path.clone(), bytes);
        if before.is_some_and(|it| it != self.exported.files[&path]) {
            self.clash = Some(path);
        }
    }

    /// Writes a mapping, one key a line: JSON is YAML.
    pub(super) fn yaml(&mut self, path: impl Into<String>, map: &Map<String, Value>) {
        let lines = map.iter().map(|(key, value)| format!("{key}: {value}\n"));
        self.file(path, lines.collect::<String>());
    }
}

/// How groups depend on each other.
pub(super) struct Scoring {
    /// Whether the samples must be passed first.
    pub(super) after_samples: bool,
    /// Whether each group must be passed before the next one.
    pub(super) is_chain: bool,
}

/// Which files the programs of checkers write, as far as their sources say.
pub(super) struct Writes {
    /// Whether they may give scores.
    pub(super) scores: bool,
    pub(super) multipliers: bool,
    /// Whether headers can write scores that no program mentions.
    pub(super) is_unused: bool,
}

impl Writes {
    pub(super) fn of(problem: &Problem) -> Self {
        let calls = cases(problem).filter_map(|(_, case)| match &case.checker {
            Checker::Program(call) => Some((call.program.id, &call.program.sources)),
            _ => None,
        });
        let programs: BTreeMap<_, _> = calls.collect();
        let sources: Vec<&SourceFile> = programs.into_values().flatten().collect();
        let is_header = |it: &SourceFile| matches!(&*it.extension(), "h" | "hh" | "hpp");
        let has = |text: &str, headers: bool| {
            let mut sources = sources.iter().filter(|it| headers || !is_header(it));
            sources.any(|it| contains(&it.bytes, text))
        };
        // A common header of Kattis has functions for scores, which most programs do not call.
        let is_called = has("score", false);
        let multipliers = is_called && has("score_multiplier.txt", true);
        let is_named = has("score.txt", true);
        Self {
            scores: multipliers || is_called && is_named,
            multipliers,
            is_unused: is_named && !is_called,
        }
    }
}

/// A file in front of a program, which starts first: in C++ or C, or for one file of Python.
pub(super) fn wrapper(
    sources: &[SourceFile],
    name: &str,
    c: &str,
    python: &str,
) -> Option<SourceFile> {
    let has = |wanted: &[&str]| sources.iter().any(|it| wanted.contains(&&*it.extension()));
    let (path, text) = match sources {
        _ if has(&["cpp", "cc", "cxx", "c++"]) => (format!("{name}.cpp"), c.to_owned()),
        _ if has(&["c"]) => (format!("{name}.c"), c.to_owned()),
        [only] if has(&["py"]) && only.path != "main.py" && is_plain(&only.path) => {
            ("main.py".to_owned(), python.replace("PROGRAM", &only.path))
        }
        _ => return None,
    };
    Some(SourceFile::new(path, text.into_bytes()))
}

/// The name, with `-` for characters that the format does not allow.
pub(super) fn plain(name: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    name.chars()
        .map(|c| if allowed(c) { c } else { '-' })
        .collect()
}

pub(super) fn is_plain(path: &str) -> bool {
    let is_plain = |part: &str| plain(part) == part && !part.starts_with(['.', '-']);
    path.split('/').all(is_plain)
}

/// Whether a text occurs in a file.
pub(super) fn contains(bytes: &[u8], text: &str) -> bool {
    let mut parts = bytes.windows(text.len());
    parts.any(|part| part == text.as_bytes())
}
