//! Files and folders of reports, which appear whole or not at all.
//!
//! - [`atomic_write`] writes any file, and [`probe_write`] checks beforehand that it can.
//! - [`write_pages`] writes web pages for staff and for each student, [`write_page`] those for staff as one file, and
//!   [`write_own_pages`] those for students.
//! - [`write_student_files`] writes the report of each student.
//! - [`write_for_similarity`] writes sources for Dolos and JPlag.
//!
//! What is in them comes from `grader_report`.

mod atomic;
mod pages;
mod similarity;
mod students;

pub use atomic::{
    WriteError, atomic_write, atomic_write_private, create_folders, probe_write, unnamed,
};
pub use pages::{
    Owner, PageInput, PageScope, other_page, write_own_pages, write_page, write_pages,
};
pub use similarity::{Comparison, Included, SimilarityInput, SimilarityTool, write_for_similarity};
pub use students::write_student_files;
