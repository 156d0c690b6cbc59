//! Downloads with entries side by side, each named after its student, a number or a date, and a file.
//!
//! Students choose the names of their files, and at some places their own. If a name can be read as that of several students,
//! it is left open.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::reason;
use crate::submitter::{Listing, Sorted, Submitter};
use crate::time::submission_time;

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

/// Who submitted what. An attempt replaces the earlier ones as a whole. `describe` names the student; entries that it
/// takes out of the attempt are dealt with.
pub(crate) fn sort(
    listing: &Listing<'_>,
    parse: fn(&str) -> Option<Name<'_>>,
    describe: fn(&Listing<'_>, &mut Attempt<'_>) -> Submitter,
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
    for ((student, _), mut attempts) in students {
        let is_dated = attempts.len() == 1 || attempts.keys().all(|it| moment(it).is_some());
        let latest = attempts.keys().copied().max_by_key(|date| moment(date));
        let date = latest.unwrap_or_default();
        let mut attempt = attempts.remove(date).unwrap_or_default();
        if !is_dated {
            attempt.extend(std::mem::take(&mut attempts).into_values().flatten());
        }
        let mut submitter = describe(listing, &mut attempt);
        submitter.submitted = (!date.is_empty() && is_dated).then(|| date.to_owned());
        let mut is_contested = !is_dated;
        for (place, name) in attempt {
            let entry = &listing.entries[place];
            match name.what {
                What::Typed => submitter.pass_typed(&entry.name),
                What::File(file) if !entry.is_folder() => {
                    submitter.take_file(place, entry, file, file);
                }
                What::File(_) | What::Whole => {
                    is_contested = true;
                    submitter.take(place, entry);
                }
            }
        }
        if is_contested {
            submitter.entries.sort();
            submitter.contest(&submitter.entries.clone());
        }
        if !attempts.is_empty() {
            submitter.notes.push(reason::latest_of(student, date));
        }
        for (place, _) in attempts.into_values().flatten() {
            let path = &listing.entries[place].name;
            submitter.pass(path, reason::earlier_attempt(date));
        }
        sorted.submitters.push(submitter);
    }
    sorted
}

/// A moment by which attempts can be compared: they were all written in one time zone. `None` if it cannot be read.
fn moment(date: &str) -> Option<Timestamp> {
    submission_time(date, &TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_compared_by_the_clock() {
        let dates = [
            "Dec 31, 2025 1159 PM",
            "Jan 5, 2026 1205 AM",
            "5 January, 2026 9:59 AM",
            "2026年1月5日 1030",
            "Jan 5, 2026 1205 PM",
            "Jan 5, 2026 115 PM",
            "2026-01-05-13-16-00",
            "Oct 1, 2026 100 AM",
        ];
        let moments: Vec<_> = dates.iter().map(|date| moment(date).unwrap()).collect();
        assert!(moments.is_sorted(), "{moments:?}");
        assert_eq!(moment("5 Januar 2026 10.30"), None);
    }
}
