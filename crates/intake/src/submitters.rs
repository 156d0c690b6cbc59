//! The entries of a class by student, as the names that course systems give say.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use grader_lms::{EntryKind as LmsKind, Layout, Submitter, harness_submitter};

use crate::junk::is_archive;
use crate::listing::{Entry, EntryKind, Listing};
use crate::name::{shown, without_ending};
use crate::pattern::Patterns;
use crate::program::Kind;
use crate::tree::Part;

/// The file beside the folder in which Gradescope's autograder runs, and the name of that folder.
const METADATA: &str = "submission_metadata.json";
const FOLDER: &str = "submission";

/// The layout of a class, by the first of these that holds: the folder of Gradescope's autograder; names of a course system;
/// archives or folders, whichever are more; sources of one student, at most one for each problem.
pub(crate) fn recognise(listing: &Listing, patterns: &Patterns) -> Option<Layout> {
    if harness_metadata(&listing.location).is_some() {
        return Some(Layout::One);
    }
    recognise_download(listing)
        .or_else(|| Layout::recognise_plain(&entries(listing)))
        .or_else(|| is_one_students(&listing.entries, patterns).then_some(Layout::One))
}

/// The layout of a course system, by the names of the entries.
pub(crate) fn recognise_download(listing: &Listing) -> Option<Layout> {
    with_entries(listing, &|_, _| false, Layout::recognise_download)
}

/// Whether files are those of one student: sources whose names fit problems, no two the same.
fn is_one_students(entries: &[Entry], patterns: &Patterns) -> bool {
    let is_source = |entry: &&Entry| entry.is_file() && Kind::of(&entry.name).is_source();
    let sources = entries.iter().filter(is_source);
    let fitting = sources.filter_map(|entry| Some(patterns.best(&entry.name)?.0));
    let mut fitting: Vec<usize> = fitting.collect();
    let count = fitting.len();
    fitting.sort_unstable();
    fitting.dedup();
    count > 0 && fitting.len() == count
}

/// Who submitted what, with the parts of each. Entries that are nobody's are noted in the listing.
pub(crate) fn sort(
    layout: Layout,
    listing: &mut Listing,
    patterns: &Patterns,
) -> Vec<(Submitter, Vec<Part>)> {
    if layout == Layout::One {
        return vec![one(listing)];
    }
    // `count-1.c` is an attempt at `count.c` if that is the better name; `gray-1.c` may be what was asked for.
    let prefers = |one: &str, other: &str| {
        let fit = |name: &str| patterns.best(name).map(|(_, fit)| fit);
        match (fit(one), fit(other)) {
            (Some(one), Some(other)) => one < other,
            (one, _) => one.is_some(),
        }
    };
    let sorted = with_entries(listing, &prefers, |listing| layout.sort(listing));
    for (index, reason) in sorted.unused {
        let entry = listing.entries[index].clone();
        listing.pass_entry(&entry, reason);
    }
    let parts = |submitter: &Submitter| {
        let parts = submitter.parts.iter();
        parts
            .flat_map(|part| {
                let entry = &listing.entries[part.entry];
                [entry.part(&part.path, &part.name)]
                    .into_iter()
                    .chain(entry.missing())
            })
            .collect()
    };
    let submitters = sorted.submitters.into_iter();
    submitters
        .map(|submitter| {
            let parts = parts(&submitter);
            (submitter, parts)
        })
        .collect()
}

/// The one student whose folder this is.
fn one(listing: &Listing) -> (Submitter, Vec<Part>) {
    let metadata = harness_metadata(&listing.location).and_then(|path| open(&path).ok());
    let mut submitter = harness_submitter(metadata);
    submitter.place = Some(0);
    let mut parts = vec![Part::Folder {
        location: listing.location.clone(),
        path: String::new(),
    }];
    for entry in &listing.entries {
        if let EntryKind::Unreadable(unreadable) = &entry.kind {
            parts.push(Part::Unreadable(unreadable.clone()));
        }
        parts.extend(entry.missing());
    }
    (submitter, parts)
}

/// The metadata beside the folder of Gradescope's autograder.
fn harness_metadata(location: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(location).ok()?;
    let metadata = folder.parent()?.join(METADATA);
    let is_harness = folder.file_name().is_some_and(|name| name == FOLDER);
    (is_harness && metadata.is_file()).then_some(metadata)
}

fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(File::open(path)?))
}

/// Calls with the entries as `grader_lms` sees them.
fn with_entries<T>(
    listing: &Listing,
    prefers: &dyn Fn(&str, &str) -> bool,
    call: impl FnOnce(&grader_lms::Listing<'_>) -> T,
) -> T {
    let folder = listing.location.file_name().map(shown).unwrap_or_default();
    call(&grader_lms::Listing {
        folder: &folder,
        entries: &entries(listing),
        read: &|index| open(&listing.entries[index].location),
        prefers,
    })
}

fn entries(listing: &Listing) -> Vec<grader_lms::Entry> {
    let entries = listing.entries.iter().map(|entry| {
        let is_packed = match &entry.kind {
            EntryKind::Archive => true,
            // Only its name can say whether it was an archive.
            EntryKind::Unreadable(_) => is_archive(&entry.name),
            EntryKind::Folder | EntryKind::File(_) => false,
        };
        let has_git = || entry.location.join(".git").symlink_metadata().is_ok();
        grader_lms::Entry {
            name: entry.name.clone(),
            kind: match &entry.kind {
                EntryKind::Folder if has_git() => LmsKind::Clone,
                EntryKind::Folder => LmsKind::Folder,
                EntryKind::Archive => LmsKind::Archive,
                EntryKind::File(_) => LmsKind::File,
                EntryKind::Unreadable(_) => LmsKind::Unreadable,
            },
            ending: if is_packed {
                entry.name.len() - without_ending(&entry.name).len()
            } else {
                0
            },
        }
    });
    entries.collect()
}
