//! A folder of students' folders.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use grader_model::{StudentId, Text, UnusedFile};
use grader_problem::Assignment;

use crate::pattern::Patterns;
use crate::student::{Work, read_student};
use crate::tree::{Broken, shown};
use crate::{Class, IntakeError, Layout, Recognise, Roster, Student, junk, natural, reason};

/// A class to be read.
#[derive(Clone, Copy)]
pub struct ClassSource<'a> {
    /// A folder, or one archive of a folder: the download as it came.
    pub folder: &'a Path,
    /// The problems that submissions are for.
    pub assignment: &'a Assignment,
    /// Tells programs whose names do not (`count.txt`, `count`) from other files.
    pub recognise: Recognise<'a>,
    /// How the class lies in the folder; recognised where nothing is said.
    pub layout: Option<Layout>,
    /// Who is in the class.
    pub roster: Option<&'a Roster>,
    /// An existing empty folder for what comes out of archives. It must stay as long as the class is in use: sources
    /// are read from it when they are judged. Nothing is written there when there are no archives.
    pub scratch: &'a Path,
}

/// Reads a class.
///
/// Students come in the order of their ids, numbers in them by value. A student who handed in nothing is
/// a student without submissions.
///
/// # Errors
/// Only when the whole is not a class. Whatever is wrong with what a student handed in is among the
/// student's faults or unused files.
pub fn read_class(source: &ClassSource<'_>) -> Result<Class, IntakeError> {
    let ClassSource {
        folder,
        assignment,
        recognise,
        ..
    } = *source;
    let patterns = Patterns::new(assignment)?;
    let data = fs::metadata(folder).map_err(|error| IntakeError::of(folder, error))?;
    if !data.is_dir() {
        return Err(IntakeError::NotAFolder(shown(folder.as_os_str())));
    }
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(|error| IntakeError::of(folder, error))?;
    // By the real names first: different names can look alike once they are escaped.
    entries.sort();
    let mut entries: Vec<(String, PathBuf)> = entries
        .into_iter()
        .map(|path| (path.file_name().map(shown).unwrap_or_default(), path))
        .collect();
    entries.sort_by(|(a, _), (b, _)| natural::compare(a, b));

    let mut class = Class::default();
    let mut names = HashSet::new();
    for (name, path) in entries {
        let mut pass = |reason: Text, notable| {
            class.unused.push(UnusedFile {
                path: name.clone(),
                reason,
                notable,
            });
        };
        match fs::symlink_metadata(&path) {
            // Taken back since the folder was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                pass(reason::unreadable(&error), true);
            }
            // It may be a student's folder: better one row too many than a student lost.
            Err(error) => {
                let work = unreadable(assignment, error);
                class.students.push(student(&name, work, &mut names));
            }
            Ok(data) if data.is_symlink() => pass(reason::link(), true),
            Ok(data) => {
                if let Some(junk) = junk::junk(&name, data.is_dir()) {
                    pass(junk, false);
                } else if data.is_file() && junk::is_archive(&name) {
                    pass(reason::archive(), true);
                } else if !data.is_dir() {
                    pass(reason::beside_students(), true);
                } else {
                    let work = read_student(&path, &patterns, recognise);
                    class.students.push(student(&name, work, &mut names));
                }
            }
        }
    }
    class.layout = source.layout.unwrap_or_default();
    if class.students.is_empty() {
        return Err(IntakeError::NoStudents(shown(folder.as_os_str())));
    }
    Ok(class)
}

fn student(name: &str, work: Work, names: &mut HashSet<String>) -> Student {
    Student {
        id: StudentId::new(unique(name, names)),
        person: None,
        notes: Vec::new(),
        submissions: work.submissions,
        faults: work
            .faults
            .iter()
            .map(|(problem, broken)| (problem.clone(), reason::fault(broken)))
            .collect(),
        unused: work.unused,
    }
}

/// The work of a student whose folder cannot even be looked at.
fn unreadable(assignment: &Assignment, error: io::Error) -> Work {
    let broken = Broken {
        path: String::new(),
        error: Arc::new(error),
    };
    let problems = assignment.problems.iter();
    Work {
        submissions: BTreeMap::new(),
        faults: problems
            .map(|entry| (entry.problem.id.clone(), broken.clone()))
            .collect(),
        unused: Vec::new(),
    }
}

/// The name, or with a number after it where it is taken.
fn unique(name: &str, taken: &mut HashSet<String>) -> String {
    let mut candidate = name.to_owned();
    let mut number = 1;
    while !taken.insert(candidate.clone()) {
        number += 1;
        candidate = format!("{name} ({number})");
    }
    candidate
}
