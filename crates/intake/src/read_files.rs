//! Files that are named on the command line.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use grader_lms::Part;
use grader_model::{FaultCause, ProblemId, SourceFile, Text, UnusedFile, text};
use grader_problem::{Assignment, Problem, SubmissionKind};

use crate::around::around;
use crate::error::IntakeError;
use crate::junk::is_archive;
use crate::listing::Entry;
use crate::name::{meant, shown};
use crate::notebook::{self, MAX_NOTEBOOK};
use crate::outputs::expected_name;
use crate::own_tests::test_name;
use crate::pattern::{Patterns, described_extensions, quoted};
use crate::program::{Kind, is_notebook, is_text};
use crate::reason;
use crate::student::read_work;
use crate::submission::Submission;
use crate::tree::File;
use crate::unreadable::Unreadable;

/// What was named on the command line.
#[derive(Clone, Debug, Default)]
pub struct NamedFiles {
    /// What is judged.
    pub submissions: BTreeMap<ProblemId, Submission>,
    /// Files of the one folder that are not judged, and why.
    pub unused: Vec<UnusedFile>,
    /// What whoever named them is to know.
    pub notes: Vec<Text>,
}

/// Reads the files, or the one folder, that somebody wants judged.
///
/// Each file goes to the `problem` that is named, or else to the one that its name fits; several for one problem are one
/// submission of several files. If all that fit anything fit the same problem, the others belong to it too
/// (`count.c util.c util.h`). A source that is named alone takes along what it needs of its project. The folder is read as one in a student's folder. If it is named for one of several problems, it is
/// read as one that has the problem's name.
///
/// # Errors
/// If something named does not exist, cannot be read, is neither a regular file nor the one folder, fits no problem, is
/// no source file of an accepted language, or is too large.
pub fn read_files(
    paths: &[PathBuf],
    assignment: &Assignment,
    problem: Option<&ProblemId>,
) -> Result<NamedFiles, IntakeError> {
    let patterns = &Patterns::new(assignment);
    let find = |id| patterns.find(id).ok_or_else(|| reason::unknown_problem(id));
    let named = problem.map(find);
    // If there is only one problem, nobody has to name it.
    let given = named.transpose()?.or((patterns.len() == 1).then_some(0));
    let mut files = Vec::new();
    let mut places = paths.to_vec();
    while files.len() < places.len() {
        let location = &places[files.len()];
        let failed = |error| IntakeError::of(location, &error);
        // Links are followed here: whoever types the command may read what they point to.
        let data = fs::metadata(location).map_err(failed)?;
        // `.` and `..` have their name elsewhere.
        let whole = fs::canonicalize(location).map_err(failed)?;
        let name = location.file_name().or_else(|| whole.file_name());
        let name = name.map(|it| shown(&meant(it))).unwrap_or_default();
        let path = shown(location.as_os_str());
        if data.is_dir() && paths.len() == 1 {
            let path = path.trim_end_matches('/').to_owned();
            return in_folder(location, name, path, given, patterns);
        }
        // Opening a pipe would wait for a writer.
        if !data.is_file() {
            return Err(reason::not_a_file(&path).into());
        }
        let problem = given.or_else(|| Some(patterns.best(&name)?.0));
        let file = File {
            name,
            path,
            location: Ok(location.clone()),
            size: data.len(),
        };
        files.push((problem, file));
        let kind = problem.map(|it| patterns.problem(it).submission.kind);
        if matches!(kind, Some(SubmissionKind::Tests(_))) {
            let answers: Vec<_> = answers(location).collect();
            let new = answers.into_iter().filter(|it| !paths.contains(it));
            places.extend(new);
        }
    }
    let fitting: BTreeSet<usize> = files.iter().filter_map(|(problem, _)| *problem).collect();
    let only = fitting.first().copied().filter(|_| fitting.len() == 1);
    let mut parts: BTreeMap<usize, Vec<File>> = BTreeMap::new();
    for (problem, file) in files {
        let Some(problem) = problem.or(only) else {
            return Err(IntakeError::NoProblem(file.path));
        };
        parts.entry(problem).or_default().push(file);
    }
    let (mut submissions, mut notes) = (BTreeMap::new(), Vec::new());
    for (index, files) in parts {
        let whole = match &files[..] {
            [file] if paths.len() == 1 => around(file, index, patterns)?,
            _ => None,
        };
        let submission = match whole {
            Some(submission) => submission,
            None => together(&files, patterns, index, problem.is_some(), &mut notes)?,
        };
        submissions.insert(patterns.problem(index).id.clone(), submission);
    }
    Ok(NamedFiles {
        submissions,
        unused: Vec::new(),
        notes,
    })
}

