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
//! An attempt replaces the earlier ones as a whole. Students choose the names of their files, so a name with a second
//! `_attempt_` and date can be read in two ways: it is left open.
//!
//! The grade centre ("Work Offline", <https://help.blackboard.com/Learn/Instructor/Original/Grade/Grading_Tasks/Work_Offline_With_Grade_Data>)
//! is comma- or tab-separated, in UTF-16 if it is called `.xls`, with `Last Name`, `First Name`, `Username`, `Student ID` and
//! columns such as `Queens [Total Pts: 100 Score] |403340`.

use std::collections::BTreeMap;
use std::io::Read as _;

use grader_model::{System, escaped};

use crate::people::Identity;
use crate::plan::{FillError, Item, Maximum, Plan};
use crate::reason;
use crate::submitter::{Listing, Sorted, Submitter};
use crate::table::Table;

const MARK: &str = "_attempt_";
/// `2026-01-05-10-30-00`.
const DATE_LENGTH: usize = 19;
/// An index is short, whatever a student typed into the page.
const MAX_INDEX_BYTES: u64 = 1 << 20;
const NO_TEXT: &str = "There is no student submission text data for this assignment.";

/// A name taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    /// Assignment and user name.
    who: &'a str,
    date: &'a str,
    /// The file's own name; `None` for the index.
    file: Option<&'a str>,
    is_ambiguous: bool,
}

pub(crate) fn parse(name: &str) -> Option<Name<'_>> {
    let mut marks = marks(name.as_bytes());
    let at = marks.next()?;
    let (who, rest) = (&name[..at], &name[at + MARK.len()..]);
    let (date, rest) = rest.split_at(DATE_LENGTH);
    let file = match rest {
        ".txt" => None,
        rest => Some(rest.strip_prefix('_').filter(|file| !file.is_empty())?),
    };
    let (_, user) = who.rsplit_once('_')?;
    (!user.is_empty()).then_some(Name {
        who,
        date,
        file,
        is_ambiguous: marks.next().is_some(),
    })
}

/// Where `_attempt_` and a date begin.
fn marks(name: &[u8]) -> impl Iterator<Item = usize> {
    let is_mark = |part: &[u8]| {
        part.strip_prefix(MARK.as_bytes()).is_some_and(|date| {
            date.iter().enumerate().all(|(at, byte)| match at {
                4 | 7 | 10 | 13 | 16 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            })
        })
    };
    let parts = name.windows(MARK.len() + DATE_LENGTH).enumerate();
    parts
        .filter(move |(_, part)| is_mark(part))
        .map(|(at, _)| at)
}

/// What an index says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Index {
    name: Option<String>,
    user: Option<String>,
    /// Whether there may be text that was typed into the page.
    has_text: bool,
    /// What the student called each file.
    originals: BTreeMap<String, String>,
}

/// Reads an index. Everything below its first lines may be forged by the student whose attempt it is, and by nobody else.
fn read_index(text: &str, who: &str) -> Index {
    let first = text.trim_start_matches('\u{feff}').lines().next();
    let first = first.and_then(|line| line.split_once(':'));
    let person = first
        .and_then(|(_, value)| value.trim().strip_suffix(')')?.rsplit_once('('))
        .filter(|(_, user)| who.ends_with(&format!("_{user}")));
    let field = text.split_once("\nSubmission Field:").map(|(_, rest)| {
        let (field, _) = rest.split_once("\nComments:").unwrap_or((rest, ""));
        field.trim()
    });
    let mut index = Index {
        name: person
            .map(|(name, _)| escaped(name.trim().as_bytes()))
            .filter(|name| !name.is_empty()),
        user: person.map(|(_, user)| escaped(user.as_bytes())),
        // An index in another language has other words.
        has_text: !matches!(field, Some("" | NO_TEXT)),
        originals: BTreeMap::new(),
    };
    let mut original = None;
    for line in text.lines() {
        match line.trim().split_once(": ") {
            Some(("Original filename", name)) => original = Some(escaped(name.as_bytes())),
            Some(("Filename", name)) => {
                let is_name = |name: &String| !name.starts_with('.') && !name.contains(['/', '\\']);
                if let Some(original) = original.take().filter(is_name) {
                    index.originals.insert(escaped(name.as_bytes()), original);
                }
            }
            _ => {}
        }
    }
    index
}

/// The files of one attempt and its index, by their places.
#[derive(Default)]
struct Attempt {
    index: Option<usize>,
    files: Vec<usize>,
}

pub(crate) fn sort(listing: &Listing<'_>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut attempts: BTreeMap<&[u8], BTreeMap<&str, Attempt>> = BTreeMap::new();
    for (place, entry) in listing.entries.iter().enumerate() {
        match parse(&entry.name).filter(|_| !entry.is_folder()) {
            None => sorted.unused.push((place, reason::not_of_layout())),
            Some(name) if name.is_ambiguous => {
                sorted.submitters.push(Submitter::ambiguous(entry));
            }
            Some(name) => {
                // By the real names: different names can look alike once they are escaped.
                let who = marks(&entry.raw).next().unwrap_or(entry.raw.len());
                let all = attempts.entry(&entry.raw[..who]).or_default();
                let attempt = all.entry(name.date).or_default();
                match name.file {
                    None => attempt.index = Some(place),
                    Some(_) => attempt.files.push(place),
                }
            }
        }
    }
    for attempts in attempts.into_values() {
        sorted.submitters.extend(submitter(listing, attempts));
    }
    sorted
}

