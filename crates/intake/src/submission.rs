//! What one student submitted for one problem.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use grader_model::{LanguageId, SourceFile, Text};
use jiff::Timestamp;

use crate::notebook::program;
use crate::read::read_at_most;

/// What one student submitted for one problem.
///
/// The files of a class stay where they are until a submission is judged, so that a class of any size fits in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    pub(crate) files: Files,
    /// The language, if it is recognised.
    pub language: Option<LanguageId>,
    /// The files' paths in the student's folder, escaped, for reports.
    pub shown: Vec<String>,
    /// When it was submitted, if that is known and the assignment has a deadline.
    pub submitted: Option<Timestamp>,
    /// Names that its files use, and only files define that are not among them: why it must not count if one is missing.
    pub lacking: BTreeMap<String, Text>,
}

/// What compilers and interpreters say of a missing name.
const IS_MISSING: [&str; 14] = [
    "Cannot find module",
    "No module named",
    "No such file",
    "cannot find",
    "cannot import name",
    "does not exist",
    "does not name a type",
    "implicit declaration",
    "not declared",
    "symbol:",
    "undeclared",
    "undefined reference",
    "unknown type name",
    "unresolved import",
];

/// The files of a submission, with paths in the submission: the name alone for a single file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Files {
    InMemory(Vec<SourceFile>),
    OnDisk(Vec<FileOnDisk>),
}

/// A file that is read again when it is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileOnDisk {
    /// Its path in the submission.
    path: String,
    location: PathBuf,
    /// Its bytes when the class was read: how many, and their hash.
    size: u64,
    hash: blake3::Hash,
    is_notebook: bool,
}

impl Submission {
    /// A submission with its files in memory.
    pub fn in_memory(
        sources: Vec<SourceFile>,
        shown: Vec<String>,
        language: Option<LanguageId>,
    ) -> Self {
        Self {
            files: Files::InMemory(sources),
            language,
            shown,
            submitted: None,
            lacking: BTreeMap::new(),
        }
    }

    /// Why these messages of a compiler or an interpreter do not show that it is wrong: what is missing is in a file that was left
    /// out.
    pub fn lacks(&self, messages: &str) -> Option<&Text> {
        let is_about = |line: &&str| IS_MISSING.iter().any(|it| line.contains(it));
        let is_between = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '.');
        let lines = messages.lines().filter(is_about);
        // What the compiler guesses is not what is missing.
        let lines = lines.filter_map(|it| it.split("did you mean").next());
        let mut words = lines.flat_map(|it| it.split(is_between));
        words.find_map(|it| self.lacking.get(it.trim_matches('.')))
    }

    /// Whether its files are those of another, whatever their names are.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        match (&self.files, &other.files) {
            (Files::OnDisk(files), Files::OnDisk(others)) => {
                let hashes = others.iter().map(|file| file.hash);
                files.iter().map(|file| file.hash).eq(hashes)
            }
            _ => self.files == other.files,
        }
    }

    /// When the newest of its files was changed, unless they were unpacked into `scratch`.
    pub(crate) fn modified(&self, scratch: &Path) -> Option<Timestamp> {
        let Files::OnDisk(files) = &self.files else {
            return None;
        };
        let own = files
            .iter()
            .filter(|file| !file.location.starts_with(scratch));
        let times =
            own.filter_map(|file| fs::symlink_metadata(&file.location).ok()?.modified().ok());
        Timestamp::try_from(times.max()?).ok()
    }

    /// Its files.
    ///
    /// # Errors
    /// If one cannot be read any more, or has changed since the class was read.
    pub fn sources(&self) -> io::Result<Cow<'_, [SourceFile]>> {
        match &self.files {
            Files::InMemory(sources) => Ok(Cow::Borrowed(sources)),
            Files::OnDisk(files) => {
                let sources: io::Result<_> = files.iter().map(FileOnDisk::read).collect();
                sources.map(Cow::Owned)
            }
        }
    }
}

impl FileOnDisk {
    /// A file that has just been read.
    pub(crate) fn new(path: &str, location: PathBuf, bytes: &[u8]) -> Self {
        Self {
            path: path.to_owned(),
            location,
            size: bytes.len() as u64,
            hash: blake3::hash(bytes),
            is_notebook: false,
        }
    }

    /// A notebook that has just been read, as the program of this path.
    pub(crate) fn notebook(path: &str, location: PathBuf, bytes: &[u8]) -> Self {
        Self {
            is_notebook: true,
            ..Self::new(path, location, bytes)
        }
    }

    fn read(&self) -> io::Result<SourceFile> {
        let changed = || io::Error::other("it has changed since the class was read");
        // Whatever took its place, a link or a pipe, is not opened.
        if !fs::symlink_metadata(&self.location)?.is_file() {
            return Err(changed());
        }
        read_at_most(&self.location, self.size)?
            .filter(|bytes| blake3::hash(bytes) == self.hash)
            .and_then(|bytes| {
                if self.is_notebook {
                    program(&bytes).ok()
                } else {
                    Some(bytes)
                }
            })
            .map(|bytes| SourceFile::new(self.path.as_str(), bytes))
            .ok_or_else(changed)
    }
}
