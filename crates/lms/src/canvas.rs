//! Canvas: "Download Submissions", and the gradebook.
//!
//! The download is flat, `name[_LATE]_user_attachment_file.c` (`lib/content_zipper.rb`): the name in lower case without blanks,
//! the number of the user, the number of the file, and the file as it was called. Text that was typed into the page is
//! `name_user_text.html`; hidden names begin with `anon_` and a word that stands for the user. Names are taken apart as Canvas
//! does when they are uploaded again: the first two parts between `_` that are all digits are the numbers.
//!
//! Students choose the names of their files, and at some places their own: `ada_12_7_34_56_count.c` is a file of user 12, or of
//! user 34 with the name `ada_12_7`. If some files of a user can be read as another's and some cannot, all are left open.
//!
//! A file that is submitted again under its name gets a number: `count-1.c`.
//!
//! Canvas finds an assignment by the number at the end of a column's heading (`lib/gradebook_importer.rb`), and takes more
//! points than are possible.

use std::collections::BTreeSet;

use grader_model::{System, Text};

use crate::download::{Attempt, Name, What};
use crate::headings::Item;
use crate::identity::is_number;
use crate::reason;
use crate::submitter::{EntryKind, Listing, Submitter};

/// Takes a name apart. The student is empty if names are hidden; the number is that of the user, or the word that stands for
/// one.
pub(crate) fn parse(entry: &str) -> Option<Name<'_>> {
    let hidden = entry.strip_prefix("LATE_").unwrap_or(entry);
    let hidden = hidden.strip_prefix("anon_");
    let (student, number, rest) = match hidden.map(|rest| rest.split_once('_')) {
        Some(hidden) => hidden.map(|(user, rest)| ("", user, rest))?,
        None => at_number(entry).filter(|(student, ..)| !student.is_empty())?,
    };
    let what = match rest {
        "text.html" | "link.html" => What::Typed,
        rest => What::File(at_number(rest).map(|(_, _, file)| file)?),
    };
    let is_empty = number.is_empty() || what == What::File("");
    (!is_empty).then_some(Name {
        student: student.strip_suffix("_LATE").unwrap_or(student),
        number,
        date: "",
        what,
        is_ambiguous: false,
    })
}

/// The first part between `_` that is a number, with what stands before and after it.
fn at_number(text: &str) -> Option<(&str, &str, &str)> {
    let begins = text.match_indices('_').map(|(at, _)| at + 1);
    std::iter::once(0).chain(begins).find_map(|begin| {
        let (number, after) = text[begin..].split_once('_')?;
        is_number(number).then(|| (text[..begin].trim_end_matches('_'), number, after))
    })
}

/// Whether entries can be those of several users, each with one name and one number.
pub(crate) fn are_of_users<'a>(names: impl Iterator<Item = Name<'a>>) -> bool {
    let users: BTreeSet<_> = names.map(|it| (it.student, it.number)).collect();
    let numbers: BTreeSet<_> = users.iter().map(|(_, number)| number).collect();
    let students: BTreeSet<_> = users.iter().map(|(student, _)| *student).collect();
    let are_several = students.len() > 1 || (students.contains("") && numbers.len() > 1);
    are_several && numbers.len() == users.len()
}

/// A file that one student submitted, in the order in which files replace each other.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct File<'a> {
    /// Its name without the number of a later attempt.
    meant: String,
    attempt: u32,
    attachment: u64,
    place: usize,
    name: &'a str,
}

/// Takes the latest of the files that were meant to have one name.
pub(crate) fn submitter(listing: &Listing<'_>, attempt: &mut Attempt<'_>) -> Submitter {
    let (student, number) = (attempt[0].1.student, attempt[0].1.number);
    let mut submitter = if student.is_empty() {
        Submitter::new(&format!("anon_{number}"))
    } else {
        let mut submitter = Submitter::named(student, number);
        submitter.set_id(System::Canvas, number);
        submitter
    };
    let entry = |place: usize| listing.entries[place].name.as_str();
    let late = [format!("{student}_LATE_"), "LATE_anon_".to_owned()];
    let is_late = |place: usize| late.iter().any(|late| entry(place).starts_with(late));
    if attempt.iter().any(|(place, _)| is_late(*place)) {
        submitter.notes.push(Text::new("submitted late", "迟交"));
    }
    let files = attempt.extract_if(.., |(_, name)| name.what != What::Typed);
    let files = files.filter_map(|(place, name)| match name.what {
        What::File(file) => Some((place, file)),
        What::Whole | What::Typed => None,
    });
    let mut files = numbered(listing, &files.collect::<Vec<_>>());
    let digits = files.iter().map(|file| file.attachment.to_string().len());
    let shortest = digits.min().unwrap_or_default();
    let readings = |file: &File<'_>| other_readings(entry(file.place), shortest);
    let readings: BTreeSet<usize> = files.iter().map(readings).collect();
    if readings.len() > 1 {
        let entries = files.iter().map(|file| entry(file.place).to_owned());
        submitter.entries = entries.collect();
        submitter.contest(&submitter.entries.clone());
        return submitter;
    }
    files.sort();
    for attempts in files.chunk_by(|a, b| a.meant == b.meant) {
        let Some((latest, earlier)) = attempts.split_last() else {
            continue;
        };
        for earlier in earlier {
            submitter.pass(entry(earlier.place), reason::earlier_attempt(latest.name));
        }
        if !earlier.is_empty() || latest.attempt > 0 {
            let note = reason::latest_of(&latest.meant, latest.name);
            submitter.notes.push(note);
        }
        let entry = &listing.entries[latest.place];
        submitter.take_file(latest.place, entry, latest.name, &latest.meant);
    }
    submitter
}

