//! Canvas' "download submissions".
//!
//! Files beside each other, `name[_LATE]_user_attachment_file.c` (`lib/content_zipper.rb`): the name in lower case without
//! blanks, the number of the user, the number of the file, and the file as it was called. What was typed into the page
//! is `name_user_text.html`; where names are hidden they begin with `anon_` and a word that stands for the user. Names
//! are taken apart as Canvas does when they are uploaded again: the first two parts between `_` that are all digits
//! are the numbers.
//!
//! Students choose the names of their files, and at some places their own: `ada_12_7_34_56_count.c` is a file of user 12, or of
//! user 34 whose name is `ada_12_7`. Where some files of a user can be read as another's and some cannot, all are left open.
//!
//! A file that is handed in again under its name gets a number: `count-1.c`.

use std::collections::{BTreeMap, HashMap, HashSet};

use grader_model::{System, Text};

use crate::entrant::Entrant;
use crate::listing::{Entry, Listing};
use crate::pattern::Patterns;
use crate::reason;

/// A name taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Name<'a> {
    /// The student's; nothing where names are hidden.
    who: Option<&'a str>,
    is_late: bool,
    /// The number of the user, or the word that stands for one.
    pub(super) user: &'a str,
    what: What<'a>,
}

#[derive(Debug, PartialEq, Eq)]
enum What<'a> {
    File {
        attachment: &'a str,
        name: &'a str,
    },
    /// Something that was typed into the page: a text or an address.
    Typed,
}

pub(super) fn parse(entry: &str) -> Option<Name<'_>> {
    // Where each part begins.
    let begins = || std::iter::once(0).chain(entry.match_indices('_').map(|(at, _)| at + 1));
    let part = |at: usize| entry[at..].split('_').next().unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let hidden = ["anon_", "LATE_anon_"]
        .into_iter()
        .find(|start| entry.starts_with(start));
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
    let who = hidden.is_none().then_some(who);
    let rest_at = (user_at + user.len() + 1).min(entry.len());
    let what = match &entry[rest_at..] {
        "text.html" | "link.html" => What::Typed,
        _ => {
            let attachment_at = begins().find(|&at| at >= rest_at && is_number(part(at)))?;
            let attachment = part(attachment_at);
            let name = entry.get(attachment_at + attachment.len() + 1..)?;
            if name.is_empty() {
                return None;
            }
            What::File { attachment, name }
        }
    };
    Some(Name {
        who,
        is_late,
        user,
        what,
    })
}

/// Whether names can be those of several users: these have different names, each of them one. Where names are hidden
/// there are several words for them.
pub(super) fn are_of_users(names: &[Name<'_>]) -> bool {
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

/// A file that one student handed in.
struct Handed<'e> {
    entry: &'e Entry,
    attachment: &'e str,
    /// Its name with the number of a later attempt, and that number.
    name: &'e str,
    attempt: u32,
    /// Its name without.
    meant: String,
}

pub(super) fn sort(entries: &[Entry], listing: &mut Listing, patterns: &Patterns) -> Vec<Entrant> {
    type Who<'e> = (Option<&'e str>, &'e str);
    let mut entrants: BTreeMap<Who<'_>, (Entrant, Vec<Handed<'_>>)> = BTreeMap::new();
    for entry in entries {
        let Some(name) = parse(&entry.name) else {
            listing.pass_entry(entry, reason::not_of_layout());
            continue;
        };
        let (entrant, handed) = entrants
            .entry((name.who, name.user))
            .or_insert_with(|| (entrant(&name), Vec::new()));
        if name.is_late && entrant.notes.is_empty() {
            entrant.notes.push(Text::new("handed in late", "迟交"));
        }
        match name.what {
            What::Typed => entrant.typed(&entry.name),
            What::File { attachment, name } => {
                let (meant, attempt) = unnumbered(name, patterns);
                handed.push(Handed {
                    entry,
                    attachment,
                    name,
                    attempt,
                    meant,
                });
            }
        }
    }
    let shortest = (entrants.values())
        .flat_map(|(_, handed)| handed.iter().map(|file| file.attachment.len()))
        .min()
        .unwrap_or_default();
    let entrants = entrants.into_values().map(|(mut entrant, handed)| {
        let readings = |file: &Handed<'_>| other_readings(&file.entry.name, shortest);
        if handed
            .windows(2)
            .any(|two| readings(&two[0]) != readings(&two[1]))
        {
            let sources: Vec<String> = handed.iter().map(|f| f.entry.name.clone()).collect();
            entrant.contest(reason::several_sources(&sources));
            entrant.entries = sources;
        } else {
            take_latest(&mut entrant, handed);
        }
        entrant
    });
    entrants.collect()
}

