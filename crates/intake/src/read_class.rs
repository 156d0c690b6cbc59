//! A class to students and submissions.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use grader_lms::{
    EntryKind, Known, Layout, OF_SUBMISSION, Roster, Submitter, Teams, UNNAMED, assign_ids,
    beside_students, submission_time,
};
use grader_model::{Deadline, StudentId, Text, natural_order, text};
use grader_problem::{Assignment, Correction};
use jiff::tz::TimeZone;

use crate::archive::{Caps, Unpacker, is_archive_file};
use crate::class::{Class, Student};
use crate::commit::{committed, committed_around};
use crate::error::IntakeError;
use crate::listing::{Entry, Listing};
use crate::name::shown;
use crate::pattern::Patterns;
use crate::student::{Assigned, Work, read_work};
use crate::submitters::{recognise, recognise_download, sort};
use crate::unreadable::Unreadable;
use crate::{junk, reason};

/// A class to be read.
#[derive(Clone, Copy)]
pub struct ClassSource<'a> {
    /// A folder, or one archive of a folder: the download as it came.
    pub folder: &'a Path,
    /// The problems that submissions are for.
    pub assignment: &'a Assignment,
    /// How the class lies in the folder; recognised if `None`.
    pub layout: Option<Layout>,
    /// Who is in the class.
    pub roster: Option<&'a Roster>,
    /// Who submits together.
    pub teams: Option<&'a Teams>,
    /// Whose work it is, if it is that of one student and nothing else tells.
    pub student: Option<&'a str>,
    /// Corrections by hand, which may assign files to problems.
    pub corrections: &'a [Correction],
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
    let known = Known::of(source.roster, source.teams);
    let known = known.as_ref();
    let mut listing = open(source, &patterns, known)?;
    let layout = source
        .layout
        .or_else(|| recognise(&listing, &patterns, known));
    let no_students = || {
        let path = shown(source.folder.as_os_str());
        reason::no_students(&path, source.layout)
    };
    let layout = layout.ok_or_else(no_students)?;
    let mut submitters = sort((layout, source.student), &mut listing, &patterns, known);
    if submitters.is_empty() {
        return Err(no_students().into());
    }
    if let Some(teams) = source.teams {
        submitters = teams.share(submitters);
        for (place, submitter) in submitters.iter_mut().enumerate() {
            submitter.place = Some(place);
        }
    }
    let unpacker = Unpacker::new(source.scratch);
    let mut works: Vec<Work> = Vec::new();
    for submitter in &mut submitters {
        let (entries, parts) = (&listing.entries, &submitter.parts);
        let work = read_work(entries, parts, &patterns, Some(&unpacker), &[]);
        let is_empty = work.submissions.is_empty() && work.faults.is_empty();
        submitter.has_work = !is_empty || submitter.open.is_some();
        let clones = submitter.parts.iter().map(|part| &entries[part.entry]);
        let mut clones = clones.filter(|entry| entry.item.kind == EntryKind::Clone);
        if source.assignment.deadline.is_some() && submitter.submitted.is_none() {
            let time = match layout {
                // What comes out of an archive lies in a folder of ours.
                Layout::One if !listing.location.starts_with(source.scratch) => {
                    committed_around(&listing.location)
                }
                _ => clones.next().and_then(|clone| committed(&clone.location)),
            };
            submitter.submitted = time.map(|time| time.to_string());
        }
        works.push(work);
    }
    // Whoever comes first keeps the plain name, so that the order is a matter of names alone.
    submitters.sort_by(|a, b| {
        let by_name = natural_order(&a.name, &b.name);
        by_name.then_with(|| a.entries.cmp(&b.entries))
    });
    let mut named = assign_ids(submitters, source.roster);
    if layout == Layout::One {
        // Who is only in a table has nothing to do with this folder.
        named.retain(|(_, submitter)| !submitter.parts.is_empty());
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (_, submitter) in &named {
        *counts.entry(submitter.name.clone()).or_default() += 1;
    }
    let mut unclaimed = Vec::new();
    let mut students: Vec<Student> = named
        .into_iter()
        .map(|(id, submitter)| {
            let work = submitter.place.map(|at| std::mem::take(&mut works[at]));
            let mut work = work.unwrap_or_default();
            let own = source.corrections.iter().filter(|it| it.is_for(&id));
            let assigned = own.filter_map(|it| {
                let problem = patterns.find(it.problem.as_ref()?)?;
                Some((problem, it.file.as_deref()?))
            });
            let assigned: Vec<Assigned<'_>> = assigned.collect();
            if !assigned.is_empty() {
                let (entries, parts) = (&listing.entries, &submitter.parts);
                work = read_work(entries, parts, &patterns, Some(&unpacker), &assigned);
            }
            unclaimed.push(std::mem::take(&mut work.unclaimed));
            let is_only = counts.get(&submitter.name) == Some(&1);
            leave_uncertain(&mut work, &submitter, is_only, source);
            student(id, submitter, work, source)
        })
        .collect();
    // A class for another assignment gets no points at all, and one student's folder may hold other work.
    let has_work = |it: &Student| !it.submissions.is_empty() || !it.faults.is_empty();
    if layout != Layout::One && students.iter().any(has_work) {
        for (student, unclaimed) in students.iter_mut().zip(unclaimed) {
            for (id, unreadable) in unclaimed {
                student.faults.entry(id).or_insert(unreadable);
            }
        }
    }
    students.sort_by(|a, b| natural_order(a.id.as_str(), b.id.as_str()));
    listing
        .unused
        .sort_by(|a, b| natural_order(&a.path, &b.path));
    Ok(Class {
        students,
        unused: listing.unused,
        layout,
        similar: Vec::new(),
    })
}

