//! Reports: results as text, pages, JSON, JUnit, CSV, Markdown and course systems' formats.
//!
//! Everything here is a pure function of results ([`grader_model::Results`], [`grader_model::Verification`]) or a sink
//! of events ([`grader_model::Sink`]). A function returns a `String` or writes into the caller's writer; only
//! [`Progress`] draws on standard error by itself.
//!
//! - [`Fold`] folds the events of a run into results.
//! - [`json`] writes the results as they are.
//! - [`terminal`] shows a class, or explains the score of one student.
//! - [`Progress`] and [`TestView`] show a run while it goes on.
//! - [`verification`](verification()) tells which sample submissions got what they must get.
//! - [`history`](history()) lists the runs of a ledger, and [`diff`](diff()) compares two.
//! - [`write_csv`] carries points into spreadsheets.
//! - [`write_markdown`] is for a page, and [`student_report`] for a student.
//! - [`write_pages`] writes web pages for staff and for each student, [`write_page`] those for staff as one file.
//! - [`write_for_similarity`] writes sources for Dolos and JPlag.
//! - [`Audience`] decides who may see what. [`atomic_write`] makes files appear whole, and [`probe_write`] checks
//!   beforehand that it can.
//!
//! Texts for people are English or Chinese ([`Style`]); formats for programs are English. Control characters in ids,
//! file names and messages are escaped again in the layout, so that none can move a cursor.

mod atomic;
mod audience;
mod csv;
mod diff;
mod findings;
mod fold;
mod github;
mod gradescope;
mod history;
#[cfg(test)]
mod hostile;
mod html;
pub mod json;
mod junit;
mod layout;
mod markdown;
mod progress;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod secrets;
mod similarity;
#[cfg(test)]
mod snapshots;
mod students;
mod style;
pub mod terminal;
mod test_view;
mod text;
mod verification;

pub use self::csv::write_csv;
pub use atomic::{WriteError, atomic_write, probe_write};
pub use audience::Audience;
pub use diff::{Diff, diff};
pub use findings::{Finding, findings, write_finding_annotations, write_finding_junit};
pub use fold::Fold;
pub use github::{defused, step_summary, write_annotations, write_classroom};
pub use gradescope::write_gradescope;
pub use history::{history, history_json};
pub use html::{PageInput, Sources, write_page, write_pages};
pub use json::write_json;
pub use junit::write_junit;
pub use markdown::write_markdown;
pub use progress::{AboveBar, Progress};
pub use similarity::{Comparison, Included, SimilarityInput, SimilarityTool, write_for_similarity};
pub use students::{student_report, write_student_files};
pub use style::Style;
pub use test_view::{TestCase, TestView};
pub use verification::{verification, verification_json};
