//! What lies in a folder, read with care.

use std::collections::{BinaryHeap, HashSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grader_model::{Text, UnusedFile};

use crate::archive::Failure;
use crate::class::Lost;
use crate::program::stem_of;
use crate::unpacker::{Allowance, Unpacker, is_archive_file, without_ending};
use crate::{junk, natural, reason};

/// Most entries of one student that are looked at.
const MOST_ENTRIES: usize = 10_000;
/// Most folders inside each other that are looked at.
const MOST_DEPTH: usize = 16;

/// A folder and what may be of use in it, in the order of names.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    /// Its name, escaped.
    pub(crate) name: String,
    /// Its path from the student's folder, escaped; empty for that folder itself.
    pub(crate) path: String,
    pub(crate) files: Vec<File>,
    pub(crate) folders: Vec<Folder>,
    /// Whether it lies there as an archive, so that what is in it belongs to no program beside it.
    pub(crate) is_unpacked: bool,
    /// Why it, or something in it, could not be looked at.
    pub(crate) broken: Option<Broken>,
}

/// Something that is there and cannot be read: no mistake of the student's.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// Its path from the student's folder, escaped; empty for that folder itself.
    pub(crate) path: String,
    pub(crate) error: Arc<io::Error>,
}

/// A regular file.
#[derive(Debug)]
pub(crate) struct File {
    /// Its name, escaped.
    pub(crate) name: String,
    /// Its path from the student's folder, escaped.
    pub(crate) path: String,
    /// Where it really is.
    pub(crate) location: PathBuf,
    /// Its size in bytes when it was looked at.
    pub(crate) size: u64,
}

/// Something that a student handed in.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// A folder.
    Folder {
        location: PathBuf,
        /// Its path in what the student handed in; empty where it is all of that.
        path: String,
    },
    /// A file.
    File {
        location: PathBuf,
        /// Its path in what the student handed in.
        path: String,
        /// The name that it had when it was handed in, as far as that can be told.
        name: String,
        size: u64,
    },
    /// An archive.
    Archive {
        location: PathBuf,
        /// As a folder's: what is in it counts as one.
        path: String,
        /// Its own name, escaped.
        name: String,
    },
    /// Something of which nothing can be read, and why.
    Lost(Lost),
}

/// What all parts of one student hold.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) root: Folder,
    /// Why something may be missing that nobody has seen.
    pub(crate) lost: Option<Lost>,
    /// What is to be known of it.
    pub(crate) notes: Vec<Text>,
}

/// Looks at everything that a student handed in; what is passed over goes to the list. Archives are opened where
/// there is somewhere to put what they hold.
pub(crate) fn read_parts(
    parts: &[Part],
    unpacker: Option<&Unpacker<'_>>,
    unused: &mut Vec<UnusedFile>,
) -> Tree {
    let mut walk = Walk {
        unused,
        entries_left: MOST_ENTRIES,
        allowance: unpacker.map(Allowance::new),
        lost: None,
        notes: Vec::new(),
    };
    let mut root = Folder::default();
    for part in parts {
        walk.part(part, &mut root);
    }
    Tree {
        root,
        lost: walk.lost,
        notes: walk.notes,
    }
}

/// A name or path as it may be shown: escaped.
pub(crate) fn shown(name: &OsStr) -> String {
    grader_model::escaped(name.as_encoded_bytes())
}

