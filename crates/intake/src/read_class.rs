//! A class to students and submissions.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use grader_lms::{Layout, Roster, Submitter, assign_ids, beside_students};
use grader_model::{StudentId, UnusedFile};
use grader_problem::Assignment;

use crate::archive::{Caps, is_archive_file};
use crate::class::{Class, Student};
use crate::error::IntakeError;
use crate::listing::{Entry, Listing};
use crate::name::shown;
use crate::pattern::Patterns;
use crate::program::{Kind, Recognise};
use crate::student::{Work, read_work};
use crate::submitters::{recognise, recognise_download, sort};
use crate::unpacker::Unpacker;
use crate::unreadable::Unreadable;
use crate::{junk, natural, reason};

/// A class to be read.
#[derive(Clone, Copy)]
pub struct ClassSource<'a> {
    /// A folder, or one archive of a folder: the download as it came.
    pub folder: &'a Path,
    /// The problems that submissions are for.
    pub assignment: &'a Assignment,
    /// Recognises programs by their contents (`count.txt`, `count`).
    pub recognise: Recognise<'a>,
    /// How the class lies in the folder; recognised if `None`.
    pub layout: Option<Layout>,
    /// Who is in the class.
    pub roster: Option<&'a Roster>,
    /// An existing folder for what comes out of archives, each in a fresh folder `unpacked-…` there. It must stay as
    /// long as the class is in use: sources are read from it when they are judged.
    pub scratch: &'a Path,
}

