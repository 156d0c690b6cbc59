//! JSON Lines: the results of a class as a stream of events, for programs that read one line at a time.
//!
//! Each line is one JSON value, an [`EventDocument`]; the first, and only the first, has the `format`. The stream is
//! made of folded results, in their order, not of a run as it happens: the same results give the same bytes, whichever
//! program ended first and however many runs it took. Who may see what is decided by [`crate::Audience::view`]. The
//! schema of a line is committed as `schema/events.schema.json`.

use std::io::{self, Write};

use grader_model::{Points, Results, StudentResult};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::Audience;
use crate::json::{
    self, AssignmentDocument, HostDocument, IsolationDocument, LedgerRunDocument, PersonDocument,
    ProblemDocument, UnusedDocument, YardstickDocument, open_points_schema, problem_document,
    schema_of,
};

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(
    tag = "event",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case"
)]
#[schemars(title = "Event of Bitcraft, version 1")]
pub enum EventDocument {
    /// The first line: what is graded, where and of whom.
    RunStarted {
        /// Name and version of this format. New keys and events may be added within a version.
        format: EventsTag,
        /// Which run of the ledger it is; `null` where nobody keeps results. Not for students.
        run: Option<LedgerRunDocument>,
        /// What was graded.
        assignment: AssignmentDocument,
        /// Where it was graded.
        host: HostDocument,
        /// How programs were isolated.
        isolation: IsolationDocument,
        /// The ids of the students, in the order of the lines about them.
        students: Vec<String>,
        /// Files that lie beside the students' folders; not for students.
        unused: Vec<UnusedDocument>,
    },
    /// What was measured of a reference; not for students.
    Calibrated {
        /// The measurement.
        yardstick: YardstickDocument,
    },
    /// A submission has its result.
    JobFinished {
        /// The student's id.
        student: String,
        /// The result.
        problem: Box<ProblemDocument>,
    },
    /// All problems of a student have results.
    StudentFinished {
        /// The student's id.
        student: String,
        /// Who that is; `null` where neither a roster nor a download tells.
        person: Option<PersonDocument>,
        /// What is to be known of what was handed in.
        notes: Vec<String>,
        /// What only staff is to know of it. Not for students: empty.
        remarks: Vec<String>,
        /// Points without the bonus; `null` while a judge error leaves them open.
        #[schemars(schema_with = "open_points_schema")]
        points: Option<Points>,
        /// Bonus points; `null` while a judge error leaves them open.
        #[schemars(schema_with = "open_points_schema")]
        bonus: Option<Points>,
        /// Whether there was nothing at all that could be judged.
        nothing_handed_in: bool,
        /// Whether all points are settled.
        graded: bool,
        /// Files that were handed in and not judged.
        unused: Vec<UnusedDocument>,
    },
    /// The last line.
    RunFinished {
        /// Whether the run was stopped before every student was graded.
        interrupted: bool,
    },
}

/// Name and version of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub enum EventsTag {
    /// The first version.
    #[serde(rename = "bitcraft-events/1")]
    EventsV1,
}

/// Writes the results as JSON Lines, one event a line, as the audience may see them.
///
/// # Errors
/// When `out` cannot be written; with [`io::ErrorKind::InvalidInput`] around [`crate::NotOneStudent`] when it is for a student
/// and there is not exactly one.
pub fn write_events(results: &Results, audience: Audience, out: &mut dyn Write) -> io::Result<()> {
    let results = audience.report(results)?;
    let mut line = |event: &EventDocument| -> io::Result<()> {
        serde_json::to_writer(&mut *out, event)?;
        out.write_all(b"\n")
    };
    line(&EventDocument::RunStarted {
        format: EventsTag::EventsV1,
        run: results.run.as_ref().map(json::run),
        assignment: json::assignment(&results.assignment),
        host: json::host(&results.host),
        isolation: json::isolation(&results.isolation),
        students: results.students.iter().map(|s| s.id.to_string()).collect(),
        unused: results.unused.iter().map(json::unused).collect(),
    })?;
    for yardstick in &results.yardsticks {
        let yardstick = json::yardstick(yardstick);
        line(&EventDocument::Calibrated { yardstick })?;
    }
    for student in &results.students {
        for problem in &student.problems {
            line(&EventDocument::JobFinished {
                student: student.id.to_string(),
                problem: Box::new(problem_document(problem)),
            })?;
        }
        line(&finished(student))?;
    }
    line(&EventDocument::RunFinished {
        interrupted: results.interrupted,
    })
}

fn finished(student: &StudentResult) -> EventDocument {
    let (points, bonus) = (student.points(), student.bonus());
    EventDocument::StudentFinished {
        student: student.id.to_string(),
        person: student.person.as_ref().map(json::person),
        notes: student.notes.iter().map(json::english).collect(),
        remarks: student.remarks.iter().map(json::english).collect(),
        points,
        bonus,
        nothing_handed_in: student.nothing_handed_in,
        graded: points.is_some() && bonus.is_some(),
        unused: student.unused.iter().map(json::unused).collect(),
    }
}

/// The JSON Schema (2020-12) of one line, generated from the types that write it.
pub fn events_schema() -> Value {
    schema_of::<EventDocument>()
}

#[cfg(test)]
mod tests;
