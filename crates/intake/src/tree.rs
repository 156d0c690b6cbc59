//! What a student submitted, as one tree of folders and files. Archives in it are unpacked and read as folders.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use grader_model::{FaultCause, Text, UnusedFile};

use crate::archive::{Caps, Skipped, is_archive_file};
use crate::name::{shown, without_ending};
use crate::read::{read_at_most, read_beginning, read_names};
use crate::unpacker::Unpacker;
use crate::unreadable::Unreadable;
use crate::{junk, reason};

/// Most entries of one student that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// Most archives of one student that are unpacked.
const MAX_ARCHIVES: usize = 16;
/// Most archives inside each other that are unpacked.
const MAX_NESTED: usize = 2;

/// A folder, or an archive, and what may be of use in it, in the order of names.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// Its name, escaped.
    pub(crate) name: String,
    /// Its path from the student's folder, escaped; empty for that folder itself.
    pub(crate) path: String,
    pub(crate) files: Vec<File>,
    pub(crate) folders: Vec<Folder>,
    /// Whether it is an archive, so that what is in it belongs to no program beside it.
    pub(crate) is_archive: bool,
    /// Why some or all of it is missing.
    pub(crate) unreadable: Option<Unreadable>,
}

#[derive(Clone, Debug)]
pub(crate) struct File {
    /// Its name, or the one under which it was submitted, escaped.
    pub(crate) name: String,
    /// Its path from the student's folder, escaped.
    pub(crate) path: String,
    /// Where it is, unless it was in an archive and could not be unpacked.
    pub(crate) location: Result<PathBuf, Unreadable>,
    /// Its size in bytes when it was looked at.
    pub(crate) size: u64,
}

/// A part of what a student submitted.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Folder {
        location: PathBuf,
        /// Its path in the submission; empty if it is all of it.
        path: String,
    },
    File(File),
    Archive {
        location: PathBuf,
        /// As a folder's.
        path: String,
        /// Its own name, escaped.
        name: String,
    },
    /// An entry of the archive of the whole class that was not unpacked.
    Skipped(Skipped),
    /// Something of which nothing can be read.
    Unreadable(Unreadable),
}

/// Reads everything that a student submitted; what is not used goes to the list. Archives are opened if there is
/// somewhere to put what they hold.
pub(crate) fn read_tree(
    parts: &[Part],
    unpacker: Option<&Unpacker<'_>>,
    unused: &mut Vec<UnusedFile>,
) -> Folder {
    let mut walk = Walk {
        unused,
        entries_left: MAX_ENTRIES,
        archives_left: MAX_ARCHIVES,
        unpacker,
        caps: Caps::STUDENT,
    };
    let mut root = Folder::default();
    for part in parts {
        walk.part(part, &mut root);
    }
    root
}

impl Folder {
    /// Takes in a part: as itself if the part is all, else as a folder below.
    fn take(&mut self, mut part: Self) {
        if !part.path.is_empty() {
            return self.folders.push(part);
        }
        if self.name.is_empty() {
            self.name = part.name;
        }
        self.files.append(&mut part.files);
        self.folders.append(&mut part.folders);
        self.unreadable = self.unreadable.take().or(part.unreadable);
    }

    /// All files in it and below, without those of archives below.
    pub(crate) fn all_files(&self) -> Vec<&File> {
        let folders = self.folders.iter().filter(|folder| !folder.is_archive);
        let below = folders.flat_map(Self::all_files);
        self.files.iter().chain(below).collect()
    }

    /// The archives in it and below.
    pub(crate) fn archives(&self) -> Vec<&Self> {
        let mut found = Vec::new();
        for folder in &self.folders {
            if folder.is_archive {
                found.push(folder);
            } else {
                found.append(&mut folder.archives());
            }
        }
        found
    }

    /// Why something is missing in it or below, archives below not counted.
    pub(crate) fn missing(&self) -> Option<&Unreadable> {
        let mut folders = self.folders.iter().filter(|folder| !folder.is_archive);
        let below = || folders.find_map(Self::missing);
        self.unreadable.as_ref().or_else(below)
    }

    /// Marks it and all that is below: anything may be missing there.
    fn mark(&mut self, unreadable: &Unreadable) {
        self.unreadable.get_or_insert_with(|| unreadable.clone());
        for folder in &mut self.folders {
            folder.mark(unreadable);
        }
    }

