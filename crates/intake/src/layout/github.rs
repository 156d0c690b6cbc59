//! Clones of GitHub Classroom: `assignment-username`, in a folder `assignment-submissions`.

use grader_model::{System, Text};

use crate::entrant::Entrant;
use crate::junk::is_archive;
use crate::listing::{Entry, EntryKind, Listing};
use crate::name::without_ending;
use crate::reason;

/// Whether a folder is a clone.
pub(super) fn is_clone(entry: &Entry) -> bool {
    entry.is_folder() && entry.location.join(".git").symlink_metadata().is_ok()
}

/// What the names of all clones begin with: the assignment, with the `-` after it. The class folder tells it, or else
/// what the names have in common; of a single clone nobody can tell.
pub(super) fn prefix(listing: &Listing, entries: &[Entry]) -> Option<String> {
    let names: Vec<&str> = (entries.iter())
        .filter(|entry| !entry.is_file())
        .map(|entry| entry.name.as_str())
        .collect();
    let folder = listing.location.file_name().map(crate::name::shown);
    let folder = folder.unwrap_or_default();
    let assignment = folder.strip_suffix("-submissions").unwrap_or(&folder);
    let from_folder = format!("{assignment}-");
    if names.iter().any(|name| name.starts_with(&from_folder)) {
        return Some(from_folder);
    }
    let (first, others) = names.split_first()?;
    let common = others.iter().fold(*first, |common, name| {
        let length = common
            .char_indices()
            .find(|(at, c)| !name[*at..].starts_with(*c))
            .map_or(common.len(), |(at, _)| at);
        &common[..length]
    });
    let end = common.rfind('-')?;
    (!others.is_empty()).then(|| common[..=end].to_owned())
}

pub(super) fn sort(entries: &[Entry], listing: &mut Listing) -> Vec<Entrant> {
    let prefix = prefix(listing, entries);
    let mut entrants = Vec::new();
    for entry in entries {
        let name = match entry.kind {
            EntryKind::File(_) => {
                listing.pass_entry(entry, reason::beside_students());
                continue;
            }
            EntryKind::Archive => without_ending(&entry.name),
            EntryKind::Unreadable(_) if is_archive(&entry.name) => without_ending(&entry.name),
            EntryKind::Folder | EntryKind::Unreadable(_) => entry.name.as_str(),
        };
        let user = prefix
            .as_deref()
            .and_then(|prefix| name.strip_prefix(prefix))
            .filter(|user| !user.is_empty());
        let mut entrant = Entrant::new(user.unwrap_or(name));
        entrant.is_verbatim = entry.is_verbatim();
        match user {
            Some(user) => {
                entrant.id_at(System::Github, user);
                entrant.whole = Some(name.to_owned());
            }
            None => entrant.notes.push(Text::new(
                "the name of the folder does not tell the user at GitHub",
                "无法由文件夹名得知 GitHub 用户名",
            )),
        }
        entrant.take(entry);
        entrants.push(entrant);
    }
    entrants
}
