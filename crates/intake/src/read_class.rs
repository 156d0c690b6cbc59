//! A class to students and submissions.

use std::fs;
use std::path::Path;

use grader_model::{StudentId, UnusedFile};
use grader_problem::Assignment;

use crate::archive::{Caps, Failure};
use crate::entrant::Entrant;
use crate::listing::{Entry, Listing};
use crate::naming::name_all;
use crate::pattern::Patterns;
use crate::program::Recognise;
use crate::student::{Work, read_work};
use crate::tree::shown;
use crate::unpacker::{Unpacker, is_archive_file};
use crate::{Class, IntakeError, Layout, Roster, Student, natural};

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
    /// An existing folder for what comes out of archives, each in a fresh folder `unpacked-…` there. It must stay as
    /// long as the class is in use: sources are read from it when they are judged. Nothing is written there when there
    /// are no archives.
    pub scratch: &'a Path,
}

/// Reads a class.
///
/// Students come in the order of their ids, numbers in them by value. A student who handed in nothing is
/// a student without submissions; with a roster, all who are in it are students, and so are those who handed in
/// something and are not in it.
///
/// # Errors
/// Only when the whole is not a class. Whatever is wrong with what a student handed in is among the
/// student's faults or unused files.
pub fn read_class(source: &ClassSource<'_>) -> Result<Class, IntakeError> {
    let patterns = Patterns::new(source.assignment)?;
    let unpacker = Unpacker::new(source.scratch);
    let mut listing = open(source, &patterns, &unpacker)?;
    let recognised = || Layout::recognise(&listing, &patterns);
    let layout = source
        .layout
        .or_else(recognised)
        .ok_or_else(|| no_students(source, &listing))?;
    let entrants = layout.sort(&mut listing, &patterns);
    if entrants.is_empty() {
        return Err(no_students(source, &listing));
    }
    // What the class as a whole was packed in is no student's to remove.
    unpacker.keep();
    let named = name_all(entrants, source.roster);
    let mut students: Vec<Student> = named
        .into_iter()
        .map(|(id, entrant)| {
            let work = read_work(&entrant.parts, &patterns, source.recognise, Some(&unpacker));
            unpacker.tidy(work.submissions.values());
            student(id, entrant, work)
        })
        .collect();
    if layout == Layout::One {
        // What lies at the top was looked at as the class's and as the student's.
        let is_told = |file: &UnusedFile| {
            let mut told = students.iter().flat_map(|student| &student.unused);
            told.any(|other| other == file)
        };
        listing.unused.retain(|file| !is_told(file));
    }
    students.sort_by(|a, b| natural::compare(a.id.as_str(), b.id.as_str()));
    listing
        .unused
        .sort_by(|a, b| natural::compare(&a.path, &b.path));
    Ok(Class {
        students,
        unused: listing.unused,
        layout,
    })
}

fn student(id: StudentId, entrant: Entrant, work: Work) -> Student {
    let mut notes = entrant.notes;
    notes.extend(work.notes);
    let mut unused = entrant.unused;
    unused.extend(work.unused);
    unused.sort_by(|a, b| natural::compare(&a.path, &b.path));
    let faults = work.faults.into_iter();
    Student {
        id,
        person: entrant.person,
        notes,
        remarks: entrant.remarks,
        submissions: work.submissions,
        faults: faults.map(|(id, fault)| (id, fault.text())).collect(),
        unused,
    }
}

/// What lies at the top of a class, wherever that is.
fn open(
    source: &ClassSource<'_>,
    patterns: &Patterns,
    unpacker: &Unpacker<'_>,
) -> Result<Listing, IntakeError> {
    let folder = source.folder;
    let data = fs::metadata(folder).map_err(|error| IntakeError::of(folder, error))?;
    let path = shown(folder.as_os_str());
    if data.is_dir() {
        let listing = Listing::read(folder)?;
        return match (source.layout, inner(&listing)) {
            // The download lies in a folder of its own.
            (None, Some(below)) if Layout::recognise_download(&listing).is_none() => {
                let below = Listing::read(&below.location)?;
                let is_download = Layout::recognise_download(&below).is_some();
                Ok(if is_download {
                    descend(listing, below)
                } else {
                    listing
                })
            }
            _ => Ok(listing),
        };
    }
    let name = folder.file_name().map(shown).unwrap_or_default();
    if !data.is_file() || !is_archive_file(&name, folder) {
        return Err(IntakeError::NotAFolder(path));
    }
    let (place, found) = unpacker
        .open(folder, &name, &Caps::of_class())
        .map_err(|failure| {
            let (Failure::Refused(reason) | Failure::Ours(reason)) = failure;
            IntakeError::Archive { path, reason }
        })?;
    let mut listing = Listing::read(&place)?;
    for passed in found.passed {
        listing.pass(passed.path, passed.reason, passed.notable);
    }
    for refused in found.refused {
        listing.lose(refused);
    }
    if source.layout == Some(Layout::One) {
        return Ok(listing);
    }
    while Layout::recognise_download(&listing).is_none() {
        let Some(below) = inner(&listing) else { break };
        let below = Listing::read(&below.location)?;
        if Layout::recognise_download(&below).is_none() && !is_class(&below, patterns) {
            break;
        }
        listing = descend(listing, below);
    }
    Ok(listing)
}

/// The one folder in which all else lies.
fn inner(listing: &Listing) -> Option<&Entry> {
    match listing.entries.as_slice() {
        [only] if only.is_folder() => Some(only),
        _ => None,
    }
}

/// Whether a folder that was packed alone is that of a class, not of a student: folders and archives only, none of them
/// named as a problem is.
fn is_class(listing: &Listing, patterns: &Patterns) -> bool {
    let is_student = |entry: &Entry| {
        !entry.is_file()
            && patterns.best_for_folder(&entry.name).is_none()
            && patterns.best(&entry.name).is_none()
    };
    !listing.entries.is_empty() && listing.entries.iter().all(is_student)
}

/// Goes on with the folder in which all lies.
fn descend(outer: Listing, mut below: Listing) -> Listing {
    let name = outer.entries.first().map_or("", |entry| &entry.name);
    for file in &mut below.unused {
        file.path = format!("{name}/{}", file.path);
    }
    below.unused.extend(outer.unused);
    below
}

/// Why there are no students.
fn no_students(source: &ClassSource<'_>, listing: &Listing) -> IntakeError {
    let path = shown(source.folder.as_os_str());
    if listing.entries.is_empty() && listing.unused.is_empty() {
        return IntakeError::Empty(path);
    }
    match source.layout {
        Some(layout) => IntakeError::NotOfLayout { path, layout },
        None => IntakeError::NoStudents(path),
    }
}