/// In how many other ways a name can be read: each pair of numbers after that of the user may be those of another user and
/// of a file. Canvas counts files on, so that a number much shorter than the `shortest` of the class is none of a file.
fn other_readings(entry: &str, shortest: usize) -> usize {
    let parts: Vec<&str> = entry.split('_').collect();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let Some(user) = parts.iter().position(|part| is_number(part)) else {
        return 0;
    };
    let rest = parts.get(user + 1..).unwrap_or_default();
    let pairs = rest
        .windows(3)
        .filter(|pair| is_number(pair[0]) && is_number(pair[1]) && pair[1].len() + 1 >= shortest);
    pairs.count()
}

fn entrant(name: &Name<'_>) -> Entrant {
    let Some(who) = name.who else {
        return Entrant::new(format!("anon_{}", name.user));
    };
    let mut entrant = Entrant::new(who);
    entrant.number = Some(name.user.to_owned());
    entrant.id_at(System::Canvas, name.user);
    entrant.person().name = Some(who.to_owned());
    entrant
}

/// The name of a file without the number of a later attempt, and that number: only where the name without it fits a
/// problem better, since `gray-1.c` can be what was asked for.
fn unnumbered(name: &str, patterns: &Patterns) -> (String, u32) {
    let whole = || (name.to_owned(), 0);
    let Some((shorter, attempt)) = split_number(name) else {
        return whole();
    };
    let fit = |name: &str| patterns.best(name).map(|(_, fit)| fit);
    match (fit(&shorter), fit(name)) {
        (Some(shorter), Some(longer)) if longer <= shorter => whole(),
        (Some(_), _) => (shorter, attempt),
        (None, _) => whole(),
    }
}

/// `count.c` and 1 of `count-1.c`.
fn split_number(name: &str) -> Option<(String, u32)> {
    let (stem, ending) = name.rsplit_once('.')?;
    let (stem, number) = stem.rsplit_once('-')?;
    let is_number = (1..=3).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    if stem.is_empty() || !is_number {
        return None;
    }
    Some((format!("{stem}.{ending}"), number.parse().ok()?))
}

/// Of several files that were meant to have one name, the latest is what counts.
fn take_latest(entrant: &mut Entrant, mut handed: Vec<Handed<'_>>) {
    // No name tells what an archive is for; its number is one of an attempt where the name without it is there too.
    let names: Vec<&str> = handed.iter().map(|handed| handed.name).collect();
    let mut archives = Vec::new();
    for (index, file) in handed.iter().enumerate() {
        if let Some((meant, attempt)) = split_number(file.name)
            && file.entry.is_archive()
            && names.contains(&meant.as_str())
        {
            archives.push((index, meant, attempt));
        }
    }
    for (index, meant, attempt) in archives {
        (handed[index].meant, handed[index].attempt) = (meant, attempt);
    }
    let age = |file: &Handed<'_>| {
        // Longer numbers are larger: they have no zeros in front.
        (
            file.attempt,
            file.attachment.len(),
            file.attachment.to_owned(),
        )
    };
    let mut latest: BTreeMap<String, Handed<'_>> = BTreeMap::new();
    for file in handed {
        let (taken, passed) = match latest.remove(&file.meant) {
            None => (file, None),
            Some(other) if age(&other) < age(&file) => (file, Some(other)),
            Some(other) => (other, Some(file)),
        };
        if let Some(passed) = passed {
            entrant.pass(
                passed.entry.name.as_str(),
                reason::later_attempt(taken.name),
            );
            entrant.notes.push(Text::new(
                format!(
                    "of several attempts at `{}`, the latest was taken: `{}`",
                    taken.meant, taken.name
                ),
                format!(
                    "`{}` 有多次提交，采用最后一次：`{}`",
                    taken.meant, taken.name
                ),
            ));
        } else if taken.attempt > 0 {
            entrant.notes.push(Text::new(
                format!(
                    "`{}` was read as `{}`: Canvas numbers attempts",
                    taken.name, taken.meant
                ),
                format!(
                    "`{}` 按 `{}` 读取：Canvas 会为多次提交编号",
                    taken.name, taken.meant
                ),
            ));
        }
        latest.insert(taken.meant.clone(), taken);
    }
    for (meant, file) in latest {
        entrant.entries.push(file.entry.name.clone());
        // An archive is called what it is called; a file is what it was meant to be.
        let name = if file.entry.is_archive() {
            file.name
        } else {
            meant.as_str()
        };
        entrant.parts.push(file.entry.part(file.name, name));
    }
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
            (
                "doejane_LATE_12_link.html",
                name(Some("doejane"), true, "12", What::Typed),
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