/// The latest attempt of one student.
fn submitter(listing: &Listing<'_>, mut attempts: BTreeMap<&str, Attempt>) -> Option<Submitter> {
    let (date, latest) = attempts.pop_last()?;
    let entry = |place: usize| &listing.entries[place];
    let some = entry(*latest.index.iter().chain(&latest.files).next()?);
    let who = parse(&some.name)?.who;
    let index = latest.index.and_then(|place| {
        let mut text = Vec::new();
        let file = (listing.read)(place).ok()?;
        file.take(MAX_INDEX_BYTES).read_to_end(&mut text).ok()?;
        Some(read_index(&String::from_utf8_lossy(&text), who))
    });
    let has_text = index.as_ref().is_none_or(|index| index.has_text);
    let Index {
        name,
        user,
        originals,
        ..
    } = index.unwrap_or_default();
    let user = user.or_else(|| Some(who.rsplit_once('_')?.1.to_owned()))?;
    let mut submitter = Submitter::new(name.as_deref().unwrap_or(&user));
    submitter.is_verbatim = some.is_verbatim();
    submitter.number = Some(user.clone());
    submitter.set_id(System::Login, user);
    submitter.person().name = name;
    for place in latest.files {
        let file = entry(place);
        let own = parse(&file.name).and_then(|name| name.file);
        let own = originals.get(&file.name).map(String::as_str).or(own)?;
        submitter.take_file(place, own, own);
        submitter.entries.push(file.name.clone());
    }
    if let Some(place) = latest
        .index
        .filter(|_| has_text || submitter.parts.is_empty())
    {
        submitter.pass_typed(&entry(place).name);
    }
    if !attempts.is_empty() {
        submitter.notes.push(reason::latest_of(who, date));
    }
    for earlier in attempts.into_values() {
        for place in earlier.files {
            submitter.pass(entry(place).name.as_str(), reason::earlier_attempt(date));
        }
    }
    Some(submitter)
}

/// The column of an item in a grade centre.
pub(crate) fn plan(table: Table, item: &str) -> Result<Plan, FillError> {
    let heads = table.heads();
    let identity = Identity::of(&heads, None);
    let items = heads.iter().enumerate().filter_map(|(column, head)| {
        let (title, rest) = head.split_once(" [Total Pts:")?;
        let (points, id) = rest.split_once(']')?;
        Some(Item {
            column,
            title: title.trim().to_owned(),
            id: id.trim().strip_prefix('|').map(str::to_owned),
            maximum: points.trim().trim_start_matches("up to ").to_owned(),
        })
    });
    let item = Item::find(items.collect(), &heads, item)?;
    // `100 Score`, or `100` alone; a percentage or a letter is no number of points.
    let (points, kind) = item
        .maximum
        .split_once(' ')
        .unwrap_or((&item.maximum, "Score"));
    if kind != "Score" {
        return Err(item.not_points(&heads));
    }
    let maximum = Maximum::read(points).ok_or_else(|| item.not_points(&heads))?;
    Plan::new(table, 1, identity, item.column, maximum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let date = "2026-01-05-10-30-00";
        let name = |who, file, is_ambiguous| {
            Some(Name {
                who,
                date,
                file,
                is_ambiguous,
            })
        };
        for (text, expected) in [
            (
                format!("HW_1_ada_attempt_{date}.txt"),
                name("HW_1_ada", None, false),
            ),
            (
                format!("HW1_ada_attempt_{date}_my_count.c"),
                name("HW1_ada", Some("my_count.c"), false),
            ),
            (
                format!("HW1_ada_attempt_{date}_x_bob_attempt_{date}.txt"),
                name("HW1_ada", Some(&format!("x_bob_attempt_{date}.txt")), true),
            ),
            (
                format!("my_attempt_1_ada_attempt_{date}.txt"),
                name("my_attempt_1_ada", None, false),
            ),
            (format!("ada_attempt_{date}.txt"), None),
            (format!("HW1_ada_attempt_{date}"), None),
            ("HW1_ada_attempt_2026-01-05_count.c".to_owned(), None),
        ] {
            assert_eq!(parse(&text), expected, "{text}");
        }
    }

    #[test]
    fn an_index_names_the_student_and_the_files() {
        let text = "Name: Ada (King) Lovelace (ada)\nAssignment: HW1\n\nSubmission Field:\n\
            There is no student submission text data for this assignment.\n\nComments:\nName: Bob (bob)\n\nFiles:\n\
            \tOriginal filename: count.c\n\tFilename: a\n\tOriginal filename: ../up.c\n\tFilename: b\n";
        let index = read_index(text, "HW1_ada");
        let expected = Index {
            name: Some("Ada (King) Lovelace".to_owned()),
            user: Some("ada".to_owned()),
            has_text: false,
            originals: [("a".to_owned(), "count.c".to_owned())].into(),
        };
        assert_eq!(index, expected);
        // A name that is not that of the file says nothing.
        assert_eq!(read_index(text, "HW1_bob").user, None);
        assert!(read_index("Naam: Ada (ada)\n", "HW1_ada").has_text);
    }
}
