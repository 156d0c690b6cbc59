//! The files of a plan: where each is written, and that no name does harm.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fmt;
use std::ops::Deref;
use std::path::Path;

use grader_model::{SourceFile, Text};

use crate::advice;

/// Most files of a plan: their names are arguments of one command, and those have room for 2 MiB.
const MOST_FILES: usize = 1000;

/// What [`PlanFiles::place`] may put in front of a path; as long as the longest such folder.
const PREFIX: usize = "more1000/".len();

/// Where a file of a [`Plan`](crate::Plan) is written, relative to the build folder.
///
/// Whatever a student wrote, a path of this type is not empty, not absolute, and without `.`, `..`, empty parts
/// and NUL; none of its parts is longer than [`PlanPath::LONGEST_PART`], and it is no longer than
/// [`PlanPath::LONGEST`]. Joined to a folder it leads into that folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlanPath(String);

impl PlanPath {
    /// Longest part, in bytes: a file system takes 255, and compilers add endings of their own.
    pub const LONGEST_PART: usize = 200;

    /// Longest path, in bytes: with the build folder in front it stays far below the system's 4096.
    pub const LONGEST: usize = 512;

    /// The nearest path to `wanted`: parts that mean nothing or something else go, parts that are too long
    /// lose their end but for the extension, and a path that is too long loses its folders.
    pub(crate) fn new(wanted: &str) -> Self {
        let wanted = wanted.replace('\0', "_");
        let parts: Vec<String> = parts(&wanted).map(shorten).collect();
        let path = parts.join("/");
        match parts.last() {
            None => Self("unnamed".to_owned()),
            Some(name) if path.len() + PREFIX > Self::LONGEST => Self(name.clone()),
            Some(_) => Self(path),
        }
    }
}

fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."))
}

fn shorten(part: &str) -> String {
    if part.len() <= PlanPath::LONGEST_PART {
        return part.to_owned();
    }
    let extension = part
        .rfind('.')
        .map(|at| &part[at..])
        .filter(|extension| extension.len() <= 16)
        .unwrap_or_default();
    let mut end = PlanPath::LONGEST_PART - extension.len();
    while !part.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{extension}", &part[..end])
}

impl Deref for PlanPath {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for PlanPath {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl AsRef<OsStr> for PlanPath {
    fn as_ref(&self) -> &OsStr {
        self.0.as_ref()
    }
}

impl AsRef<Path> for PlanPath {
    fn as_ref(&self) -> &Path {
        self.0.as_ref()
    }
}

impl fmt::Display for PlanPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The files of a plan in the making.
///
/// All of them can be written: no path is there twice, and none is a folder of another.
pub(crate) struct PlanFiles {
    files: Vec<(PlanPath, Vec<u8>)>,
    taken: BTreeSet<String>,
    hints: Vec<Text>,
}

impl PlanFiles {
    /// No files yet, and room for these sources; the sources behind [`MOST_FILES`] are left out, and a hint
    /// says so.
    pub(crate) fn new(sources: &[SourceFile]) -> (Self, &[SourceFile]) {
        let admitted = &sources[..sources.len().min(MOST_FILES)];
        let mut hints = Vec::new();
        if admitted.len() < sources.len() {
            hints.push(advice::many_files(sources.len(), MOST_FILES));
        }
        let files = Self {
            files: Vec::new(),
            taken: BTreeSet::new(),
            hints,
        };
        (files, admitted)
    }

    /// Keeps a name at the top for what the build writes.
    pub(crate) fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// Adds a file and says where it will be: at the [nearest path](PlanPath::new) to `wanted`, in a folder of
    /// its own where another file is in the way.
    pub(crate) fn place(&mut self, wanted: &str, bytes: Vec<u8>) -> PlanPath {
        if let Some(long) = parts(wanted).find(|part| part.len() > PlanPath::LONGEST_PART) {
            advice::push(&mut self.hints, advice::long_name(long));
        } else if wanted.len() + PREFIX > PlanPath::LONGEST {
            advice::push(&mut self.hints, advice::long_name(wanted));
        }
        let nearest = PlanPath::new(wanted);
        let mut path = nearest.clone();
        let mut number = 0_usize;
        while self.is_taken(&path) {
            number += 1;
            path = PlanPath(format!("more{number}/{nearest}"));
        }
        self.taken.insert(path.0.clone());
        self.files.push((path.clone(), bytes));
        path
    }

