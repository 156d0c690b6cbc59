//! `assignment.toml` with its problems.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use grader_model::{AssignmentId, Points};

use super::file::{open, parse};
use super::problem::{finish, load_problem, title};
use crate::diagnostic::{Code, Diagnostic, Loaded, Log};
use crate::library::{Library, LibraryError, join};
use crate::problem::{Assignment, Entry, Problem};
use crate::raw::{Format, RawAssignment, RawEntry};
use crate::reader::{At, Slot};
use crate::suggest::{closest, quoted};

/// Reads the assignment in `folder`, the one with `assignment.toml`, and all its problems. `builtins` are the
/// names of the references that the grader carries.
///
/// All mistakes of all files are reported together.
pub fn load_assignment(
    library: &dyn Library,
    folder: &str,
    builtins: &[&str],
) -> Loaded<Assignment> {
    let path = match join(folder, "assignment.toml") {
        Ok(path) => path,
        // The library refuses the path too, and with the right words.
        Err(_) => format!("{folder}/assignment.toml"),
    };
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    match open(library, &path) {
        Err(diagnostic) => Loaded::new(None, vec![diagnostic]),
        Ok((mut log, _)) => {
            let mut loader = Loader {
                library,
                folder,
                builtins,
                diagnostics: Vec::new(),
                paths: BTreeSet::new(),
                ids: BTreeMap::new(),
            };
            let assignment = loader.build(&mut log);
            let mut diagnostics = finish(log);
            diagnostics.append(&mut loader.diagnostics);
            Loaded::new(assignment, diagnostics)
        }
    }
}

struct Loader<'a> {
    library: &'a dyn Library,
    folder: &'a str,
    builtins: &'a [&'a str],
    /// The mistakes of the problem files.
    diagnostics: Vec<Diagnostic>,
    /// The folders of the problems so far.
    paths: BTreeSet<String>,
    /// The ids of the problems so far, with the paths that brought them.
    ids: BTreeMap<String, String>,
}

impl Loader<'_> {
    fn build(&mut self, log: &mut Log) -> Option<Assignment> {
        let raw: RawAssignment = parse(log)?.value;
        // The problems may name the site's languages.
        if let Some(site) = raw.languages.at()
            && let Err(mistakes) = grader_language::define(&site.value.0)
        {
            for mistake in mistakes {
                log.report(&site.span, Code::BadValue, mistake.to_string());
            }
        }
        let entries = raw.problem.at()?;
        if entries.value.is_empty() {
            let message = "an assignment needs at least one problem";
            log.report(&entries.span, Code::Empty, message);
        }
        let problems: Vec<Option<Entry>> = entries
            .value
            .iter()
            .map(|entry| self.entry(entry, log))
            .collect();
        let Format = raw.format.get()?;
        Some(Assignment {
            id: AssignmentId::new(raw.id.get()?.0.as_str()),
            title: title(&raw.title)?,
            problems: problems.into_iter().collect::<Option<_>>()?,
        })
    }

    fn entry(&mut self, at: &At<RawEntry>, log: &mut Log) -> Option<Entry> {
        let worth = worth(at, log);
        let path = at.value.path.at()?;
        let problem = self.problem(path, log)?;
        if let Some(first) = self.ids.insert(problem.id.to_string(), path.value.clone()) {
            log.report(
                &path.span,
                Code::Duplicate,
                format!(
                    "problem id `{}` stands twice: in {} and in {}",
                    problem.id,
                    quoted(&first),
                    quoted(&path.value)
                ),
            );
        }
        let worth = worth?;
        if worth.points.value != problem.points() {
            log.report(
                &worth.points.span,
                Code::InconsistentPoints,
                format!(
                    "problem `{}` is worth {} points here, but its subtasks make {}",
                    problem.id,
                    worth.points.value,
                    problem.points()
                ),
            );
        }
        Some(Entry {
            problem: Arc::new(problem),
            points: worth.points.value,
            bonus: worth.bonus,
        })
    }

    fn problem(&mut self, at: &At<String>, log: &mut Log) -> Option<Problem> {
        let folder = match join(self.folder, &at.value) {
            Ok(folder) => folder,
            Err(error) => {
                let message = format!("`problem.path` {error}");
                log.report(&at.span, Code::BadPath, message);
                return None;
            }
        };
        if !self.paths.insert(folder.clone()) {
            let message = format!("problem {} stands twice", quoted(&at.value));
            log.report(&at.span, Code::Duplicate, message);
            return None;
        }
        match self.library.read(&format!("{folder}/problem.toml")) {
            Err(LibraryError::NotFound) => {
                self.nothing_there(&folder, at, log);
                None
            }
            Err(LibraryError::Outside) => {
                let message = format!("`problem.path`: {}", LibraryError::Outside);
                log.report(&at.span, Code::BadPath, message);
                None
            }
            // What else cannot be read is reported as a mistake of the problem file.
            Ok(_) | Err(_) => {
                let loaded = load_problem(self.library, &folder, self.builtins);
                self.diagnostics.extend(loaded.diagnostics);
                loaded.value
            }
        }
    }

    fn nothing_there(&self, folder: &str, at: &At<String>, log: &mut Log) {
        let shown = self.library.describe(folder);
        let siblings = self.library.list(self.folder).unwrap_or_default();
        let folders = siblings
            .iter()
            .filter(|entry| entry.folder)
            .map(|entry| entry.name.as_str());
        if self.library.list(folder).is_ok() {
            let message = format!("folder `{shown}` has no `problem.toml`");
            log.report(&at.span, Code::MissingFile, message);
        } else {
            log.report_with(
                &at.span,
                Code::MissingFile,
                format!("there is no folder `{shown}`"),
                closest(&at.value, folders).map(|near| format!("did you mean `{near}`?")),
            );
        }
    }
}

struct WorthHere {
    points: At<Points>,
    bonus: bool,
}

/// What a problem is worth: its points or its bonus.
fn worth(at: &At<RawEntry>, log: &mut Log) -> Option<WorthHere> {
    let RawEntry { points, bonus, .. } = &at.value;
    let here = |at: &At<crate::raw::Worth>, bonus| WorthHere {
        points: At {
            value: at.value.0,
            span: at.span.clone(),
        },
        bonus,
    };
    match (points, bonus) {
        (Slot::Given(points), Slot::Absent) => Some(here(points, false)),
        (Slot::Absent, Slot::Given(bonus)) => Some(here(bonus, true)),
        (Slot::Given(_), Slot::Given(bonus)) => {
            log.report(
                &bonus.span,
                Code::Conflict,
                "`points` and `bonus` of a problem exclude each other",
            );
            None
        }
        (Slot::Absent, Slot::Absent) => {
            log.report(
                &at.span,
                Code::MissingKey,
                "a problem needs `points` or `bonus`",
            );
            None
        }
        (Slot::Broken, _) | (_, Slot::Broken) => None,
    }
}
