//! Where assignment files come from: a folder on disk, or the binary itself.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _};
use std::path::PathBuf;

use grader_model::{Bytes, SourceFile};

/// Largest file that a library hands out.
pub const LARGEST_FILE: Bytes = Bytes(256 << 20);

/// A tree of files, read by paths relative to its root with `/` between the parts.
///
/// The empty path is the root. No path leads out of it: neither `..`, nor an absolute path, nor a link.
pub trait Library: Send + Sync {
    /// The bytes of a file.
    ///
    /// # Errors
    /// When there is no such file, it cannot be read, or the path leads outside.
    fn read(&self, path: &str) -> Result<Vec<u8>, LibraryError>;

    /// The entries of a folder, sorted by name.
    ///
    /// # Errors
    /// When there is no such folder, it cannot be read, or the path leads outside.
    fn list(&self, folder: &str) -> Result<Vec<LibraryEntry>, LibraryError>;

    /// The path as it is shown to people.
    fn describe(&self, path: &str) -> String;
}

/// One name in a folder of a [`Library`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LibraryEntry {
    /// The name, without the folder.
    pub name: String,
    /// Whether it is a folder itself.
    pub folder: bool,
}

/// Why a library does not hand out a file or a folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LibraryError {
    /// There is no such file or folder.
    #[error("there is no such file or folder")]
    NotFound,
    /// A file was asked for.
    #[error("expected a file, found something else")]
    NotAFile,
    /// A folder was asked for.
    #[error("expected a folder, found something else")]
    NotAFolder,
    /// The path leads out of the root.
    #[error("the path leads out of its folder")]
    Outside,
    /// The file is larger than [`LARGEST_FILE`].
    #[error("the file is larger than {LARGEST_FILE}")]
    TooLarge,
    /// The system refuses.
    #[error("cannot be read: {0}")]
    Io(String),
}

impl From<io::Error> for LibraryError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            // A file where a folder should be: the path leads nowhere.
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::NotFound,
            _ => Self::Io(error.to_string()),
        }
    }
}

/// Why a path in a problem file cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PathError {
    #[error("must not be empty")]
    Empty,
    #[error("must be relative")]
    Absolute,
    #[error("must not contain `..`")]
    Upward,
    #[error("must have `/` between its parts, not `\\`")]
    Backslash,
    #[error("must not contain control characters")]
    Control,
}

/// Appends a path from a problem file to a folder of the library; the result is plain.
pub(crate) fn join(folder: &str, path: &str) -> Result<String, PathError> {
    if path.starts_with('/') || path.as_bytes().get(1) == Some(&b':') {
        return Err(PathError::Absolute);
    }
    if path.contains('\\') {
        return Err(PathError::Backslash);
    }
    if path.chars().any(char::is_control) {
        return Err(PathError::Control);
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let own = parts.len();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => return Err(PathError::Upward),
            part => parts.push(part),
        }
    }
    if parts.len() == own {
        return Err(PathError::Empty);
    }
    Ok(parts.join("/"))
}

/// The path of a file in a folder of the library. A folder that no library has gives a path that no library has.
pub(crate) fn file_in(folder: &str, name: &str) -> String {
    join(folder, name).unwrap_or_else(|_| format!("{folder}/{name}"))
}

/// The path without `.` and empty parts.
fn plain(path: &str) -> Result<String, LibraryError> {
    match join("", path) {
        Ok(path) => Ok(path),
        Err(PathError::Empty) if !path.starts_with('/') => Ok(String::new()),
        Err(PathError::Control) => Err(LibraryError::NotFound),
        Err(_) => Err(LibraryError::Outside),
    }
}

/// A folder on disk.
#[derive(Clone, Debug)]
pub struct DiskLibrary {
    root: PathBuf,
}

impl DiskLibrary {
    /// The folder as the root of a library. Whether it exists shows when it is read.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The real path, with all links followed, when it is inside the root.
    fn resolve(&self, path: &str) -> Result<PathBuf, LibraryError> {
        let root = self.root.canonicalize()?;
        let target = root.join(plain(path)?).canonicalize()?;
        if target.starts_with(&root) {
            Ok(target)
        } else {
            Err(LibraryError::Outside)
        }
    }
}

impl Library for DiskLibrary {
    fn read(&self, path: &str) -> Result<Vec<u8>, LibraryError> {
        let path = self.resolve(path)?;
        // Checked before it is opened: opening a pipe would block.
        let about = fs::metadata(&path)?;
        if !about.is_file() {
            return Err(LibraryError::NotAFile);
        }
        let mut bytes = Vec::new();
        fs::File::open(&path)?
            .take(LARGEST_FILE.0 + 1)
            .read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LARGEST_FILE.0 {
            return Err(LibraryError::TooLarge);
        }
        Ok(bytes)
    }

    fn list(&self, folder: &str) -> Result<Vec<LibraryEntry>, LibraryError> {
        let folder = self.resolve(folder)?;
        if !folder.is_dir() {
            return Err(LibraryError::NotAFolder);
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            entries.push(LibraryEntry {
                // A name that is not UTF-8 cannot be asked for; it is listed so that it is not overlooked.
                name: entry.file_name().to_string_lossy().into_owned(),
                folder: entry.path().is_dir(),
            });
        }
        entries.sort();
        Ok(entries)
    }

