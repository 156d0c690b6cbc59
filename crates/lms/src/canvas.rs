//! Canvas: "Download Submissions", and the gradebook.
//!
//! The download is flat, `name[_LATE]_user_attachment_file.c` (`lib/content_zipper.rb`): the name in lower case without blanks,
//! the number of the user, the number of the file, and the file as it was called. Text that was typed into the page is
//! `name_user_text.html`; hidden names begin with `anon_` and a word that stands for the user. Names are taken apart as Canvas
//! does when they are uploaded again: the first two parts between `_` that are all digits are the numbers.
//!
//! Students choose the names of their files, and at some places their own: `ada_12_7_34_56_count.c` is a file of user 12, or of
//! user 34 whose name is `ada_12_7`. If some files of a user can be read as another's and some cannot, all are left open.
//!
//! A file that is submitted again under its name gets a number: `count-1.c`.
//!
//! Canvas finds an assignment by the number at the end of a column's heading, else by the exact title
//! (`lib/gradebook_importer.rb`), and takes more points than are possible.

use std::collections::{BTreeMap, HashMap, HashSet};

use grader_model::{System, Text};

use crate::headings;
use crate::people::Identity;
use crate::plan::{FillError, Item, Maximum, Plan};
use crate::reason;
use crate::submitter::{EntryKind, Listing, Sorted, Submitter, is_number};
use crate::table::Table;

/// A name taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name<'a> {
    /// The student's; `None` if names are hidden.
    who: Option<&'a str>,
    is_late: bool,
    /// The number of the user, or the word that stands for one.
    user: &'a str,
    what: What<'a>,
}

#[derive(Debug, PartialEq, Eq)]
enum What<'a> {
    File {
        attachment: &'a str,
        name: &'a str,
    },
    /// Text or an address that was typed into the page.
    Typed,
}

pub(crate) fn parse(entry: &str) -> Option<Name<'_>> {
    // Where each part begins.
    let begins = || std::iter::once(0).chain(entry.match_indices('_').map(|(at, _)| at + 1));
    let part = |at: usize| entry[at..].split('_').next().unwrap_or_default();
    let hidden = ["anon_", "LATE_anon_"];
    let hidden = hidden.into_iter().find(|start| entry.starts_with(start));
    let user_at = match hidden {
        Some(start) => start.len(),
        None => begins().find(|&at| is_number(part(at)))?,
    };
    let user = part(user_at);
    let before = entry[..user_at].trim_end_matches('_');
    let (who, is_late) = match before.rsplit_once('_') {
        Some((who, "LATE")) => (who, true),
        _ => (before, before == "LATE_anon"),
    };
    if who.is_empty() || user.is_empty() {
        return None;
    }
    let rest_at = (user_at + user.len() + 1).min(entry.len());
    let what = if matches!(&entry[rest_at..], "text.html" | "link.html") {
        What::Typed
    } else {
        let attachment_at = begins().find(|&at| at >= rest_at && is_number(part(at)))?;
        let attachment = part(attachment_at);
        let name = entry.get(attachment_at + attachment.len() + 1..)?;
        if name.is_empty() {
            return None;
        }
        What::File { attachment, name }
    };
    Some(Name {
        who: hidden.is_none().then_some(who),
        is_late,
        user,
        what,
    })
}

/// Whether names can be those of several users, each with one name.
pub(crate) fn are_of_users(names: &[Name<'_>]) -> bool {
    let mut users: HashMap<&str, Option<&str>> = HashMap::new();
    for name in names {
        if *users.entry(name.user).or_insert(name.who) != name.who {
            return false;
        }
    }
    let shown: HashSet<&str> = names.iter().filter_map(|name| name.who).collect();
    let hidden = users.values().filter(|who| who.is_none()).count();
    shown.len() + hidden > 1
}

/// A file that one student submitted.
struct File<'a> {
    index: usize,
    entry: &'a str,
    attachment: &'a str,
    /// Its name with the number of a later attempt.
    name: &'a str,
    attempt: u32,
    /// Its name without.
    meant: String,
}

