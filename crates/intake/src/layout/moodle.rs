//! Moodle's "download all submissions".
//!
//! Each file, or each folder of files, is named `Full Name_12345_assignsubmission_file`, in older versions with a
//! `_` at the end, and where folders were not asked for the name of the file follows. Names are taken apart as
//! Moodle's own import does (`mod/assign/feedback/file/importziplib.php`): the full name, the number of the participant
//! in this assignment, `assignsubmission`, the word for how it was handed in, the rest. A `_` in a name becomes a blank
//! there. Where names are hidden, all are called "Participant" in the teacher's language.
//!
//! Students choose the names of their files, and at some places their own full names. In `Ada_1_assignsubmission_file_x_2_…`
//! with a second mark nobody can tell whether Ada called a file so or somebody else themselves: it is left open.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;

use grader_model::System;

use crate::entrant::Entrant;
use crate::listing::{Entry, Listing};
use crate::reason;

/// What stands between the student and what was handed in; not translated.
const MARK: &str = "_assignsubmission_";
/// How something that was typed into the page is called.
const TYPED: &str = "onlinetext";
/// What everybody is called where names are hidden, in some languages.
const ANONYMOUS: [&str; 8] = [
    "participant",
    "参与者",
    "參與者",
    "参加者",
    "参与人",
    "teilnehmer/in",
    "teilnehmer",
    "participante",
];

/// Whether this is what everybody is called where names are hidden.
fn is_anonymous(full: &str) -> bool {
    ANONYMOUS.contains(&full.to_lowercase().as_str())
}

/// A name taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Name<'a> {
    full: &'a str,
    number: Option<&'a str>,
    plugin: &'a str,
    /// The file, in a flat download; else empty.
    file: &'a str,
    /// Whether there is another mark before this one, so that it may be somebody else's.
    is_ambiguous: bool,
}

pub(super) fn parse(name: &str) -> Option<Name<'_>> {
    let (at, is_ambiguous) = last_mark(name.as_bytes())?;
    let (who, what) = (&name[..at], &name[at + MARK.len()..]);
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    // `Participant 12345` where somebody took the `_` for a blank.
    let numbered = |separator| who.rsplit_once(separator).filter(|(_, n)| is_number(n));
    let hidden = || numbered(' ').filter(|(full, _)| is_anonymous(full));
    let (full, number) = match numbered('_').or_else(hidden) {
        Some((full, number)) => (full, Some(number)),
        None => (who, None),
    };
    if full.is_empty() {
        return None;
    }
    let end = what
        .find(|c: char| !c.is_ascii_alphanumeric())
        .unwrap_or(what.len());
    let (plugin, rest) = what.split_at(end);
    Some(Name {
        full,
        number,
        plugin,
        file: rest.strip_prefix('_').unwrap_or(rest),
        is_ambiguous,
    })
}

/// Where the last mark begins, and whether there are others.
fn last_mark(name: &[u8]) -> Option<(usize, bool)> {
    let parts = name.windows(MARK.len()).enumerate();
    let mut marks = parts.filter(|(_, part)| *part == MARK.as_bytes());
    let (first, _) = marks.next()?;
    let last = marks.next_back();
    Some(last.map_or((first, false), |(last, _)| (last, true)))
}

/// One who handed in something, and by plugin where it lies: an entry of the class, or a first of several files.
#[derive(Default)]
struct Found<'e> {
    entrant: Entrant,
    wholes: BTreeMap<&'e str, Vec<&'e str>>,
    files: BTreeMap<&'e str, &'e str>,
}

