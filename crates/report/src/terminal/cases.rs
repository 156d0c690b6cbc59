//! Some cases of a class: verdicts without points.

use grader_view::{ClassView, ProblemView};

use super::case::case_lines;
use super::class::{isolation, title};
use super::submission::submission_lines;
use crate::layout::Page;
use crate::style::{Style, Tone, safe};

/// The verdict of every case in the results with its reason, student by student. Points for only some cases would look like a
/// grade.
pub fn cases(class: &ClassView<'_>, style: &Style) -> String {
    let mut page = Page::new(style);
    title(&mut page, class);
    isolation(&mut page, class);
    for student in &class.students {
        page.gap();
        page.line(0, &Tone::Strong.on(Style::who(student)));
        for problem in &student.problems {
            problem_cases(&mut page, problem);
        }
    }
    page.finish()
}

fn problem_cases(page: &mut Page, problem: &ProblemView<'_>) {
    if problem.cases().next().is_none() {
        return;
    }
    let id = safe(problem.id.as_str());
    if let Some(message) = problem.message.filter(|_| !problem.has_run) {
        page.line(2, &id);
        if problem.is_submitted {
            return submission_lines(page, 4, problem);
        }
        return page.line(4, &page.style().text(message));
    }
    for subtask in problem.subtasks.iter().filter(|it| !it.cases.is_empty()) {
        page.line(2, &format!("{id} {}", safe(subtask.name.as_str())));
        for case in &subtask.cases {
            case_lines(page, 4, case);
        }
    }
}
