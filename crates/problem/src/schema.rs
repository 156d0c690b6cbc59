//! JSON Schema (draft 2020-12) of the files, for editors.

use schemars::{JsonSchema, SchemaGenerator};

use crate::corrections::CorrectionsFile;
use crate::course::CourseFile;
use crate::file::{AssignmentFile, ProblemFile};

/// The schema of `assignment.toml`, as indented JSON.
pub fn assignment() -> String {
    schema::<AssignmentFile>()
}

/// The schema of `problem.toml`, as indented JSON.
pub fn problem() -> String {
    schema::<ProblemFile>()
}

/// The schema of `corrections.toml`, as indented JSON.
pub fn corrections() -> String {
    schema::<CorrectionsFile>()
}

/// The schema of `course.toml`, as indented JSON.
pub fn course() -> String {
    schema::<CourseFile>()
}

fn schema<T: JsonSchema>() -> String {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    format!("{:#}\n", schema.as_value())
}