/// The files with what they were meant to be called: an attempt's number goes if the name without it is the better one, or,
/// since no name says what an archive is for, if an archive of that name is there too.
fn numbered<'a>(listing: &Listing<'_>, files: &[(usize, &'a str)]) -> Vec<File<'a>> {
    let file = |&(place, name): &(usize, &'a str)| {
        let entry = &listing.entries[place];
        let shorter = without_number(name).filter(|(shorter, _)| {
            let is_archive = entry.kind == EntryKind::Archive;
            let has_shorter = || files.iter().any(|(_, other)| other == shorter);
            (listing.prefers)(shorter, name) || (is_archive && has_shorter())
        });
        let (meant, attempt) = shorter.unwrap_or_else(|| (name.to_owned(), 0));
        let before = entry.name.strip_suffix(name).unwrap_or_default();
        let attachment = before.trim_end_matches('_').rsplit('_').next();
        let attachment = attachment.and_then(|it| it.parse().ok());
        File {
            meant,
            attempt,
            attachment: attachment.unwrap_or(u64::MAX),
            place,
            name,
        }
    };
    files.iter().map(file).collect()
}

/// In how many other ways a name can be read: each pair of numbers after that of the user may be those of another user and
/// of a file. Canvas counts files on, so a number much shorter than the student's `shortest` is not one of them.
fn other_readings(entry: &str, shortest: usize) -> usize {
    let parts: Vec<&str> = entry.split('_').collect();
    let Some(user) = parts.iter().position(|part| is_number(part)) else {
        return 0;
    };
    let is_pair =
        |pair: &&[&str]| is_number(pair[0]) && is_number(pair[1]) && pair[1].len() + 1 >= shortest;
    parts[user + 1..].windows(3).filter(is_pair).count()
}

/// `count.c` and 1 of `count-1.c`.
fn without_number(name: &str) -> Option<(String, u32)> {
    let (stem, ending) = name.rsplit_once('.')?;
    let (stem, number) = stem.rsplit_once('-')?;
    if stem.is_empty() || !is_number(number) || number.len() > 3 {
        return None;
    }
    Some((format!("{stem}.{ending}"), number.parse().ok()?))
}

/// `Queens (78)`.
pub(crate) fn item(head: &str) -> Option<Item<'_>> {
    let (title, id) = head.strip_suffix(')')?.rsplit_once('(')?;
    is_number(id).then_some(Item {
        title: title.trim(),
        id: Some(id),
        maximum: "",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_as_canvas_does() {
        let name = |student, number, what| {
            Some(Name {
                student,
                number,
                date: "",
                what,
                is_ambiguous: false,
            })
        };
        for (text, expected) in [
            (
                "doejane_12_345_count.c",
                name("doejane", "12", What::File("count.c")),
            ),
            (
                "张三_LATE_12_345_my_count-1.c",
                name("张三", "12", What::File("my_count-1.c")),
            ),
            (
                "de_la_cruz_12_345_6_a.c",
                name("de_la_cruz", "12", What::File("6_a.c")),
            ),
            ("doejane_12_text.html", name("doejane", "12", What::Typed)),
            ("anon_aB3xY_345_a.c", name("", "aB3xY", What::File("a.c"))),
            (
                "LATE_anon_aB3xY_345_a.c",
                name("", "aB3xY", What::File("a.c")),
            ),
            ("12_345_count.c", None),
            ("doejane_12_345", None),
            ("my_count.c", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn other_users_that_a_name_may_be_of_are_counted() {
        for (text, readings) in [
            ("doejane_1002_345_count.c", 0),
            ("de_la_cruz_1002_345_6_a.c", 0),
            ("doejane_1002_345_hw_3_1_count.c", 0),
            ("alice_1001__1002_345_count.c", 1),
            ("alice_1001_77_1002_345_count.c", 2),
        ] {
            assert_eq!(other_readings(text, 3), readings, "{text}");
        }
    }
}
