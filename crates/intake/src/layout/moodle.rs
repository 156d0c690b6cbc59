//! Moodle's "download all submissions".
//!
//! Each file, or each folder of files, is named `Full Name_12345_assignsubmission_file`, in older versions with a
//! `_` at the end, and where folders were not asked for the name of the file follows. Names are taken apart as
//! Moodle's own import does (`mod/assign/feedback/file/importziplib.php`): the full name, the number of the participant
//! in this assignment, `assignsubmission`, the word for how it was handed in, the rest. A `_` in a name becomes a blank
//! there. Where names are hidden, all are called "Participant" in the teacher's language.

use std::collections::BTreeMap;
use std::os::unix::ffi::OsStrExt as _;

use grader_model::System;

use super::sort::say_several;
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
}

pub(super) fn parse(name: &str) -> Option<Name<'_>> {
    let (who, what) = name.split_once(MARK)?;
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
    })
}

pub(super) fn sort(entries: &[Entry], listing: &mut Listing) -> Vec<Entrant> {
    let mut entrants: BTreeMap<&[u8], Entrant> = BTreeMap::new();
    for entry in entries {
        let Some(name) = parse(&entry.name) else {
            listing.pass_entry(entry, reason::not_of_layout());
            continue;
        };
        // By the real names: different names can look alike once they are escaped.
        let who = entry.raw.as_bytes();
        let end = who
            .windows(MARK.len())
            .position(|part| part == MARK.as_bytes());
        let who = &who[..end.unwrap_or(who.len())];
        let entrant = entrants.entry(who).or_insert_with(|| Entrant {
            is_verbatim: entry.is_verbatim(),
            ..entrant(&name)
        });
        if name.plugin == TYPED {
            entrant.typed(&entry.name);
        } else if entry.is_folder() || name.file.is_empty() || name.file.starts_with('.') {
            entrant.take(entry);
        } else {
            let path = if entry.is_archive() { name.file } else { "" };
            entrant.parts.push(entry.part(path, name.file));
        }
    }
    let mut entrants: Vec<Entrant> = entrants.into_values().collect();
    for entrant in &mut entrants {
        say_several(entrant);
    }
    entrants
}

fn entrant(name: &Name<'_>) -> Entrant {
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
}
