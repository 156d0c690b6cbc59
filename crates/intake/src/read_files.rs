//! Files that are named on the command line.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use grader_model::{ProblemId, SourceFile};
use grader_problem::Assignment;

use crate::error::IntakeError;
use crate::junk::is_archive;
use crate::name::shown;
use crate::pattern::{Patterns, described_extensions};
use crate::program::{Kind, Recognise, is_text};
use crate::student::{Work, read_folder};
use crate::submission::Submission;
use crate::tree::File;

/// Reads the files, or folders, that somebody wants judged.
///
/// Each file goes to the `problem` that is named, or else to the one that its name fits; several for one problem are one
/// submission of several files. If all that fit anything fit the same problem, the others belong to it too
/// (`count.c util.c util.h`). A folder is read as one in a student's folder, or, if the problem is named, as one that has
/// the problem's name. `recognise` recognises programs by their contents.
///
/// # Errors
/// If something named does not exist, cannot be read, fits no problem, is no source file of an accepted language, or
/// is too large.
pub fn read_files(
    paths: &[PathBuf],
    assignment: &Assignment,
    problem: Option<&ProblemId>,
    recognise: Recognise<'_>,
) -> Result<BTreeMap<ProblemId, Submission>, IntakeError> {
    let patterns = &Patterns::new(assignment);
    if paths.is_empty() {
        return Err(IntakeError::NoFiles);
    }
    let given = match problem {
        Some(id) => Some(
            patterns
                .find(id)
                .ok_or_else(|| IntakeError::UnknownProblem {
                    id: id.clone(),
                    known: patterns.ids(),
                })?,
        ),
        // If there is only one problem, nobody has to name it.
        None => (patterns.len() == 1).then_some(0),
    };
    let mut submissions = BTreeMap::new();
    let mut files = Vec::new();
    for location in paths {
        let failed = |error| IntakeError::of(location, error);
        // Links are followed here: whoever types the command may read what they point to.
        let data = fs::metadata(location).map_err(failed)?;
        // `.` and `..` have their name elsewhere.
        let whole = fs::canonicalize(location).map_err(failed)?;
        let name = location.file_name().or_else(|| whole.file_name());
        let name = name.map(shown).unwrap_or_default();
        let path = shown(location.as_os_str());
        if data.is_dir() {
            let path = path.trim_end_matches('/').to_owned();
            let found = in_folder(location, name, path, given, (patterns, recognise))?;
            for (id, submission) in found {
                // What was named first counts.
                submissions.entry(id).or_insert(submission);
            }
            continue;
        }
        let problem = given.or_else(|| Some(patterns.best(&name)?.0));
        let file = File {
            name,
            path,
            location: Ok(location.clone()),
            size: data.len(),
        };
        files.push((problem, file));
    }
    let fitting: BTreeSet<usize> = files.iter().filter_map(|(problem, _)| *problem).collect();
    let only = fitting.first().copied().filter(|_| fitting.len() == 1);
    let mut parts: BTreeMap<usize, Vec<File>> = BTreeMap::new();
    for (problem, file) in files {
        let Some(problem) = problem.or(only) else {
            return Err(no_problem(file.path, patterns));
        };
        parts.entry(problem).or_default().push(file);
    }
    for (problem, files) in parts {
        let submission = together(&files, problem, patterns, recognise)?;
        submissions.insert(patterns.problem(problem).id.clone(), submission);
    }
    Ok(submissions)
}

/// The submissions in a folder.
fn in_folder(
    location: &Path,
    name: String,
    path: String,
    problem: Option<usize>,
    (patterns, recognise): (&Patterns, Recognise<'_>),
) -> Result<BTreeMap<ProblemId, Submission>, IntakeError> {
    let id = problem.map(|problem| &patterns.problem(problem).id);
    let name = id.map_or(name, ToString::to_string);
    let Work {
        mut submissions,
        mut faults,
        undecided,
        ..
    } = read_folder(location, name, &path, patterns, recognise);
    if let Some(id) = id {
        submissions.retain(|found, _| found == id);
        faults.retain(|found, _| found == id);
    }
    if let Some((_, unreadable)) = faults.pop_first() {
        return Err(IntakeError::Unusable(unreadable.reason.en));
    }
    if !submissions.is_empty() {
        return Ok(submissions);
    }
    Err(match (undecided, problem) {
        (Some(reason), _) => IntakeError::Unusable(format!("`{path}`: {}", reason.en)),
        (None, Some(problem)) => no_sources(path, problem, patterns),
        (None, None) => no_problem(path, patterns),
    })
}

/// One submission of several files.
fn together(
    files: &[File],
    problem: usize,
    patterns: &Patterns,
    recognise: Recognise<'_>,
) -> Result<Submission, IntakeError> {
    let rule = patterns.problem(problem);
    let languages = &rule.submission.languages;
    let (mut sources, mut names) = (Vec::new(), HashSet::new());
    let mut left = rule.submission.size.0;
    for file in files {
        let is_possible = match Kind::of(&file.name) {
            kind @ Kind::Source(_) => kind.is_accepted(languages),
            Kind::Header => true,
            // What cannot be read is reported below.
            Kind::Other => !is_archive(&file.name) && is_text(file).unwrap_or(true),
        };
        if !is_possible {
            return Err(no_sources(file.path.clone(), problem, patterns));
        }
        if !names.insert(&file.name) {
            return Err(IntakeError::SameName {
                problem: rule.id.clone(),
                name: file.name.clone(),
            });
        }
        let bytes = file.read(left);
        let bytes = bytes.map_err(|unreadable| IntakeError::Unusable(unreadable.reason.en))?;
        let bytes = bytes.ok_or_else(|| IntakeError::TooLarge {
            problem: rule.id.clone(),
            most: rule.submission.size,
        })?;
        left -= bytes.len() as u64;
        sources.push(SourceFile::new(file.name.as_str(), bytes));
    }
    let language = recognise(&sources);
    let is_source = |file: &&File| Kind::of(&file.name).is_source();
    let is_program = language.is_some_and(|language| languages.contains(&language));
    if !is_program && files.iter().find(is_source).is_none() {
        return Err(no_sources(files[0].path.clone(), problem, patterns));
    }
    let shown = files.iter().map(|file| file.path.clone()).collect();
    Ok(Submission::in_memory(sources, shown, language))
}

fn no_problem(path: String, patterns: &Patterns) -> IntakeError {
    IntakeError::NoProblem {
        path,
        expected: patterns.described(),
    }
}

fn no_sources(path: String, problem: usize, patterns: &Patterns) -> IntakeError {
    let languages = &patterns.problem(problem).submission.languages;
    IntakeError::NoSources {
        path,
        accepted: described_extensions(languages),
    }
}
