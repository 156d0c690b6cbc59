//! One rich, fixed class, for the tests of every report.

mod people;

use std::collections::BTreeMap;

use grader_model::{
    Event, EventKind, ProblemResult, Results, StudentId, StudentResult, Verification,
};
use serde_json::Value;

pub(crate) use people::class;

pub(crate) fn results() -> Results {
    serde_json::from_str(include_str!("sample/class.json")).unwrap()
}

/// A verification in which one sample and one problem are not as they must be.
pub(crate) fn verification() -> Verification {
    serde_json::from_str(include_str!("sample/verification.json")).unwrap()
}

/// What ends lines, quotes, elements and cells, gives commands and colours, and is no character of XML.
const HOSTILE: &str = "=1+1|\"'`<b>&amp;]]>\n::error::x\r\n  ##[error]y\u{2028}::stop-commands::z\u{85}\
    [[ATTACHMENT|/etc/passwd]]%0A::notice::,;\u{1b}[31m\u{202e}\u{feff}\u{fffe}\u{0}皇";

/// The class with a student at its end who writes what other formats take for their own. Nothing is escaped, as if
/// whoever made the results had forgotten it.
pub(crate) fn with_hostile() -> Results {
    fn walk(value: &mut Value) {
        match value {
            Value::String(text) => *text = text.replace("HOSTILE", HOSTILE),
            Value::Array(items) => items.iter_mut().for_each(walk),
            Value::Object(fields) => fields.values_mut().for_each(walk),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut hostile = serde_json::from_str(include_str!("sample/hostile.json")).unwrap();
    walk(&mut hostile);
    let mut results = results();
    let hostile: StudentResult = serde_json::from_value(hostile).unwrap();
    results.students.push(hostile);
    results
}

pub(crate) fn event(kind: EventKind) -> Event {
    Event { at_ms: 0, kind }
}

pub(crate) fn run_started(results: &Results) -> Event {
    let problems = || results.students.iter().flat_map(|it| &it.problems);
    let subtasks = problems().flat_map(|it| &it.subtasks);
    event(EventKind::RunStarted {
        run: results.run.clone(),
        assignment: Box::new(results.assignment.clone()),
        host: Box::new(results.host.clone()),
        isolation: Box::new(results.isolation.clone()),
        students: results.students.iter().map(|it| it.id.clone()).collect(),
        unused: results.unused.clone(),
        similar: results.similar.clone(),
        included: BTreeMap::new(),
        jobs: problems().count(),
        cases: subtasks.map(|it| it.cases.len()).sum(),
    })
}

/// The events of one submission.
fn job(student: &StudentId, problem: &ProblemResult) -> Vec<EventKind> {
    let mut events = vec![EventKind::JobStarted {
        student: student.clone(),
        problem: problem.id.clone(),
    }];
    for subtask in &problem.subtasks {
        events.extend(subtask.cases.iter().map(|case| EventKind::CaseFinished {
            student: student.clone(),
            problem: problem.id.clone(),
            subtask: subtask.name.clone(),
            hidden: subtask.hidden,
            early_end: false,
            case: Box::new(case.clone()),
        }));
    }
    events.push(EventKind::JobFinished {
        student: student.clone(),
        result: Box::new(problem.clone()),
    });
    events
}

/// The events of a run that judges one submission after the other.
pub(crate) fn events(results: &Results) -> Vec<Event> {
    let measured = results.reference_times.iter().cloned();
    let mut kinds: Vec<EventKind> = measured
        .map(|reference_time| EventKind::ReferenceMeasured { reference_time })
        .collect();
    for student in &results.students {
        kinds.extend(student.problems.iter().flat_map(|it| job(&student.id, it)));
        kinds.push(EventKind::StudentFinished {
            result: Box::new(student.clone()),
        });
    }
    kinds.push(EventKind::RunFinished {
        interrupted: results.interrupted,
    });
    let mut events = vec![run_started(results)];
    events.extend(kinds.into_iter().map(event));
    events
}
