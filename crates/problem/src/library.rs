//! Sources of assignment files: a folder on disk, or files in memory, such as those built into the grader.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::PathBuf;
use std::{fs, io};

use grader_model::{SourceFile, file_name};

use crate::constants::{MAX_FILE, MAX_FOLDER_DEPTH};

/// A tree of files, read by paths relative to its root with `/` between the parts.
///
/// The empty path is the root. No path can leave it: neither `..`, nor an absolute path, nor a link.
pub trait Library: Send + Sync {
    /// The bytes of a file.
    ///
    /// # Errors
    /// If there is no such file, it cannot be read, or the path leads outside.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The entries of a folder, sorted by name, without hidden ones.
    ///
    /// # Errors
    /// If there is no such folder, it cannot be read, or the path leads outside.
    fn list(&self, folder: &str) -> io::Result<Vec<LibraryEntry>>;

    /// The path for messages.
    fn describe(&self, path: &str) -> String;
}

/// An entry in a folder of a [`Library`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LibraryEntry {
    /// The name, without the folder.
    pub name: String,
    /// Whether it is a folder.
    pub folder: bool,
}

/// The message of a library's error, the same on every system.
pub(crate) fn explain(error: &io::Error) -> String {
    let text = match error.kind() {
        // A parent is a file instead of a folder.
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "there is no such file or folder",
        io::ErrorKind::IsADirectory => "expected a file, found something else",
        _ => return error.to_string(),
    };
    text.to_owned()
}

/// Appends a path from a problem file to a folder in the library; the result has no `.` and no empty parts.
pub(crate) fn join(folder: &str, path: &str) -> Result<String, &'static str> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.retain(|part| !matches!(*part, "" | "."));
    if path.starts_with('/') || path.as_bytes().get(1) == Some(&b':') {
        Err("the path must be relative")
    } else if path.contains('\\') {
        Err("the path must have `/` between its parts, not `\\`")
    } else if path.chars().any(char::is_control) {
        Err("the path must not contain control characters")
    } else if parts.contains(&"..") {
        Err("the path must not contain `..`")
    } else if parts.is_empty() {
        Err("the path must not be empty")
    } else {
        Ok(below(folder, &parts.join("/")))
    }
}

/// A path below a folder; either may be empty.
pub(crate) fn below(folder: &str, path: &str) -> String {
    match (folder, path) {
        ("", only) | (only, "") => only.to_owned(),
        _ => format!("{folder}/{path}"),
    }
}

/// The path without `.` and empty parts; the root is the empty path.
fn plain(path: &str) -> io::Result<String> {
    if matches!(path, "" | ".") {
        return Ok(String::new());
    }
    join("", path).map_err(|message| io::Error::new(io::ErrorKind::InvalidInput, message))
}

/// The message for a path that leads out of a library's root.
pub const LEADS_OUT: &str = "the path leads out of its folder";

/// The message for a link to a hidden file, or a path in `.git`.
const HIDDEN: &str = "the path leads to a hidden file";

/// A folder on disk.
#[derive(Clone, Debug)]
pub struct DiskLibrary {
    root: PathBuf,
    /// A folder above the root; links may lead to its files.
    around: Option<PathBuf>,
}

impl DiskLibrary {
    /// A library with this folder as its root. The folder need not exist until it is read.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            around: None,
        }
    }

    /// Allows links to what is in `around`, the root or a folder above it, except folders that contain the root. Hidden
    /// files are then read only by their own paths, not through links, and those in `.git` not at all.
    #[must_use]
    pub fn with_links_into(mut self, around: impl Into<PathBuf>) -> Self {
        self.around = Some(around.into());
        self
    }

    /// Whether a path exists and a link in it leads out of the root.
    pub fn is_outside(&self, path: &str) -> bool {
        self.resolve(path).is_ok_and(|(_, is_outside)| is_outside)
    }

    /// What links may lead into, as a library of its own.
    #[must_use]
    pub fn around(&self) -> Option<Self> {
        let around = self.around.clone()?;
        Some(Self::new(&around).with_links_into(around))
    }

    /// The real path, with all links followed, and whether it is outside of the root.
    fn resolve(&self, path: &str) -> io::Result<(PathBuf, bool)> {
        let root = self.root.canonicalize()?;
        let named = root.join(plain(path)?);
        let target = named.canonicalize()?;
        let refused = |message| Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        let Some(around) = &self.around else {
            return if target.starts_with(&root) {
                Ok((target, false))
            } else {
                refused(LEADS_OUT)
            };
        };
        let around = around.canonicalize()?;
        let (inner, is_outside) = match target.strip_prefix(&root) {
            Ok(inner) => (inner, false),
            Err(_) => match target.strip_prefix(&around) {
                Ok(inner) if !root.starts_with(&target) => (inner, true),
                _ => return refused(LEADS_OUT),
            },
        };
        let is_hidden = |part: &OsStr| {
            part == ".git" || target != named && part.as_encoded_bytes().starts_with(b".")
        };
        if inner.iter().any(is_hidden) {
            return refused(HIDDEN);
        }
        Ok((target, is_outside))
    }
}

