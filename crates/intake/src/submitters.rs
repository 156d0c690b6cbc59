//! The entries of a class by student, as the names that course systems give say.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use grader_lms::{Known, Layout, Part, Submitter, harness_submitter, open_regular};

use crate::listing::{Entry, Listing};
use crate::name::shown;
use crate::pattern::Patterns;

/// The file beside the folder in which Gradescope's autograder runs, and the name of that folder.
const METADATA: &str = "submission_metadata.json";
const FOLDER: &str = "submission";

/// The layout of a class, by the first of these that holds: the folder of Gradescope's autograder; names of a course system;
/// archives or folders, whichever are more; sources of one student, at most one for each problem.
pub(crate) fn recognise(
    listing: &Listing,
    patterns: &Patterns,
    known: Option<&Known>,
) -> Option<Layout> {
    if harness_metadata(&listing.location).is_some() {
        return Some(Layout::One);
    }
    let named = |listing: &grader_lms::Listing<'_>| {
        let plain = || Layout::recognise_plain(listing.entries);
        Layout::recognise_download(listing).or_else(plain)
    };
    with_entries(listing, &|_, _| false, known, named)
        .or_else(|| is_one_students(&listing.entries, patterns).then_some(Layout::One))
}

/// The layout of a course system, by the names of the entries.
pub(crate) fn recognise_download(listing: &Listing, known: Option<&Known>) -> Option<Layout> {
    with_entries(listing, &|_, _| false, known, Layout::recognise_download)
}

/// Whether files are those of one student: sources with names that fit problems, no two the same.
fn is_one_students(entries: &[Entry], patterns: &Patterns) -> bool {
    let fitting = entries
        .iter()
        .filter_map(|entry| patterns.of_source(&entry.item));
    let fitting: Vec<usize> = fitting.collect();
    let different: BTreeSet<&usize> = fitting.iter().collect();
    !fitting.is_empty() && different.len() == fitting.len()
}

/// Who submitted what, with the name of a single student. Entries that are nobody's are noted in the listing.
pub(crate) fn sort(
    (layout, student): (Layout, Option<&str>),
    listing: &mut Listing,
    patterns: &Patterns,
    known: Option<&Known>,
) -> Vec<Submitter> {
    if layout == Layout::One {
        return vec![one(listing, student)];
    }
    // `count-1.c` is an attempt at `count.c` if that is the better name; `gray-1.c` may be what was asked for.
    let prefers = |one: &str, other: &str| {
        let fit = |name: &str| patterns.best(name).map(|(_, fit)| fit);
        fit(one).is_some_and(|one| fit(other).is_none_or(|other| one < other))
    };
    let sorted = with_entries(listing, &prefers, known, |listing| layout.sort(listing));
    for (index, reason) in sorted.unused {
        listing.pass_entry(index, reason);
    }
    sorted.submitters
}

/// The one student that this folder belongs to.
fn one(listing: &mut Listing, student: Option<&str>) -> Submitter {
    let metadata = harness_metadata(&listing.location).and_then(|path| open(&path).ok());
    let mut submitter = harness_submitter(metadata, student);
    submitter.place = Some(0);
    submitter.unused = std::mem::take(&mut listing.unused);
    let mut whole = Entry::whole(&listing.location);
    let part = |entry| Part {
        entry,
        path: String::new(),
        name: String::new(),
    };
    for (index, entry) in listing.entries.iter_mut().enumerate() {
        whole.skipped.append(&mut entry.skipped);
        if entry.size.is_err() {
            submitter.parts.push(part(index));
        }
    }
    submitter.parts.insert(0, part(listing.entries.len()));
    listing.entries.push(whole);
    submitter
}

/// The metadata beside the folder of Gradescope's autograder.
fn harness_metadata(location: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(location).ok()?;
    let metadata = folder.parent()?.join(METADATA);
    let is_harness = folder.file_name().is_some_and(|name| name == FOLDER);
    (is_harness && metadata.is_file()).then_some(metadata)
}

fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(open_regular(path)?))
}

/// Calls with the entries as `grader_lms` sees them.
fn with_entries<T>(
    listing: &Listing,
    prefers: &dyn Fn(&str, &str) -> bool,
    known: Option<&Known>,
    call: impl FnOnce(&grader_lms::Listing<'_>) -> T,
) -> T {
    let folder = listing.location.file_name().map(shown).unwrap_or_default();
    let entries = listing.entries.iter().map(|entry| entry.item.clone());
    call(&grader_lms::Listing {
        folder: &folder,
        entries: &entries.collect::<Vec<_>>(),
        read: &|index| open(&listing.entries[index].location),
        prefers,
        known,
    })
}