pub(super) fn sort(entries: &[Entry], listing: &mut Listing) -> Vec<Entrant> {
    let mut found: BTreeMap<&[u8], Found<'_>> = BTreeMap::new();
    for entry in entries {
        let Some(name) = parse(&entry.name) else {
            listing.pass_entry(entry, reason::not_of_layout());
            continue;
        };
        // By the real names: different names can look alike once they are escaped.
        let who = entry.raw.as_bytes();
        let end = last_mark(who).map_or(who.len(), |(at, _)| at);
        let found = found.entry(&who[..end]).or_insert_with(|| Found {
            entrant: Entrant {
                is_verbatim: entry.is_verbatim(),
                ..entrant(&name)
            },
            ..Found::default()
        });
        if name.is_ambiguous {
            found.entrant.entries.push(entry.name.clone());
            found.entrant.contest(reason::several_owners(&entry.name));
        } else if name.plugin == TYPED {
            found.entrant.typed(&entry.name);
        } else if entry.is_folder() || name.file.is_empty() || name.file.starts_with('.') {
            let wholes = found.wholes.entry(name.plugin).or_default();
            wholes.push(&entry.name);
            found.entrant.take(entry);
        } else {
            found.files.entry(name.plugin).or_insert(&entry.name);
            let path = if entry.is_archive() { name.file } else { "" };
            found.entrant.parts.push(entry.part(path, name.file));
        }
    }
    found.into_values().map(Found::entrant).collect()
}

impl Found<'_> {
    /// What a plugin gives lies in one place: a second one is another download's, or somebody else's.
    fn entrant(self) -> Entrant {
        let mut entrant = self.entrant;
        for (plugin, wholes) in &self.wholes {
            let sources = wholes.iter().chain(self.files.get(plugin));
            let sources: Vec<String> = sources.map(|&source| source.to_owned()).collect();
            if sources.len() > 1 {
                entrant.contest(reason::several_sources(&sources));
            }
        }
        entrant
    }
}

fn entrant(name: &Name<'_>) -> Entrant {
    if name.is_ambiguous {
        let number = name.number.map(|number| format!("_{number}"));
        return Entrant {
            is_ambiguous: true,
            ..Entrant::new(format!("{}{}", name.full, number.unwrap_or_default()))
        };
    }
    let full = name.full.replace('_', " ");
    let is_anonymous = is_anonymous(&full);
    let mut entrant = match name.number {
        Some(number) if is_anonymous => Entrant::new(format!("{full} {number}")),
        number => Entrant {
            number: number.map(str::to_owned),
            ..Entrant::new(full.as_str())
        },
    };
    if let Some(number) = name.number {
        entrant.id_at(System::Moodle, number);
    }
    if !is_anonymous {
        entrant.person().name = Some(full);
    }
    entrant
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_as_moodle_does() {
        let name = |full, number, plugin, file| {
            Some(Name {
                full,
                number,
                plugin,
                file,
                is_ambiguous: false,
            })
        };
        let number = Some("12345");
        for (text, expected) in [
            (
                "Ada Lovelace_12345_assignsubmission_file",
                name("Ada Lovelace", number, "file", ""),
            ),
            (
                "Ada Lovelace_12345_assignsubmission_file_",
                name("Ada Lovelace", number, "file", ""),
            ),
            (
                "张 三_12345_assignsubmission_file_my_count.c",
                name("张 三", number, "file", "my_count.c"),
            ),
            (
                "Ada_Lovelace_12345_assignsubmission_file_a.c",
                name("Ada_Lovelace", number, "file", "a.c"),
            ),
            (
                "Ada_12345_assignsubmission_onlinetext_onlinetext.html",
                name("Ada", number, "onlinetext", "onlinetext.html"),
            ),
            (
                "参与者 12345_assignsubmission_file_",
                name("参与者", number, "file", ""),
            ),
            (
                "Ada_12345_assignsubmission_file_.zip",
                name("Ada", number, "file", ".zip"),
            ),
            (
                "Team_assignsubmission_file_a.c",
                name("Team", None, "file", "a.c"),
            ),
            (
                "Team 7_assignsubmission_file_a.c",
                name("Team 7", None, "file", "a.c"),
            ),
            ("_12345_assignsubmission_file_a.c", None),
            ("Ada_12345_file_a.c", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn a_second_mark_makes_a_name_ambiguous() {
        for text in [
            "Alice_1_assignsubmission_file_x_2_assignsubmission_file_",
            "Alice_1_assignsubmission_file_x_2_assignsubmission_file_count.c",
            "Mallory_2_assignsubmission_file_x_1_assignsubmission_file_count.c",
            "Alice_assignsubmission_file_2_assignsubmission_file_",
            "Team_assignsubmission_assignsubmission_file_",
        ] {
            assert!(parse(text).unwrap().is_ambiguous, "{text}");
        }
    }
}
