//! Students and what they handed in.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use grader_lms::Layout;
use grader_model::{
    FaultCause, LanguageId, Person, ProblemId, SourceFile, StudentId, Text, UnusedFile,
};

use crate::tree::read_at_most;

/// All students of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Class {
    /// The students, in the order of their names.
    pub students: Vec<Student>,
    /// Files that lie beside the students' folders.
    pub unused: Vec<UnusedFile>,
    /// How the class lies on the disk, as it was recognised or asked for.
    pub layout: Layout,
}

/// One student.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Student {
    /// What the roster calls the student, or else the folder, file or download.
    pub id: StudentId,
    /// Who that is, where a roster or a download tells.
    pub person: Option<Person>,
    /// What is to be known of what was handed in: which of several attempts was taken, that it came late.
    pub notes: Vec<Text>,
    /// What only staff is to know of it, since it may name other students.
    pub remarks: Vec<Text>,
    /// What is handed in for each problem.
    ///
    /// A problem that is neither here nor among the faults is one for which nothing was submitted.
    pub submissions: BTreeMap<ProblemId, Submission>,
    /// Problems whose submission is there, or may be, but cannot be read, and why: never among the
    /// submissions too. What is in it may be right, so it must not cost points.
    pub faults: BTreeMap<ProblemId, Lost>,
    /// Files that belong to no submission, and why.
    pub unused: Vec<UnusedFile>,
}

/// Why it cannot be told what was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// What that comes from.
    pub cause: FaultCause,
    /// One sentence, with names escaped.
    pub reason: Text,
}

impl Lost {
    pub(crate) const fn ours(reason: Text) -> Self {
        Self {
            cause: FaultCause::Grader,
            reason,
        }
    }

    pub(crate) const fn unreadable(reason: Text) -> Self {
        Self {
            cause: FaultCause::Unreadable,
            reason,
        }
    }
}

/// What one student handed in for one problem.
///
/// The files of a class stay where they are until a submission is judged: what a class takes in memory does not
/// grow with what was handed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    files: Files,
    /// The language that it is in; nothing where that cannot be told.
    pub language: Option<LanguageId>,
    /// Its files by their paths in the student's folder, escaped, for reports.
    pub shown: Vec<String>,
}

/// The files of a submission, paths relative to the submission (the name alone for a single file).
///
/// At least one is a program, by its name or by what it holds. In a folder headers and other texts come
/// with it, since a source may include a file of any name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Files {
    Held(Vec<SourceFile>),
    Located(Vec<Located>),
}

/// A file that is read again when it is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Located {
    /// Its path in the submission.
    path: String,
    location: PathBuf,
    /// Bytes when the class was read.
    size: u64,
    /// Of its bytes when the class was read.
    hash: blake3::Hash,
}

impl Submission {
    /// A submission whose files are in memory.
    pub fn held(
        sources: Vec<SourceFile>,
        shown: Vec<String>,
        language: Option<LanguageId>,
    ) -> Self {
        Self {
            files: Files::Held(sources),
            language,
            shown,
        }
    }

    /// A submission whose files lie where they were found.
    pub(crate) fn located(
        files: Vec<Located>,
        shown: Vec<String>,
        language: Option<LanguageId>,
    ) -> Self {
        Self {
            files: Files::Located(files),
            language,
            shown,
        }
    }

    /// Its files, read now where they are not in memory.
    ///
    /// # Errors
    /// When one cannot be read any more, or is not what it was when the class was read: what would be judged is
    /// not what was handed in.
    pub fn sources(&self) -> io::Result<Cow<'_, [SourceFile]>> {
        match &self.files {
            Files::Held(sources) => Ok(Cow::Borrowed(sources)),
            Files::Located(files) => {
                let sources: io::Result<_> = files.iter().map(Located::read).collect();
                sources.map(Cow::Owned)
            }
        }
    }
}

impl Submission {
    /// Where its files lie that are not in memory.
    pub(crate) fn locations(&self) -> impl Iterator<Item = &Path> {
        let files = match &self.files {
            Files::Held(_) => &[],
            Files::Located(files) => files.as_slice(),
        };
        files.iter().map(|file| file.location.as_path())
    }
}

impl Located {
    /// A file that has just been read.
    pub(crate) fn new(path: &str, location: &Path, bytes: &[u8]) -> Self {
        Self {
            path: path.to_owned(),
            location: location.to_owned(),
            size: bytes.len() as u64,
            hash: blake3::hash(bytes),
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
            .map(|bytes| SourceFile::new(self.path.as_str(), bytes))
            .ok_or_else(changed)
    }
}
