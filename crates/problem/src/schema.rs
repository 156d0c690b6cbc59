//! JSON Schema (draft 2020-12) of the files, for editors.

use schemars::{JsonSchema, SchemaGenerator};

use crate::file::{AssignmentFile, ProblemFile};

/// The schema of `assignment.toml`, as indented JSON.
pub fn assignment() -> String {
    schema::<AssignmentFile>()
}

/// The schema of `problem.toml`, as indented JSON.
pub fn problem() -> String {
    schema::<ProblemFile>()
}

fn schema<T: JsonSchema>() -> String {
    let schema = SchemaGenerator::default().into_root_schema_for::<T>();
    format!("{:#}\n", schema.as_value())
}
