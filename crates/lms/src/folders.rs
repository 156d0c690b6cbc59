//! A folder or an archive for each student, named after the student; clones of GitHub repositories are named
//! `assignment-username`, as Classroom 50 downloads them (`gh teacher download`,
//! <https://github.com/foundation50/classroom50>).

use std::collections::{BTreeMap, BTreeSet};

use grader_model::System;

use crate::known::Known;
use crate::reason;
use crate::submitter::{Entry, Listing, Sorted, Submitter};

/// What the name of a clone begins with, if the class folder says it.
struct Named {
    prefix: String,
    /// Whether only a tool that makes clones names folders so.
    is_certain: bool,
}

/// What the names of all clones begin with: the assignment and a `-`.
///
/// If tables say who there is, it is what leaves most students or teams of them, and nothing else: user names begin alike
/// (`hw1-cs101-ada`). Without a table the class folder says it, or else what the names have in common; with a single clone
/// nobody can tell. The number of a year is no assignment.
pub(crate) fn clone_prefix(listing: &Listing<'_>) -> Option<String> {
    let names = names(listing);
    let by_folder = named(listing.folder, &names).map(|it| it.prefix);
    if let Some(known) = listing.known {
        let fitting = fitting(&names, known, by_folder.as_deref());
        return fitting.or(by_folder).filter(|prefix| !prefix.is_empty());
    }
    if by_folder.is_some() {
        return by_folder;
    }
    let (first, others) = names
        .split_first()
        .filter(|(_, others)| !others.is_empty())?;
    let mut prefixes = prefixes(first).collect::<Vec<_>>().into_iter().rev();
    let prefix = prefixes.find(|prefix| others.iter().all(|name| name.starts_with(prefix)))?;
    prefix
        .contains(char::is_alphabetic)
        .then(|| prefix.to_owned())
}

/// Whether a class is clones by the name of its folder alone, and most folders in it.
pub(crate) fn are_clones_by_name(listing: &Listing<'_>) -> bool {
    let names = names(listing);
    named(listing.folder, &names).is_some_and(|Named { prefix, is_certain }| {
        let clones = names.iter().filter(|name| name.starts_with(&prefix));
        is_certain && clones.count() * 2 > listing.entries.len()
    })
}

/// The names of folders and archives.
fn names<'a>(listing: &Listing<'a>) -> Vec<&'a str> {
    let entries = listing.entries.iter().filter(|entry| !entry.is_file());
    entries.map(Entry::stem).collect()
}

/// The prefix that the class folder names: `hw1-submissions` of GitHub Classroom, `hw1_submissions_TIME` of Classroom 50,
/// or `hw1`.
fn named(folder: &str, names: &[&str]) -> Option<Named> {
    let timed = folder.rsplit_once("_submissions_").map(|(it, _)| it);
    let assignment = timed.or(folder.strip_suffix("-submissions"));
    let prefix = format!("{}-", assignment.unwrap_or(folder));
    let is_there = names.iter().any(|name| name.starts_with(&prefix));
    is_there.then_some(Named {
        prefix,
        is_certain: timed.is_some(),
    })
}

/// The beginnings of a name that end with `-`.
fn prefixes(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('-').map(|(at, _)| &name[..=at])
}

/// The prefix that leaves most students or teams of tables; the one that the folder names if it leaves as many, and the
/// shortest of those that leave the same people, such as by their logins and by their ids. It is empty if the whole names are as
/// good, or if two leave others; `None` if no prefix leaves anybody.
fn fitting(names: &[&str], known: &Known, by_folder: Option<&str>) -> Option<String> {
    let mut left: BTreeMap<&str, Vec<BTreeSet<String>>> = BTreeMap::new();
    for name in names {
        for prefix in prefixes(name).chain([""]) {
            let owners = known.owners(&name[prefix.len()..]);
            if !owners.is_empty() {
                left.entry(prefix).or_default().push(owners);
            }
        }
    }
    let most = left.values().map(Vec::len).max()?;
    left.retain(|_, owners| owners.len() == most);
    if let Some(prefix) = by_folder.filter(|prefix| left.contains_key(prefix)) {
        return Some(prefix.to_owned());
    }
    let (shortest, owners) = left.first_key_value()?;
    let is_same = |(prefix, it): (&&str, _)| prefix.starts_with(shortest) && it == owners;
    let are_same = left.iter().all(is_same);
    Some(if are_same { *shortest } else { "" }.to_owned())
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
        if clone_prefix.is_some_and(|prefix| is_ambiguous(name, prefix, listing)) {
            sorted.submitters.push(Submitter::ambiguous(entry));
            continue;
        }
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

/// Whether a name can be cut elsewhere, too, and leaves somebody else: nobody can tell whose it is, unless the class folder
/// says where to cut.
fn is_ambiguous(name: &str, prefix: &str, listing: &Listing<'_>) -> bool {
    let Some(known) = listing.known else {
        return false;
    };
    let is_named = named(listing.folder, &[name]).is_some_and(|it| it.prefix == prefix);
    let users = prefixes(name).chain([""]).map(|it| &name[it.len()..]);
    let owners: BTreeSet<_> = users.map(|user| known.owners(user)).collect();
    !is_named && owners.iter().filter(|it| !it.is_empty()).count() > 1
}
