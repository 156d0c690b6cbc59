//! What the Java compiler loads when it starts, kept in an archive for later compilations of the same run: each then takes
//! about a third less time.
//!
//! The archive holds classes of the compiler alone (<https://openjdk.org/jeps/350>), and it is written while a source of ours
//! is compiled, so that nothing of a student is in it. A compiler that cannot use it starts as usual.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::constants::COMPILED_BEFORE_ARCHIVE;

/// The name of the archive.
pub(crate) const ARCHIVE: &str = "javac.jsa";
/// Argument of the compiler that writes it.
pub(crate) const WRITE: &str = "-J-XX:ArchiveClassesAtExit=";
/// Argument of the compiler that reads it.
pub(crate) const READ: &str = "-J-XX:SharedArchiveFile=";
/// A source that uses much of the compiler.
pub(crate) const SOURCE: &str = include_str!("java_startup/Main.java");

/// The archive of a run of the grader.
#[derive(Debug, Default)]
pub(crate) struct JavaStartup {
    /// Compilations until now.
    compiled: AtomicUsize,
    /// `None` if it cannot be written.
    archive: OnceLock<Option<PathBuf>>,
}

impl JavaStartup {
    /// The archive for the next compilation, which `write` writes for the first one that needs it. `None` if there is none.
    pub(crate) fn archive(&self, write: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
        if self.compiled.fetch_add(1, Ordering::Relaxed) < COMPILED_BEFORE_ARCHIVE {
            return None;
        }
        self.archive.get_or_init(write).clone()
    }
}
