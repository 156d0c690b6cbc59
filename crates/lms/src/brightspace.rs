//! Brightspace (D2L): downloads of an assignment's submissions, and the grades' CSV.
//!
//! A download has an entry for each submission, `12345-67890 - Ada Lovelace - Jan 5, 2026 1030 PM`: a folder, or in older
//! versions each file with ` - count.c` after the date; `index.html` lies beside. The numbers stand for the student and
//! the assignment. Several submissions of one student are several entries; the latest counts if all dates are in English,
//! else a person decides (<https://community.d2l.com/brightspace/kb/articles/3529-download-assignment-submissions>).
//!
//! Students choose the names of their files, and at some places their own. A name with two dates is left open.
//!
//! The grades' CSV (<https://community.d2l.com/brightspace/kb/articles/3538-importing-grades>) has `OrgDefinedId` and
//! `Username`, with `#` before each value in exports, columns such as `Queens Points Grade <Numeric MaxPoints:100>`, and at
//! last `End-of-Line Indicator`.

use std::collections::BTreeMap;

use crate::people::Identity;
use crate::plan::{FillError, Item, Maximum, Plan};
use crate::reason;
use crate::submitter::{Listing, Sorted, Submitter, is_number};
use crate::table::Table;

/// The page that lists the submissions.
pub(crate) const INDEX: &str = "index.html";

/// A name taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    id: &'a str,
    student: &'a str,
    date: &'a str,
    /// The file's own name, in a flat download.
    file: Option<&'a str>,
    is_ambiguous: bool,
}

pub(crate) fn parse(entry: &str) -> Option<Name<'_>> {
    let (id, rest) = entry.split_once(" - ")?;
    let (first, second) = id.split_once('-')?;
    if !is_number(first) || !is_number(second) {
        return None;
    }
    let mut at = 0;
    let mut dates = rest.split(" - ").filter_map(|part| {
        let begin = at;
        at += part.len() + " - ".len();
        is_date(part).then_some((begin, part))
    });
    let (begin, date) = dates.next()?;
    let student = rest[..begin].strip_suffix(" - ")?;
    let file = rest[begin + date.len()..].strip_prefix(" - ");
    Some(Name {
        id,
        student,
        date,
        file,
        is_ambiguous: dates.next().is_some(),
    })
}

/// Whether a text can be a date in any language: it has a year, and a time of three or four digits.
fn is_date(text: &str) -> bool {
    let digits = text.split(|c: char| !c.is_ascii_digit() && c != ':');
    let lengths = digits.map(|run| run.bytes().filter(u8::is_ascii_digit).count());
    lengths.clone().any(|length| length == 4)
        && lengths.clone().any(|length| (1..=2).contains(&length))
        && lengths.filter(|length| (3..=4).contains(length)).count() == 2
}

/// Year, month, day and minute of an English date: `Jan 5, 2026 1030 PM` or `5 January, 2026 10:30 PM`.
fn moment(date: &str) -> Option<[u32; 4]> {
    const MONTHS: &str = "janfebmaraprmayjunjulaugsepoctnovdec";
    let words = date.split([' ', ',']).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let [a, b, year, time, half] = words.as_slice() else {
        return None;
    };
    let (month, day) = if a.starts_with(|c: char| c.is_ascii_digit()) {
        (b, a)
    } else {
        (a, b)
    };
    let month = MONTHS.find(month.get(..3)?).filter(|at| at % 3 == 0)? / 3;
    let time: u32 = time.replace(':', "").parse().ok()?;
    let half = match half.as_str() {
        "am" => 0,
        "pm" => 12,
        _ => return None,
    };
    let minute = (time / 100 % 12 + half) * 60 + time % 100;
    let month = u32::try_from(month).ok()?;
    Some([year.parse().ok()?, month, day.parse().ok()?, minute])
}

