//! A problem of ours in the making: its files, and what of the package it does not have.

use std::collections::BTreeSet;

use grader_language::languages;
use grader_model::{Verdict, extension_of};
use grader_problem::Library;

use crate::error::PackageError;
use crate::expected;
use crate::output::{Content, Imported, list, quoted};

/// Deepest nesting of folders.
const MAX_DEPTH: usize = 16;

/// What has been read of a package.
pub(crate) struct Draft<'a> {
    pub(crate) library: &'a dyn Library,
    files: Vec<(String, Content)>,
    pub(crate) notes: BTreeSet<String>,
    /// Paths of sample submissions.
    samples: BTreeSet<String>,
    /// `submissions/expected.toml`.
    expected: Vec<String>,
}

impl<'a> Draft<'a> {
    pub(crate) const fn new(library: &'a dyn Library) -> Self {
        Self {
            library,
            files: Vec::new(),
            notes: BTreeSet::new(),
            samples: BTreeSet::new(),
            expected: Vec::new(),
        }
    }

    pub(crate) fn note(&mut self, note: impl Into<String>) {
        self.notes.insert(note.into());
    }

    /// Copies a file of the package.
    pub(crate) fn file(&mut self, from: &str, to: &str) {
        let content = Content::Copy(from.to_owned());
        self.files.push((to.to_owned(), content));
    }

    /// Adds a file with these bytes.
    pub(crate) fn bytes(&mut self, to: &str, bytes: Vec<u8>) {
        self.files.push((to.to_owned(), Content::Bytes(bytes)));
    }

    /// Copies a folder of the package.
    pub(crate) fn folder(&mut self, from: &str, to: &str) -> Result<(), PackageError> {
        self.inner_folder(from, to, 0)
    }

    fn inner_folder(&mut self, from: &str, to: &str, depth: usize) -> Result<(), PackageError> {
        if depth > MAX_DEPTH {
            let message = format!("folders are nested more than {MAX_DEPTH} deep");
            return Err(PackageError::file(from, message));
        }
        let entries = self.library.list(from);
        for entry in entries.map_err(|error| PackageError::file(from, error))? {
            let (from, to) = (
                format!("{from}/{}", entry.name),
                format!("{to}/{}", entry.name),
            );
            if entry.folder {
                self.inner_folder(&from, &to, depth + 1)?;
            } else {
                self.file(&from, &to);
            }
        }
        Ok(())
    }

    /// Copies a sample submission, a file or a folder, that must get one of these verdicts. `other` is its name if
    /// another sample already has `name`.
    pub(crate) fn sample(
        &mut self,
        from: &str,
        (name, other): (&str, &str),
        is_folder: bool,
        verdicts: &[Verdict],
    ) -> Result<(), PackageError> {
        let Some(first) = verdicts.first() else {
            self.note(format!("`{from}` is not used: its verdict is not known"));
            return Ok(());
        };
        if !is_folder && !is_source(name) {
            self.note(format!("`{from}` is not used: its language is not known"));
            return Ok(());
        }
        let folder = expected::folder(*first);
        let mut path = format!("{folder}/{name}");
        if !self.samples.insert(path.clone()) {
            path = format!("{folder}/{other}");
            self.samples.insert(path.clone());
        }
        let to = format!("submissions/{path}");
        if is_folder {
            self.folder(from, &to)?;
        } else {
            self.file(from, &to);
        }
        if verdicts.len() > 1 {
            let codes: BTreeSet<&str> = verdicts.iter().map(|verdict| verdict.code()).collect();
            let codes = list(codes);
            self.expected
                .push(format!("[{}]\nexpected = {codes}\n\n", quoted(&path)));
        }
        Ok(())
    }

    /// The problem, with this `problem.toml`.
    pub(crate) fn finish(mut self, problem: String) -> Imported {
        let mut texts = vec![("problem.toml", problem)];
        if !self.expected.is_empty() {
            texts.push(("submissions/expected.toml", self.expected.concat()));
        }
        for (path, text) in texts {
            self.files.push((path.to_owned(), Content::Text(text)));
        }
        Imported {
            files: self.files,
            notes: self.notes.into_iter().collect(),
        }
    }
}

/// Whether a file is a source of a language that the grader knows.
pub(crate) fn is_source(name: &str) -> bool {
    let extension = extension_of(name);
    languages().any(|language| language.extensions.contains(&extension))
}

/// `[limits]`: the limit of a package is the same in all languages.
pub(crate) fn limits(seconds: f64, memory: f64, output: f64) -> String {
    let slower = languages().filter(|it| (it.time_factor - 1.0).abs() > f64::EPSILON);
    let same = slower.map(|it| format!("languages.{}.time-factor = 1\n", it.id));
    format!(
        "\n[limits]\ntime = \"{seconds} s\"\nmemory = \"{memory} MiB\"\noutput = \"{output} MiB\"\n{}",
        same.collect::<String>()
    )
}
