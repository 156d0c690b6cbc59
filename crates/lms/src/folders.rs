//! A folder or an archive for each student, named after the student; clones of GitHub Classroom are named
//! `assignment-username`, in a folder `assignment-submissions`, as `gh classroom clone student-repos` makes them
//! (<https://github.com/github/gh-classroom>).

use grader_model::System;

use crate::reason;
use crate::submitter::{Listing, Sorted, Submitter};

/// What the names of all clones begin with: the assignment and a `-`. The class folder says it, or else what the names
/// have in common; with a single clone nobody can tell. The number of a year is no assignment.
pub(crate) fn clone_prefix(listing: &Listing<'_>) -> Option<String> {
    let entries = listing.entries.iter().filter(|entry| !entry.is_file());
    let names: Vec<&str> = entries.map(|entry| entry.name.as_str()).collect();
    let assignment = listing.folder.strip_suffix("-submissions");
    let from_folder = format!("{}-", assignment.unwrap_or(listing.folder));
    if names.iter().any(|name| name.starts_with(&from_folder)) {
        return Some(from_folder);
    }
    let (first, others) = names
        .split_first()
        .filter(|(_, others)| !others.is_empty())?;
    let mut prefixes = first.match_indices('-').map(|(at, _)| &first[..=at]).rev();
    let prefix = prefixes.find(|prefix| others.iter().all(|name| name.starts_with(prefix)))?;
    prefix
        .contains(char::is_alphabetic)
        .then(|| prefix.to_owned())
}

/// Folders and archives by student. What follows the prefix of clones is a user of GitHub.
pub(crate) fn sort(listing: &Listing<'_>, clone_prefix: Option<&str>) -> Sorted {
    let mut sorted = Sorted::default();
    for (place, entry) in listing.entries.iter().enumerate() {
        if entry.is_file() {
            sorted.unused.push((place, reason::beside_students()));
            continue;
        }
        let name = entry.stem();
        let user = clone_prefix.and_then(|prefix| name.strip_prefix(prefix));
        let user = user.filter(|user| !user.is_empty());
        let mut submitter = Submitter::new(user.unwrap_or(name));
        if let Some(user) = user {
            submitter.set_id(System::Github, user);
        }
        submitter.take(place, entry);
        sorted.submitters.push(submitter);
    }
    sorted
}
