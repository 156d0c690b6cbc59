//! The problems that files are for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use grader_intake::{IntakeError, NamedFiles, Submission, read_files};
use grader_model::{ProblemId, Text, UnusedFile, listed};
use grader_problem::{Assignment, Entry, Problem};
use grader_session::{Failure, Location, did_you_mean, shown};

use crate::assignment;
use crate::terminal::Terminal;

type Submissions = BTreeMap<ProblemId, Submission>;

/// A program, and what it is for.
#[derive(Debug, Args)]
pub(crate) struct ProgramArgs {
    /// Source files, or one folder that holds them. One file takes along what it needs of its project.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Problem [default: the one that matches the file name].
    #[arg(long, short, value_name = "ID")]
    problem: Option<String>,
    /// Whose values to use, if each student has values of their own: the id that `grade` shows, or the team's name.
    #[arg(long, value_name = "ID", hide_short_help = true)]
    student: Option<String>,
    #[arg(long, short, value_name = "ID|PATH", help = assignment::help("here or above, else all bundled"), long_help = assignment::long_help("the one in this folder or above it, else all bundled ones"))]
    assignment: Option<String>,
}

/// The assignment that the files belong to, and where it is: the one named, else the first that has a problem for them.
pub(crate) fn choose(
    args: &ProgramArgs,
    terminal: &Terminal,
) -> anyhow::Result<(Assignment, Submissions, Location)> {
    let mut locations = match &args.assignment {
        Some(name) => vec![assignment::assignments().find(name)?],
        None => assignment::assignments().nearest_or_bundled()?,
    };
    locations.sort_by_key(|location| location.folder != assignment::USUAL);
    let mut assignments = Vec::new();
    for location in locations {
        assignments.push((location.load(terminal)?, location));
    }
    let (mut known, mut list) = (Vec::new(), Vec::new());
    for (assignment, _) in &assignments {
        let ids = assignment.problems.iter();
        let ids: Vec<String> = ids.map(|entry| entry.problem.id.to_string()).collect();
        list.push(format!("\n  {}: {}", assignment.id, ids.join(", ")));
        known.extend(ids);
    }
    let list = list.concat();
    let unknown = |name: &str, en: String, zh: String| {
        let near = did_you_mean(name, known.iter().map(String::as_str));
        Failure::mistake(Text::new(
            format!(
                "{en}{}\nspecify the problem with `--problem`:{list}",
                near.en
            ),
            format!("{zh}{}\n请用 `--problem` 指定题目：{list}", near.zh),
        ))
    };
    let problem = args.problem.as_ref().map(ProblemId::new);
    if let Some(id) = &problem {
        assignments.retain(|(it, _)| it.problems.iter().any(|it| it.problem.id == *id));
        if assignments.is_empty() {
            let (en, zh) = (
                format!("there is no problem `{id}`"),
                format!("没有题目 `{id}`"),
            );
            return Err(unknown(id.as_str(), en, zh).into());
        }
    }
    let (mut failed, mut unmatched) = (None, String::new());
    for (mut assignment, location) in assignments {
        let own = own_files(&args.files, &assignment);
        let files = own.as_deref().unwrap_or(&args.files);
        match read_files(files, &assignment, problem.as_ref()) {
            Ok(read) => {
                let is_read = |it: &&mut Entry| read.submissions.contains_key(&it.problem.id);
                for entry in assignment.problems.iter_mut().filter(is_read) {
                    *entry = assignment::of_student(entry, args.student.as_deref())?;
                }
                match &args.files[..] {
                    [file] if file.is_file() => say_taken(file, &read, terminal),
                    [folder] if folder.is_dir() => say_unused(&read, terminal),
                    _ => {}
                }
                for Text { en, zh } in read.notes {
                    terminal.note(en, zh);
                }
                return Ok((assignment, read.submissions, location));
            }
            Err(IntakeError::NoProblem(path)) => unmatched = path,
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    if let Some(error) = failed {
        return Err(error.into());
    }
    let name = unmatched.rsplit('/').next().unwrap_or(&unmatched);
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let en = format!("`{unmatched}` matches no problem");
    let zh = format!("`{unmatched}` 与任何题目都不对应");
    Err(unknown(stem, en, zh).into())
}

/// Says why files of a folder are not judged. Which ones are is in the report.
fn say_unused(read: &NamedFiles, terminal: &Terminal) {
    let (files, more) = listed(&read.unused);
    for UnusedFile { path, reason, .. } in files {
        terminal.note(
            format!("`{path}`: {}", reason.en),
            format!("`{path}`：{}", reason.zh),
        );
    }
    if let Some(more) = more {
        terminal.note(more.en, more.zh);
    }
}

/// Says which files of its project a file takes along.
fn say_taken(file: &Path, read: &NamedFiles, terminal: &Terminal) {
    let all = read.submissions.values().flat_map(|it| &it.shown);
    let others: Vec<&String> = all.filter(|it| Path::new(it) != file).collect();
    let (file, named) = (shown(file), grader_lms::listed(&others));
    if !others.is_empty() {
        terminal.note(
            format!("`{file}` goes with {}", named.en),
            format!("`{file}` 连同 {} 一起采用", named.zh),
        );
    }
}

/// If a problem's folder is named, as in a kit: the files in it that are the student's by their names.
fn own_files(paths: &[PathBuf], assignment: &Assignment) -> Option<Vec<PathBuf>> {
    let [folder] = paths else { return None };
    let whole = fs::canonicalize(folder).ok()?;
    let mut problems = assignment.problems.iter().map(|entry| &entry.problem);
    let is_it = |it: &&Arc<Problem>| fs::canonicalize(&it.shown).is_ok_and(|it| it == whole);
    let problem = problems.find(is_it)?;
    let rule = &problem.submission;
    let entries = fs::read_dir(folder).ok()?.flatten();
    let own = entries.filter(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_included = rule.include.iter().any(|file| file.path == name);
        let is_source = problem.languages.of_file_name(&name).is_some();
        is_source && rule.pattern_of(&name).is_some() && !is_included && entry.path().is_file()
    });
    let mut own: Vec<PathBuf> = own.map(|entry| entry.path()).collect();
    own.sort();
    (!own.is_empty()).then_some(own)
}

/// Warns about files that `grade` would not recognise by their names.
pub(crate) fn warn_unrecognised(
    args: &ProgramArgs,
    assignment: &Assignment,
    submissions: &Submissions,
    terminal: &Terminal,
) {
    let mut assignment = assignment.clone();
    // A file that is tested alone need not have the problem's name, but in a class it must.
    if let Some(mut other) = assignment.problems.first().cloned() {
        let mut problem = Problem::clone(&other.problem);
        problem.id = ProblemId::new("");
        problem.submission.files = vec!["a name that no file has".to_owned()];
        other.problem = Arc::new(problem);
        assignment.problems.push(other);
    }
    let found = read_files(&args.files, &assignment, None).unwrap_or_default();
    let found = found.submissions;
    for (id, submission) in submissions {
        if found.contains_key(id) {
            continue;
        }
        let path = submission.shown.first().map_or("", String::as_str);
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        let problems = assignment.problems.iter().map(|entry| &entry.problem);
        let problem = problems.into_iter().find(|problem| problem.id == *id);
        let name = problem.map_or_else(String::new, |problem| problem.file_name(extension));
        terminal.note(
            format!("`grade` would not recognise `{path}` as `{id}`: name it `{name}`"),
            format!("`grade` 认不出 `{path}` 是 `{id}` 的程序：请改名为 `{name}`"),
        );
    }
}
