//! Brightspace (D2L): downloads of an assignment's submissions, and the grades' CSV.
//!
//! A download has an entry for each submission, `12345-67890 - Ada Lovelace - Jan 5, 2026 1030 PM`: a folder, or in older
//! versions each file with ` - count.c` after the date; `index.html` lies beside. The numbers stand for the student and
//! the assignment. Several submissions of one student are several entries; the latest counts if all dates can be read
//! (English and Chinese), else a person decides (<https://community.d2l.com/brightspace/kb/articles/3529-download-assignment-submissions>).
//!
//! A name with two dates is left open.
//!
//! The grades' CSV (<https://community.d2l.com/brightspace/kb/articles/3538-importing-grades>) has `OrgDefinedId` and
//! `Username`, with `#` before each value in exports, columns such as `Queens Points Grade <Numeric MaxPoints:100>`, and at
//! last `End-of-Line Indicator`.

use crate::download::{Attempt, Name, What};
use crate::headings::Item;
use crate::identity::is_number;
use crate::submitter::{Listing, Submitter};

/// The page that lists the submissions.
pub(crate) const INDEX: &str = "index.html";

pub(crate) fn parse(name: &str) -> Option<Name<'_>> {
    let (number, rest) = name.split_once(" - ")?;
    let (user, assignment) = number.split_once('-')?;
    let mut at = 0;
    let mut dates = rest.split(" - ").filter_map(|part| {
        let begin = at;
        at += part.len() + " - ".len();
        is_date(part).then_some((begin, part))
    });
    let (begin, date) = dates.next()?;
    let student = rest[..begin].strip_suffix(" - ")?;
    let file = rest[begin + date.len()..].strip_prefix(" - ");
    (is_number(user) && is_number(assignment)).then_some(Name {
        student,
        number,
        date,
        what: file.map_or(What::Whole, What::File),
        is_ambiguous: dates.next().is_some(),
    })
}

/// Whether a text can be a date in any language: it has a day, a year and a time.
fn is_date(text: &str) -> bool {
    let runs = text.split(|c: char| !c.is_ascii_digit());
    let lengths: Vec<usize> = runs.map(str::len).filter(|length| *length > 0).collect();
    lengths.len() >= 3 && lengths.contains(&4)
}

pub(crate) fn submitter(_: &Listing<'_>, attempt: &mut Attempt<'_>) -> Submitter {
    let name = attempt[0].1;
    Submitter::named(name.student, name.number)
}

/// `Queens Points Grade <Numeric MaxPoints:100 Weight:10>`.
pub(crate) fn item(head: &str) -> Option<Item<'_>> {
    let (title, rest) = head.split_once(" Points Grade")?;
    let maximum = rest.split_once("MaxPoints:").map_or("", |(_, rest)| rest);
    Some(Item {
        title: title.trim(),
        id: None,
        maximum: maximum.split([' ', '>']).next().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let name = |student, date, what| {
            Some(Name {
                student,
                number: "12-67",
                date,
                what,
                is_ambiguous: false,
            })
        };
        let date = "Jan 5, 2026 1030 PM";
        for (text, expected) in [
            (
                "12-67 - Ada Lovelace - Jan 5, 2026 1030 PM",
                name("Ada Lovelace", date, What::Whole),
            ),
            (
                "12-67 - Ada - Byron - 5 January, 2026 10:30 PM - my - count.c",
                name(
                    "Ada - Byron",
                    "5 January, 2026 10:30 PM",
                    What::File("my - count.c"),
                ),
            ),
            (
                "12-67 - 张三 - 2026年1月5日 1030",
                name("张三", "2026年1月5日 1030", What::Whole),
            ),
            ("12-67 - Jan 5, 2026 1030 PM", None),
            ("12 - Ada - Jan 5, 2026 1030 PM", None),
            ("12-67 - Ada - report 2026", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        let forged = "12-67 - Ada - Jan 5, 2026 1030 PM - Jan 6, 2026 1030 PM - count.c";
        assert!(parse(forged).unwrap().is_ambiguous);
    }
}
