//! An imported problem under construction: its files, and notes on features of the package that it lacks.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;

use grader_language::Languages;
use grader_model::{LanguageId, Points, Verdict, counted};
use grader_problem::{Expectation, Library, LibraryEntry};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::constants::{
    MAX_CONSTANT_BYTES, MAX_FILES, MAX_FILLED_BYTES, MAX_FOLDER_DEPTH, MAX_OUTPUT_MIB, MAX_TIMED,
};
use crate::error::{PackageError, mistake, unsupported};
use crate::expected;
use crate::folder::PackageFolder;
use crate::options::ImportOptions;
use crate::output::{Content, Imported, TomlLimits, TomlProblem};
use crate::yaml::Yaml;

/// What begins a constant in LaTeX.
const LATEX_CONSTANT: &str = "\\constant{";

/// The package's constants: what `{{name}}` stands for.
pub(crate) type Constants = BTreeMap<String, String>;

/// An imported problem under construction.
pub(crate) struct Draft<'a> {
    /// The package.
    pub(crate) library: &'a dyn Library,
    /// The same, which knows its links.
    folder: &'a PackageFolder<'a>,
    files: Vec<(String, Content)>,
    pub(crate) notes: BTreeSet<String>,
    pub(crate) problem: TomlProblem,
    /// Texts for `{{name}}` in the package's sources and statements.
    pub(crate) constants: Constants,
    filled_bytes: usize,
    pub(crate) options: ImportOptions,
    /// Used paths of the package, including the top-level entries above them.
    used: BTreeSet<String>,
    /// Paths of sample submissions below `submissions/`, with what they must get.
    samples: BTreeMap<String, Expectation>,
    /// Which files became each subtask, for a folder of tests in no format.
    pub(crate) paired: Vec<String>,
}

impl<'a> Draft<'a> {
    /// An empty draft. `id` is also the submissions' file name, without extension.
    pub(crate) fn new(folder: &'a PackageFolder<'a>, id: &str, options: ImportOptions) -> Self {
        let mut problem = TomlProblem {
            format: 1,
            id: id.to_owned(),
            title: id.into(),
            ..TomlProblem::default()
        };
        problem.submission.files = vec![format!("{id}.*")];
        Self {
            library: folder,
            folder,
            files: Vec::new(),
            notes: BTreeSet::new(),
            problem,
            constants: BTreeMap::new(),
            filled_bytes: 0,
            options,
            used: BTreeSet::new(),
            samples: BTreeMap::new(),
            paired: Vec::new(),
        }
    }

