//! Folders of student work to students and submissions.
//!
//! A class is what [`read_class`] reads: a folder, or an archive of one, in one of the [`Layout`](grader_lms::Layout)s that people and
//! other systems make; a [`Roster`](grader_lms::Roster) tells who is in it. A student at a terminal names files ([`read_files`]). Both
//! recognise submissions by the patterns of the problem files.
//!
//! Nothing is lost in silence: whatever is not judged is listed as unused with a reason, in both languages,
//! and a misspelt name with the name that was expected. Nothing a student hands in can stop the reading of
//! a class: links are not followed, and nothing larger than a problem allows is brought into memory. A
//! submission that cannot be read is a fault of its problem: neither the next best file nor "nothing handed
//! in" is what the student deserves.
//!
//! # Who handed in what
//!
//! The layout tells which entries of the class are a student's, and what they were called before a system named them
//! after the student. An entry is a folder, an archive, or, in the flat downloads, a file. What several entries of
//! one student hold is taken together; of several attempts at one file the latest is taken; both are said. Archives
//! are unpacked into a folder for the time of the run, those in a student's folder too, and what is in them is read
//! as a folder of their name. An archive that is refused is a fault of every problem for which nothing else was
//! handed in: it may hold the work.
//!
//! Ids are the roster's, or else the names that the layout tells, with a number where several have one name.
//!
//! The files of a class are read twice: to find submissions, and when they are judged. In between only their places
//! are in memory, with a hash, so that what is judged is what was found.
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

mod archive;
mod class;
mod error;
mod folder;
mod junk;
mod listing;
mod natural;
mod pattern;
mod program;
mod read_class;
mod read_files;
mod reason;
mod student;
mod submitters;
mod tree;
mod unpacker;

pub use class::{Class, Lost, Student, Submission};
pub use error::IntakeError;
pub use grader_lms::{Layout, Roster};
pub use program::Recognise;
pub use read_class::{ClassSource, read_class};
pub use read_files::read_files;
