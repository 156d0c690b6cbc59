//! Reports: results as text, pages, JSON, JUnit, CSV, Markdown and course systems' formats.
//!
//! A report lays out a view of results ([`grader_view`]), which has what its reader may see, and decides nothing of its own.
//! A function returns a `String` or writes into the caller's writer; only [`Progress`] draws, on standard error.
//!
//! - [`Fold`] folds the events of a run into results.
//! - [`json`] writes the results as they are.
//! - [`document`] shows a class, or explains the score of one student.
//! - [`Progress`] and [`TestView`] show a run while it goes on.
//! - [`verification`](verification()) tells which sample submissions got what they must get.
//! - [`CheckDocument`], [`VerificationDocument`], [`DoctorDocument`], [`StressDocument`] and [`AuditDocument`] are what these
//!   commands write as JSON.
//! - [`history`](history()) lists the runs of a ledger, [`diff`](diff()) compares two, and [`replay`](replay())
//!   compares one with a second judgement.
//! - [`write_csv`] carries points into spreadsheets.
//! - [`write_markdown`] is for a page, and [`student_report`] for a student.
//! - [`class_page`], [`staff_page`] and [`own_page`] are web pages, and [`single_page`] is all those for staff in one.
//! - [`statement`] renders a problem's statement, and [`statement_page`] makes it a page.
//!
//! Texts for people are English or Chinese ([`Style`]); formats for programs are English. Control characters in ids,
//! file names and messages are escaped again in the layout, so that none can move a cursor.

#[cfg(test)]
mod agreement;
mod check;
mod classroom50;
mod csv;
mod diff;
pub mod document;
mod findings;
mod from_events;
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
mod nearest_accepted;
mod progress;
mod replay;
#[cfg(test)]
mod sample;
mod sampled;
mod searched;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod snapshots;
mod students;
mod style;
mod term;
mod test_view;
mod verification;
mod words;
mod wrap;

pub use self::csv::{guarded, unguarded, write_csv, write_links, write_rows};
pub use check::{
    CheckDocument, CheckedAssignment, DoctorDocument, Fix, Mistake, TriedFramework, TriedLanguage,
    TriedLayer, TriedProgram, TriedTool,
};
pub use classroom50::{CLASSROOM50_FIELDS, CLASSROOM50_SCHEMA, write_classroom50};
pub use diff::diff;
pub use findings::{
    Finding, FindingState, finding_summary, write_finding_annotations, write_finding_junit,
};
pub use from_events::Fold;
pub use github::{defused, step_summary, write_annotations};
pub use gradescope::write_gradescope;
pub use history::{History, history};
pub use html::{
    Statement, class_page, content_policy, is_page, own_page, own_sheet, picture_data, print_frame,
    print_refusal, single_page, staff_page, statement, statement_page,
};
pub use json::write_json;
pub use junit::write_junit;
pub use layout::{item, item_of_files};
pub use markdown::{markdown_text, write_markdown};
pub use nearest_accepted::{Accepted, Sources};
pub use progress::{AboveBar, Progress};
pub use replay::{Judgement, Replay, replay};
pub use sampled::findings;
pub use searched::{AuditDocument, StressDocument, wrong_program};
pub use students::{file_stem, student_report};
pub use style::Style;
pub use term::{term, write_term_csv};
pub use test_view::{TestCase, TestView};
pub use verification::{VerificationDocument, verification};
pub use words::moment;
