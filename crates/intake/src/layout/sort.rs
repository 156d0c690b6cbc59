//! Entries of a class to those who handed them in.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

use grader_model::Text;

use super::{Layout, canvas, github, gradescope, moodle, one};
use crate::entrant::Entrant;
use crate::junk::is_archive;
use crate::listing::{Entry, EntryKind, Listing};
use crate::pattern::Patterns;
use crate::reason;
use crate::tree::Part;
use crate::unpacker::without_ending;

impl Layout {
    /// Who handed in what. Entries that are nobody's are noted in the listing.
    pub(crate) fn sort(self, listing: &mut Listing, patterns: &Patterns) -> Vec<Entrant> {
        let entries = std::mem::take(&mut listing.entries);
        match self {
            Self::Folders | Self::Archives => by_name(&entries, listing),
            Self::Moodle => moodle::sort(&entries, listing),
            Self::Canvas => canvas::sort(&entries, listing, patterns),
            Self::Gradescope => gradescope::sort(&entries, listing),
            Self::Github => github::sort(&entries, listing),
            Self::One => {
                let mut entrant = one::entrant(&listing.location);
                for entry in &entries {
                    if let EntryKind::Lost(lost) = &entry.kind {
                        entrant.parts.push(Part::Lost(lost.clone()));
                    }
                    entrant.parts.extend(entry.lost());
                }
                vec![entrant]
            }
        }
    }
}

/// Folders and archives, each named as the student is. A folder and an archive of one name are one student's.
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
            EntryKind::Lost(_) if is_archive(&entry.name) => {
                (raw_stem(entry), without_ending(&entry.name))
            }
            EntryKind::Folder | EntryKind::Lost(_) => (entry.raw.clone(), entry.name.as_str()),
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
        say_several(entrant);
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

/// Says that several entries are one student's.
pub(super) fn say_several(entrant: &mut Entrant) {
    if entrant.entries.len() > 1 {
        let entries: Vec<String> = entrant.entries.iter().map(|e| format!("`{e}`")).collect();
        entrant.notes.push(Text::new(
            format!("handed in as {}, taken together", entries.join(" and ")),
            format!("提交为 {}，已合并", entries.join("、")),
        ));
    }
}