pub(crate) fn sort(listing: &Listing<'_>) -> Sorted {
    type Who<'a> = (Option<&'a str>, &'a str);
    let mut sorted = Sorted::default();
    let mut found: BTreeMap<Who<'_>, (Submitter, Vec<File<'_>>)> = BTreeMap::new();
    for (index, entry) in listing.entries.iter().enumerate() {
        let Some(name) = parse(&entry.name) else {
            sorted.unused.push((index, reason::not_of_layout()));
            continue;
        };
        let (submitter, files) = found
            .entry((name.who, name.user))
            .or_insert_with(|| (submitter(&name), Vec::new()));
        if name.is_late && submitter.notes.is_empty() {
            submitter.notes.push(reason::late());
        }
        match name.what {
            What::Typed => submitter.pass_typed(&entry.name),
            What::File { attachment, name } => {
                let shorter = without_number(name);
                let shorter = shorter.filter(|(shorter, _)| (listing.prefers)(shorter, name));
                let (meant, attempt) = shorter.unwrap_or_else(|| (name.to_owned(), 0));
                files.push(File {
                    index,
                    entry: &entry.name,
                    attachment,
                    name,
                    attempt,
                    meant,
                });
            }
        }
    }
    let all = found.values().flat_map(|(_, files)| files);
    let shortest = all.map(|file| file.attachment.len()).min();
    for (mut submitter, files) in found.into_values() {
        let readings = |file: &File<'_>| other_readings(file.entry, shortest.unwrap_or_default());
        if files
            .windows(2)
            .any(|two| readings(&two[0]) != readings(&two[1]))
        {
            submitter.entries = files.iter().map(|file| file.entry.to_owned()).collect();
            submitter.contest(reason::several_sources(&submitter.entries));
        } else {
            take_latest(listing, &mut submitter, files);
        }
        sorted.submitters.push(submitter);
    }
    sorted
}

/// In how many other ways a name can be read: each pair of numbers after that of the user may be those of another user and
/// of a file. Canvas counts files on, so a number much shorter than the `shortest` of the class is not one of them.
fn other_readings(entry: &str, shortest: usize) -> usize {
    let parts: Vec<&str> = entry.split('_').collect();
    let Some(user) = parts.iter().position(|part| is_number(part)) else {
        return 0;
    };
    let is_pair =
        |pair: &&[&str]| is_number(pair[0]) && is_number(pair[1]) && pair[1].len() + 1 >= shortest;
    parts[user + 1..].windows(3).filter(is_pair).count()
}