    /// The folder of this name in it, made if it is not there.
    fn enter(&mut self, name: String) -> &mut Self {
        let at = self.folders.iter().position(|folder| folder.name == name);
        let at = at.unwrap_or_else(|| {
            let path = join(&self.path, &name);
            self.folders.push(Self {
                name,
                path,
                ..Self::default()
            });
            self.folders.len() - 1
        });
        &mut self.folders[at]
    }
}

impl File {
    /// Its path from a folder that holds it, at whatever depth.
    pub(crate) fn path_in(&self, folder: &Folder) -> &str {
        let path = self.path.strip_prefix(folder.path.as_str());
        path.unwrap_or(&self.path).trim_start_matches('/')
    }

    /// At most so many of its first bytes.
    pub(crate) fn beginning(&self, most: u64) -> Result<Vec<u8>, Unreadable> {
        self.with(|location| read_beginning(location, most))
    }

    /// What it holds, or `None` if it has more than so many bytes.
    pub(crate) fn read(&self, most: u64) -> Result<Option<Vec<u8>>, Unreadable> {
        self.with(|location| read_at_most(location, most))
    }

    fn with<T>(&self, read: impl Fn(&Path) -> io::Result<T>) -> Result<T, Unreadable> {
        let location = self.location.as_ref().map_err(Unreadable::clone)?;
        read(location).map_err(|error| Unreadable::on_disk(&self.path, &error))
    }
}

/// What is at this path is to blame.
fn submitted(path: &str, why: Text) -> Unreadable {
    Unreadable::at(path, FaultCause::Unreadable, why)
}

struct Walk<'a> {
    unused: &'a mut Vec<UnusedFile>,
    entries_left: usize,
    archives_left: usize,
    /// `None` if archives are not opened.
    unpacker: Option<&'a Unpacker<'a>>,
    /// What the student's archives may still hold.
    caps: Caps,
}

/// How deep something lies.
#[derive(Clone, Copy, Default)]
struct Depth {
    folders: usize,
    archives: usize,
}

