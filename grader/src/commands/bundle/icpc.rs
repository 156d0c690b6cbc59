//! A problem as a package of ICPC and Kattis.

use std::env;
use std::path::Path;

use anyhow::Context as _;
use grader_kit::statements::below;
use grader_package::export;
use grader_problem::{Assignment, Entry, Library, Sample};
use grader_session::{Exit, Failure, known_problem};

use crate::assignment::assignments;
use crate::commands::package_folder::write_package;
use crate::isolation::IsolationArgs;
use crate::judge;
use crate::targets::check_new_folder;
use crate::terminal::Terminal;

/// Writes the package.
pub(super) fn write(
    output: &Path,
    assignment: Option<&str>,
    problem: Option<&str>,
    isolation: &IsolationArgs,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    check_new_folder(output)?;
    // The problem around this folder is meant, also in an assignment with others.
    let here = (assignment, problem) == (None, None);
    let here = here.then(problem_here).flatten();
    let place = assignments().find_with_problem(here.as_deref().or(assignment))?;
    let (assignment, samples) = place.load_with_samples(terminal)?;
    let (entry, samples) = chosen(problem, &assignment, &samples)?;
    let problem = &*entry.problem;
    let (judge, stop) = judge::of_author(isolation, None, false, None, terminal)?;
    let data = judge.test_data(problem);
    if stop.is_requested() {
        return Ok(Exit::Interrupted);
    }
    let data = data?;
    let statements = statements(place.library.as_ref(), &problem.folder)?;
    let exported = export(problem, samples, &statements, &data)
        .map_err(|error| Failure::usage(format!("cannot export `{}`: {error}", problem.id)))?;
    let files = exported.files.iter();
    let files = files.map(|(path, bytes)| Ok((path.as_str(), bytes.clone())));
    let heading = "Changes from the problem";
    write_package(output, files, heading, &exported.notes, terminal)
}

/// The problem in whose folder this is: the nearest above that has a `problem.toml`, unless an assignment is nearer.
fn problem_here() -> Option<String> {
    let here = env::current_dir().ok()?;
    let has = |folder: &Path, name: &str| folder.join(name).is_file();
    let mut above = here.ancestors().enumerate();
    let (up, folder) =
        above.find(|(_, it)| has(it, "assignment.toml") || has(it, "problem.toml"))?;
    let is_problem = !has(folder, "assignment.toml");
    is_problem.then(|| format!("./{}", "../".repeat(up)))
}

/// The problem that is named, else the only one, with its samples.
fn chosen<'a>(
    name: Option<&str>,
    assignment: &'a Assignment,
    samples: &'a [Vec<Sample>],
) -> anyhow::Result<(&'a Entry, &'a [Sample])> {
    let mut all = assignment.problems.iter().zip(samples);
    let found = match name {
        Some(id) => {
            known_problem(id, &assignment.info())?;
            all.find(|(entry, _)| entry.problem.id.as_str() == id)
        }
        None if assignment.problems.len() > 1 => {
            let ids = assignment.problems.iter().map(|it| it.problem.id.as_str());
            let ids = ids.collect::<Vec<_>>().join("`, `");
            let message = format!("a package holds one problem: name it with `-p`: `{ids}`");
            return Err(Failure::usage(message).into());
        }
        None => all.next(),
    };
    let (entry, samples) = found.context("the assignment has no problem")?;
    Ok((entry, samples))
}

/// The texts of `statement.en.md` and `statement.zh.md`, with their languages.
fn statements(library: &dyn Library, folder: &str) -> anyhow::Result<Vec<(String, String)>> {
    let entries = library.list(folder)?;
    let mut found = Vec::new();
    for language in ["en", "zh"] {
        let name = format!("statement.{language}.md");
        if entries.iter().any(|it| it.name == name) {
            let bytes = library.read(&below(folder, &name))?;
            let text = String::from_utf8(bytes).with_context(|| format!("cannot read `{name}`"))?;
            found.push((language.to_owned(), text));
        }
    }
    Ok(found)
}