    /// Sets the title: in English and Chinese, if known, or else the first in any language. Without titles, it stays.
    pub(crate) fn title<'t>(&mut self, titles: impl IntoIterator<Item = (&'t str, &'t str)>) {
        let titles = titles.into_iter();
        let titles: Vec<_> = titles.filter(|it| !it.1.trim().is_empty()).collect();
        let find = |names: [&str; 2]| {
            let found = titles.iter().find(|it| names.contains(&it.0));
            found.map(|it| it.1)
        };
        let (en, zh) = (find(["en", "english"]), find(["zh", "chinese"]));
        if let (Some(en), Some(zh)) = (en, zh) {
            self.problem.title = json!({ "en": en, "zh": zh });
        } else if let Some(title) = en.or(zh).or(titles.first().map(|it| it.1)) {
            self.problem.title = title.into();
        }
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.insert(note.into());
    }

    /// Reads a mapping as a type, and notes the keys that the type does not have.
    pub(crate) fn typed<T: DeserializeOwned>(&mut self, mut yaml: Yaml) -> Result<T, PackageError> {
        let typed = yaml.typed()?;
        self.notes.extend(yaml.notes());
        Ok(typed)
    }

    /// Counts a path of the package as used.
    pub(crate) fn mark_used(&mut self, path: &str) {
        let top = path.split('/').next().unwrap_or_default();
        self.used.extend([path.to_owned(), top.to_owned()]);
    }

    pub(crate) fn is_used(&self, path: &str) -> bool {
        self.used.contains(path)
    }

    /// Copies a file of the package.
    pub(crate) fn file(&mut self, from: &str, to: &str) {
        self.content(to, Content::Copy(from.to_owned()));
    }

    /// Copies a text of the package, with line feeds as line ends.
    pub(crate) fn lines(&mut self, from: &str, to: &str) {
        self.content(to, Content::Lines(from.to_owned()));
    }

    /// Adds a file with these bytes, which are what is used of a file of the package.
    pub(crate) fn changed(&mut self, from: &str, to: &str, bytes: Vec<u8>) {
        let from = from.to_owned();
        self.content(to, Content::Changed { from, bytes });
    }

    /// Adds a file with these bytes.
    pub(crate) fn bytes(&mut self, to: &str, bytes: Vec<u8>) {
        self.content(to, Content::Bytes(bytes));
    }

    /// Adds a file.
    pub(crate) fn content(&mut self, to: &str, content: Content) {
        if let Some(from) = content.source() {
            self.mark_used(from);
        }
        self.files.push((to.to_owned(), content));
    }

    /// Notes that a program needs `testlib.h`, if it includes that and does not contain it.
    pub(crate) fn note_testlib(&mut self, program: &str, text: &str, folder: &str) {
        if text.contains("testlib.h") && !text.contains("#define _TESTLIB_H_") {
            self.note(format!(
                "{program} needs `testlib.h`, which the package does not have: put it into `{folder}`"
            ));
        }
    }

    /// Entries of a folder in the package; `None` if it is a file.
    fn entries(&self, path: &str) -> Result<Option<Vec<LibraryEntry>>, PackageError> {
        match self.library.list(path) {
            Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(None),
            entries => entries
                .map(Some)
                .map_err(|error| PackageError::file(path, error)),
        }
    }

    /// Whether it is a folder with something in it.
    pub(crate) fn has_entries(&self, path: &str) -> bool {
        matches!(self.entries(path), Ok(Some(inside)) if !inside.is_empty())
    }

    pub(crate) fn is_file(&self, path: &str) -> bool {
        matches!(self.entries(path), Ok(None))
    }

    /// Fills in the constants of arguments.
    pub(crate) fn fill_all(&self, texts: &[String]) -> Vec<String> {
        let filled = texts
            .iter()
            .map(|text| fill(&self.constants, text, "{{", "}}"));
        filled.collect()
    }

    /// Copies a file of the package that is not test data, with its constants filled in.
    fn filled(&mut self, from: &str, to: &str) -> Result<(), PackageError> {
        let bytes = (!self.constants.is_empty()).then(|| self.library.read(from).ok());
        let text = bytes
            .flatten()
            .and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(text) = text.filter(|text| {
            ["{{", LATEX_CONSTANT]
                .iter()
                .any(|open| text.contains(open))
        }) {
            let filled = fill(&self.constants, &text, "{{", "}}");
            let filled = fill(&self.constants, &filled, LATEX_CONSTANT, "}");
            self.filled_bytes += filled.len();
            if self.filled_bytes > MAX_FILLED_BYTES {
                let message =
                    format!("files with constants are larger than {MAX_FILLED_BYTES} bytes");
                return mistake(from, message);
            }
            self.changed(from, to, filled.into_bytes());
        } else {
            self.file(from, to);
        }
        Ok(())
    }

    /// Copies a file or folder of the package that is not test data.
    pub(crate) fn copy(&mut self, from: &str, to: &str) -> Result<(), PackageError> {
        let Some(entries) = self.entries(from)? else {
            return self.filled(from, to);
        };
        if from.split('/').count() > MAX_FOLDER_DEPTH {
            let message = format!("folders are nested more than {MAX_FOLDER_DEPTH} deep");
            return mistake(from, message);
        }
        for LibraryEntry { name, .. } in entries {
            self.copy(&format!("{from}/{name}"), &format!("{to}/{name}"))?;
        }
        Ok(())
    }

    /// Copies a statement, except what cannot be read.
    pub(crate) fn statement(&mut self, from: &str, to: &str) {
        self.mark_used(from);
        match self.entries(from) {
            Ok(Some(entries)) if from.split('/').count() <= MAX_FOLDER_DEPTH => {
                for LibraryEntry { name, .. } in entries {
                    self.statement(&format!("{from}/{name}"), &format!("{to}/{name}"));
                }
            }
            _ => {
                if let Err(error) = self.copy(from, to) {
                    self.note(format!("skipped a statement: {error}"));
                }
            }
        }
    }

    /// Copies a sample submission, with what it must get. Its name is `fallback_name` if `name` is taken.
    /// One with a file whose name cannot be imported is noted instead.
    pub(crate) fn sample(
        &mut self,
        from: &str,
        name: &str,
        fallback_name: &str,
        expectation: &Expectation,
    ) -> Result<(), PackageError> {
        let is_unusual = |c: char| c == '\\' || c.is_control();
        let (count, mut place) = (self.files.len(), None);
        let mut copy = || {
            place = self.place_sample(from, name, fallback_name, expectation)?;
            let mut place = place.iter();
            place.try_for_each(|place| self.copy(from, &format!("submissions/{place}")))
        };
        match copy() {
            Err(PackageError::File { path, message }) if path.contains(is_unusual) => {
                self.files.truncate(count);
                if let Some(place) = place {
                    self.samples.remove(&place);
                }
                self.note(format!("`{from}` is not used: `{path}`: {message}"));
                Ok(())
            }
            copied => copied,
        }
    }

    /// The path below `submissions/` of a sample as in [`sample`](Self::sample), which the caller copies; `None` if it
    /// cannot be used.
    pub(crate) fn place_sample(
        &mut self,
        from: &str,
        name: &str,
        fallback_name: &str,
        expectation: &Expectation,
    ) -> Result<Option<String>, PackageError> {
        let inside = self.entries(from)?;
        let Some(first) = expectation.verdicts.first() else {
            self.note(format!("`{from}` is not used: its verdict is not known"));
            return Ok(None);
        };
        let is_known = match inside {
            None => {
                let is_old = self.library.read(from).is_ok_and(|text| is_python_2(&text));
                is_source(name) && !is_old
            }
            Some(inside) => inside.iter().any(|it| it.folder || is_source(&it.name)),
        };
        if !is_known {
            self.note(format!("`{from}` is not used: its language is not known"));
            return Ok(None);
        }
        let folder = expected::folder(*first);
        let mut path = format!("{folder}/{name}");
        if self.samples.contains_key(&path) {
            path = format!("{folder}/{fallback_name}");
        }
        self.samples.insert(path.clone(), expectation.clone());
        Ok(Some(path))
    }

    /// Notes the top-level entries that are neither used nor `is_read`.
    pub(crate) fn note_unused(&mut self, is_read: impl Fn(&str) -> bool) {
        for entry in self.library.list("").unwrap_or_default() {
            if !self.is_used(&entry.name) && !is_read(&entry.name) {
                self.note(format!("`{}` is not used", entry.name));
            }
        }
    }

    /// Sets `[limits]`, in seconds and MiB. A package has one time limit for all languages.
    pub(crate) fn limit(&mut self, seconds: Option<f64>, memory: f64, output: f64) {
        let seconds = seconds.unwrap_or_else(|| {
            self.note("the package has no time limit: `[limits]` gets 2 s, for you to change");
            2.0
        });
        let output = if output > MAX_OUTPUT_MIB {
            self.note(format!(
                "the output limit is {MAX_OUTPUT_MIB} MiB, our maximum, instead of {output} MiB"
            ));
            MAX_OUTPUT_MIB
        } else {
            output
        };
        let languages = Languages::built_in();
        let slower = languages
            .iter()
            .filter(|it| (it.definition.time_factor - 1.0).abs() > f64::EPSILON);
        let same = BTreeMap::from([("time-factor", 1.0)]);
        self.problem.limits = TomlLimits {
            time: format!("{seconds} s").into(),
            memory: format!("{memory} MiB"),
            output: format!("{output} MiB"),
            languages: slower.map(|it| (it.id.as_str(), same.clone())).collect(),
        };
    }

    /// The paths of the samples with exactly these verdicts.
    fn paths_of(&self, verdicts: &[Verdict]) -> Vec<String> {
        let samples = self.samples.iter();
        let samples = samples.filter(|(_, it)| it.verdicts == verdicts);
        let paths = samples.map(|(path, _)| format!("submissions/{path}"));
        paths.collect()
    }

    /// Asks for PyPy, for whose speed the authors made the time limits.
    pub(crate) fn ask_for_pypy(&mut self) {
        let tools = json!({ "python": ["pypy3", "python3"] });
        self.problem.build.insert("tools", tools);
        self.note("Python runs in PyPy, as in the authors' judge: `tools.python` in `[build]`; where PyPy is not installed, it runs in CPython, and a program that is too slow is not scored yet");
    }

    /// Whether a sample in Python must be accepted.
    pub(crate) fn has_accepted_python(&self) -> bool {
        let languages = Languages::built_in();
        let mut accepted = self
            .samples
            .iter()
            .filter(|(_, it)| it.verdicts.first() == Some(&Verdict::Accepted));
        accepted.any(|(path, _)| {
            let language = languages.of_file_name(path);
            language.is_some_and(|it| it.id == LanguageId::Python)
        })
    }

    /// Makes the time limit a multiple of the slowest accepted sample, rounded up to a multiple of `resolution` seconds.
    /// Returns whether there is such a sample.
    pub(crate) fn derive_time(&mut self, factor: f64, resolution: f64) -> bool {
        let mut paths = self.paths_of(&[Verdict::Accepted]);
        if paths.is_empty() {
            paths = self.paths_of(&[Verdict::Accepted, Verdict::PartiallyCorrect]);
        }
        if paths.is_empty() {
            let samples = self.samples.iter();
            let samples = samples.filter(|(_, it)| it.required == [Verdict::Accepted]);
            paths.extend(samples.map(|(path, _)| format!("submissions/{path}")));
        }
        // The first one must be right: take one whose compiler every machine has. Every language has one before any has
        // a second one.
        let languages = Languages::built_in();
        let mut counts = BTreeMap::new();
        paths.sort_by_cached_key(|path| {
            let language = languages.of_file_name(path).map(|language| language.id);
            let count = counts.entry(language).or_insert(0);
            *count += 1;
            let common = [LanguageId::Cpp, LanguageId::C, LanguageId::Python];
            let place = common.iter().position(|it| Some(*it) == language);
            (*count, place.unwrap_or(common.len()))
        });
        if paths.len() > MAX_TIMED {
            let of = paths.len();
            self.note(format!(
                "only {MAX_TIMED} of {of} accepted submissions set the time limit"
            ));
            paths.truncate(MAX_TIMED);
        }
        if paths.is_empty() {
            return false;
        }
        let reference = self.problem.reference.get_or_insert_default();
        if !reference.contains_key("path") {
            reference.insert("path", paths.remove(0).into());
        }
        if !paths.is_empty() {
            reference.insert("timed", paths.into());
        }
        let (factor, resolution) = (factor.clamp(0.001, 1000.0), resolution.clamp(0.001, 3600.0));
        self.problem.limits.time = json!({
            "reference": factor,
            "slowest": true,
            "round-up": format!("{resolution} s"),
        });
        true
    }

    /// Notes the files that are copied from outside of the package, through links.
    fn note_outside(&mut self) {
        let sources = self.files.iter().filter_map(|it| it.1.source());
        let mut outside = sources.filter(|from| self.folder.is_outside(from));
        if let Some(first) = outside.next() {
            let note = format!(
                "copied {} from outside the package through links, such as `{first}`",
                counted(1 + outside.count(), "file", "files")
            );
            self.note(note);
        }
    }

    /// Writes `problem.toml` and `expected.toml`.
    pub(crate) fn finish(mut self) -> Result<Imported, PackageError> {
        // The readers cap numbers above the maximum, so larger ones still fail this check.
        let mut subtasks = self.problem.subtask.iter();
        if let Some(subtask) = subtasks.find(|subtask| subtask.points > Points::MAX) {
            let name = &subtask.name;
            return unsupported(format!(
                "`{name}` is worth more than {} points, the maximum",
                Points::MAX
            ));
        }
        if self.options.public {
            for subtask in &mut self.problem.subtask {
                subtask.hidden = false;
            }
        }
        let mut texts = vec![("problem.toml", toml::to_string(&self.problem))];
        let mut expected = toml::Table::new();
        for (path, expectation) in &self.samples {
            let entry = toml::Table::try_from(expectation);
            let entry = entry.map_err(|error| PackageError::file(path, error))?;
            if !entry.is_empty() {
                expected.insert(path.clone(), entry.into());
            }
        }
        if !expected.is_empty() {
            texts.push(("submissions/expected.toml", toml::to_string(&expected)));
        }
        for (path, text) in texts {
            let text = text.map_err(|error| PackageError::file(path, error))?;
            self.bytes(path, text.into_bytes());
        }
        let count = self.files.len();
        if count > MAX_FILES {
            return unsupported(format!(
                "the package has {count} files; at most {MAX_FILES} are imported"
            ));
        }
        // Names of groups become folders.
        let leads_out = |path: &str| path.split('/').any(|it| matches!(it, "" | "." | ".."));
        if let Some((path, _)) = self.files.iter().find(|(path, _)| leads_out(path)) {
            return mistake(path, "the path would lead out of the problem's folder");
        }
        self.note_outside();
        Ok(Imported {
            files: self.files,
            notes: self.notes.into_iter().collect(),
            paired: self.paired,
        })
    }
}