/// One student's entries, by date.
type Dates<'a> = BTreeMap<&'a str, Vec<(usize, Name<'a>)>>;

pub(crate) fn sort(listing: &Listing<'_>) -> Sorted {
    let mut sorted = Sorted::default();
    let mut students: BTreeMap<&str, Dates<'_>> = BTreeMap::new();
    for (place, entry) in listing.entries.iter().enumerate() {
        match parse(&entry.name) {
            None => sorted.unused.push((place, reason::not_of_layout())),
            Some(name) if name.is_ambiguous => {
                sorted.submitters.push(Submitter::ambiguous(entry));
            }
            Some(name) => {
                let dates = students.entry(name.id).or_default();
                dates.entry(name.date).or_default().push((place, name));
            }
        }
    }
    for dates in students.into_values() {
        sorted.submitters.extend(submitter(listing, &dates));
    }
    sorted
}

/// One student, by the dates of what was submitted.
fn submitter(listing: &Listing<'_>, dates: &Dates<'_>) -> Option<Submitter> {
    let name = |place: usize| listing.entries[place].name.clone();
    let all = dates.values().flatten();
    let sources: Vec<String> = all.clone().map(|(place, _)| name(*place)).collect();
    let names: Vec<&str> = all.map(|(_, name)| name.student).collect();
    let (first, number) = {
        let (_, name) = dates.values().flatten().next()?;
        (name.student, name.id)
    };
    let mut submitter = Submitter::new(first);
    submitter.number = Some(number.to_owned());
    submitter.person().name = Some(first.to_owned());
    let is_known = |date: &&str| dates.len() == 1 || moment(date).is_some();
    if names.iter().any(|name| *name != first) || !dates.keys().all(is_known) {
        submitter.entries.clone_from(&sources);
        submitter.contest(reason::several_sources(&sources));
        return Some(submitter);
    }
    let (latest, _) = dates.iter().max_by_key(|(date, _)| moment(date))?;
    for (date, entries) in dates {
        let wholes = entries.iter().filter(|(_, name)| name.file.is_none());
        let is_mixed = wholes.clone().count() > 0 && entries.len() > 1;
        for (place, entry) in entries {
            if date != latest {
                submitter.pass(name(*place), reason::earlier_attempt(latest));
            } else if let Some(file) = entry.file {
                submitter.take_file(*place, file, file);
                submitter.entries.push(name(*place));
            } else {
                submitter.take(*place, &listing.entries[*place]);
            }
        }
        if is_mixed && date == latest {
            submitter.contest_several(&sources);
        }
    }
    if dates.len() > 1 {
        submitter.notes.push(reason::latest_of(first, latest));
    }
    Some(submitter)
}

/// The column of a grade item.
pub(crate) fn plan(table: Table, item: &str) -> Result<Plan, FillError> {
    let heads = table.heads();
    let identity = Identity::of(&heads, None);
    let items = heads.iter().enumerate().filter_map(|(column, head)| {
        let (title, rest) = head.split_once(" Points Grade")?;
        let maximum = rest.split_once("MaxPoints:").map_or("", |(_, rest)| rest);
        let maximum = maximum.split([' ', '>']).next().unwrap_or_default();
        Some(Item {
            column,
            title: title.trim().to_owned(),
            id: None,
            maximum: maximum.to_owned(),
        })
    });
    let item = Item::find(items.collect(), &heads, item)?;
    let maximum = match item.maximum.as_str() {
        "" => Maximum::Unknown,
        points => Maximum::read(points).ok_or_else(|| item.not_points(&heads))?,
    };
    Plan::new(table, 1, identity, item.column, maximum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        let name = |id, student, date, file| {
            Some(Name {
                id,
                student,
                date,
                file,
                is_ambiguous: false,
            })
        };
        let date = "Jan 5, 2026 1030 PM";
        for (text, expected) in [
            (
                "12-67 - Ada Lovelace - Jan 5, 2026 1030 PM",
                name("12-67", "Ada Lovelace", date, None),
            ),
            (
                "12-67 - Ada - Byron - 5 January, 2026 10:30 PM - my - count.c",
                name(
                    "12-67",
                    "Ada - Byron",
                    "5 January, 2026 10:30 PM",
                    Some("my - count.c"),
                ),
            ),
            (
                "12-67 - 张三 - 2026年1月5日 1030",
                name("12-67", "张三", "2026年1月5日 1030", None),
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

    #[test]
    fn dates_are_compared_by_the_clock() {
        let dates = [
            "Dec 31, 2025 1159 PM",
            "Jan 5, 2026 1205 AM",
            "5 January, 2026 9:59 AM",
            "Jan 5, 2026 1205 PM",
            "Oct 1, 2026 100 AM",
        ];
        let moments: Vec<_> = dates.iter().map(|date| moment(date).unwrap()).collect();
        assert!(moments.is_sorted(), "{moments:?}");
        assert_eq!(moment("2026年1月5日 1030"), None);
    }
}