/// The first bytes of a file, at most so many.
pub(crate) fn read_beginning(location: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(location)?
        .take(most)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// At most so many bytes of a file; nothing where it is longer.
pub(crate) fn read_at_most(location: &Path, most: u64) -> io::Result<Option<Vec<u8>>> {
    let bytes = read_beginning(location, most.saturating_add(1))?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

impl Folder {
    /// Takes in a part: as itself where the part is all, else as a folder below.
    fn take(&mut self, mut part: Self) {
        if !part.path.is_empty() {
            return self.folders.push(part);
        }
        if self.name.is_empty() {
            self.name = part.name;
        }
        self.files.append(&mut part.files);
        self.folders.append(&mut part.folders);
        self.broken = self.broken.take().or(part.broken);
    }

    /// All files in it and below, without those in archives there.
    pub(crate) fn all_files(&self) -> Vec<&File> {
        let folders = self.folders.iter().filter(|folder| !folder.is_unpacked);
        let below = folders.flat_map(Self::all_files);
        self.files.iter().chain(below).collect()
    }

    /// The archives in it and below, as folders.
    pub(crate) fn archives(&self) -> Vec<&Self> {
        let mut found = Vec::new();
        for folder in &self.folders {
            if folder.is_unpacked {
                found.push(folder);
            } else {
                found.append(&mut folder.archives());
            }
        }
        found
    }

    /// The first thing in it or below that cannot be read.
    pub(crate) fn first_broken(&self) -> Option<&Broken> {
        let below = || self.folders.iter().find_map(Self::first_broken);
        self.broken.as_ref().or_else(below)
    }
}

impl File {
    /// Its path from a folder that holds it, at whatever depth.
    pub(crate) fn path_in(&self, folder: &Folder) -> &str {
        let path = self.path.strip_prefix(folder.path.as_str());
        path.unwrap_or(&self.path).trim_start_matches('/')
    }
}

struct Walk<'a> {
    unused: &'a mut Vec<UnusedFile>,
    entries_left: usize,
    /// Nothing where archives are not opened.
    allowance: Option<Allowance<'a>>,
    lost: Option<Lost>,
    notes: Vec<Text>,
}

/// An entry of a folder, before it is looked at.
struct Entry {
    name: String,
    location: PathBuf,
}

impl Walk<'_> {
    fn part(&mut self, part: &Part, root: &mut Folder) {
        match part {
            Part::Folder { location, path } => {
                let name = location.file_name().map(shown).unwrap_or_default();
                let folder = self.folder(location, name, path.clone(), 0);
                root.take(folder);
            }
            Part::File {
                location,
                path,
                name,
                size,
            } => {
                if let Some(junk) = junk::junk(name, false) {
                    self.pass(path.clone(), junk, false);
                } else {
                    root.files.push(File {
                        name: name.clone(),
                        path: path.clone(),
                        location: location.clone(),
                        size: *size,
                    });
                }
            }
            Part::Archive {
                location,
                path,
                name,
            } => {
                let stem = without_ending(name).to_owned();
                if let Some(folder) = self.archive(location, name, stem, path.clone(), 0) {
                    root.take(folder);
                }
            }
            Part::Lost(lost) => {
                self.pass(own(""), lost.reason.clone(), true);
                self.lost.get_or_insert_with(|| lost.clone());
            }
        }
    }

    /// What an archive holds, as a folder; nothing where it is refused, which is said.
    fn archive(
        &mut self,
        location: &Path,
        shown_name: &str,
        name: String,
        path: String,
        depth: usize,
    ) -> Option<Folder> {
        let allowance = self.allowance.as_mut()?;
        match allowance.open(location, shown_name) {
            Ok((place, unpacked)) => {
                for passed in unpacked.passed {
                    // What is said of the archive as a whole bears its name.
                    let is_whole = passed.path == shown_name && !path.is_empty();
                    let below = if is_whole { "" } else { &passed.path };
                    self.pass(join(&path, below), passed.reason, passed.notable);
                }
                for refused in unpacked.refused {
                    self.pass(join(&path, &refused.path), refused.text.clone(), true);
                    self.lost.get_or_insert(Lost::unreadable(refused.text));
                }
                self.notes.extend(unpacked.notes);
                let mut folder = self.folder(&place, name, path, depth);
                folder.is_unpacked = true;
                Some(folder)
            }
            Err(failure) => {
                let lost = match failure {
                    Failure::Refused(reason) => Lost::unreadable(reason),
                    Failure::Ours(reason) => Lost::ours(reason),
                };
                let path = if path.is_empty() {
                    shown_name
                } else {
                    path.as_str()
                };
                self.pass(path.to_owned(), lost.reason.clone(), true);
                self.lost.get_or_insert(lost);
                None
            }
        }
    }

    fn folder(&mut self, location: &Path, name: String, path: String, depth: usize) -> Folder {
        let mut folder = Folder {
            name,
            path,
            ..Folder::default()
        };
        let entries = self.entries(location, &mut folder);
        for entry in entries {
            let path = join(&folder.path, &entry.name);
            match fs::symlink_metadata(&entry.location) {
                Err(error) => self.break_at(&mut folder, path, error),
                Ok(data) if data.is_symlink() => self.pass(path, reason::link(), true),
                Ok(data) => {
                    if let Some(junk) = junk::junk(&entry.name, data.is_dir()) {
                        self.pass(path, junk, false);
                    } else if data.is_file()
                        && self.allowance.is_some()
                        && depth < MOST_DEPTH
                        && is_archive_file(&entry.name, &entry.location)
                    {
                        let name = without_ending(&entry.name).to_owned();
                        let below =
                            self.archive(&entry.location, &entry.name, name, path, depth + 1);
                        folder.folders.extend(below);
                    } else if data.is_file() {
                        folder.files.push(File {
                            name: entry.name,
                            path,
                            location: entry.location,
                            size: data.len(),
                        });
                    } else if !data.is_dir() {
                        self.pass(path, reason::special(), true);
                    } else if depth + 1 > MOST_DEPTH {
                        self.lose(path, reason::too_deep(MOST_DEPTH));
                    } else {
                        let below = self.folder(&entry.location, entry.name, path, depth + 1);
                        folder.folders.push(below);
                    }
                }
            }
        }
        folder
    }

    /// The entries of a folder in the order of names, as far as the student's allowance goes.
    fn entries(&mut self, location: &Path, folder: &mut Folder) -> Vec<Entry> {
        let entries = match fs::read_dir(location) {
            Ok(entries) => entries,
            Err(error) => {
                self.break_at(folder, folder.path.clone(), error);
                return Vec::new();
            }
        };
        // Which are looked at must not depend on the order in which the system lists them: the first by their names.
        let mut names: BinaryHeap<OsString> = BinaryHeap::new();
        let mut is_cut = false;
        for entry in entries {
            match entry {
                Ok(entry) => names.push(entry.file_name()),
                Err(error) => {
                    self.break_at(folder, folder.path.clone(), error);
                    break;
                }
            }
            if names.len() > self.entries_left {
                names.pop();
                is_cut = true;
            }
        }
        if is_cut {
            self.lose(own(&folder.path), reason::too_many(MOST_ENTRIES));
        }
        self.entries_left -= names.len();
        let mut list: Vec<Entry> = names
            .into_iter()
            .map(|name| Entry {
                location: location.join(&name),
                name: shown(&name),
            })
            .collect();
        list.sort_by(|a, b| {
            let names = natural::compare(&a.name, &b.name);
            names.then_with(|| a.location.cmp(&b.location))
        });
        // Different names can look alike once they are escaped.
        let mut taken = HashSet::new();
        for entry in &mut list {
            let name = entry.name.clone();
            let ending = &name[stem_of(&name).len()..];
            let mut number = 1;
            while !taken.insert(entry.name.clone()) {
                number += 1;
                entry.name = format!("{} ({number}){ending}", stem_of(&name));
            }
        }
        list
    }

    /// Notes that something in a folder, or the folder itself, cannot be read.
    fn break_at(&mut self, folder: &mut Folder, path: String, error: io::Error) {
        self.pass(own(&path), reason::unreadable(&error), true);
        folder.broken.get_or_insert(Broken {
            path,
            error: Arc::new(error),
        });
    }

    /// Passes over what may be of use: the student's work may be there.
    fn lose(&mut self, path: String, reason: Text) {
        self.lost.get_or_insert_with(|| {
            Lost::unreadable(Text::new(
                format!("`{path}`: {}", reason.en),
                format!("`{path}`：{}", reason.zh),
            ))
        });
        self.pass(path, reason, true);
    }

    fn pass(&mut self, path: String, reason: Text, notable: bool) {
        self.unused.push(UnusedFile {
            path,
            reason,
            notable,
        });
    }
}

/// A path as it is listed: `.` for the student's folder itself.
pub(crate) fn own(path: &str) -> String {
    let path = if path.is_empty() { "." } else { path };
    path.to_owned()
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() || name.is_empty() {
        format!("{folder}{name}")
    } else {
        format!("{folder}/{name}")
    }
}