/// Accepts a name that is safe as a part of paths and of commands.
pub(crate) fn check_name(file: &str, name: &str) -> Result<(), PackageError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
    let is_word = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    if is_word && name.len() <= 255 && name.chars().all(is_plain) {
        return Ok(());
    }
    let shown: String = name.chars().take(80).collect();
    mistake(
        file,
        format!("expected a name of letters, digits, `_`, `-`, `.` and `+`, found `{shown}`"),
    )
}

/// Whether a file is a source in a language that the grader knows.
pub(crate) fn is_source(name: &str) -> bool {
    Languages::built_in().of_file_name(name).is_some()
}

/// Whether the first line of a script starts Python 2: `#!/usr/bin/env python2`.
fn is_python_2(text: &[u8]) -> bool {
    let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
    first.starts_with(b"#!") && first.windows(7).any(|part| part == b"python2")
}

/// Fills in the constants: `{{n}}`, and in LaTeX `\constant{n}`.
pub(crate) fn fill(constants: &Constants, text: &str, open: &str, close: &str) -> String {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once(open) {
        let end = inner
            .bytes()
            .take(MAX_CONSTANT_BYTES)
            .position(|b| b == b'}');
        let known = end.and_then(|end| {
            let (name, after) = inner.split_at(end);
            Some((constants.get(name)?.as_str(), after.strip_prefix(close)?))
        });
        filled += before;
        let unknown = || (&open[..1], &rest[before.len() + 1..]);
        let (text, after) = known.unwrap_or_else(unknown);
        filled += text;
        rest = after;
    }
    filled + rest
}
