//! `assignment.toml` with its problems.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::sync::Arc;

use grader_language::Languages;
use grader_model::{AssignmentId, Deadline, HiddenUntil, Points};

use crate::diagnostic::{Diagnostic, Loaded, Log, loaded};
use crate::exclusive::check_entry;
use crate::file::{AssignmentFile, EntryFile};
use crate::library::{Library, below, join};
use crate::parse::parse;
use crate::problem::{Assignment, Entry, Problem};
use crate::suggest::{did_you_mean, quoted};
use crate::validate::load_problem;
use crate::value::{At, Worth};

/// Reads the assignment in `folder`, which contains `assignment.toml`, and all its problems. `builtins` has the names
/// of the references built into the grader.
///
/// # Errors
/// The mistakes in all files.
pub fn load_assignment(
    library: &dyn Library,
    folder: &str,
    builtins: &[&str],
) -> Loaded<Assignment> {
    let (mut log, file) = parse::<AssignmentFile>(library, &below(folder, "assignment.toml"))?;
    let languages = languages(&file, &mut log);
    let deadline = file.deadline.as_ref().map(|it| it.validated(&mut log));
    if file.problem.is_empty() {
        let message = "an assignment needs at least one problem";
        log.report(&file.problem.span, message);
    }
    let mut mistakes = Vec::new();
    let mut problems: Vec<Entry> = Vec::new();
    let mut paths = BTreeMap::new();
    for at in &file.problem.value {
        let path = &at.path;
        let worth = worth(at, &mut log);
        let problem = match problem(library, folder, path, builtins, &languages, &mut log) {
            Ok(problem) => problem,
            Err(of_file) => {
                mistakes.extend(of_file);
                continue;
            }
        };
        if let Some(first) = paths.insert(problem.id.clone(), path.as_str()) {
            let (first, second) = (quoted(first), quoted(path));
            let message = format!(
                "problem id `{}` is used twice: in {first} and in {second}",
                problem.id
            );
            log.report(&path.span, &message);
            continue;
        }
        let mut until = problem.subtasks.iter().map(|it| it.hidden_until);
        if deadline.is_none() && until.any(|it| it == Some(HiddenUntil::Due)) {
            let message = format!(
                "problem `{}` hides cases until the deadline, but there is none\nadd `[deadline]`",
                problem.id
            );
            log.report(&path.span, &message);
        }
        problems.extend(worth.map(|worth| entry(worth, at, problem, &mut log)));
    }
    mistakes.append(&mut log.mistakes);
    let assignment = Assignment {
        id: AssignmentId::new(file.id.0),
        title: file.title.0,
        problems,
        languages,
        deadline,
    };
    loaded(Some(assignment), mistakes)
}

/// Reads the id and the deadline of the assignment in `folder`, and none of its problems.
///
/// # Errors
/// The mistakes in its file.
pub fn load_deadline(
    library: &dyn Library,
    folder: &str,
) -> Loaded<(AssignmentId, Option<Deadline>)> {
    let (mut log, file) = parse::<AssignmentFile>(library, &below(folder, "assignment.toml"))?;
    let deadline = file.deadline.as_ref().map(|it| it.validated(&mut log));
    loaded(Some((AssignmentId::new(file.id.0), deadline)), log.mistakes)
}

/// Loads the languages of the assignment in `folder`, for a problem that is loaded separately.
///
/// # Errors
/// The mistakes in its file.
pub fn load_languages(library: &dyn Library, folder: &str) -> Loaded<Languages> {
    let (mut log, file) = parse::<AssignmentFile>(library, &below(folder, "assignment.toml"))?;
    let languages = languages(&file, &mut log);
    loaded(Some(languages), log.mistakes)
}

/// The languages of the assignment. If its own have mistakes, reports them and returns only the built-in ones.
fn languages(file: &AssignmentFile, log: &mut Log) -> Languages {
    let Some(changes) = &file.languages else {
        return Languages::built_in();
    };
    Languages::with(changes).unwrap_or_else(|mistakes| {
        for mistake in mistakes {
            log.report(&changes.span, &mistake);
        }
        Languages::built_in()
    })
}

/// The points of a problem. If the entry has none, reports that and returns `None`.
fn worth<'a>(at: &'a At<EntryFile>, log: &mut Log) -> Option<&'a At<Worth>> {
    check_entry(at, log);
    let worth = at.points.as_ref().or(at.bonus.as_ref());
    if worth.is_none() {
        log.report(&at.span, "a problem needs `points` or `bonus`");
    }
    worth
}

fn entry(worth: &At<Worth>, at: &EntryFile, problem: Problem, log: &mut Log) -> Entry {
    // In a kit, all points may be in hidden cases.
    if worth.0 == Points::ZERO && at.hidden.is_none() {
        log.report(&worth.span, "points must be more than 0, found `0`");
    } else if worth.0 != problem.points() {
        let message = format!(
            "problem `{}` is worth {} points here, but its subtasks make {}",
            problem.id,
            worth.0,
            problem.points()
        );
        log.report(&worth.span, &message);
    }
    Entry {
        problem: Arc::new(problem),
        points: worth.0,
        bonus: at.bonus.is_some(),
        hidden: at.hidden.map_or(Points::ZERO, |worth| worth.0),
    }
}

/// The problem in a folder of the assignment, or its mistakes. Reports if there is no problem.
fn problem(
    library: &dyn Library,
    folder: &str,
    at: &At<String>,
    builtins: &[&str],
    languages: &Languages,
    log: &mut Log,
) -> Result<Problem, Vec<Diagnostic>> {
    let message = match join(folder, at) {
        Err(message) => message.to_owned(),
        Ok(path) => match library.read(&below(&path, "problem.toml")) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let shown = library.describe(&path);
                if library.list(&path).is_ok() {
                    format!("folder `{shown}` has no `problem.toml`")
                } else {
                    let siblings = library.list(folder).unwrap_or_default();
                    let folders = siblings.iter().filter(|entry| entry.folder);
                    let help = did_you_mean(at, folders.map(|it| it.name.as_str()), "folder");
                    format!("there is no folder `{shown}`\n{help}")
                }
            }
            // Other errors are reported as mistakes of the problem file.
            _ => return load_problem(library, &path, builtins, languages),
        },
    };
    log.report(&at.span, &message);
    Err(Vec::new())
}