/// Reads a class.
///
/// Students come in the order of their ids, numbers in them by value. A student who submitted nothing is a student without
/// submissions; with a roster, all who are in it are students, and so are those who submitted something and are not in it.
///
/// # Errors
/// Only if the whole is not a class. Whatever is wrong with what a student submitted is among the student's faults or
/// unused files.
pub fn read_class(source: &ClassSource<'_>) -> Result<Class, IntakeError> {
    let patterns = Patterns::new(source.assignment);
    let mut listing = open(source, &patterns)?;
    let recognised = || recognise(&listing, &patterns);
    let layout = source
        .layout
        .or_else(recognised)
        .ok_or_else(|| no_students(source))?;
    let submitters = sort(layout, &mut listing, &patterns);
    if submitters.is_empty() {
        return Err(no_students(source));
    }
    let unpacker = Unpacker::new(source.scratch);
    let mut works: Vec<Work> = Vec::new();
    let mut named: Vec<Submitter> = Vec::new();
    for (mut submitter, parts) in submitters {
        let work = read_work(&parts, &patterns, source.recognise, &unpacker);
        let is_empty = work.submissions.is_empty() && work.faults.is_empty();
        submitter.has_work = !is_empty || submitter.open.is_some();
        works.push(work);
        named.push(submitter);
    }
    // Whoever comes first keeps the plain name, so that the order is a matter of names alone.
    named.sort_by(|a, b| {
        let by_name = natural::compare(&a.name, &b.name);
        by_name.then_with(|| a.entries.cmp(&b.entries))
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
        // The top folder was looked at as the class's and as the student's.
        let is_students = |file: &UnusedFile| {
            let mut unused = students.iter().flat_map(|student| &student.unused);
            unused.any(|other| other == file)
        };
        listing.unused.retain(|file| !is_students(file));
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
    let mut unused = submitter.unused;
    unused.extend(work.unused);
    unused.sort_by(|a, b| natural::compare(&a.path, &b.path));
    if work.submissions.is_empty() {
        // All that there is may be a program in a document, or a picture of one.
        for file in &mut unused {
            file.notable |= junk::is_document(&file.path);
        }
    }
    let mut faults = work.faults;
    if let Some(open) = submitter.open.map(Unreadable::submitted)
        && work.submissions.is_empty()
        && faults.is_empty()
    {
        let problems = assignment.problems.iter();
        faults.extend(problems.map(|entry| (entry.problem.id.clone(), open.clone())));
    }
    Student {
        id,
        person: submitter.person,
        notes: submitter.notes,
        remarks: submitter.remarks,
        submissions: work.submissions,
        faults,
        unused,
    }
}

/// The listing of a class, which lies in the folder, in an archive, or in the one folder that these hold.
fn open(source: &ClassSource<'_>, patterns: &Patterns) -> Result<Listing, IntakeError> {
    let folder = source.folder;
    let data = fs::metadata(folder).map_err(|error| IntakeError::of(folder, error))?;
    let is_packed = !data.is_dir();
    let mut listing = if is_packed {
        open_archive(source)?
    } else {
        Listing::read(folder)?
    };
    // Who names the layout of a folder names the folder too.
    let is_fixed = match source.layout {
        Some(layout) => !is_packed || layout == Layout::One,
        None => false,
    };
    while !is_fixed && recognise_download(&listing).is_none() {
        let Some(only) = inner(&listing, patterns) else {
            break;
        };
        let below = Listing::read(&only.location)?;
        let is_download = recognise_download(&below).is_some();
        if !is_download && (!is_packed || !is_class(&below, patterns)) {
            break;
        }
        listing = descend(listing, below);
    }
    Ok(listing)
}

fn open_archive(source: &ClassSource<'_>) -> Result<Listing, IntakeError> {
    let path = shown(source.folder.as_os_str());
    let name = source.folder.file_name().map(shown).unwrap_or_default();
    if !source.folder.is_file() || !is_archive_file(&name, source.folder) {
        return Err(IntakeError::NotAFolder(path));
    }
    let unpacker = Unpacker::new(source.scratch);
    let (place, found) = unpacker
        .open(source.folder, &Caps::CLASS)
        .map_err(|error| IntakeError::Archive {
            reason: reason::not_unpacked_here(&error),
            path: path.clone(),
        })?;
    // Any student's work may be missing.
    if let Some(why) = found.stopped {
        let reason = reason::not_unpacked(&why);
        return Err(IntakeError::Archive { path, reason });
    }
    let mut listing = Listing::read(&place)?;
    listing.unused.extend(found.unused);
    for skipped in found.skipped {
        listing.skip(skipped);
    }
    Ok(listing)
}

/// The one folder that holds everything that can be students' work; files that are for no problem may lie beside it.
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
        let problem = patterns.best_for_folder(&entry.name);
        match problem.or_else(|| patterns.best(&entry.name)) {
            _ if entry.is_file() => works += usize::from(is_work(entry, patterns)),
            Some((problem, _)) => *named.entry(problem).or_default() += 1,
            None => students += 1,
        }
    }
    // A student has one folder or archive for a problem; several are several students'.
    let (single, several): (Vec<usize>, Vec<usize>) =
        named.into_values().partition(|&count| count == 1);
    students + several.iter().sum::<usize>() > works + single.len()
}

/// Whether a file is a source for a problem.
fn is_work(entry: &Entry, patterns: &Patterns) -> bool {
    entry.is_file() && Kind::of(&entry.name).is_source() && patterns.best(&entry.name).is_some()
}

/// Goes on with the one folder.
fn descend(mut outer: Listing, mut below: Listing) -> Listing {
    let mut name = String::new();
    for entry in std::mem::take(&mut outer.entries) {
        if entry.is_file() {
            outer.pass_entry(&entry, beside_students());
        } else {
            name = entry.name;
            for skipped in entry.skipped {
                below.skip(skipped);
            }
        }
    }
    for file in &mut below.unused {
        file.path = format!("{name}/{}", file.path);
    }
    below.unused.extend(outer.unused);
    below
}

fn no_students(source: &ClassSource<'_>) -> IntakeError {
    let path = shown(source.folder.as_os_str());
    match source.layout {
        Some(layout) => IntakeError::NotOfLayout {
            path,
            expected: layout.text().en,
        },
        None => IntakeError::NoStudents(path),
    }
}
