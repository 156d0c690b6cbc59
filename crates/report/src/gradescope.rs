//! The `results.json` of Gradescope, by the specification of its autograders (`docs/specs.md` of
//! `gradescope/autograder_samples`, 2025-01-15).
//!
//! The student reads it, so it is always made of the student's view. Every subtask is a row, and every row is visible:
//! Gradescope hides the total from a student of whom any row is hidden. The rows of a hidden subtask show verdicts only.
//!
//! While some points are not known (a judge error, an interrupted run), no row has a score and there is no total:
//! Gradescope then has no number to record where a part of one would look like a grade. `extra_data` comes back in
//! `previous_submissions[].results` of a later submission: a harness that counts attempts can leave out those that are
//! not `graded`.

use std::io::{self, Write};

use grader_model::{AssignmentInfo, Lang, Points, ProblemResult, Results, StudentResult, Verdict};
use serde_json::{Value, json};

use crate::Audience;
use crate::audience::only_student;
use crate::json::write_value;
use crate::layout::Page;
use crate::style::{Style, safe};
use crate::terminal::{
    Explanations, case_lines, graded, has_run, is_submitted, submission_lines, subtask_lines,
    subtask_run,
};

/// Gradescope shows texts in a narrow box.
const COLUMNS: usize = 80;

/// Writes the result of the only student as Gradescope reads it, its texts in this language.
///
/// # Errors
/// If `out` cannot be written; [`io::ErrorKind::InvalidInput`] around [`crate::NotOneStudent`] if there is not exactly
/// one student.
pub fn write_gradescope(results: &Results, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    let student = Audience::Student.student(only_student(results)?);
    let style = Style {
        lang,
        width: COLUMNS,
        ..Style::default()
    };
    let (points, bonus) = (student.points(), student.bonus());
    let is_graded = graded(&student);
    let tests: Vec<Value> = (1..)
        .zip(&student.problems)
        .flat_map(|(number, problem)| rows(number, problem, is_graded, &style))
        .collect();
    let verdicts = student.problems.iter();
    let verdicts = verdicts.map(|it| json!({ "problem": it.id, "verdict": it.verdict }));
    let mut document = json!({
        "output": overview(&student, &results.assignment, &style),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {
            "format": "bitcraft-gradescope/1",
            "assignment": results.assignment.id,
            "graded": is_graded,
            "points": points,
            "bonus": bonus,
            "verdicts": verdicts.collect::<Vec<_>>(),
        },
    });
    if let (Some(points), Some(bonus)) = (points, bonus) {
        document["score"] = json!(points + bonus);
    }
    write_value(&document, out)
}

/// The text at the top: the total or why there is none, notes, unused files.
fn overview(student: &StudentResult, assignment: &AssignmentInfo, style: &Style) -> String {
    let words = style.words();
    let (points, bonus) = (student.points(), student.bonus());
    let mut page = Page::new(style);
    page.line(
        0,
        &words.totals(points, assignment.points, bonus, assignment.bonus),
    );
    if !graded(student) {
        page.line(0, words.no_score());
    }
    for note in &student.notes {
        page.line(0, &safe(note.get(style.lang)));
    }
    if !student.unused.is_empty() {
        page.gap();
        page.line(
            0,
            style
                .lang
                .pick("Files that were not graded", "没有评测的文件"),
        );
    }
    for file in &student.unused {
        let label = format!("{}  ", safe(&file.path));
        page.hang(2, &label, &safe(file.reason.get(style.lang)));
    }
    text(page)
}

/// The rows of a problem: its build if there is something to say about it, then its subtasks.
fn rows(number: usize, problem: &ProblemResult, is_graded: bool, style: &Style) -> Vec<Value> {
    let scored = |mut row: Value, points: Option<Points>, max_points: Points| {
        if is_graded {
            (row["score"], row["max_score"]) = (json!(points), json!(max_points));
        }
        row
    };
    let mut explanations = Explanations::default();
    let mut build = Page::new(style);
    build_lines(&mut build, problem, &mut explanations, style);
    let id = safe(problem.id.as_str());
    let bonus = if problem.bonus {
        style.lang.pick(" (bonus)", "（附加）")
    } else {
        ""
    };
    if problem.subtasks.is_empty() {
        let verdict = verdict_line(problem.verdict, "", style);
        let output = format!("{verdict}\n{}", text(build));
        let row = row(&number.to_string(), &(id + bonus), problem.verdict, &output);
        return vec![scored(row, problem.points, problem.max_points)];
    }
    let colon = style.lang.pick(": ", "：");
    let mut rows = Vec::new();
    let build = text(build);
    if !build.is_empty() {
        let passed = match problem.verdict {
            Verdict::CompileError | Verdict::JudgeError => problem.verdict,
            _ => Verdict::Accepted,
        };
        let name = format!("{id}{colon}{}", style.words().build());
        rows.push(row(&format!("{number}.0"), &name, passed, &build));
    }
    let has_run = has_run(problem) || problem.message.is_none();
    for (index, subtask) in (1..).zip(&problem.subtasks) {
        let mut page = Page::new(style);
        page.line(
            0,
            &verdict_line(subtask.verdict, &subtask_run(subtask, style), style),
        );
        if has_run {
            subtask_lines(&mut page, 0, subtask, style);
            case_lines(&mut page, 0, subtask, &mut explanations, style);
        }
        let name = format!("{id}{colon}{}{bonus}", safe(subtask.name.as_str()));
        let number = format!("{number}.{index}");
        let row = row(&number, &name, subtask.verdict, &page.finish());
        rows.push(scored(row, subtask.points, subtask.max_points));
    }
    rows
}

/// The submission as a whole; nothing if it was built without messages.
fn build_lines(
    page: &mut Page,
    problem: &ProblemResult,
    explanations: &mut Explanations,
    style: &Style,
) {
    let build = problem.build.as_ref();
    let has_messages = build.is_some_and(|build| build.messages.is_some());
    if problem.message.is_none() && problem.hints.is_empty() && !has_messages {
        return;
    }
    if let Some(message) = problem.message.as_ref().filter(|_| !is_submitted(problem)) {
        page.line(0, &safe(message.get(style.lang)));
    }
    submission_lines(page, 0, problem, explanations, style);
}

/// `WA wrong answer: 2 of 3 cases`.
fn verdict_line(verdict: Verdict, summary: &str, style: &Style) -> String {
    let name = style.words().verdict(verdict);
    let colon = if summary.is_empty() {
        ""
    } else {
        style.lang.pick(": ", "：")
    };
    format!("{} {name}{colon}{summary}", verdict.code())
}

/// A row. Without a score it informs, and does not count; without a status it neither passed nor failed.
fn row(number: &str, name: &str, verdict: Verdict, output: &str) -> Value {
    let mut row = json!({
        "name": name,
        "name_format": "text",
        "number": number,
        "output": output.trim_end(),
        "output_format": "text",
        "visibility": "visible",
    });
    match verdict {
        Verdict::Accepted => row["status"] = json!("passed"),
        Verdict::JudgeError => {}
        Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::CompileError
        | Verdict::Skipped => row["status"] = json!("failed"),
    }
    row
}

fn text(page: Page) -> String {
    page.finish().trim_end().to_owned()
}

#[cfg(test)]
mod tests;
