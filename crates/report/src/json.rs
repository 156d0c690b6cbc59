//! The JSON report, `bitcraft-results/2`: [`Results`] as serde writes them, with English texts.
//!
//! [`Visible`] has decided who may see what. The schema is committed as `schema/results.schema.json`.

use std::io::{self, Write};

use grader_model::{Lang, Results};
use grader_view::Visible;
use schemars::generate::SchemaSettings;
use serde_json::Value;

/// The JSON Schema (2020-12) of [`Results`].
pub fn schema() -> Value {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<Results>()
        .to_value()
}

/// Writes the results as JSON, indented, with a line feed at the end.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_json(visible: &Visible<'_>, out: &mut dyn Write) -> io::Result<()> {
    let results = visible.results().clone();
    write_value(&results.in_language(Lang::En), out)
}

pub(crate) fn write_value(value: &impl serde::Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests;
