//! Blackboard Learn: "Assignment File Download" (a `gradebook_….zip`), and the grade centre.
//!
//! The download is flat. For each attempt there is an index, `ASSIGNMENT_username_attempt_2026-01-05-10-30-00.txt`, and
//! beside it each file as `ASSIGNMENT_username_attempt_2026-01-05-10-30-00_count.c`. The index, as parsers of it show it
//! (<https://github.com/kwurst/bb-file-cleanup>, <https://github.com/timdrysdale/gradex-cli>):
//!
//! ```text
//! Name: Ada Lovelace (ada)
//! Assignment: HW1
//! Date Submitted: Monday, January 5, 2026 10:30:00 AM EST
//! Current Grade: Needs Grading
//!
//! Submission Field:
//! There is no student submission text data for this assignment.
//!
//! Comments:
//! There are no student comments for this assignment.
//!
//! Files:
//!     Original filename: count.c
//!     Filename: HW1_ada_attempt_2026-01-05-10-30-00_count.c
//! ```
//!
//! A name with a second `_attempt_` and date can be read in two ways: it is left open.
//!
//! The grade centre ("Work Offline", <https://help.blackboard.com/Learn/Instructor/Original/Grade/Grading_Tasks/Work_Offline_With_Grade_Data>)
//! is comma- or tab-separated, in UTF-16 if it is called `.xls`, with `Last Name`, `First Name`, `Username`, `Student ID` and
//! columns such as `Queens [Total Pts: 100 Score] |403340`.

use std::io::Read as _;

use grader_model::{System, escaped, escaped_name};

use crate::download::{Attempt, Name, What};
use crate::headings::Item;
use crate::submitter::{Listing, Submitter};

const MARK: &str = "_attempt_";
/// `2026-01-05-10-30-00`.
const DATE_LENGTH: usize = 19;
/// An index is short, whatever a student typed into the page.
const MAX_INDEX_BYTES: u64 = 1 << 20;
/// An index in another language has other words, so that there may be text.
const NO_TEXT: &str = "There is no student submission text data for this assignment.";

pub(crate) fn parse(name: &str) -> Option<Name<'_>> {
    let is_date = |date: &str| {
        date.split('-').map(str::len).eq([4, 2, 2, 2, 2, 2])
            && date.bytes().all(|it| it == b'-' || it.is_ascii_digit())
    };
    let is_mark = |at: &usize| {
        let rest = name.get(*at..).and_then(|it| it.strip_prefix(MARK));
        rest.and_then(|it| it.get(..DATE_LENGTH))
            .is_some_and(is_date)
    };
    let mut marks = (0..name.len()).filter(is_mark);
    let at = marks.next()?;
    let (student, rest) = (&name[..at], &name[at + MARK.len()..]);
    let (date, rest) = rest.split_at(DATE_LENGTH);
    let (_, user) = student.rsplit_once('_')?;
    let what = match rest {
        ".txt" => What::Typed,
        rest => What::File(rest.strip_prefix('_').filter(|file| !file.is_empty())?),
    };
    (!user.is_empty()).then_some(Name {
        student,
        number: "",
        date,
        what,
        is_ambiguous: marks.next().is_some(),
    })
}

/// Whose attempt it is, by its index. Below the first line an index may be forged by that student, and by nobody else.
pub(crate) fn submitter(listing: &Listing<'_>, attempt: &mut Attempt<'_>) -> Submitter {
    let student = attempt[0].1.student;
    let is_index = |(_, name): &(usize, Name<'_>)| name.what == What::Typed;
    let index = attempt.iter().position(is_index);
    let text = index.and_then(|at| {
        let mut text = Vec::new();
        let file = (listing.read)(attempt[at].0).ok()?;
        file.take(MAX_INDEX_BYTES).read_to_end(&mut text).ok()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    });
    let text = text.unwrap_or_default();
    if let Some(at) = index.filter(|_| attempt.len() > 1 && text.contains(NO_TEXT)) {
        attempt.remove(at);
    }
    let named = text.lines().next().and_then(|line| {
        let (_, person) = line.split_once(':')?;
        let (name, user) = person.trim().strip_suffix(')')?.rsplit_once('(')?;
        let is_student = student.ends_with(&format!("_{user}"));
        is_student.then(|| {
            (
                escaped_name(name.trim().as_bytes()),
                escaped(user.as_bytes()),
            )
        })
    });
    let user = student.rsplit_once('_').map_or(student, |(_, user)| user);
    let (mut submitter, user) = match named {
        Some((name, user)) => (Submitter::named(&name, &user), user),
        None => (Submitter::new(user), user.to_owned()),
    };
    submitter.set_id(System::Login, user);
    submitter
}

/// `Queens [Total Pts: 100 Score] |403340`; a percentage or a letter is no number of points.
pub(crate) fn item(head: &str) -> Option<Item<'_>> {
    let (title, rest) = head.split_once(" [Total Pts:")?;
    let (points, id) = rest.split_once(']')?;
    let points = points.trim().trim_start_matches("up to ");
    Some(Item {
        title: title.trim(),
        id: id.trim().strip_prefix('|'),
        maximum: points.strip_suffix(" Score").unwrap_or(points),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let date = "2026-01-05-10-30-00";
        let name = |student, what, is_ambiguous| {
            Some(Name {
                student,
                number: "",
                date,
                what,
                is_ambiguous,
            })
        };
        for (text, expected) in [
            (
                format!("HW_1_ada_attempt_{date}.txt"),
                name("HW_1_ada", What::Typed, false),
            ),
            (
                format!("HW1_ada_attempt_{date}_my_count.c"),
                name("HW1_ada", What::File("my_count.c"), false),
            ),
            (
                format!("HW1_ada_attempt_{date}_x_bob_attempt_{date}.txt"),
                name(
                    "HW1_ada",
                    What::File(&format!("x_bob_attempt_{date}.txt")),
                    true,
                ),
            ),
            (
                format!("my_attempt_1_ada_attempt_{date}.txt"),
                name("my_attempt_1_ada", What::Typed, false),
            ),
            (format!("ada_attempt_{date}.txt"), None),
            (format!("HW1_ada_attempt_{date}"), None),
            ("HW1_ada_attempt_2026-01-05_count.c".to_owned(), None),
        ] {
            assert_eq!(parse(&text), expected, "{text}");
        }
    }
}