fn submitter(name: &Name<'_>) -> Submitter {
    let Some(who) = name.who else {
        return Submitter::new(format!("anon_{}", name.user));
    };
    let mut submitter = Submitter::new(who);
    submitter.number = Some(name.user.to_owned());
    submitter.set_id(System::Canvas, name.user);
    submitter.person().name = Some(who.to_owned());
    submitter
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

/// Of several files that were meant to have one name, the latest counts.
fn take_latest(listing: &Listing<'_>, submitter: &mut Submitter, mut files: Vec<File<'_>>) {
    let is_archive = |file: &File<'_>| listing.entries[file.index].kind == EntryKind::Archive;
    // No name says what an archive is for: its number is that of an attempt if the name without it is there too.
    let names: Vec<&str> = files.iter().map(|file| file.name).collect();
    for file in &mut files {
        if let Some((meant, attempt)) = without_number(file.name)
            && is_archive(file)
            && names.contains(&meant.as_str())
        {
            (file.meant, file.attempt) = (meant, attempt);
        }
    }
    let mut attempts: BTreeMap<String, Vec<File<'_>>> = BTreeMap::new();
    for file in files {
        attempts.entry(file.meant.clone()).or_default().push(file);
    }
    for (meant, mut files) in attempts {
        // Longer numbers are larger: they have no zeros in front.
        files.sort_by_key(|file| (file.attempt, file.attachment.len(), file.attachment));
        let Some(latest) = files.pop() else { continue };
        for earlier in &files {
            submitter.pass(earlier.entry, reason::earlier_attempt(latest.name));
        }
        if !files.is_empty() {
            submitter.notes.push(reason::latest_of(&meant, latest.name));
        } else if latest.attempt > 0 {
            let name = latest.name;
            submitter.notes.push(Text::new(
                format!("`{name}` was read as `{meant}`: Canvas numbers attempts"),
                format!("`{name}` 按 `{meant}` 读取：Canvas 会为多次提交编号"),
            ));
        }
        submitter.entries.push(latest.entry.to_owned());
        let name = if is_archive(&latest) {
            latest.name
        } else {
            &meant
        };
        submitter.take_file(latest.index, latest.name, name);
    }
}

/// The row above the students says this in its first cell.
const POINTS_POSSIBLE: &str = "Points Possible";

/// What stands in a gradebook besides assignments.
const STUDENT_COLUMNS: [&str; 9] = [
    "Student",
    "LastName",
    "FirstName",
    "ID",
    "SIS User ID",
    "SIS Login ID",
    "Integration ID",
    "Root Account",
    "Section",
];

/// The column of an assignment.
pub(crate) fn plan(table: Table, item: &str) -> Result<Plan, FillError> {
    let heads = table.heads();
    let is_students = |head: &String| STUDENT_COLUMNS.contains(&head.as_str());
    let first = heads
        .iter()
        .rposition(is_students)
        .map_or(0, |last| last + 1);
    let possible =
        (1..table.rows().len()).find(|&row| table.trimmed(row, 0).contains(POINTS_POSSIBLE));
    let possible = possible.ok_or(FillError::NoPointsPossible)?;
    let items = (first..heads.len()).map(|column| {
        let head = heads[column].as_str();
        let numbered = head
            .strip_suffix(')')
            .and_then(|head| head.rsplit_once('('));
        let numbered = numbered.filter(|(_, id)| is_number(id));
        Item {
            column,
            title: numbered.map_or(head, |(title, _)| title.trim()).to_owned(),
            id: numbered.map(|(_, id)| id.to_owned()),
            maximum: table.trimmed(possible, column).to_owned(),
        }
    });
    let item = Item::find(items.collect(), &heads, item)?;
    let maximum = Maximum::read(&item.maximum).ok_or_else(|| item.not_points(&heads))?;
    let columns = heads.iter().take(first).map(|head| headings::column(head));
    let identity = Identity::new(columns.collect(), Some(System::Canvas));
    Ok(Plan {
        own: Some(System::Canvas),
        ..Plan::new(table, possible + 1, identity, item.column, maximum)?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_as_canvas_does() {
        let name = |who, is_late, user, what| {
            Some(Name {
                who,
                is_late,
                user,
                what,
            })
        };
        let file = |attachment, name| What::File { attachment, name };
        for (text, expected) in [
            (
                "doejane_12_345_count.c",
                name(Some("doejane"), false, "12", file("345", "count.c")),
            ),
            (
                "张三_LATE_12_345_my_count-1.c",
                name(Some("张三"), true, "12", file("345", "my_count-1.c")),
            ),
            (
                "de_la_cruz_12_345_6_a.c",
                name(Some("de_la_cruz"), false, "12", file("345", "6_a.c")),
            ),
            (
                "doejane_12_text.html",
                name(Some("doejane"), false, "12", What::Typed),
            ),
            (
                "anon_aB3xY_345_a.c",
                name(None, false, "aB3xY", file("345", "a.c")),
            ),
            (
                "LATE_anon_aB3xY_345_a.c",
                name(None, true, "aB3xY", file("345", "a.c")),
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
