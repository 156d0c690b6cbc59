//! What lies in a folder, read with care.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grader_model::{Text, UnusedFile};

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

/// Reads one folder; what is passed over goes to the list.
pub(crate) fn read_tree(location: &Path, unused: &mut Vec<UnusedFile>) -> Folder {
    let mut walk = Walk {
        unused,
        entries_left: MOST_ENTRIES,
    };
    let name = location.file_name().map(shown).unwrap_or_default();
    walk.folder(location, name, String::new(), 0)
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
    /// All files in it and below.
    pub(crate) fn all_files(&self) -> Vec<&File> {
        let below = self.folders.iter().flat_map(Self::all_files);
        self.files.iter().chain(below).collect()
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
}

/// An entry of a folder, before it is looked at.
struct Entry {
    name: String,
    location: PathBuf,
}

impl Walk<'_> {
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
                        self.pass(path, reason::too_deep(MOST_DEPTH), true);
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
        let mut list = Vec::new();
        for entry in entries {
            if self.entries_left == 0 {
                let reason = reason::too_many(MOST_ENTRIES);
                self.pass(own(&folder.path), reason, true);
                break;
            }
            self.entries_left -= 1;
            match entry {
                Ok(entry) => list.push(Entry {
                    name: shown(&entry.file_name()),
                    location: entry.path(),
                }),
                Err(error) => {
                    self.break_at(folder, folder.path.clone(), error);
                    break;
                }
            }
        }
        list.sort_by(|a, b| natural::compare(&a.name, &b.name));
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
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}
