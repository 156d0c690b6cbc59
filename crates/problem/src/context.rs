//! What every check of a problem file needs: its folder, the files that it names, and the log of mistakes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use grader_model::SourceFile;

use crate::diagnostic::Log;
use crate::file::{DEFAULT_CHECKER_CPU, DEFAULT_CHECKER_MEMORY, ProgramFile};
use crate::library::{Library, LibraryError, join, sources_below};
use crate::problem::CheckerProgram;
use crate::suggest::{quoted, variables_of};
use crate::value::{At, Time};
use crate::variables::Template;

pub(crate) struct Context<'a> {
    pub(crate) library: &'a dyn Library,
    /// The problem's folder in the library.
    pub(crate) folder: &'a str,
    pub(crate) log: Log,
    /// Of every file that judges, by its path in the problem's folder.
    hashes: BTreeMap<String, blake3::Hash>,
    /// Whether a missing reference is reported.
    misses_reference: bool,
    /// Programs of checkers by their places: cases share them.
    programs: BTreeMap<usize, Arc<CheckerProgram>>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(library: &'a dyn Library, folder: &'a str, log: Log) -> Self {
        Self {
            library,
            folder,
            log,
            hashes: BTreeMap::new(),
            misses_reference: false,
            programs: BTreeMap::new(),
        }
    }

    /// Reports a mistake; what follows a line feed in the message is the help.
    pub(crate) fn report(&mut self, span: &Range<usize>, message: &str) {
        self.log.report(span, message);
    }

    /// Reports what cannot be known without a reference.
    pub(crate) fn report_missing_reference(&mut self, span: &Range<usize>, message: &str) {
        self.misses_reference = true;
        self.report(span, message);
    }

    /// Reports a case without an answer, unless a missing reference is reported: that would answer every case.
    pub(crate) fn report_missing_answer(&mut self, span: &Range<usize>, message: &str) {
        if !self.misses_reference {
            self.report_missing_reference(span, message);
        }
    }

    /// Makes a file part of the problem's version, by its path in the library.
    pub(crate) fn remember(&mut self, path: &str, bytes: &[u8]) {
        let inside = path.strip_prefix(self.folder).unwrap_or(path);
        let inside = inside.trim_start_matches('/').to_owned();
        self.hashes.insert(inside, blake3::hash(bytes));
    }

    /// Hash of the paths and contents of all files that judge.
    pub(crate) fn version(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for (path, hash) in &self.hashes {
            hasher.update(&(path.len() as u64).to_le_bytes());
            hasher.update(path.as_bytes());
            hasher.update(hash.as_bytes());
        }
        hasher.finalize().to_string()
    }

    /// The text of a template for a case. Reports a variable that the case does not have.
    pub(crate) fn fill(
        &mut self,
        template: &Template,
        span: &Range<usize>,
        variables: &BTreeMap<String, String>,
    ) -> Option<String> {
        match template.fill(variables) {
            Ok(text) => Some(text),
            Err(name) => {
                let if_none = "the case has no variables; write `{{` for a brace itself";
                let help = variables_of(variables, name, if_none);
                let place = self.log.find(span, &format!("{{{name}}}"));
                self.report(
                    &place,
                    &format!("unknown variable {}\n{help}", quoted(name)),
                );
                None
            }
        }
    }

    pub(crate) fn fill_all(
        &mut self,
        templates: &[At<Template>],
        variables: &BTreeMap<String, String>,
    ) -> Vec<String> {
        let templates = templates.iter();
        templates
            .filter_map(|at| self.fill(at, &at.span, variables))
            .collect()
    }

    /// The bytes of a file that the problem file names; none if that is a mistake, which is reported.
    pub(crate) fn read(&mut self, at: &At<String>) -> Arc<[u8]> {
        let Some(path) = self.path(at) else {
            return Arc::default();
        };
        match self.library.read(&path) {
            Ok(bytes) => {
                self.remember(&path, &bytes);
                bytes.into()
            }
            Err(error) => {
                self.unreadable(at, &path, &error);
                Arc::default()
            }
        }
    }

    /// A source file that the problem file names, or all sources of a folder.
    pub(crate) fn sources(&mut self, at: &At<String>) -> Vec<SourceFile> {
        let Some(path) = self.path(at) else {
            return Vec::new();
        };
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let (root, sources) = match self.library.read(&path) {
            Ok(bytes) => (folder, Ok(vec![SourceFile::new(name, bytes)])),
            Err(LibraryError::NotAFile) => (path.as_str(), sources_below(self.library, &path)),
            Err(error) => (folder, Err(error)),
        };
        let sources = match sources {
            Ok(sources) => sources,
            Err(error) => {
                self.unreadable(at, &path, &error);
                return Vec::new();
            }
        };
        if sources.is_empty() {
            self.report(&at.span, "the folder has no files");
        }
        for source in &sources {
            self.remember(&format!("{root}/{}", source.path), &source.bytes);
        }
        sources
    }

    /// The program of a checker.
    pub(crate) fn checker_program(&mut self, file: &ProgramFile) -> Arc<CheckerProgram> {
        let place = file.source.span.start;
        if let Some(program) = self.programs.get(&place) {
            return Arc::clone(program);
        }
        let program = Arc::new(CheckerProgram {
            sources: self.sources(&file.source),
            protocol: file.protocol,
            cpu: file.time.map_or(DEFAULT_CHECKER_CPU, Time::cpu),
            memory: file.memory.map_or(DEFAULT_CHECKER_MEMORY, |size| size.0),
        });
        self.programs.insert(place, Arc::clone(&program));
        program
    }

    fn path(&mut self, at: &At<String>) -> Option<String> {
        join(self.folder, at)
            .map_err(|error| self.report(&at.span, &format!("the path {error}")))
            .ok()
    }

    fn unreadable(&mut self, at: &At<String>, path: &str, error: &LibraryError) {
        let message = match error {
            LibraryError::Outside => error.to_string(),
            error => format!("`{}`: {error}", self.library.describe(path)),
        };
        self.report(&at.span, &message);
    }
}
