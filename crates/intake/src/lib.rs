//! Folders of student work to students and submissions.
//!
//! A class is a folder of students' folders ([`read_class`]); a student at a terminal names files
//! ([`read_files`]). Both recognise submissions by the patterns of the problem files.
//!
//! Nothing is lost in silence: whatever is not judged is listed as unused with a reason, in both languages,
//! and a misspelt name with the name that was expected. Nothing a student hands in can stop the reading of
//! a class: links are not followed, and nothing larger than a problem allows is brought into memory. A
//! submission that cannot be read is a fault of its problem: neither the next best file nor "nothing handed
//! in" is what the student deserves.
//!
//! # Which file is taken
//!
//! A source file goes to the one problem whose pattern fits its name best. A file whose name fits but has
//! another ending or none (`count.txt`, `count`) is a source file when it holds a program. A folder is one
//! submission of several files when its name fits a problem and it holds one program; with the sources go all
//! headers and other texts in it. All other folders are looked through. Of several candidates for a problem the
//! best is taken, by these rules in turn: a source by its name before one by what it holds; the one less deep;
//! the one that fits an earlier pattern; a pattern that does not start with `*`; the problem's name itself; a
//! name that starts with it; a file before a folder; the shorter name; the alphabet.

mod class;
mod error;
mod folder;
mod junk;
mod layout;
mod natural;
mod pattern;
mod program;
mod read_class;
mod read_files;
mod reason;
mod roster;
mod student;
mod tree;

pub use class::{Class, Student, Submission};
pub use error::IntakeError;
pub use layout::Layout;
pub use program::Recognise;
pub use read_class::{ClassSource, read_class};
pub use read_files::read_files;
pub use roster::Roster;
