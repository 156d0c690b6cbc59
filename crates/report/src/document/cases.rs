//! Some cases of a class: verdicts without points.

use grader_view::{ClassView, ProblemView};

use super::case::told_case;
use super::class::{isolation, title};
use super::{Block, Document, submission};
use crate::style::{Style, Tone, safe};
use crate::words::Words;

/// The verdict of every case in the results with its reason, student by student. Points for only some cases would look like a
/// grade.
pub fn cases(class: &ClassView<'_>, style: &Style) -> String {
    let words = style.words();
    let mut document = Document::default();
    document.line(title(class, words));
    document.append(isolation(class, words));
    for student in &class.students {
        document.gap();
        document.line(Tone::Strong.on(Words::who(student)));
        for problem in &student.problems {
            document.under(2, of_problem(problem, words));
        }
    }
    document.text(style)
}

fn of_problem(problem: &ProblemView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    if problem.cases().next().is_none() {
        return document;
    }
    let id = safe(problem.id.as_str());
    if let Some(message) = problem.message.filter(|_| !problem.has_run) {
        if problem.is_submitted {
            document.line(format!("{id}  {}", words.coded_outcome(problem)));
            document.under(2, submission(problem, words));
        } else {
            document.line(id);
            document.under(2, Block::Line(words.text(message)));
        }
        return document;
    }
    for subtask in problem.subtasks.iter().filter(|it| !it.cases.is_empty()) {
        document.line(format!("{id} {}", safe(subtask.name.as_str())));
        for case in &subtask.cases {
            document.under(2, told_case(case, words));
        }
    }
    document
}
