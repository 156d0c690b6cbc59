//! Some cases of a class: verdicts without points.

use grader_model::{ProblemResult, Results};

use super::case::Explanations;
use super::class::{isolation, title};
use super::student::who;
use super::submission::{has_run, is_submitted, submission_lines};
use crate::layout::Page;
use crate::style::{Style, Tone, safe};

/// The verdict of every case in the results with its reason, student by student. Points for only some cases would look like a
/// grade.
pub fn cases(results: &Results, style: &Style) -> String {
    let mut page = Page::new(style);
    title(&mut page, results);
    isolation(&mut page, results);
    for student in &results.students {
        page.gap();
        page.line(0, &Tone::Strong.on(who(student)));
        for problem in &student.problems {
            problem_cases(&mut page, problem);
        }
    }
    page.finish()
}

fn problem_cases(page: &mut Page, problem: &ProblemResult) {
    let subtasks = problem.subtasks.iter();
    let mut subtasks = subtasks.filter(|it| !it.cases.is_empty()).peekable();
    if subtasks.peek().is_none() {
        return;
    }
    let id = safe(problem.id.as_str());
    let mut explanations = Explanations::default();
    if let Some(message) = problem.message.as_ref().filter(|_| !has_run(problem)) {
        page.line(2, &id);
        if is_submitted(problem) {
            return submission_lines(page, 4, problem, &mut explanations);
        }
        return page.line(4, &page.style().text(message));
    }
    for subtask in subtasks {
        explanations.begin_subtask();
        page.line(2, &format!("{id} {}", safe(subtask.name.as_str())));
        for case in &subtask.cases {
            explanations.case(page, 4, case);
        }
    }
}
