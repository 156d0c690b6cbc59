//! Downloads whose entries lie side by side, each named after its student, a number or a date, and a file.
//!
//! Students choose the names of their files, and at some places their own. If a name can be read as that of several students,
//! it is left open.

use std::collections::BTreeMap;

use crate::reason;
use crate::submitter::{Listing, Sorted, Submitter};

/// The name of an entry, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    /// The student's name, or whatever else all entries of a student begin with.
    pub(crate) student: &'a str,
    /// The system's number of the student; empty if the names have none.
    pub(crate) number: &'a str,
    /// When it was submitted; empty if the names do not say.
    pub(crate) date: &'a str,
    pub(crate) what: What<'a>,
    /// Whether it can be read as several students'.
    pub(crate) is_ambiguous: bool,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What<'a> {
    /// Everything that was submitted.
    Whole,
    /// One file, and what the student called it.
    File(&'a str),
    /// What was typed into the page.
    Typed,
}

/// The entries of one student from one date, by place.
pub(crate) type Attempt<'a> = Vec<(usize, Name<'a>)>;

/// Whose attempt it is. Entries that it takes out of the attempt are dealt with.
type Describe = fn(&Listing<'_>, &mut Attempt<'_>) -> Submitter;

/// Who submitted what. An attempt replaces the earlier ones as a whole. `moment` turns a date into a text by which dates can
/// be compared; `None` if it is in an unknown language.
pub(crate) fn sort(
    listing: &Listing<'_>,
    parse: fn(&str) -> Option<Name<'_>>,
    moment: fn(&str) -> Option<String>,
    describe: Describe,
) -> Sorted {
    let mut sorted = Sorted::default();
    let mut students: BTreeMap<_, BTreeMap<_, Attempt<'_>>> = BTreeMap::new();
    for (place, entry) in listing.entries.iter().enumerate() {
        match parse(&entry.name) {
            None => sorted.unused.push((place, reason::not_of_layout())),
            Some(name) if name.is_ambiguous => {
                sorted.submitters.push(Submitter::ambiguous(entry));
            }
            Some(name) => {
                let attempts = students.entry((name.student, name.number)).or_default();
                attempts.entry(name.date).or_default().push((place, name));
            }
        }
    }
    for mut attempts in students.into_values() {
        let is_dated = attempts.keys().all(|date| moment(date).is_some());
        let latest = attempts.keys().copied().max_by_key(|date| moment(date));
        if attempts.len() > 1 && !is_dated {
            sorted.submitters.push(undated(listing, attempts, describe));
        } else if let Some((date, attempt)) = latest.and_then(|it| attempts.remove_entry(it)) {
            let mut submitter = take(listing, attempt, describe);
            for (place, name) in attempts.into_values().flatten() {
                if submitter.notes.is_empty() {
                    submitter.notes.push(reason::latest_of(name.student, date));
                }
                let path = &listing.entries[place].name;
                submitter.pass(path, reason::earlier_attempt(date));
            }
            sorted.submitters.push(submitter);
        }
    }
    sorted
}

/// A student none of whose attempts is known to be the latest.
fn undated(
    listing: &Listing<'_>,
    attempts: BTreeMap<&str, Attempt<'_>>,
    describe: Describe,
) -> Submitter {
    let mut all: Attempt<'_> = attempts.into_values().flatten().collect();
    let places = all.iter().map(|(place, _)| *place);
    let sources = places.map(|place| listing.entries[place].name.clone());
    let sources: Vec<String> = sources.collect();
    let mut submitter = describe(listing, &mut all);
    submitter.contest(&sources);
    submitter.entries = sources;
    submitter
}

/// A student with what was submitted.
fn take(listing: &Listing<'_>, mut attempt: Attempt<'_>, describe: Describe) -> Submitter {
    let mut submitter = describe(listing, &mut attempt);
    let mut has_whole = false;
    for (place, name) in attempt {
        let entry = &listing.entries[place];
        match name.what {
            What::Typed => submitter.pass_typed(&entry.name),
            What::File(file) if !entry.is_folder() => {
                submitter.take_file(place, entry, file, file);
            }
            What::File(_) | What::Whole => {
                has_whole = true;
                submitter.take(place, entry);
            }
        }
    }
    if has_whole {
        submitter.contest(&submitter.entries.clone());
    }
    submitter
}
