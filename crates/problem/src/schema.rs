//! JSON Schema (draft 2020-12) of the files, for editors. It comes of the same description as the reader.

use serde_json::{Value, json};

use crate::raw::{RawAssignment, RawProblem};
use crate::reader::Read;

/// The schema of `assignment.toml`, as indented JSON.
pub fn assignment() -> String {
    write("assignment.toml", RawAssignment::schema())
}

/// The schema of `problem.toml`, as indented JSON.
pub fn problem() -> String {
    write("problem.toml", RawProblem::schema())
}

fn write(title: &str, mut schema: Value) -> String {
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = title.into();
    // Another crate of the build may ask serde_json to keep the order of insertion.
    schema.sort_all_objects();
    format!("{schema:#}\n")
}
