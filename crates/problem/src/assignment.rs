//! `assignment.toml` with its problems.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grader_model::AssignmentId;

use crate::diagnostic::{Diagnostic, Loaded, Log};
use crate::file::{AssignmentFile, EntryFile};
use crate::library::{Library, LibraryError, file_in, join};
use crate::parse::{open, parse};
use crate::problem::{Assignment, Entry, Problem};
use crate::suggest::{nearest, quoted};
use crate::validate::load_problem;
use crate::value::At;

/// Reads the assignment in `folder`, the one with `assignment.toml`, and all its problems. `builtins` are the
/// names of the references that the grader carries.
///
/// The mistakes of all files are reported together.
pub fn load_assignment(
    library: &dyn Library,
    folder: &str,
    builtins: &[&str],
) -> Loaded<Assignment> {
    let path = file_in(folder, "assignment.toml");
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut log, _) = match open(library, &path) {
        Ok(opened) => opened,
        Err(diagnostic) => return Loaded::new(None, vec![diagnostic]),
    };
    let Some(file) = parse::<AssignmentFile>(&mut log) else {
        return Loaded::new(None, log.diagnostics);
    };
    // Before the problems, which may name them.
    if let Some(languages) = &file.languages
        && let Err(mistakes) = grader_language::define(languages)
    {
        for mistake in mistakes {
            log.report(&languages.span, &mistake.to_string());
        }
    }
    let mut loader = Loader {
        library,
        folder,
        builtins,
        log,
        diagnostics: Vec::new(),
        paths: BTreeSet::new(),
        ids: BTreeMap::new(),
    };
    if file.problem.is_empty() {
        let message = "an assignment needs at least one problem";
        loader.log.report(&file.problem.span, message);
    }
    let problems: Vec<Option<Entry>> = file
        .problem
        .iter()
        .map(|entry| loader.entry(entry))
        .collect();
    let problems: Option<Vec<Entry>> = problems.into_iter().collect();
    let mut diagnostics = loader.log.diagnostics;
    diagnostics.append(&mut loader.diagnostics);
    let assignment = problems.map(|problems| Assignment {
        id: AssignmentId::new(file.id.0),
        title: file.title.0,
        problems,
    });
    Loaded::new(assignment, diagnostics)
}

struct Loader<'a> {
    library: &'a dyn Library,
    folder: &'a str,
    builtins: &'a [&'a str],
    log: Log,
    /// The mistakes of the problem files.
    diagnostics: Vec<Diagnostic>,
    /// The folders of the problems so far.
    paths: BTreeSet<String>,
    /// The ids of the problems so far, with the paths that brought them.
    ids: BTreeMap<String, String>,
}

impl Loader<'_> {
    fn entry(&mut self, at: &At<EntryFile>) -> Option<Entry> {
        let worth = match (&at.points, &at.bonus) {
            (Some(points), None) => Some(points),
            (None, Some(bonus)) => Some(bonus),
            (Some(_), Some(bonus)) => {
                let message = "`points` and `bonus` of a problem exclude each other";
                self.log.report(&bonus.span, message);
                None
            }
            (None, None) => {
                let message = "a problem needs `points` or `bonus`";
                self.log.report(&at.span, message);
                None
            }
        };
        let path = &at.path;
        let problem = self.problem(path)?;
        if let Some(first) = self.ids.insert(problem.id.to_string(), path.value.clone()) {
            let message = format!(
                "problem id `{}` is used twice: in {} and in {}",
                problem.id,
                quoted(&first),
                quoted(path)
            );
            self.log.report(&path.span, &message);
        }
        let worth = worth?;
        if worth.0 != problem.points() {
            let message = format!(
                "problem `{}` is worth {} points here, but its subtasks make {}",
                problem.id,
                worth.0,
                problem.points()
            );
            self.log.report_inconsistency(&worth.span, &message);
        }
        Some(Entry {
            problem: Arc::new(problem),
            points: worth.0,
            bonus: at.bonus.is_some(),
        })
    }

    fn problem(&mut self, at: &At<String>) -> Option<Problem> {
        let folder = match join(self.folder, at) {
            Ok(folder) => folder,
            Err(error) => {
                self.log.report(&at.span, &format!("the path {error}"));
                return None;
            }
        };
        if !self.paths.insert(folder.clone()) {
            let message = format!("problem {} is listed twice", quoted(at));
            self.log.report(&at.span, &message);
            return None;
        }
        let message = match self.library.read(&format!("{folder}/problem.toml")) {
            Err(LibraryError::NotFound) => self.missing(&folder, at),
            Err(error @ LibraryError::Outside) => error.to_string(),
            // Other errors are reported as mistakes of the problem file.
            Ok(_) | Err(_) => {
                let loaded = load_problem(self.library, &folder, self.builtins);
                self.diagnostics.extend(loaded.diagnostics);
                return loaded.value;
            }
        };
        self.log.report(&at.span, &message);
        None
    }

    fn missing(&self, folder: &str, at: &At<String>) -> String {
        let shown = self.library.describe(folder);
        if self.library.list(folder).is_ok() {
            return format!("folder `{shown}` has no `problem.toml`");
        }
        let siblings = self.library.list(self.folder).unwrap_or_default();
        let folders = siblings.iter().filter(|entry| entry.folder);
        let help = nearest(at, folders.map(|entry| entry.name.as_str()));
        format!("there is no folder `{shown}`\n{help}")
    }
}
