//! Folders of student work to students and submissions.

mod class;

pub use class::{Class, Student, Submission};