/// Leaves problems with values of the student's own open if it is not certain whose they are.
fn leave_uncertain(work: &mut Work, submitter: &Submitter, is_only: bool, of: &ClassSource<'_>) {
    let has_table = of.roster.is_some() || of.teams.is_some();
    let why = match &submitter.team {
        Some(team) if team.starts_with(OF_SUBMISSION) => reason::team_without_name(),
        None if submitter.name == UNNAMED => reason::student_without_name(),
        None if !is_only => reason::several_called(&submitter.name),
        None if has_table && !submitter.is_known => reason::in_no_table(&submitter.name),
        _ => return,
    };
    let problems = of.assignment.problems.iter().map(|it| &it.problem);
    for id in problems.filter(|it| it.needs_student()).map(|it| &it.id) {
        if work.submissions.remove(id).is_some() {
            let open = Unreadable::submitted(why.clone());
            work.faults.insert(id.clone(), open);
        }
    }
}

fn student(
    id: StudentId,
    mut submitter: Submitter,
    mut work: Work,
    source: &ClassSource<'_>,
) -> Student {
    if let Some(deadline) = &source.assignment.deadline {
        date(&mut work, &mut submitter, deadline, source.scratch);
    }
    submitter.notes.append(&mut work.notes);
    let mut unused = submitter.unused;
    unused.extend(work.unused);
    unused.sort_by(|a, b| natural_order(&a.path, &b.path));
    // The folder of one student is looked at as the class's and as the student's.
    unused.dedup();
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
        let problems = source.assignment.problems.iter();
        faults.extend(problems.map(|entry| (entry.problem.id.clone(), open.clone())));
    }
    Student {
        id,
        person: submitter.person,
        team: submitter.team,
        notes: submitter.notes,
        remarks: submitter.remarks,
        submissions: work.submissions,
        faults,
        unused,
    }
}

/// Sets the time of each submission, or remarks that it is unknown.
fn date(work: &mut Work, submitter: &mut Submitter, deadline: &Deadline, scratch: &Path) {
    // The zone was found when the assignment was read.
    let zone = TimeZone::get(&deadline.zone).unwrap_or(TimeZone::UTC);
    let told = submitter.submitted.as_deref();
    let time = told.and_then(|text| submission_time(text, &zone));
    for submission in work.submissions.values_mut() {
        let modified = || submission.modified(scratch).filter(|_| deadline.file_times);
        submission.submitted = time.or_else(modified);
    }
    if work.submissions.values().any(|it| it.submitted.is_none()) {
        let text = told.map_or_else(reason::no_time, reason::unreadable_time);
        submitter.remarks.push(text);
    }
}

