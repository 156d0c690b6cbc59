//! The cases of a test.

use grader_problem::Assignment;
use grader_report::TestCase;

/// The cases of an assignment, in the order in which they run.
pub(super) fn of(assignment: &Assignment) -> Vec<TestCase> {
    let mut cases = Vec::new();
    for entry in &assignment.problems {
        let problem = &entry.problem;
        for subtask in &problem.subtasks {
            cases.extend(subtask.cases.iter().map(|case| TestCase {
                problem: problem.id.clone(),
                subtask: subtask.name.clone(),
                name: case.name.clone(),
                hidden: subtask.hidden,
            }));
        }
    }
    cases
}
