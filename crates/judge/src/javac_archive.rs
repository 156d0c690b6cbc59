//! What the Java compiler loads when it starts, kept in an archive for later compilations of the same run: each then takes
//! about a third less time.
//!
//! The archive holds classes of the compiler alone (<https://openjdk.org/jeps/350>), and it is written while a source of ours
//! is compiled, so that nothing of a student is in it. A compiler that cannot use it starts as usual.

/// The name of the archive.
pub(crate) const ARCHIVE: &str = "javac.jsa";
/// Argument of the compiler that writes it.
pub(crate) const WRITE: &str = "-J-XX:ArchiveClassesAtExit=";
/// Argument of the compiler that reads it.
pub(crate) const READ: &str = "-J-XX:SharedArchiveFile=";
/// A source that uses much of the compiler.
pub(crate) const SOURCE: &str = include_str!("javac_archive/Main.java");
