//! The folder of a package, which a stranger made.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use grader_problem::{DiskLibrary, Library, LibraryEntry};

use crate::constants::MAX_ENTRIES;

/// A package's folder, with a bound on what is listed: links may lead in circles.
pub(crate) struct PackageFolder<'a> {
    library: &'a DiskLibrary,
    /// Entries listed so far.
    listed: AtomicUsize,
}

impl<'a> PackageFolder<'a> {
    pub(crate) const fn new(library: &'a DiskLibrary) -> Self {
        Self {
            library,
            listed: AtomicUsize::new(0),
        }
    }

    /// Whether a path exists and a link in it leads out of the package.
    pub(crate) fn is_outside(&self, path: &str) -> bool {
        self.library.is_outside(path)
    }

    /// Whether a folder was not listed because of the bound.
    pub(crate) fn is_too_large(&self) -> bool {
        self.listed.load(Ordering::Relaxed) > MAX_ENTRIES
    }
}

impl Library for PackageFolder<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.library.read(path)
    }

    fn list(&self, folder: &str) -> io::Result<Vec<LibraryEntry>> {
        if self.is_too_large() {
            return Err(io::Error::other("the package has too many files"));
        }
        let entries = self.library.list(folder)?;
        self.listed.fetch_add(entries.len() + 1, Ordering::Relaxed);
        Ok(entries)
    }

    fn describe(&self, path: &str) -> String {
        self.library.describe(path)
    }
}
