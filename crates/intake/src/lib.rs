//! Folders of student work to students and submissions.
//!
//! [`read_class`] reads a class: a folder or an archive in one of the [`Layout`](grader_lms::Layout)s, with or without a
//! [`Roster`](grader_lms::Roster). [`read_files`] reads the files that a student names at a terminal. Both recognise
//! submissions by the patterns of the problem files. [`unpack_package`] unpacks an author's archive by the same rules.
//!
//! ```text
//! folder | archive ──▶ listing ──▶ layout (entries by student) ──▶ tree (folders, files) ──▶ submissions and unused files
//! ```
//!
//! Every file that is not judged is listed with a reason. Nothing that a student submits can stop the reading of a class:
//! links are not followed, archives are read entry by entry under caps, bad entries are skipped, and nothing larger than a
//! problem allows is brought into memory. If an unreadable file may be a program, its problem stays open; if it may be for
//! any problem, so do all problems for which nothing else was submitted.
//!
//! The files of a class are read twice: to find submissions, and when they are judged. In between, only their places and
//! hashes are in memory; the hash ensures that what is judged is what was found.
//!
//! # Which file is graded
//!
//! A source file goes to the one problem whose pattern fits its name best. A file whose name fits but has another
//! extension or none (`count.txt`, `count`) is a source file if it holds a program. A folder is one submission of several
//! files if its name fits a problem and it holds one program; all headers and other texts in it belong to it. All other
//! folders, and archives, are looked through. Of several candidates for a problem the best is graded, by these rules in
//! turn: a source by its name before one by its contents; the one less deep; the one that fits an earlier pattern; a
//! pattern that does not start with `*`; the problem's name itself; a name that starts with it; a file before a folder;
//! the shorter name; the alphabet. If the only problem of an assignment has no candidate, the one file in which a program starts is.
//!
//! Other files go along with the one that is graded, wherever they lie, if the program needs them: see `project.rs`. What
//! is not certain is not graded.

mod archive;
mod around;
mod class;
mod commit;
mod error;
mod folder;
mod junk;
mod listing;
mod name;
mod notebook;
mod outputs;
mod own_tests;
mod pattern;
mod pool;
mod program;
mod project;
mod read;
mod read_class;
mod read_files;
mod reason;
mod start;
mod student;
mod submission;
mod submitters;
mod tree;
mod unpack;
mod unreadable;

pub use class::{Class, Student};
pub use error::IntakeError;
pub use own_tests::test_name;
pub use read_class::{ClassSource, read_class};
pub use read_files::{NamedFiles, read_files};
pub use submission::Submission;
pub use unpack::unpack_package;
pub use unreadable::Unreadable;
