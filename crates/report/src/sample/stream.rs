//! The events by which the class came about.

use grader_model::{Event, EventKind, ProblemResult, Results, StudentId};

pub(crate) fn event(kind: EventKind) -> Event {
    Event { at_ms: 0, kind }
}

pub(crate) fn run_started(results: &Results) -> Event {
    let problems = || results.students.iter().flat_map(|s| &s.problems);
    event(EventKind::RunStarted {
        run: results.run.clone(),
        assignment: results.assignment.clone(),
        host: Box::new(results.host.clone()),
        isolation: results.isolation.clone(),
        students: results.students.iter().map(|s| s.id.clone()).collect(),
        unused: results.unused.clone(),
        jobs: problems().count(),
        cases: problems()
            .flat_map(|p| &p.subtasks)
            .map(|s| s.cases.len())
            .sum(),
    })
}

/// The events of one submission.
pub(crate) fn job(student: &StudentId, problem: &ProblemResult) -> Vec<Event> {
    let mut events = vec![event(EventKind::JobStarted {
        student: student.clone(),
        problem: problem.id.clone(),
    })];
    for subtask in &problem.subtasks {
        for case in &subtask.cases {
            events.push(event(EventKind::CaseFinished {
                student: student.clone(),
                problem: problem.id.clone(),
                subtask: subtask.name.clone(),
                hidden: subtask.hidden,
                sweep: subtask.growth.is_some(),
                case: Box::new(case.clone()),
            }));
        }
    }
    events.push(event(EventKind::JobFinished {
        student: student.clone(),
        result: Box::new(problem.clone()),
    }));
    events
}

/// The events by which the references were measured.
pub(crate) fn calibrated(results: &Results) -> Vec<Event> {
    let reference_times = results.reference_times.iter().cloned();
    reference_times
        .map(|reference_time| event(EventKind::ReferenceMeasured { reference_time }))
        .collect()
}

/// The events of a run that judges one submission after the other.
pub(crate) fn events(results: &Results) -> Vec<Event> {
    let mut events = vec![run_started(results)];
    events.extend(calibrated(results));
    for student in &results.students {
        for problem in &student.problems {
            events.extend(job(&student.id, problem));
        }
        events.push(event(EventKind::StudentFinished {
            result: Box::new(student.clone()),
        }));
    }
    events.push(event(EventKind::RunFinished {
        interrupted: results.interrupted,
    }));
    events
}