    /// Whether there is a file of this path, or one that would have to be a folder of it or lie in it.
    fn is_taken(&self, path: &str) -> bool {
        let mut folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        let inside = format!("{path}/");
        self.taken.contains(path)
            || folders.any(|folder| self.taken.contains(folder))
            || self
                .taken
                .range(inside.clone()..)
                .next()
                .is_some_and(|next| next.starts_with(&inside))
    }

    /// The paths so far.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|(path, _)| &**path)
    }

    /// A name for the executable: one that no file or folder at the top has, in whatever case.
    pub(crate) fn executable(&self) -> String {
        let tops: BTreeSet<String> = self
            .paths()
            .filter_map(|path| path.split('/').next())
            .map(str::to_lowercase)
            .collect();
        let mut name = "program".to_owned();
        let mut number = 1_usize;
        while tops.contains(&name) {
            number += 1;
            name = format!("program{number}");
        }
        name
    }

    /// The files, and what is to be said about their names and number.
    pub(crate) fn finish(self) -> (Vec<(PlanPath, Vec<u8>)>, Vec<Text>) {
        (self.files, self.hints)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(wanted: &str) -> String {
        PlanPath::new(wanted).0
    }

    fn placed(wanted: &[&str]) -> Vec<String> {
        let (mut files, _) = PlanFiles::new(&[]);
        wanted
            .iter()
            .map(|wanted| files.place(wanted, Vec::new()).0)
            .collect()
    }

    #[test]
    fn a_path_cannot_leave_the_folder() {
        assert_eq!(path("a/./../b//c.c"), "a/b/c.c");
        assert_eq!(path("/etc/passwd"), "etc/passwd");
        assert_eq!(path("../../x"), "x");
        assert_eq!(path("a\0b"), "a_b");
        for nothing in ["", "/", "..", "./../"] {
            assert_eq!(path(nothing), "unnamed");
        }
    }

    #[test]
    fn a_part_that_is_too_long_keeps_its_beginning_and_its_extension() {
        assert_eq!(
            path(&format!("x/{}.c", "a".repeat(300))),
            format!("x/{}.c", "a".repeat(198))
        );
        // Three bytes each, and no character is cut in two.
        assert_eq!(
            path(&format!("{}/x", "皇".repeat(100))),
            format!("{}/x", "皇".repeat(66))
        );
        assert_eq!(path(&format!("a.{}", "b".repeat(300))).len(), 200);
        assert_eq!(path(&"a".repeat(200)), "a".repeat(200));
    }

    #[test]
    fn a_path_that_is_too_long_loses_its_folders() {
        assert_eq!(path(&format!("{}x.c", "a/".repeat(2000))), "x.c");
    }

    #[test]
    fn files_in_each_others_way_get_folders_of_their_own() {
        assert_eq!(
            placed(&["a", "a", "a/b", "c/d", "c", "more1", "a"]),
            [
                "a",
                "more1/a",
                "more2/a/b",
                "c/d",
                "more1/c",
                "more1/more1",
                "more3/a"
            ]
        );
        let (mut files, _) = PlanFiles::new(&[]);
        files.reserve("classes");
        assert_eq!(
            files.place("classes/A.java", Vec::new()).0,
            "more1/classes/A.java"
        );
    }

    #[test]
    fn a_name_that_is_too_long_is_mentioned_once() {
        let (mut files, _) = PlanFiles::new(&[]);
        let name = "a".repeat(300);
        files.place(&name, Vec::new());
        files.place(&name, Vec::new());
        files.place(&"a/".repeat(300), Vec::new());
        let (_, hints) = files.finish();
        assert_eq!(
            hints,
            [
                advice::long_name(&name),
                advice::long_name(&"a/".repeat(300))
            ]
        );
    }

    #[test]
    fn files_beyond_the_most_are_left_out_and_that_is_said() {
        let source = SourceFile::new("a.c", Vec::new());
        let sources = vec![source; MOST_FILES + 1];
        let (files, admitted) = PlanFiles::new(&sources);
        assert_eq!(admitted.len(), MOST_FILES);
        assert_eq!(
            files.finish().1,
            [advice::many_files(MOST_FILES + 1, MOST_FILES)]
        );
    }

    #[test]
    fn the_executable_has_a_name_of_its_own() {
        let (mut files, _) = PlanFiles::new(&[]);
        assert_eq!(files.executable(), "program");
        files.place("Program/main.c", Vec::new());
        files.place("program2", Vec::new());
        assert_eq!(files.executable(), "program3");
    }
}
