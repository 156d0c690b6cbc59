//! What people and programs read of Bitcraft's results.
//!
//! Everything here is a pure function of folded results ([`grader_model::Results`],
//! [`grader_model::Verification`]) or a sink of events ([`grader_model::Sink`]). Nothing is printed: a function
//! returns a `String` or writes into a writer that the caller gives; only [`Progress`] draws on standard error by
//! itself.
//!
//! - [`Fold`] folds the events of a run into results.
//! - [`json`] is the machine format that every other report can be made of.
//! - [`terminal`] shows a class, or explains the score of one student.
//! - [`Progress`] and [`TestView`] show a run while it goes on.
//! - [`verification`](verification()) tells which sample submissions got what they must get.
//! - [`history`](history()) lists the runs of a ledger, and [`diff`](diff()) tells what is different between two.
//! - [`write_record`] keeps the complete results in a file, and [`read_record`] reads them again.
//! - [`write_csv`], [`fill_moodle_worksheet`], [`write_moodle_feedback`] and [`fill_canvas_gradebook`] carry points into spreadsheets and learning platforms.
//! - [`write_markdown`] is for a page, and [`student_files`] for each student.
//! - [`Audience`] decides who may see what; [`atomic_write`] lets files appear whole, and [`probe_write`] tries
//!   beforehand whether they can.
//!
//! Texts for people are English or Chinese ([`Style`]); formats for programs are English. Whatever comes from
//! outside is spelled out again where it is laid out, so that no id, file name or message can move a cursor, even
//! where the one who made it forgot to escape it.

mod atomic;
mod audience;
mod canvas;
mod cells;
mod csv;
mod diff;
mod feedback;
mod fill;
mod fold;
mod github;
mod gradescope;
mod history;
#[cfg(test)]
mod hostile;
pub mod json;
mod junit;
mod layout;
mod live;
mod markdown;
mod moodle;
mod one;
mod plot;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod snapshots;
mod students;
mod style;
pub mod terminal;
mod verification;
mod words;

pub use self::csv::{CsvOptions, write_csv};
pub use atomic::{WriteError, WriteStep, atomic_write, probe_write};
pub use audience::Audience;
pub use canvas::{CanvasOptions, fill_canvas_gradebook};
pub use diff::{
    CaseDiff, ComparedRun, CpuLimitDiff, Diff, DiffTag, PointsChange, PointsDiff, Presence,
    ProblemDiff, ResultDiff, StudentDiff, SubtaskDiff, VerdictDiff, diff,
};
pub use feedback::write_moodle_feedback;
pub use fill::{Bonus, FillError, FillRemark, Filled};
pub use fold::Fold;
pub use github::{defused, step_summary, write_annotations, write_classroom};
pub use gradescope::write_gradescope;
pub use history::{
    HistoryDocument, HistoryTag, KeptRunDocument, RunStateWord, history, history_document,
    history_json, history_schema,
};
pub use json::write_json;
pub use junit::write_junit;
pub use live::{AboveBar, Progress, TestCase, TestView};
pub use markdown::{MarkdownOptions, write_markdown};
pub use moodle::{MoodleColumn, MoodleOptions, fill_moodle_worksheet};
pub use one::NotOneStudent;
pub use students::{StudentFile, student_files, write_student_files};
pub use style::Style;
pub use verification::{verification, verification_json};