impl Library for DiskLibrary {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let (path, _) = self.resolve(path)?;
        // Check before opening: opening a pipe would block.
        let meta = path.metadata()?;
        if meta.is_file() && meta.len() > MAX_FILE.0 {
            let message = format!("the file is larger than {MAX_FILE}");
            Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
        } else if meta.is_file() {
            fs::read(path)
        } else {
            Err(io::ErrorKind::IsADirectory.into())
        }
    }

    fn list(&self, folder: &str) -> io::Result<Vec<LibraryEntry>> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(self.resolve(folder)?.0)? {
            let entry = entry?;
            entries.push(LibraryEntry {
                // A file whose name is not UTF-8 cannot be read, but is listed.
                name: entry.file_name().to_string_lossy().into_owned(),
                folder: entry.path().is_dir(),
            });
        }
        entries.retain(|entry| !entry.name.starts_with('.'));
        entries.sort();
        Ok(entries)
    }

    fn describe(&self, path: &str) -> String {
        let full = match path {
            "" => self.root.clone(),
            path => self.root.join(path),
        };
        let full = full.display().to_string();
        full.strip_prefix("./").map_or(full.clone(), str::to_owned)
    }
}

/// Files in memory, for bundled assignments and tests.
#[derive(Clone, Debug, Default)]
pub struct MemoryLibrary {
    name: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryLibrary {
    /// A library of files by their plain paths (`count/problem.toml`); messages show them below `name`.
    pub fn new(name: impl Into<String>, files: BTreeMap<String, Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            files,
        }
    }

    /// Adds or replaces a file.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }
}

impl Library for MemoryLibrary {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.files.get(&plain(path)?) {
            Some(bytes) => Ok(bytes.clone()),
            None if self.list(path).is_ok() => Err(io::ErrorKind::IsADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn list(&self, folder: &str) -> io::Result<Vec<LibraryEntry>> {
        let prefix = match plain(folder)? {
            root if root.is_empty() => root,
            folder => format!("{folder}/"),
        };
        let inside = self
            .files
            .keys()
            .filter_map(|path| path.strip_prefix(&*prefix));
        let entries: BTreeSet<LibraryEntry> = inside
            .filter(|path| !path.starts_with('.'))
            .map(|path| LibraryEntry {
                name: path.split('/').next().unwrap_or_default().to_owned(),
                folder: path.contains('/'),
            })
            .collect();
        if entries.is_empty() && !prefix.is_empty() {
            return Err(io::ErrorKind::NotFound.into());
        }
        Ok(entries.into_iter().collect())
    }

    fn describe(&self, path: &str) -> String {
        below(&self.name, path)
    }
}

/// A source file, or all files below a folder, by their paths relative to it.
pub(crate) fn sources(library: &dyn Library, path: &str) -> io::Result<Vec<SourceFile>> {
    match library.read(path) {
        Err(error) if error.kind() == io::ErrorKind::IsADirectory => {}
        read => {
            let name = file_name(path);
            return Ok(vec![SourceFile::new(name, read?)]);
        }
    }
    let mut sources = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(inner) = folders.pop() {
        if inner.split('/').count() > MAX_FOLDER_DEPTH {
            let message = format!("folders are nested more than {MAX_FOLDER_DEPTH} deep");
            return Err(io::Error::other(message));
        }
        for entry in library.list(&below(path, &inner))? {
            let inner = below(&inner, &entry.name);
            if entry.folder {
                folders.push(inner);
            } else {
                let bytes = library.read(&below(path, &inner))?;
                sources.push(SourceFile::new(inner, bytes));
            }
        }
    }
    if sources.is_empty() {
        return Err(io::Error::other("the folder has no files"));
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}
