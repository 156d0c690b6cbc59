//! What a student submitted, as one tree of folders and files. Archives in it are unpacked and read as folders.

use std::io;
use std::path::{Path, PathBuf};

use grader_lms::{EntryKind, Part};
use grader_model::{FaultCause, Text, UnusedFile};

use crate::archive::{Caps, Skipped, Unpacker};
use crate::listing::{Entry, NotRead, inspect};
use crate::name::{Name, meant, shown, without_ending};
use crate::read::{read_at_most, read_names};
use crate::unreadable::Unreadable;
use crate::{junk, reason};

/// Most entries of one student that are looked at.
const MAX_ENTRIES: usize = 10_000;
/// Most archives of one student that are unpacked.
const MAX_ARCHIVES: usize = 16;
/// Most archives inside each other that are unpacked.
const MAX_NESTED: usize = 2;

/// The files in the folders of an author.
pub(crate) const ASSIGNMENT: &str = "assignment.toml";
pub(crate) const PROBLEM: &str = "problem.toml";

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

/// Reads these parts of the entries; what is not used goes to the list. Archives are opened if there is somewhere to put
/// what they hold.
pub(crate) fn read_tree(
    entries: &[Entry],
    parts: &[Part],
    unpacker: Option<&Unpacker<'_>>,
    unused: &mut Vec<UnusedFile>,
) -> Folder {
    let mut walk = Walk {
        unused,
        entries_left: MAX_ENTRIES,
        archives_left: MAX_ARCHIVES,
        nested: 0,
        unpacker,
        caps: Caps::STUDENT,
    };
    let mut root = Folder::default();
    for part in parts {
        walk.part(part, &entries[part.entry], &mut root);
    }
    root
}

impl Folder {
    fn new(name: impl Into<String>, path: String) -> Self {
        Self {
            name: name.into(),
            path,
            ..Self::default()
        }
    }

    /// All files in it and below, without those of archives below.
    pub(crate) fn all_files(&self) -> Vec<&File> {
        let folders = self.folders.iter().filter(|folder| !folder.is_archive);
        let below = folders.flat_map(Self::all_files);
        self.files.iter().chain(below).collect()
    }

    /// The archives in it and below.
    pub(crate) fn archives(&self) -> Vec<&Self> {
        let folders = self.folders.iter();
        let (archives, folders): (Vec<_>, Vec<_>) = folders.partition(|it| it.is_archive);
        let below = folders.into_iter().flat_map(Self::archives);
        archives.into_iter().chain(below).collect()
    }

