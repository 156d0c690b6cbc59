//! What lies at the top of a class.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use grader_model::{Text, UnusedFile};

use crate::archive::Refused;
use crate::class::Lost;
use crate::tree::{Broken, Part, shown};
use crate::unpacker::is_archive_file;
use crate::{IntakeError, junk, natural, reason};

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
    /// What of it was refused when the class was unpacked.
    pub(crate) refused: Vec<Refused>,
}

/// What an entry of a class is.
#[derive(Clone, Debug)]
pub(crate) enum EntryKind {
    Folder,
    Archive,
    /// Another file, and its size in bytes.
    File(u64),
    /// It may be a student's, and nothing of it can be read.
    Lost(Lost),
}

impl Listing {
    pub(crate) fn read(location: &Path) -> Result<Self, IntakeError> {
        let mut list: Vec<OsString> = fs::read_dir(location)
            .and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect())
            .map_err(|error| IntakeError::of(location, error))?;
        // By the real names first: different names can look alike once they are escaped.
        list.sort();
        let mut list: Vec<(String, OsString)> =
            list.into_iter().map(|raw| (shown(&raw), raw)).collect();
        list.sort_by(|(a, _), (b, _)| natural::compare(a, b));
        let mut listing = Self {
            location: location.to_owned(),
            entries: Vec::new(),
            unused: Vec::new(),
        };
        for (name, raw) in list {
            listing.look(name, raw);
        }
        Ok(listing)
    }

    fn look(&mut self, name: String, raw: OsString) {
        let location = self.location.join(&raw);
        let kind = match fs::symlink_metadata(&location) {
            // Taken back since the folder was listed.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return self.pass(name, reason::unreadable(&error), true);
            }
            // It may be a student's folder: better one row too many than a student lost.
            Err(error) => EntryKind::Lost(Lost::ours(reason::fault(&Broken {
                path: String::new(),
                error: error.into(),
            }))),
            Ok(data) if data.is_symlink() => return self.pass(name, reason::link(), true),
            Ok(data) if data.is_dir() => match junk::junk(&name, true) {
                Some(junk) => return self.pass(name, junk, false),
                None => EntryKind::Folder,
            },
            Ok(data) if data.is_file() => match junk::junk(&name, false) {
                // What a system leaves is nobody's; a picture may be a student's, and is told with the student.
                Some(junk) if is_left_behind(&name) => return self.pass(name, junk, false),
                None if is_archive_file(&name, &location) => EntryKind::Archive,
                _ => EntryKind::File(data.len()),
            },
            Ok(_) => return self.pass(name, reason::special(), true),
        };
        self.entries.push(Entry {
            raw,
            name,
            location,
            kind,
            refused: Vec::new(),
        });
    }

    /// Notes a part that was refused when the class was unpacked: it may be a student's, or some of a student's.
    pub(crate) fn lose(&mut self, refused: Refused) {
        let Some(first) = refused.parts.first() else {
            return;
        };
        let raw = OsString::from(first);
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.raw == raw) {
            return entry.refused.push(refused);
        }
        self.entries.push(Entry {
            location: self.location.join(&raw),
            name: shown(&raw),
            raw,
            kind: EntryKind::Lost(Lost::unreadable(refused.text)),
            refused: Vec::new(),
        });
    }

    pub(crate) fn pass(&mut self, path: String, reason: Text, notable: bool) {
        self.unused.push(UnusedFile {
            path,
            reason,
            notable,
        });
    }

    /// An entry that is no student's.
    pub(crate) fn pass_entry(&mut self, entry: &Entry, reason: Text) {
        match junk::junk(&entry.name, false) {
            Some(junk) if entry.is_file() => self.pass(entry.name.clone(), junk, false),
            _ => self.pass(entry.name.clone(), reason, true),
        }
    }
}

/// Whether a file at the top of a class is what systems and editors leave, not what students hand in.
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

    /// What is lost of it.
    pub(crate) fn lost(&self) -> impl Iterator<Item = Part> {
        let refused = self.refused.iter();
        refused.map(|refused| Part::Lost(Lost::unreadable(refused.text.clone())))
    }

    /// The entry as something that a student handed in: at `path` there, under `name`.
    pub(crate) fn part(&self, path: &str, name: &str) -> Part {
        let (location, path) = (self.location.clone(), path.to_owned());
        match &self.kind {
            EntryKind::Folder => Part::Folder { location, path },
            EntryKind::Archive => Part::Archive {
                location,
                path,
                name: name.to_owned(),
            },
            EntryKind::File(size) => Part::File {
                location,
                path: if path.is_empty() {
                    name.to_owned()
                } else {
                    path
                },
                name: name.to_owned(),
                size: *size,
            },
            EntryKind::Lost(lost) => Part::Lost(lost.clone()),
        }
    }
}