/// The submissions in a folder.
fn in_folder(
    location: &Path,
    name: String,
    path: String,
    problem: Option<usize>,
    patterns: &Patterns,
) -> Result<NamedFiles, IntakeError> {
    let problem = problem.map(|problem| patterns.problem(problem));
    let named = problem.filter(|_| patterns.len() > 1);
    let part = Part {
        entry: 0,
        path: path.clone(),
        name: named.map_or(name, |problem| problem.id.to_string()),
    };
    let entries = [Entry::whole(location)];
    let mut work = read_work(&entries, &[part], patterns, None, &[]);
    if let Some(why) = work.undecided.filter(|_| work.submissions.is_empty()) {
        return Err(text!("`{path}`: {why}", "`{path}`：{why}", why).into());
    }
    if let Some(problem) = problem {
        work.submissions.retain(|id, _| *id == problem.id);
        work.faults.retain(|id, _| *id == problem.id);
    }
    if let Some((_, unreadable)) = work.faults.pop_first() {
        return Err(unreadable.reason.into());
    }
    match problem {
        _ if !work.submissions.is_empty() => Ok(NamedFiles {
            submissions: work.submissions,
            unused: work.unused,
            notes: work.notes,
        }),
        Some(problem) => Err(no_sources(&path, problem)),
        None => Err(IntakeError::NoProblem(path)),
    }
}

/// One submission of several files for the problem at this place, which may be asked for.
fn together(
    files: &[File],
    patterns: &Patterns,
    index: usize,
    is_asked: bool,
    notes: &mut Vec<Text>,
) -> Result<Submission, IntakeError> {
    let problem = patterns.problem(index);
    let rule = &problem.submission;
    let outputs = patterns.outputs(index);
    let (mut sources, mut names) = (Vec::new(), HashSet::new());
    let mut left = rule.size.0;
    for file in files {
        let output = match rule.kind {
            SubmissionKind::Tests(_) => Some(test_name(&file.name).map(|_| &file.name)),
            _ => outputs.map(|names| expected_name(names, &file.name)),
        };
        let is_possible = match patterns.kind(&file.name) {
            _ if let Some(name) = output => name.is_some(),
            kind @ Kind::Source(_) => kind.is_accepted(&rule.languages),
            Kind::Header => true,
            // What cannot be read is reported below.
            Kind::Other => !is_archive(&file.name) && is_text(file).unwrap_or(true),
        };
        if !is_possible {
            return Err(no_sources(&file.path, problem));
        }
        let by_name = output.is_none() && is_notebook(&file.name, b"");
        let most = if by_name { MAX_NOTEBOOK } else { left };
        let bytes = file.read(most).map_err(|unreadable| unreadable.reason)?;
        let too_large = || reason::submission_too_large(&problem.id, rule.size);
        let bytes = bytes.or_else(|| by_name.then(Vec::new));
        let bytes = bytes.ok_or_else(too_large)?;
        let source = if let Some(name) = output.flatten() {
            SourceFile::new(name.as_str(), bytes)
        } else if is_notebook(&file.name, &bytes) {
            notes.push(reason::notebook_judged(&file.path));
            let is_named = is_asked || patterns.is_notebook_for(index, &file.name);
            let (at, is_known) = ((&*file.name, file.size), [is_named, files.len() == 1]);
            notebook::source(at, &bytes, problem, is_known)
                .map_err(|why| Unreadable::at(&file.path, FaultCause::Unreadable, why).reason)?
        } else {
            SourceFile::new(file.name.as_str(), bytes)
        };
        let size = source.bytes.len() as u64;
        left = left.checked_sub(size).ok_or_else(too_large)?;
        if !names.insert(source.path.clone()) {
            return Err(reason::same_name(&problem.id, &source.path).into());
        }
        sources.push(source);
    }
    if let SubmissionKind::Tests(most) = rule.kind {
        check_tests(&sources, most, problem)?;
    }
    let language = problem.language_of(&sources);
    let language = language.map(|language| language.id);
    let is_source = |file: &File| patterns.kind(&file.name).is_source();
    let is_program = language.is_some_and(|language| rule.languages.contains(&language));
    if !is_program && !files.iter().any(is_source) {
        return Err(no_sources(&files[0].path, problem));
    }
    let shown = files.iter().map(|file| file.path.clone()).collect();
    Ok(Submission::in_memory(sources, shown, language))
}

/// Fails if these are no tests, too many, or one has two answers.
fn check_tests(files: &[SourceFile], most: u32, problem: &Problem) -> Result<(), IntakeError> {
    let (mut names, mut inputs) = (HashSet::new(), 0);
    for file in files {
        let name = test_name(&file.path);
        inputs += usize::from(matches!(name, Some((_, true))));
        if !names.insert(name) {
            return Err(reason::same_name(&problem.id, &file.path).into());
        }
    }
    let path = files.first().map_or("", |it| &it.path);
    if inputs == 0 {
        return Err(no_sources(path, problem));
    }
    if inputs > most as usize {
        let why = reason::too_many_tests(inputs, most);
        return Err(Unreadable::at(path, FaultCause::Unreadable, why)
            .reason
            .into());
    }
    Ok(())
}

/// The answers that lie beside an input.
fn answers(location: &Path) -> impl Iterator<Item = PathBuf> + use<'_> {
    let name = location.file_name().map(OsStr::to_string_lossy);
    let is_input = name.is_some_and(|it| matches!(test_name(&it), Some((_, true))));
    let all = ["ans", "out"].map(|it| location.with_extension(it));
    all.into_iter().filter(move |it| is_input && it.is_file())
}

fn no_sources(path: &str, problem: &Problem) -> IntakeError {
    if problem.submission.kind != SubmissionKind::Program {
        let names = quoted(&problem.submission.files);
        return reason::no_output(path, &names).into();
    }
    let accepted = described_extensions(problem);
    reason::no_sources(path, &accepted).into()
}