/// The listing of a class, which lies in the folder, in an archive, or in the one folder that these hold.
fn open(
    source: &ClassSource<'_>,
    patterns: &Patterns,
    known: Option<&Known>,
) -> Result<Listing, IntakeError> {
    let folder = source.folder;
    let data = fs::metadata(folder).map_err(|error| IntakeError::of(folder, &error))?;
    let is_packed = !data.is_dir();
    let mut listing = if is_packed {
        open_archive(source)?
    } else {
        Listing::read(folder)?
    };
    // Who names the layout of a folder names the folder too.
    let is_fixed = source
        .layout
        .is_some_and(|it| !is_packed || it == Layout::One);
    while !is_fixed
        && recognise_download(&listing, known).is_none()
        && let Some(only) = inner(&listing, patterns)
    {
        let below = Listing::read(&listing.entries[only].location)?;
        let is_download = recognise_download(&below, known).is_some();
        if !is_download && (!is_packed || !is_class(&below, patterns)) {
            break;
        }
        listing = descend(listing, only, below);
    }
    Ok(listing)
}

fn open_archive(source: &ClassSource<'_>) -> Result<Listing, IntakeError> {
    let path = shown(source.folder.as_os_str());
    let name = source.folder.file_name().map(shown).unwrap_or_default();
    if !source.folder.is_file() || !is_archive_file(&name, source.folder) {
        return Err(reason::not_a_folder(&path).into());
    }
    let failed = |Text { en, zh }| text!("the class `{path}` {en}", "班级 `{path}` {zh}");
    let unpacked = Unpacker::new(source.scratch).open(source.folder, &Caps::CLASS);
    let (place, found) = unpacked.map_err(|error| failed(reason::not_unpacked_here(&error)))?;
    // Any student's work may be missing.
    if let Some(why) = found.stopped {
        return Err(failed(reason::not_unpacked(&why)).into());
    }
    let mut listing = Listing::read(&place)?;
    for skipped in found.skipped {
        listing.skip(skipped);
    }
    Ok(listing)
}

/// The one folder that holds everything that can be students' work, by its place; files that are for no problem may lie
/// beside it.
fn inner(listing: &Listing, patterns: &Patterns) -> Option<usize> {
    let entries = &listing.entries;
    let is_work = |entry: &Entry| patterns.of_source(&entry.item).is_some();
    let mut others = (0..entries.len()).filter(|&at| !entries[at].item.is_file());
    let only = others.next()?;
    let is_only = others.next().is_none() && !entries.iter().any(is_work);
    (is_only && entries[only].item.is_folder()).then_some(only)
}

/// Whether a folder that was packed alone is that of a class, not of a student: most of what is in it are folders and
/// archives, and not one for each problem. Files that are for no problem say nothing.
fn is_class(listing: &Listing, patterns: &Patterns) -> bool {
    let entries = listing.entries.iter();
    let (files, packed): (Vec<&Entry>, Vec<&Entry>) = entries.partition(|it| it.item.is_file());
    let problem_of = |entry: &&Entry| {
        let name = &entry.item.name;
        let best = patterns.best_for_folder(name);
        best.or_else(|| patterns.best(name))
            .map(|(problem, _)| problem)
    };
    let problems: Vec<Option<usize>> = packed.iter().map(problem_of).collect();
    // A student has one folder or archive for a problem; several are several students'.
    let count = |problem| problems.iter().filter(|it| **it == problem).count();
    let is_single = |problem: &&Option<usize>| problem.is_some() && count(**problem) == 1;
    let single = problems.iter().filter(is_single).count();
    let works = files
        .iter()
        .filter(|it| patterns.of_source(&it.item).is_some());
    packed.len() - single > works.count() + single
}

/// Goes on with the one folder.
fn descend(mut outer: Listing, only: usize, mut below: Listing) -> Listing {
    for index in (0..outer.entries.len()).filter(|&index| index != only) {
        outer.pass_entry(index, beside_students());
    }
    let Entry { item, skipped, .. } = outer.entries.swap_remove(only);
    for skipped in skipped {
        below.skip(skipped);
    }
    for file in &mut below.unused {
        file.path = format!("{}/{}", item.name, file.path);
    }
    below.unused.append(&mut outer.unused);
    below
}
