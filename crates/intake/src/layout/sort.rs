//! Entries of a class to those who handed them in.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use grader_model::System;
use unicode_normalization::UnicodeNormalization as _;

use super::{Layout, canvas, github, gradescope, moodle, one};
use crate::entrant::Entrant;
use crate::junk::is_archive;
use crate::listing::{Entry, EntryKind, Listing};
use crate::name::without_ending;
use crate::pattern::Patterns;
use crate::reason;
use crate::tree::Part;

impl Layout {
    /// Who handed in what. Entries that are nobody's are noted in the listing.
    pub(crate) fn sort(self, listing: &mut Listing, patterns: &Patterns) -> Vec<Entrant> {
        let entries = std::mem::take(&mut listing.entries);
        let mut entrants = match self {
            Self::Folders | Self::Archives => by_name(&entries, listing),
            Self::Moodle => moodle::sort(&entries, listing),
            Self::Canvas => canvas::sort(&entries, listing, patterns),
            Self::Gradescope => gradescope::sort(&entries, listing),
            Self::Github => github::sort(&entries, listing),
            Self::One => {
                let mut entrant = one::entrant(&listing.location);
                for entry in &entries {
                    if let EntryKind::Unreadable(unreadable) = &entry.kind {
                        entrant.parts.push(Part::Unreadable(unreadable.clone()));
                    }
                    entrant.parts.extend(entry.missing());
                }
                vec![entrant]
            }
        };
        contest_shared_ids(&mut entrants);
        entrants
    }
}

/// Leaves open whose work counts where several entrants are one student by what nobody shares. Those that have one name
/// too become one.
fn contest_shared_ids(entrants: &mut Vec<Entrant>) {
    let mut owners: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
    for (who, entrant) in entrants.iter().enumerate() {
        for id in own_ids(entrant) {
            let same = owners.entry(id).or_default();
            if same.last() != Some(&who) {
                same.push(who);
            }
        }
    }
    let shared: Vec<Vec<usize>> = owners.into_values().filter(|same| same.len() > 1).collect();
    let mut is_double = vec![false; entrants.len()];
    for same in shared {
        let sources: BTreeSet<String> = (same.iter())
            .flat_map(|&who| entrants[who].sources())
            .collect();
        let sources: Vec<String> = sources.into_iter().collect();
        for &who in &same {
            entrants[who].contest(reason::several_sources(&sources));
            is_double[who] |=
                who != same[0] && entrants[who].name.nfc().eq(entrants[same[0]].name.nfc());
        }
    }
    let mut is_double = is_double.into_iter();
    entrants.retain(|_| is_double.next() == Some(false));
}

/// What nobody else has: the numbers and names that systems give, and addresses. A team's number at Gradescope is that of
/// what was handed in, and all of the team have it.
fn own_ids(entrant: &Entrant) -> Vec<(&'static str, String)> {
    let Some(person) = &entrant.person else {
        // Only the name tells who it is. One name in two ways of writing it is one name.
        let name = entrant.is_verbatim.then(|| entrant.name.nfc().collect());
        return name.map(|name| ("name", name)).into_iter().collect();
    };
    let at = |system: System, word| Some((word, person.ids.get(&system)?.to_lowercase()));
    let email = person.email.as_ref();
    [
        at(System::Moodle, "moodle"),
        at(System::Canvas, "canvas"),
        at(System::Github, "github"),
        at(System::Sis, "sis"),
        email.map(|email| ("email", email.to_lowercase())),
        at(System::Gradescope, "gradescope").map(|(word, number)| {
            let name = person.name.as_deref().unwrap_or_default();
            (word, format!("{number} {name}"))
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Folders and archives, each named as the student is. A folder and an archive of one name are one student's, and which of
/// them counts must be decided.
fn by_name(entries: &[Entry], listing: &mut Listing) -> Vec<Entrant> {
    let mut places: BTreeMap<OsString, usize> = BTreeMap::new();
    let mut entrants: Vec<Entrant> = Vec::new();
    // Folders first: what is in them comes before what is in archives of the same name.
    let (folders, others): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().partition(|entry| entry.is_folder());
    for entry in folders.into_iter().chain(others) {
        let (raw, name) = match &entry.kind {
            EntryKind::File(_) => {
                listing.pass_entry(entry, reason::beside_students());
                continue;
            }
            EntryKind::Archive => (raw_stem(entry), without_ending(&entry.name)),
            // Whether it was an archive only its name can tell.
            EntryKind::Unreadable(_) if is_archive(&entry.name) => {
                (raw_stem(entry), without_ending(&entry.name))
            }
            EntryKind::Folder | EntryKind::Unreadable(_) => {
                (entry.raw.clone(), entry.name.as_str())
            }
        };
        let is_verbatim = raw.as_bytes() == name.as_bytes();
        let place = *places.entry(raw).or_insert_with(|| {
            entrants.push(Entrant {
                is_verbatim,
                ..Entrant::new(name)
            });
            entrants.len() - 1
        });
        entrants[place].take(entry);
    }
    for entrant in &mut entrants {
        contest_several(entrant);
    }
    entrants
}

/// The real name of an archive without its ending.
fn raw_stem(entry: &Entry) -> OsString {
    // Endings are ASCII, so that they are as long as they look.
    let ending = entry.name.len() - without_ending(&entry.name).len();
    let raw = entry.raw.as_bytes();
    OsString::from_vec(raw[..raw.len().saturating_sub(ending)].to_vec())
}

/// Leaves open what counts where several entries of the class are one student's.
pub(super) fn contest_several(entrant: &mut Entrant) {
    if entrant.entries.len() > 1 {
        entrant.contest(reason::several_sources(&entrant.entries));
    }
}
