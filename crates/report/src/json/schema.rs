//! The JSON Schema of the document.

use grader_model::{Change, Verdict};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use super::Document;

/// The JSON Schema (2020-12) of [`Document`], generated from the types that write it.
pub fn schema() -> Value {
    schema_of::<Document>()
}

pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

pub(super) fn points(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "number", "minimum": 0 })
}

pub(crate) fn open_points(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["number", "null"], "minimum": 0 })
}

pub(crate) fn verdict(_: &mut SchemaGenerator) -> Schema {
    let codes = Verdict::ALL.map(Verdict::code);
    json_schema!({ "type": "string", "enum": codes })
}

pub(super) fn language(_: &mut SchemaGenerator) -> Schema {
    // A site may have languages of its own.
    json_schema!({ "type": ["string", "null"], "pattern": "^[a-z][a-z0-9+-]*$" })
}

/// As serde writes them.
pub(super) fn changes(_: &mut SchemaGenerator) -> Schema {
    let words = serde_json::to_value(Change::ALL).unwrap_or_default();
    json_schema!({ "type": "array", "items": { "enum": words } })
}
