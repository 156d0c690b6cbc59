//! Assignment and problem files.

mod problem;

pub use problem::{
    Answer, Assignment, Case, Checker, Entry, ExitPolicy, GrayOrder, LanguageLimits, LimitRule,
    Problem, Reference, ReferenceProgram, RunRule, ScoreRule, SubmissionRule, Subtask, TimeRule,
};
