//! Assignment and problem files: TOML to validated values.
//!
//! [`load_assignment`] and [`load_problem`] read files out of a [`Library`], a folder on disk or files in
//! memory, and give a [`Loaded`]: a value that is right by construction, or all mistakes of all files at once,
//! each with its place. [`render`] shows them as rustc shows its own. [`load_samples`] reads the sample
//! submissions of a problem with the verdicts that they must get, [`statement`] what students read, and
//! [`schema`] gives editors the JSON Schema of the files.
//!
//! # Theory of operation
//!
//! A file is parsed into a tree whose values know their places. Tables are described once, with a macro, as a
//! list of keys with their types and words of documentation; the reader and the JSON Schema come of it. The
//! reader reports every unknown key, wrong type and bad value, and goes on. What could be read is then
//! validated as a whole: names, ranges, templates for every case, files that are named. The value is kept only
//! when nothing was reported, except that two places disagree about points
//! ([`Diagnostic::is_inconsistency`]).

mod diagnostic;
mod library;
mod limit_rule;
mod literal;
mod load;
mod parts;
mod problem;
mod raw;
mod reader;
mod render;
pub mod schema;
mod suggest;

pub use diagnostic::{Code, Diagnostic, FileText, Loaded};
pub use library::{DiskLibrary, LARGEST_FILE, Library, LibraryEntry, LibraryError, MemoryLibrary};
pub use limit_rule::{CaseMultiple, LanguageLimits, LimitRule, ReferenceTimes, TimeRule};
pub use load::{Sample, load_assignment, load_problem, load_samples, statement};
pub use parts::ProblemParts;
pub use problem::{
    Answer, AnswerRule, Assignment, AttemptRule, Case, Checker, CheckerProgram, CheckerProtocol,
    Entry, ExitPolicy, FLAG_CODES, FlatRule, GrowthRule, Problem, Reference, ReferenceProgram,
    RunRule, ScoreRule, SourceRule, SubmissionRule, Subtask, TimeFlags, TimeStep, TokenRule,
};
pub use raw::MOST_FACTOR;
pub use render::render;
