//! What lies at the top of a class.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use grader_lms::EntryKind;
use grader_model::{FaultCause, Text, UnusedFile, escaped_name};

use crate::archive::{Skipped, is_archive_file};
use crate::error::IntakeError;
use crate::name::{Name, meant, without_ending};
use crate::read::read_names;
use crate::unreadable::Unreadable;
use crate::{junk, reason};

/// The entries of a class, in the order of their names.
pub(crate) struct Listing {
    /// The folder.
    pub(crate) location: PathBuf,
    pub(crate) entries: Vec<Entry>,
    /// Entries that are nobody's.
    pub(crate) unused: Vec<UnusedFile>,
}

/// An entry of a class.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its name and kind, as layouts see them.
    pub(crate) item: grader_lms::Entry,
    pub(crate) location: PathBuf,
    /// Its size in bytes, or why nothing of it can be read.
    pub(crate) size: Result<u64, Unreadable>,
    /// What of it was not unpacked from the class's archive; paths are below the entry.
    pub(crate) skipped: Vec<Skipped>,
}

/// Why something is not looked into.
pub(crate) enum NotRead {
    /// It holds no work; and whether somebody should look at it.
    Unused(Text, bool),
    /// It is a symbolic link, which is not followed.
    Link,
    Failed(io::Error),
}

/// What is at a place, and its size in bytes. Links are not followed. `find_junk` is as [`junk::junk`].
pub(crate) fn inspect(
    name: &str,
    location: &Path,
    find_junk: impl FnOnce(&str, bool) -> Option<Text>,
) -> Result<(EntryKind, u64), NotRead> {
    let data = fs::symlink_metadata(location).map_err(NotRead::Failed)?;
    if data.is_symlink() {
        return Err(NotRead::Link);
    }
    if let Some(junk) = find_junk(name, data.is_dir()) {
        return Err(NotRead::Unused(junk, false));
    }
    let kind = if data.is_dir() && location.join(".git").symlink_metadata().is_ok() {
        EntryKind::Clone
    } else if data.is_dir() {
        EntryKind::Folder
    } else if !data.is_file() {
        return Err(NotRead::Unused(reason::special(), true));
    } else if is_archive_file(name, location) {
        EntryKind::Archive
    } else {
        EntryKind::File
    };
    Ok((kind, data.len()))
}

impl Entry {
    /// `name` is the one that was meant.
    pub(crate) fn new(
        name: &OsStr,
        location: PathBuf,
        kind: EntryKind,
        size: Result<u64, Unreadable>,
    ) -> Self {
        // It may be a student's name.
        let name = escaped_name(name.as_encoded_bytes());
        let mut stem = &*name;
        // Only its name can say whether something that cannot be read was an archive.
        if matches!(kind, EntryKind::Archive | EntryKind::Unreadable) && junk::is_archive(&name) {
            stem = without_ending(&name);
        }
        Self {
            item: grader_lms::Entry {
                ending: name.len() - stem.len(),
                name,
                kind,
            },
            location,
            size,
            skipped: Vec::new(),
        }
    }

    /// A folder that is all of what somebody submitted.
    pub(crate) fn whole(location: &Path) -> Self {
        let kind = EntryKind::Folder;
        Self::new(OsStr::new(""), location.to_owned(), kind, Ok(0))
    }
}

impl Listing {
    pub(crate) fn read(location: &Path) -> Result<Self, IntakeError> {
        let names = read_names(location).map_err(|error| IntakeError::of(location, &error))?;
        let mut listing = Self {
            location: location.to_owned(),
            entries: Vec::new(),
            unused: Vec::new(),
        };
        // What a system leaves is nobody's; a picture may be a student's, and is reported with the student.
        let find_junk = |name: &str, is_folder| {
            let junk = junk::junk(name, is_folder);
            junk.filter(|_| is_folder || junk::is_left_behind(name))
        };
        for Name { raw, meant, shown } in names {
            let location = location.join(raw);
            let mut add = |kind, size| {
                let entry = Entry::new(&meant, location.clone(), kind, size);
                listing.entries.push(entry);
            };
            match inspect(&shown, &location, find_junk) {
                Ok((kind, size)) => add(kind, Ok(size)),
                Err(NotRead::Link) => listing.pass(shown, reason::link(), true),
                Err(NotRead::Unused(reason, notable)) => listing.pass(shown, reason, notable),
                // It may be a student's folder: better one row too many than one too few.
                Err(NotRead::Failed(error)) => {
                    let unreadable = Unreadable::on_disk("", &error);
                    add(EntryKind::Unreadable, Err(unreadable));
                }
            }
        }
        Ok(listing)
    }

    /// Notes an entry of the class's archive that was not unpacked: it may be a student's, or some of a student's.
    pub(crate) fn skip(&mut self, mut skipped: Skipped) {
        let why = reason::not_unpacked(&skipped.reason);
        let is_junk = |first: &String| junk::junk(first, true).is_some();
        if skipped.parts.first().is_none_or(is_junk) {
            return self.pass(skipped.shown, why, true);
        }
        let location = self.location.join(skipped.parts.remove(0));
        let unreadable = Unreadable::at(&skipped.shown, FaultCause::Unreadable, why);
        let mut entries = self.entries.iter_mut();
        match entries.find(|entry| entry.location == location) {
            Some(entry) if skipped.parts.is_empty() => {
                entry.item.kind = EntryKind::Unreadable;
                entry.size = Err(unreadable);
            }
            Some(entry) => entry.skipped.push(skipped),
            None => {
                let meant = meant(location.file_name().unwrap_or_default());
                let kind = EntryKind::Unreadable;
                let entry = Entry::new(&meant, location, kind, Err(unreadable));
                self.entries.push(entry);
            }
        }
    }

    pub(crate) fn pass(&mut self, path: String, reason: Text, notable: bool) {
        self.unused.push(junk::unused(path, reason, notable));
    }

    /// An entry that is no student's.
    pub(crate) fn pass_entry(&mut self, index: usize, reason: Text) {
        let entry = &self.entries[index].item;
        let junk = junk::junk(&entry.name, false).filter(|_| entry.is_file());
        let notable = junk.is_none();
        self.pass(entry.name.clone(), junk.unwrap_or(reason), notable);
    }
}
