//! A class to students and submissions.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use grader_lms::{Layout, Roster, Submitter, assign_ids, beside_students};
use grader_model::{ProblemId, StudentId, UnusedFile};
use grader_problem::Assignment;

use crate::archive::{Caps, Failure, Refused};
use crate::listing::{Entry, EntryKind, Listing};
use crate::pattern::Patterns;
use crate::program::{Kind, Recognise};
use crate::student::{Work, read_work};
use crate::submitters::{recognise, recognise_download, sort};
use crate::tree::shown;
use crate::unpacker::{Unpacker, is_archive_file};
use crate::{Class, IntakeError, Lost, Student, junk, natural};

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
    let recognised = || recognise(&listing, &patterns);
    let layout = source
        .layout
        .or_else(recognised)
        .ok_or_else(|| no_students(source, &listing))?;
    let submitters = sort(layout, &mut listing, &patterns);
    if submitters.is_empty() {
        return Err(no_students(source, &listing));
    }
    // What the class as a whole was packed in is no student's to remove.
    unpacker.keep();
    let mut works: Vec<Work> = Vec::new();
    let mut named: Vec<Submitter> = Vec::new();
    for (mut submitter, parts) in submitters {
        let work = read_work(&parts, &patterns, source.recognise, Some(&unpacker));
        unpacker.tidy(work.submissions.values());
        let is_empty = work.submissions.is_empty() && work.faults.is_empty();
        submitter.has_work = !is_empty || submitter.open.is_some();
        works.push(work);
        named.push(submitter);
    }
    // Whoever comes first keeps the plain name, so that the order is a matter of names alone.
    named.sort_by(|a, b| {
        let names = natural::compare(&a.name, &b.name);
        names.then_with(|| a.entries.cmp(&b.entries))
    });
    let named = assign_ids(named, source.roster);
    let mut students: Vec<Student> = named
        .into_iter()
        .map(|(id, submitter)| {
            let work = submitter
                .place
                .map(|place| std::mem::take(&mut works[place]));
            let work = work.unwrap_or_default();
            student(id, submitter, work, source.assignment)
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

fn student(id: StudentId, submitter: Submitter, work: Work, assignment: &Assignment) -> Student {
    let mut notes = submitter.notes;
    notes.extend(work.notes);
    let mut unused = submitter.unused;
    unused.extend(work.unused);
    unused.sort_by(|a, b| natural::compare(&a.path, &b.path));
    if work.submissions.is_empty() {
        // All that there is may be a program in a document, or a picture of one.
        for file in &mut unused {
            file.notable |= junk::is_document(&file.path);
        }
    }
    let faults = work.faults.into_iter();
    let mut faults: BTreeMap<ProblemId, Lost> =
        faults.map(|(id, fault)| (id, fault.lost())).collect();
    if let Some(open) = submitter.open.map(Lost::unreadable)
        && work.submissions.is_empty()
        && faults.is_empty()
    {
        let problems = assignment.problems.iter();
        faults.extend(problems.map(|entry| (entry.problem.id.clone(), open.clone())));
    }
    Student {
        id,
        person: submitter.person,
        notes,
        remarks: submitter.remarks,
        submissions: work.submissions,
        faults,
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
        return match (source.layout, inner(&listing, patterns)) {
            // The download lies in a folder of its own.
            (None, Some(below)) if recognise_download(&listing).is_none() => {
                let below = Listing::read(&below.location)?;
                let is_download = recognise_download(&below).is_some();
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
            IntakeError::Archive {
                path: path.clone(),
                reason,
            }
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
    while recognise_download(&listing).is_none() {
        let Some(below) = inner(&listing, patterns) else {
            break;
        };
        let below = Listing::read(&below.location)?;
        if recognise_download(&below).is_none() && !is_class(&below, patterns) {
            break;
        }
        listing = descend(listing, below);
    }
    if let [
        Entry {
            kind: EntryKind::Lost(lost),
            ..
        },
    ] = listing.entries.as_slice()
        && recognise_download(&listing).is_none()
    {
        // All lay in it.
        let reason = lost.reason.clone();
        return Err(IntakeError::Archive { path, reason });
    }
    Ok(listing)
}

/// The one folder in which all lies that can be students' work; files that are for no problem may lie beside it.
fn inner<'l>(listing: &'l Listing, patterns: &Patterns) -> Option<&'l Entry> {
    if listing.entries.iter().any(|entry| is_work(entry, patterns)) {
        return None;
    }
    let mut packed = listing.entries.iter().filter(|entry| !entry.is_file());
    match (packed.next(), packed.next()) {
        (Some(only), None) if only.is_folder() => Some(only),
        _ => None,
    }
}

/// Whether a folder that was packed alone is that of a class, not of a student: most of what is in it are folders and
/// archives, and not one for each problem. Files that are for no problem say nothing.
fn is_class(listing: &Listing, patterns: &Patterns) -> bool {
    let (mut students, mut works) = (0, 0);
    let mut named: HashMap<usize, usize> = HashMap::new();
    for entry in &listing.entries {
        if entry.is_file() {
            works += usize::from(is_work(entry, patterns));
            continue;
        }
        let for_folder = patterns.best_for_folder(&entry.name);
        match for_folder.or_else(|| patterns.best(&entry.name)) {
            Some((problem, _)) => *named.entry(problem).or_default() += 1,
            None => students += 1,
        }
    }
    // A student has one folder or archive for a problem; several are several students'.
    for count in named.into_values() {
        if count == 1 {
            works += 1;
        } else {
            students += count;
        }
    }
    students > works
}

/// Whether a file is a source for a problem.
fn is_work(entry: &Entry, patterns: &Patterns) -> bool {
    entry.is_file() && Kind::of(&entry.name).is_source() && patterns.best(&entry.name).is_some()
}

/// Goes on with the folder in which all lies.
fn descend(mut outer: Listing, mut below: Listing) -> Listing {
    let mut name = String::new();
    for entry in std::mem::take(&mut outer.entries) {
        if entry.is_file() {
            outer.pass_entry(&entry, beside_students());
        } else {
            name = entry.name;
            for refused in entry.refused {
                let parts = refused.parts[1..].to_vec();
                below.lose(Refused { parts, ..refused });
            }
        }
    }
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