    fn describe(&self, path: &str) -> String {
        let full = match plain(path) {
            Ok(path) if path.is_empty() => self.root.clone(),
            Ok(path) => self.root.join(path),
            Err(_) => self.root.join(path),
        };
        let full = full.display().to_string();
        full.strip_prefix("./").map_or(full.clone(), str::to_owned)
    }
}

/// Files in memory: assignments inside the binary, and tests.
#[derive(Clone, Debug, Default)]
pub struct MemoryLibrary {
    name: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryLibrary {
    /// Files by their plain paths (`count/problem.toml`), shown to people below `name`.
    pub fn new(name: impl Into<String>, files: BTreeMap<String, Vec<u8>>) -> Self {
        Self {
            name: name.into(),
            files,
        }
    }

    /// Adds a file, or replaces it.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// The paths below a folder, relative to it.
    fn below<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a str> {
        self.files.keys().filter_map(move |path| {
            if folder.is_empty() {
                Some(path.as_str())
            } else {
                path.strip_prefix(folder)?.strip_prefix('/')
            }
        })
    }
}

impl Library for MemoryLibrary {
    fn read(&self, path: &str) -> Result<Vec<u8>, LibraryError> {
        let path = plain(path)?;
        if let Some(bytes) = self.files.get(&path) {
            return Ok(bytes.clone());
        }
        Err(if self.below(&path).next().is_some() {
            LibraryError::NotAFile
        } else {
            LibraryError::NotFound
        })
    }

    fn list(&self, folder: &str) -> Result<Vec<LibraryEntry>, LibraryError> {
        let folder = plain(folder)?;
        if self.files.contains_key(&folder) {
            return Err(LibraryError::NotAFolder);
        }
        let entries: BTreeSet<LibraryEntry> = self
            .below(&folder)
            .map(|path| {
                let (name, folder) = path
                    .split_once('/')
                    .map_or((path, false), |(name, _)| (name, true));
                LibraryEntry {
                    name: name.to_owned(),
                    folder,
                }
            })
            .collect();
        if entries.is_empty() && !folder.is_empty() {
            return Err(LibraryError::NotFound);
        }
        Ok(entries.into_iter().collect())
    }

    fn describe(&self, path: &str) -> String {
        match (self.name.as_str(), path) {
            ("", path) => path.to_owned(),
            (name, "") => name.to_owned(),
            (name, path) => format!("{name}/{path}"),
        }
    }
}

/// Deepest nesting of folders of sources.
const MAX_DEPTH: usize = 16;

/// All files below a folder of the library, by their paths relative to it, hidden ones left out.
pub(crate) fn sources_below(
    library: &dyn Library,
    folder: &str,
) -> Result<Vec<SourceFile>, LibraryError> {
    let mut sources = Vec::new();
    collect(library, folder, "", 0, &mut sources)?;
    Ok(sources)
}

fn collect(
    library: &dyn Library,
    folder: &str,
    prefix: &str,
    depth: usize,
    sources: &mut Vec<SourceFile>,
) -> Result<(), LibraryError> {
    if depth > MAX_DEPTH {
        let message = format!("folders are nested more than {MAX_DEPTH} deep");
        return Err(LibraryError::Io(message));
    }
    let visible = |entry: &LibraryEntry| !entry.name.starts_with('.');
    for entry in library.list(folder)?.into_iter().filter(visible) {
        let path = format!("{folder}/{}", entry.name);
        let inner = format!("{prefix}{}", entry.name);
        if entry.folder {
            collect(library, &path, &format!("{inner}/"), depth + 1, sources)?;
        } else {
            sources.push(SourceFile::new(inner, library.read(&path)?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out_of_a_library_on_disk() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("root");
        fs::create_dir_all(root.join("sub")).unwrap();
        fs::write(outer.path().join("secret"), "secret").unwrap();
        fs::write(root.join("sub/a.txt"), "a").unwrap();
        let library = DiskLibrary::new(&root);
        assert_eq!(library.read("sub/./a.txt"), Ok(b"a".to_vec()));
        assert_eq!(library.read("../secret"), Err(LibraryError::Outside));
        assert_eq!(library.read("sub/../../secret"), Err(LibraryError::Outside));
        assert_eq!(library.read("/etc/passwd"), Err(LibraryError::Outside));
        assert_eq!(library.read("sub"), Err(LibraryError::NotAFile));
        assert_eq!(library.read("sub/b.txt"), Err(LibraryError::NotFound));
        assert_eq!(library.list("sub/a.txt"), Err(LibraryError::NotAFolder));
        assert_eq!(library.list(".."), Err(LibraryError::Outside));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.path().join("secret"), root.join("link")).unwrap();
            assert_eq!(library.read("link"), Err(LibraryError::Outside));
        }
    }

    #[test]
    fn a_folder_in_memory_is_listed_as_one_on_disk() {
        let outer = tempfile::tempdir().unwrap();
        let mut memory = MemoryLibrary::default();
        for path in ["b/x/1.txt", "b/y.txt", "a.txt", "b.txt"] {
            let file = outer.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, path).unwrap();
            memory.insert(path, path);
        }
        let disk = DiskLibrary::new(outer.path());
        for path in ["", "b", "b/x", "b/y.txt", "none", "../b"] {
            assert_eq!(memory.list(path), disk.list(path), "{path}");
            assert_eq!(memory.read(path), disk.read(path), "{path}");
        }
        let names: Vec<String> = memory
            .list("")
            .unwrap()
            .into_iter()
            .map(|entry| entry.name)
            .collect();
        assert_eq!(names, ["a.txt", "b", "b.txt"]);
    }
}
