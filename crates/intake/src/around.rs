//! The project around one file that somebody names: what `grade` would take with it, if the student submitted the folder.

use std::fs;
use std::path::{Path, PathBuf};

use grader_lms::Part;
use grader_model::{folder_of, is_below};

use crate::error::IntakeError;
use crate::junk::{is_environment, junk};
use crate::listing::Entry;
use crate::name::{meant, shown};
use crate::pattern::Patterns;
use crate::student::read_work;
use crate::submission::Submission;
use crate::tree::{ASSIGNMENT, File, PROBLEM};

/// Most files and folders around the file: a home folder is no project.
const MAX_ENTRIES: usize = 1000;
/// Most folders above the file's own that can be the project's.
const MAX_LEVELS: usize = 6;
/// What lies at the top of a project.
const AT_THE_TOP: [&str; 15] = [
    ASSIGNMENT,
    PROBLEM,
    ".git",
    ".idea",
    ".project",
    ".vscode",
    "CMakeLists.txt",
    "Makefile",
    "build.gradle",
    "build.gradle.kts",
    "go.mod",
    "package.bluej",
    "package.json",
    "pom.xml",
    "pyproject.toml",
];

/// The submission of a file with the other files of its project. `None` if it needs none: then it is judged alone.
///
/// # Errors
/// If `grade` would not score it.
pub(crate) fn around(
    file: &File,
    problem: usize,
    patterns: &Patterns,
) -> Result<Option<Submission>, IntakeError> {
    let rule = &patterns.problem(problem).submission;
    let is_source = patterns.kind(&file.name).is_accepted(&rule.languages);
    let is_link = |it: &Path| fs::symlink_metadata(it).is_ok_and(|it| it.is_symlink());
    let location = file.location.as_ref().ok();
    let location = location.filter(|it| file.size <= rule.size.0 && !is_link(it));
    let whole = location.and_then(|it| fs::canonicalize(it).ok());
    let Some(whole) = whole.filter(|_| is_source && rule.project != Some(false)) else {
        return Ok(None);
    };
    let Some(root) = root(file, &whole, rule.size.0) else {
        return Ok(None);
    };
    let names = whole
        .strip_prefix(&root)
        .unwrap_or(&whole)
        .iter()
        .map(|it| shown(&meant(it)));
    let path = names.collect::<Vec<_>>().join("/");
    let part = Part {
        entry: 0,
        path: String::new(),
        name: String::new(),
    };
    let mut work = read_work(
        &[Entry::whole(&root)],
        &[part],
        patterns,
        None,
        &[(problem, &path)],
    );
    let id = &patterns.problem(problem).id;
    if let Some(unreadable) = work.faults.remove(id) {
        return Err(unreadable.reason.into());
    }
    let found = work.submissions.remove(id);
    let found = found.filter(|it| it.shown.len() > 1 && it.shown.contains(&path));
    let typed = |it: &String| as_typed(folder_of(&file.path), folder_of(&path), it);
    Ok(found.map(|it| Submission {
        shown: it.shown.iter().map(typed).collect(),
        ..it
    }))
}

/// The folder of the project that a file belongs to: the highest of its own, the one that says that it is a project's, the one
/// above `src`, above its package, and above what it names with `../`; but none that holds too much.
fn root(file: &File, whole: &Path, most: u64) -> Option<PathBuf> {
    let above: Vec<&Path> = whole.ancestors().skip(1).take(MAX_LEVELS + 1).collect();
    let is_top = |folder: &&Path| AT_THE_TOP.iter().any(|it| folder.join(it).exists());
    let top = above.iter().position(is_top).unwrap_or(0);
    let is_sources = |folder: &&Path| folder.file_name().is_some_and(|it| it == "src");
    let sources = above.iter().position(is_sources).map_or(0, |it| it + 1);
    let text = file.read(most).ok().flatten().unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let upwards = text.lines().map(|line| line.matches("../").count()).max();
    let is_package = |folder: &&&Path| folder.join("__init__.py").exists();
    let packages = above.iter().take_while(is_package).count();
    // `package edu.ds;` in `edu/ds`
    let mut lines = text.lines().map(str::trim);
    let package = lines.find_map(|it| it.strip_prefix("package ")?.strip_suffix(';'));
    let parts = package.unwrap_or_default().rsplit('.').zip(&above);
    let is_part = |(part, folder): &(&str, &&Path)| folder.ends_with(part.trim());
    let parts = parts.take_while(is_part).count();
    let highest = [top, sources, upwards.unwrap_or(0), packages, parts]
        .into_iter()
        .max()?;
    let mut levels = above.into_iter().take(highest + 1).rev();
    let root = levels.find(|it| is_small(it, &mut { MAX_ENTRIES }))?;
    Some(root.to_owned())
}

/// Whether a folder holds no more than so many entries that intake would look at.
fn is_small(folder: &Path, left: &mut usize) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    for entry in entries.flatten() {
        let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let is_passed = junk(&shown(&entry.file_name()), is_folder).is_some();
        let is_read = is_folder && !is_passed && !is_environment(&entry.path());
        if is_read && !is_small(&entry.path(), left) {
            return false;
        }
    }
    true
}

/// A path from the project's folder as a path from where the command was typed: `typed` is the folder of the file there, `own` its
/// folder in the project.
fn as_typed(typed: &str, mut own: &str, path: &str) -> String {
    let mut folder = PathBuf::from(typed);
    while !is_below(path, own) {
        own = folder_of(own);
        if folder.file_name().is_none() || !folder.pop() {
            folder.push("..");
        }
    }
    let rest = path[own.len()..].trim_start_matches('/');
    folder.join(rest).to_string_lossy().into_owned()
}
