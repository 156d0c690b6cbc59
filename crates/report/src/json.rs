//! The JSON report, `bitcraft-results/3`: [`Results`](grader_model::Results) as serde writes them, with English texts.
//!
//! [`Visible`] has decided who may see what. The schema is committed as `schema/results.schema.json`.

use std::io::{self, Write};

use grader_model::{
    AssignmentInfo, ClassId, Host, Isolation, Lang, ReferenceTime, ResultsFormat, RunInfo,
    SimilarGroup, StudentResult, UnusedFile,
};
use grader_view::Visible;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// The JSON Schema (2020-12) of what is written as JSON, such as [`grader_model::Results`].
pub fn schema<T: JsonSchema>() -> Value {
    SchemaSettings::draft2020_12()
        .for_serialize()
        .into_generator()
        .into_root_schema_for::<T>()
        .to_value()
}

/// Writes the results as JSON, indented, with a line feed at the end.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_json(visible: &Visible<'_>, out: &mut dyn Write) -> io::Result<()> {
    let results = visible.results();
    let mut unused = results.unused.clone();
    for file in &mut unused {
        file.reason = file.reason.only(Lang::En);
    }
    let english = English {
        format: results.format,
        run: results.run.as_ref(),
        class: results.class.as_ref(),
        assignment: results.assignment.clone().in_language(Lang::En),
        host: &results.host,
        shards: &results.shards,
        isolation: &results.isolation,
        students: &results.students,
        unused,
        similar: &results.similar,
        reference_times: &results.reference_times,
        interrupted: results.interrupted,
    };
    write_value(&english, out)
}

/// [`Results`](grader_model::Results) with English texts. Students are translated while they are written: a copy of a large class needs as much memory
/// as the class.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct English<'a> {
    format: ResultsFormat,
    run: Option<&'a RunInfo>,
    class: Option<&'a ClassId>,
    assignment: AssignmentInfo,
    host: &'a Host,
    shards: &'a [Host],
    isolation: &'a Isolation,
    #[serde(serialize_with = "in_english")]
    students: &'a [StudentResult],
    unused: Vec<UnusedFile>,
    similar: &'a [SimilarGroup],
    reference_times: &'a [ReferenceTime],
    interrupted: bool,
}

fn in_english<S: Serializer>(students: &[StudentResult], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(students.iter().map(|it| it.clone().in_language(Lang::En)))
}

/// Writes a document as JSON, indented, with a line feed at the end.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_value(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests;