impl Walk<'_> {
    fn part(&mut self, part: &Part, root: &mut Folder) {
        match part {
            Part::Folder { location, path } => {
                let name = location.file_name().map(shown).unwrap_or_default();
                root.take(self.folder(location, name, path.clone(), Depth::default()));
            }
            Part::File(file) => match junk::junk(&file.name, false) {
                Some(junk) => self.pass(file.path.clone(), junk, false),
                None => root.files.push(file.clone()),
            },
            Part::Archive {
                location,
                path,
                name,
            } => root.take(self.archive(location, name, path.clone(), Depth::default())),
            Part::Skipped(skipped) => self.skip(root, skipped.clone()),
            Part::Unreadable(unreadable) => self.break_at(root, "", unreadable.clone()),
        }
    }

    /// What an archive holds.
    fn archive(&mut self, location: &Path, name: &str, path: String, depth: Depth) -> Folder {
        let mut folder = Folder {
            name: without_ending(name).to_owned(),
            path,
            ..Folder::default()
        };
        let at = if folder.path.is_empty() {
            name.to_owned()
        } else {
            folder.path.clone()
        };
        if let Err(unreadable) = self.unpack(location, &at, &mut folder, depth) {
            self.pass(at, unreadable.why.clone(), true);
            folder.mark(&unreadable);
        }
        folder.is_archive = true;
        folder
    }

    /// Reads an archive, shown as `at`, into a folder; why it, or the rest of it, cannot be read.
    fn unpack(
        &mut self,
        location: &Path,
        at: &str,
        folder: &mut Folder,
        mut depth: Depth,
    ) -> Result<(), Unreadable> {
        let not_opened = |why| Err(submitted(at, reason::not_unpacked(&why)));
        depth.archives += 1;
        if depth.archives > MAX_NESTED {
            return not_opened(reason::nested());
        }
        let Some(unpacker) = self.unpacker.filter(|_| self.archives_left > 0) else {
            return not_opened(reason::too_many_archives(MAX_ARCHIVES));
        };
        self.archives_left -= 1;
        let (place, found) = unpacker.open(location, &self.caps).map_err(|error| {
            Unreadable::at(at, FaultCause::Grader, reason::not_unpacked_here(&error))
        })?;
        self.caps.total -= found.bytes;
        let (name, path) = (folder.name.clone(), folder.path.clone());
        *folder = self.folder(&place, name, path, depth);
        let is_whole = found.stopped.is_none();
        if is_whole && found.files == 0 && found.skipped.is_empty() {
            self.pass(at.to_owned(), reason::empty_archive(), true);
        }
        for file in found.unused {
            self.pass(join(&folder.path, &file.path), file.reason, file.notable);
        }
        for skipped in found.skipped {
            self.skip(folder, skipped);
        }
        match found.stopped {
            None => Ok(()),
            Some(why) if found.files == 0 => not_opened(why),
            Some(why) => Err(submitted(at, reason::unpacked_in_part(&why))),
        }
    }

    /// Puts an entry that was not unpacked where it belongs.
    fn skip(&mut self, root: &mut Folder, mut skipped: Skipped) {
        let path = join(&root.path, &skipped.shown);
        let unreadable = submitted(&path, reason::not_unpacked(&skipped.reason));
        let Some(name) = skipped.parts.pop() else {
            return self.break_at(root, &path, unreadable);
        };
        let is_junk = |folder: &String| junk::junk(folder, true).is_some();
        if skipped.parts.iter().any(is_junk) || junk::junk(&name, false).is_some() {
            return;
        }
        self.pass(path.clone(), unreadable.why.clone(), true);
        let folder = (skipped.parts.iter()).fold(root, |folder, part| {
            folder.enter(grader_model::escaped(part.as_bytes()))
        });
        folder.files.push(File {
            name: grader_model::escaped(name.as_bytes()),
            path,
            location: Err(unreadable),
            size: 0,
        });
    }

    fn folder(&mut self, location: &Path, name: String, path: String, depth: Depth) -> Folder {
        let mut folder = Folder {
            name,
            path,
            ..Folder::default()
        };
        for (name, raw) in self.entries(location, &mut folder) {
            let location = location.join(raw);
            let path = join(&folder.path, &name);
            let data = match fs::symlink_metadata(&location) {
                Ok(data) => data,
                Err(error) => {
                    self.break_at(&mut folder, &path, Unreadable::on_disk(&path, &error));
                    continue;
                }
            };
            let below = Depth {
                folders: depth.folders + 1,
                ..depth
            };
            if data.is_symlink() {
                self.pass(path, reason::link(), true);
            } else if let Some(junk) = junk::junk(&name, data.is_dir()) {
                self.pass(path, junk, false);
            } else if data.is_file() && self.unpacker.is_some() && is_archive_file(&name, &location)
            {
                let archive = self.archive(&location, &name, path, below);
                folder.folders.push(archive);
            } else if data.is_file() {
                folder.files.push(File {
                    name,
                    path,
                    location: Ok(location),
                    size: data.len(),
                });
            } else if !data.is_dir() {
                self.pass(path, reason::special(), true);
            } else if below.folders > Caps::DEPTH {
                let unreadable = submitted(&path, reason::too_deep(Caps::DEPTH));
                self.break_at(&mut folder, &path, unreadable);
            } else {
                let inner = self.folder(&location, name, path, below);
                folder.folders.push(inner);
            }
        }
        folder
    }

    /// The names of what a folder holds, as far as the student's allowance goes.
    fn entries(&mut self, location: &Path, folder: &mut Folder) -> Vec<(String, OsString)> {
        let path = folder.path.clone();
        let mut entries = read_names(location).unwrap_or_else(|error| {
            self.break_at(folder, &path, Unreadable::on_disk(&path, &error));
            Vec::new()
        });
        if entries.len() > self.entries_left {
            entries.truncate(self.entries_left);
            let unreadable = submitted(&path, reason::too_many(MAX_ENTRIES));
            self.break_at(folder, &path, unreadable);
        }
        self.entries_left -= entries.len();
        entries
    }

    /// Notes that something in a folder, or the folder itself, cannot be read.
    fn break_at(&mut self, folder: &mut Folder, path: &str, unreadable: Unreadable) {
        // The student's folder itself has no path.
        let listed = if path.is_empty() { "." } else { path };
        self.pass(listed.to_owned(), unreadable.why.clone(), true);
        folder.unreadable.get_or_insert(unreadable);
    }

    fn pass(&mut self, path: String, reason: Text, notable: bool) {
        self.unused.push(junk::unused(path, reason, notable));
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() || name.is_empty() {
        format!("{folder}{name}")
    } else {
        format!("{folder}/{name}")
    }
}
