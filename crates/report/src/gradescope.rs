//! The `results.json` of Gradescope, by the specification of its autograders (`docs/specs.md` of
//! `gradescope/autograder_samples`, 2025-01-15).
//!
//! The student reads it, so it is made of the student's own view. Every subtask is a row, and every row is visible:
//! Gradescope hides the total from a student of whom any row is hidden. The rows of a hidden subtask show verdicts only.
//! What changed the points after judging stands in a row of the whole problem, which then has the score instead of them.
//!
//! While some points are not known (a judge error, an interrupted run, points by hand), no row has a score and there is no total:
//! Gradescope then has no number to record where a part of one would look like a grade. `extra_data` comes back in
//! `previous_submissions[].results` of a later submission: a harness that counts attempts can leave out those that are
//! not `graded`.

use std::io::{self, Write};

use grader_model::{Lang, Points, Standing};
use grader_view::{Own, ProblemView, Status, StudentView};
use serde_json::{Value, json};

use crate::document::{
    Block, Document, score, submission, subtask_sentence, to_fix, told_case, told_group,
    unused_files,
};
use crate::json::write_value;
use crate::style::safe;
use crate::words::Words;

/// Writes the result of a student as Gradescope reads it, its texts in this language.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_gradescope(own: &Own, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    let class = own.view();
    let student = &class.students[0];
    let words = Words::of(lang);
    let is_graded = !student.standing.is_open();
    let problems = student.problems.iter();
    let tests: Vec<Value> = problems
        .flat_map(|problem| rows(problem, is_graded, words))
        .collect();
    let mut document = json!({
        "output": overview(student, words),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {
            "format": "bitcraft-gradescope/1",
            "assignment": class.assignment.id,
            "graded": is_graded,
            "points": student.points.points(),
            "bonus": student.bonus.points(),
        },
    });
    if let Some(total) = student.standing.points() {
        document["score"] = json!(total);
    }
    write_value(&document, out)
}

/// The text at the top: the score or why there is none, what to fix, unused files.
fn overview(student: &StudentView<'_>, words: Words) -> String {
    let mut document = score(student, words);
    document.append(to_fix(student, words));
    document.append(unused_files(student, words));
    document.plain()
}

/// The rows of a problem: the submission as a whole if there is something to say about it, then its subtasks.
pub(crate) fn rows(problem: &ProblemView<'_>, is_graded: bool, words: Words) -> Vec<Value> {
    let scored = |mut row: Value, standing: Standing, max_points: Points| {
        if is_graded {
            // An excuse has no points.
            if let Some(points) = standing.points() {
                (row["score"], row["max_score"]) = (json!(points), json!(max_points));
            }
        }
        row
    };
    let build = build(problem, words);
    let is_adjusted = !problem.adjustments.is_empty();
    let (id, colon) = (safe(problem.id.as_str()), words.colon());
    let bonus = if problem.bonus { words.is_bonus() } else { "" };
    let mut rows = Vec::new();
    if problem.subtasks.is_empty() || !build.is_empty() {
        let output = format!("{}\n{build}", words.coded_outcome(problem));
        let row = row(&format!("{id}{bonus}"), problem.status, &output);
        rows.push(if problem.subtasks.is_empty() || is_adjusted {
            scored(row, problem.standing, problem.max_points)
        } else {
            row
        });
    }
    for subtask in &problem.subtasks {
        let mut run = words.subtask_run(&subtask.run);
        if subtask.has_verdict() {
            run = words.coded_verdict(subtask.verdict) + colon + &run;
        }
        let mut document = Document::from(Block::Line(run));
        if problem.shows_subtasks() {
            document.append(subtask_sentence(subtask, words));
            for group in subtask.groups() {
                document.append(told_group(&group, words));
            }
        }
        let name = format!("{id}{colon}{}{bonus}", safe(subtask.name.as_str()));
        // Failures do not count if the student is excused or has all points.
        let status = match subtask.status {
            Status::Full => Status::Full,
            _ if problem.status.is_good() => Status::Excused,
            status => status,
        };
        let row = row(&name, status, &document.plain());
        rows.push(if is_adjusted {
            row
        } else {
            scored(row, subtask.standing, subtask.max_points)
        });
    }
    if let Some(case) = &problem.counterexample {
        let text = told_case(case, words).plain();
        let name = format!("{id}{colon}{}", words.beyond_cases());
        let status = match problem.status {
            status if status.is_good() => Status::Excused,
            _ => Status::Failed(case.verdict()),
        };
        rows.push(row(&name, status, &text));
    }
    rows
}

/// The submission as a whole; empty if it was built without messages.
fn build(problem: &ProblemView<'_>, words: Words) -> String {
    let mut document = Document::default();
    let has_messages = problem.build.is_some_and(|build| build.messages.is_some());
    if let Some(message) = problem.message.filter(|_| !problem.is_submitted) {
        document.line(words.text(message));
    }
    let is_adjusted = !problem.adjustments.is_empty();
    let has_remarks = !problem.remarks.is_empty();
    let is_told = problem.message.is_some() || !problem.hints.is_empty() || has_messages;
    if is_told || has_remarks || is_adjusted {
        document.append(submission(problem, words));
    }
    document.plain()
}

/// A row. Without a score it informs, and does not count; without a status it neither passed nor failed.
fn row(name: &str, status: Status, output: &str) -> Value {
    let mut row = json!({
        "name": name,
        "name_format": "text",
        "output": output.trim_end(),
        "output_format": "text",
        "visibility": "visible",
    });
    let word = match status {
        Status::Full => Some("passed"),
        Status::Short { .. } | Status::Failed(_) | Status::Absent => Some("failed"),
        Status::Waiting(_) | Status::Excused => None,
    };
    if let Some(word) = word {
        row["status"] = json!(word);
    }
    row
}

#[cfg(test)]
mod tests;
