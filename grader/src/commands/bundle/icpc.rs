//! A problem as a package of ICPC and Kattis.

use std::collections::BTreeSet;
use std::env;
use std::path::Path;

use anyhow::Context as _;
use grader_kit::statements::{below, is_statement, pictures};
use grader_model::{SourceFile, extension_of};
use grader_package::{ExportOptions, export};
use grader_problem::{Assignment, Entry, Library, MAX_FOLDER_DEPTH, Sample};
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
    options: ExportOptions,
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
    let mut exported = export(problem, samples, &statements, &data, options)
        .map_err(|error| Failure::usage(format!("cannot export `{}`: {error}", problem.id)))?;
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    if !name
        .bytes()
        .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9'))
    {
        let note = format!(
            "rename the folder `{name}`: problemtools wants lower-case letters and digits only"
        );
        exported.notes.insert(note);
    }
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

/// The files of a problem's statements: its Markdown with the pictures that it shows, and what an import has kept.
fn statements(library: &dyn Library, folder: &str) -> anyhow::Result<Vec<SourceFile>> {
    let mut paths = BTreeSet::new();
    for entry in library.list(folder)? {
        match (entry.folder, &*entry.name) {
            (true, "statement") => files_below(library, folder, "statement", &mut paths)?,
            (false, name) if is_statement(name) => {
                paths.insert(name.to_owned());
            }
            _ => {}
        }
    }
    let read = |path: &String| {
        let bytes = library.read(&below(folder, path));
        bytes.with_context(|| format!("cannot read `{path}`"))
    };
    for path in paths
        .clone()
        .iter()
        .filter(|path| extension_of(path) == "md")
    {
        let text = String::from_utf8_lossy(&read(path)?).into_owned();
        let beside = pictures(&text).into_iter().map(|(_, picture)| picture);
        paths.extend(beside.filter(|it| library.read(&below(folder, it)).is_ok()));
    }
    let files = paths.into_iter().map(|path| {
        let bytes = read(&path)?;
        Ok(SourceFile::new(path, bytes))
    });
    files.collect()
}

/// Adds the paths of all files below a folder of the problem.
fn files_below(
    library: &dyn Library,
    problem: &str,
    folder: &str,
    paths: &mut BTreeSet<String>,
) -> anyhow::Result<()> {
    if folder.split('/').count() > MAX_FOLDER_DEPTH {
        let message = format!("`{folder}`: folders are nested more than {MAX_FOLDER_DEPTH} deep");
        return Err(Failure::usage(message).into());
    }
    for entry in library.list(&below(problem, folder))? {
        let path = format!("{folder}/{}", entry.name);
        if entry.folder {
            files_below(library, problem, &path, paths)?;
        } else {
            paths.insert(path);
        }
    }
    Ok(())
}
