//! Assignment and problem files: TOML to validated values.
//!
//! [`load_assignment`] and [`load_problem`] read files out of a [`Library`], a folder on disk or files in memory, and
//! give a [`Loaded`]: a valid value, or all mistakes with their places. [`render`] shows them as rustc does.
//! [`load_samples`] reads the sample submissions of a problem with the verdicts that they must get, and [`schema`] is
//! the JSON Schema of the files, from which `docs/problem-files.md` is written too.
//!
//! # Theory of operation
//!
//! `file` holds the files as `serde` types, made of the values in `value`: they document the format, and the JSON
//! Schemas come from them. `parse` reads a file into its type and stops at the first mistake of form, as Cargo does
//! with a manifest. `validate` then checks in one pass all that a type cannot see: names, cycles, paths, templates for
//! every case, references between cases. That pass reports every mistake and goes on; the value it makes is dropped if
//! there was any.

mod assignment;
mod case_ref;
mod cases;
mod checker;
mod checker_options;
mod context;
mod corrections;
mod deadline;
mod defaults_and_maxima;
mod diagnostic;
mod file;
mod library;
mod limit_rule;
mod limits;
mod parse;
mod problem;
mod render;
mod samples;
pub mod schema;
mod subtasks;
mod suggest;
mod toml_errors;
mod validate;
mod value;
mod variables;
mod wildcard;

pub use assignment::{load_assignment, load_languages};
pub use case_ref::{CaseKey, CaseRef};
pub use corrections::{Correction, load_corrections};
pub use diagnostic::{Diagnostic, FileText, Loaded};
pub use library::{DiskLibrary, Library, LibraryEntry, MemoryLibrary};
pub use limit_rule::{CaseMultiple, CaseTime, LanguageLimits, LimitRule, ReferenceTimes, TimeRule};
pub use problem::{
    Answer, AnswerRule, Assignment, AttemptRule, AuthorCall, AuthorProgram, Case, Checker,
    CheckerProtocol, Entry, ExitPolicy, FLAG_CODES, FlatRule, GrowthRule, Problem, ProgramId,
    Reference, ReferenceProgram, Role, RunRule, ScoreRule, SourceRule, SubmissionRule, Subtask,
    TestData, TimeFlags, TimeStep, TokenRule,
};
pub use render::render;
pub use samples::{SAMPLE_FOLDERS, Sample, load_samples};
pub use validate::load_problem;
pub use wildcard::fits;
