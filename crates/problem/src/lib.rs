//! Assignment and problem files: TOML to validated values.
//!
//! [`load_assignment`] and [`load_problem`] read files from a [`Library`] (a folder on disk, or files in memory) and
//! return a [`Loaded`]: a valid value, or all mistakes with their places. [`render`] shows mistakes in rustc's style.
//! [`load_samples`] reads a problem's sample submissions with their expected verdicts, and [`schema`] has the JSON
//! Schemas of the files, from which `docs/problem-files.md` is generated.
//!
//! # Theory of operation
//!
//! `file` defines the files as `serde` types, composed of the values in `value`. They document the format, and the JSON
//! Schemas are derived from them. `parse` reads a file into its type and stops at the first syntax or type error, as
//! Cargo does with a manifest. `validate` then checks in one pass everything that types cannot express: names, cycles,
//! paths, templates for every case, references between cases, keys that exclude each other (a table in `exclusive`). That pass reports every mistake and continues; its value
//! is dropped if there was any.

mod assignment;
mod author_program;
mod build_command;
mod case_ref;
mod cases;
mod checker;
mod checker_options;
mod checks;
mod constants;
mod contains;
mod context;
mod corrections;
mod course;
mod deadline;
mod diagnostic;
mod exclusive;
mod exit_policy;
mod file;
mod flags;
mod for_student;
mod harness;
pub mod junk;
mod kit;
mod library;
mod limit_rule;
mod limits;
mod mutants;
mod outputs;
mod own_values;
mod parse;
mod problem;
mod project;
mod render;
mod sample;
mod samples;
pub mod schema;
mod search;
mod second_run;
mod submission;
mod subtasks;
mod suggest;
mod toml_errors;
mod tool_check;
mod validate;
mod value;
mod variables;
mod wildcard;

pub use assignment::{load_assignment, load_deadline, load_languages};
pub use author_program::{
    AuthorCall, AuthorProgram, CheckerProtocol, Checktestdata, InputValidator, Mutant, ProgramId,
    Role, SecondRun,
};
pub use case_ref::{CaseKey, CaseRef};
pub use constants::{MAX_CASES, MAX_FOLDER_DEPTH, MAX_NEXT_INPUT, MAX_OUTPUT};
pub use contains::{Contains, Sought, Wanted};
pub use corrections::{Correction, ManualPoints, load_corrections};
pub use course::{Course, CoursePart, load_course};
pub use diagnostic::{Diagnostic, FileText, Loaded};
pub use exit_policy::ExitPolicy;
pub use flags::{AnswerRule, FLAG_CODES, FlatRule, SourceRule, TimeFlags, TokenRule};
pub use library::{DiskLibrary, LEADS_OUT, Library, LibraryEntry, MemoryLibrary};
pub use limit_rule::{
    CaseMultiple, LanguageLimits, LimitRule, ReferenceLimit, ReferenceTimes, TimeRule,
};
pub use own_values::OwnValues;
pub use problem::{
    Answer, Assignment, AttemptRule, Case, CheckRule, Checker, Checks, Entry, GrowthRule, Problem,
    Reference, ReferenceProgram, ReportFormat, RunRule, ScoreRule, Subtask, TestData, TestRule,
    TimeStep, TokenOptions, ToolCheck,
};
pub use render::render;
pub use sample::{Expectation, Sample};
pub use samples::{SAMPLE_FOLDERS, load_samples};
pub use search::{SearchSpace, load_inputs, load_search};
pub use submission::{SubmissionKind, SubmissionRule};
pub use validate::load_problem;
pub use wildcard::fits;
