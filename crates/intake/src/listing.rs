//! What lies at the top of a class.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use grader_model::{FaultCause, Text, UnusedFile};

use crate::archive::{Skipped, is_archive_file};
use crate::error::IntakeError;
use crate::name::shown;
use crate::read::read_names;
use crate::tree::{File, Part};
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
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Its name as it is.
    pub(crate) raw: OsString,
    /// Its name, escaped.
    pub(crate) name: String,
    pub(crate) location: PathBuf,
    pub(crate) kind: EntryKind,
    /// What of it was not unpacked from the class's archive; paths are below the entry.
    pub(crate) skipped: Vec<Skipped>,
}

/// What an entry of a class is.
#[derive(Clone, Debug)]
pub(crate) enum EntryKind {
    Folder,
    Archive,
    /// Another file, and its size in bytes.
    File(u64),
    /// It may be a student's, and nothing of it can be read.
    Unreadable(Unreadable),
}

impl Listing {
    pub(crate) fn read(location: &Path) -> Result<Self, IntakeError> {
        let names = read_names(location).map_err(|error| IntakeError::of(location, error))?;
        let mut listing = Self {
            location: location.to_owned(),
            entries: Vec::new(),
            unused: Vec::new(),
        };
        for (name, raw) in names {
            listing.look(name, raw);
        }
        Ok(listing)
    }

    fn look(&mut self, name: String, raw: OsString) {
        let location = self.location.join(&raw);
        let kind = match fs::symlink_metadata(&location) {
            // Removed since the folder was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return self.pass(name, reason::unreadable(&error), true);
            }
            // It may be a student's folder: better one row too many than one too few.
            Err(error) => EntryKind::Unreadable(Unreadable::on_disk("", &error)),
            Ok(data) if data.is_symlink() => return self.pass(name, reason::link(), true),
            Ok(data) if data.is_dir() => match junk::junk(&name, true) {
                Some(junk) => return self.pass(name, junk, false),
                None => EntryKind::Folder,
            },
            Ok(data) if data.is_file() => match junk::junk(&name, false) {
                // What a system leaves is nobody's; a picture may be a student's, and is reported with the student.
                Some(junk) if is_left_behind(&name) => return self.pass(name, junk, false),
                None if is_archive_file(&name, &location) => EntryKind::Archive,
                _ => EntryKind::File(data.len()),
            },
            Ok(_) => return self.pass(name, reason::special(), true),
        };
        self.add(name, raw, kind);
    }

    /// Notes an entry of the class's archive that was not unpacked: it may be a student's, or some of a student's.
    pub(crate) fn skip(&mut self, mut skipped: Skipped) {
        let why = reason::not_unpacked(&skipped.reason);
        let is_junk = |first: &String| junk::junk(first, true).is_some();
        if skipped.parts.first().is_none_or(is_junk) {
            return self.pass(skipped.shown, why, true);
        }
        let raw = OsString::from(skipped.parts.remove(0));
        let unreadable = Unreadable::at(&skipped.shown, FaultCause::Unreadable, why);
        let unreadable = EntryKind::Unreadable(unreadable);
        match self.entries.iter_mut().find(|entry| entry.raw == raw) {
            Some(entry) if skipped.parts.is_empty() => entry.kind = unreadable,
            Some(entry) => entry.skipped.push(skipped),
            None => self.add(shown(&raw), raw, unreadable),
        }
    }

    fn add(&mut self, name: String, raw: OsString, kind: EntryKind) {
        self.entries.push(Entry {
            location: self.location.join(&raw),
            raw,
            name,
            kind,
            skipped: Vec::new(),
        });
    }

    pub(crate) fn pass(&mut self, path: String, reason: Text, notable: bool) {
        self.unused.push(junk::unused(path, reason, notable));
    }

    /// An entry that is no student's.
    pub(crate) fn pass_entry(&mut self, entry: &Entry, reason: Text) {
        match junk::junk(&entry.name, false) {
            Some(junk) if entry.is_file() => self.pass(entry.name.clone(), junk, false),
            _ => self.pass(entry.name.clone(), reason, true),
        }
    }
}

/// Whether a file at the top of a class is what systems and editors leave, not what students submit.
fn is_left_behind(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.starts_with(['.', '~'])
        || lower.ends_with('~')
        || matches!(lower.as_str(), "thumbs.db" | "desktop.ini")
}

impl Entry {
    pub(crate) fn is_file(&self) -> bool {
        matches!(self.kind, EntryKind::File(_))
    }

    pub(crate) fn is_folder(&self) -> bool {
        matches!(self.kind, EntryKind::Folder)
    }

    /// What of it was not unpacked.
    pub(crate) fn missing(&self) -> impl Iterator<Item = Part> {
        self.skipped.iter().cloned().map(Part::Skipped)
    }

    /// The entry as a part of what a student submitted: at `path` there, under `name`.
    pub(crate) fn part(&self, path: &str, name: &str) -> Part {
        let (location, path) = (self.location.clone(), path.to_owned());
        match &self.kind {
            EntryKind::Folder => Part::Folder { location, path },
            EntryKind::Archive => Part::Archive {
                location,
                path,
                name: name.to_owned(),
            },
            EntryKind::File(size) => Part::File(File {
                location: Ok(location),
                path: if path.is_empty() {
                    name.to_owned()
                } else {
                    path
                },
                name: name.to_owned(),
                size: *size,
            }),
            EntryKind::Unreadable(unreadable) => Part::Unreadable(unreadable.clone()),
        }
    }
}
