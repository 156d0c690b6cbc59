//! The JSON result, `bitcraft-results/1`: what programs read, and what other reports can be made of.
//!
//! Times are milliseconds, memory is KiB, points are decimal numbers, shares are percent, texts are English. Every key is always
//! there; `null` says that something was not measured, does not apply, or is not for this audience. Who may
//! see what is decided by [`crate::Audience::view`]. The schema is committed as `schema/results.schema.json`.

mod convert;
mod document;
mod fairness;
mod number;
mod schema;

use std::io::{self, Write};

use grader_model::Results;

pub(crate) use convert::{assignment, english, host, isolation, person, run, unused};
pub use convert::{document, problem_document};
pub use document::{
    AssignmentDocument, AssignmentProblem, BuildDocument, CaseDocument, Document, EvidenceDocument,
    FaultWord, FlagDocument, FlagEvidenceDocument, FormatTag, HostDocument, IsolationDocument,
    LedgerRunDocument, Level, OriginDocument, OriginWord, PersonDocument, ProblemDocument,
    StudentDocument, SubtaskDocument, UnusedDocument,
};
pub(crate) use fairness::yardstick;
pub use fairness::{
    AttemptsDocument, ConfirmationDocument, GrowthDocument, GrowthFitDocument, GrowthPointDocument,
    GrowthPointWord, GrowthWord, LimitOriginDocument, YardstickDocument,
};
pub use number::{Decimal, Millis};
pub use schema::schema;
pub(crate) use schema::{
    open_points as open_points_schema, schema_of, verdict as schema_of_verdict,
};

use crate::Audience;

/// Writes the results as JSON, indented, with a line feed at the end.
///
/// # Errors
/// When `out` cannot be written; with [`io::ErrorKind::InvalidInput`] around [`crate::NotOneStudent`] when it is for a student
/// and there is not exactly one.
pub fn write_json(results: &Results, audience: Audience, out: &mut dyn Write) -> io::Result<()> {
    let shown = audience.report(results)?;
    write_value(&document(&shown, Audience::Staff), out)
}

pub(crate) fn write_value(value: &impl serde::Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests;