    /// Whether it is the folder of an assignment or a problem.
    pub(crate) fn is_authors(&self) -> bool {
        let is_authors = |file: &File| matches!(&*file.name, ASSIGNMENT | PROBLEM);
        self.files.iter().any(is_authors)
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
            self.folders.push(Self::new(name, path));
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

    /// What it holds, or `None` if it has more than so many bytes.
    pub(crate) fn read(&self, most: u64) -> Result<Option<Vec<u8>>, Unreadable> {
        self.with(|location| read_at_most(location, most))
    }

    /// What `read` makes of it.
    pub(crate) fn with<T>(&self, read: impl Fn(&Path) -> io::Result<T>) -> Result<T, Unreadable> {
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
    /// Archives inside each other that are being read.
    nested: usize,
    /// `None` if archives are not opened.
    unpacker: Option<&'a Unpacker<'a>>,
    /// What the student's archives may still hold.
    caps: Caps,
}

impl Walk<'_> {
    fn part(&mut self, part: &Part, entry: &Entry, root: &mut Folder) {
        let Part { path, name, .. } = part;
        match (entry.item.kind, &entry.size) {
            (_, Err(unreadable)) => self.break_at(root, "", unreadable.clone()),
            (EntryKind::File | EntryKind::Unreadable, Ok(size)) => {
                let path = if path.is_empty() { name } else { path };
                match junk::junk(name, false) {
                    Some(junk) => self.pass(path.clone(), junk, false),
                    None => root.files.push(File {
                        location: Ok(entry.location.clone()),
                        path: path.clone(),
                        name: name.clone(),
                        size: *size,
                    }),
                }
            }
            (kind, Ok(_)) => {
                let mut below = Folder::new(name, path.clone());
                // Without a path it is all that was submitted.
                let folder = if path.is_empty() {
                    &mut *root
                } else {
                    &mut below
                };
                if kind == EntryKind::Archive {
                    self.archive(&entry.location, name, folder, 0);
                } else {
                    self.folder(&entry.location, folder, 0);
                }
                if !path.is_empty() {
                    root.folders.push(below);
                }
            }
        }
        for skipped in &entry.skipped {
            self.skip(root, skipped.clone());
        }
    }

    /// Reads an archive of this name into a folder.
    fn archive(&mut self, location: &Path, name: &str, folder: &mut Folder, depth: usize) {
        without_ending(name).clone_into(&mut folder.name);
        folder.is_archive = true;
        let at = if folder.path.is_empty() {
            name
        } else {
            &folder.path
        };
        let at = at.to_owned();
        self.nested += 1;
        let unpacked = self.unpack(location, &at, folder, depth);
        self.nested -= 1;
        if let Err(unreadable) = unpacked {
            self.pass(at, unreadable.why.clone(), true);
            folder.mark(&unreadable);
        }
    }

    /// Reads an archive, shown as `at`; why it, or the rest of it, cannot be read.
    fn unpack(
        &mut self,
        location: &Path,
        at: &str,
        folder: &mut Folder,
        depth: usize,
    ) -> Result<(), Unreadable> {
        let not_opened = |why| Err(submitted(at, reason::not_unpacked(&why)));
        if self.nested > MAX_NESTED {
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
        self.folder(&place, folder, depth);
        if found.stopped.is_none() && found.files == 0 && found.skipped.is_empty() {
            self.pass(at.to_owned(), reason::empty_archive(), true);
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
        let name_of = |part: &String| shown(&meant(part.as_ref()));
        let parts = skipped.parts.iter();
        let folder = parts.fold(root, |folder, part| folder.enter(name_of(part)));
        folder.files.push(File {
            name: name_of(&name),
            path,
            location: Err(unreadable),
            size: 0,
        });
    }

    /// Reads a folder on the disk into `folder`.
    fn folder(&mut self, location: &Path, folder: &mut Folder, depth: usize) {
        for Name { raw, shown, .. } in self.entries(location, folder) {
            let (name, location) = (shown, location.join(raw));
            let path = join(&folder.path, &name);
            match inspect(&name, &location, junk::junk) {
                Err(NotRead::Link) => self.link(folder, name, path, &location),
                Err(NotRead::Unused(reason, notable)) => self.pass(path, reason, notable),
                Err(NotRead::Failed(error)) => {
                    self.break_at(folder, &path, Unreadable::on_disk(&path, &error));
                }
                Ok((EntryKind::Archive, _)) if self.unpacker.is_some() => {
                    let mut archive = Folder::new("", path);
                    self.archive(&location, &name, &mut archive, depth + 1);
                    folder.folders.push(archive);
                }
                Ok((EntryKind::Folder | EntryKind::Clone, _)) => {
                    if junk::is_environment(&location) {
                        self.pass(path, junk::built(), false);
                        continue;
                    }
                    let mut inner = Folder::new(name, path);
                    if depth == Caps::DEPTH {
                        let unreadable = submitted(&inner.path, reason::too_deep(Caps::DEPTH));
                        self.break_at(folder, &inner.path, unreadable);
                    } else {
                        self.folder(&location, &mut inner, depth + 1);
                        folder.folders.push(inner);
                    }
                }
                Ok((_, size)) => folder.files.push(File {
                    name,
                    path,
                    location: Ok(location),
                    size,
                }),
            }
        }
    }

    /// A link, which may stand for work: what it leads to is not read, as in archives, but whether that is a folder matters.
    fn link(&mut self, folder: &mut Folder, name: String, path: String, location: &Path) {
        let unreadable = submitted(&path, reason::linked());
        let is_folder = location.is_dir();
        if let Some(junk) = junk::junk(&name, is_folder) {
            return self.pass(path, junk, false);
        }
        self.pass(path.clone(), reason::link(), true);
        if is_folder {
            let unreadable = Some(unreadable);
            folder.folders.push(Folder {
                unreadable,
                ..Folder::new(name, path)
            });
            return;
        }
        folder.files.push(File {
            name,
            path,
            location: Err(unreadable),
            size: 0,
        });
    }

    /// The names of what a folder holds, as far as the student's allowance goes.
    fn entries(&mut self, location: &Path, folder: &mut Folder) -> Vec<Name> {
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
