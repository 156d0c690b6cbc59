//! The `results.json` of Gradescope, by the specification of its autograders (`docs/specs.md` of
//! `gradescope/autograder_samples`, 2025-01-15).
//!
//! The student reads it, so it is always made of the student's view, whoever asks. Every subtask is a row, and every
//! row is visible: Gradescope hides the total from a student of whom any row is hidden. The rows of a hidden subtask
//! say verdicts and nothing else.
//!
//! While points are open (a judge error, an interrupted run) no row has a score and there is no total, so that
//! Gradescope has no number to record where a part of one would look like a grade; the text at the top says why. What
//! is in `extra_data` comes back in `previous_submissions[].results` of a later submission: by its `graded` a harness
//! that counts attempts can leave out those that our failure cost.

use std::io::{self, Write};

use grader_model::{AssignmentInfo, Lang, Points, ProblemResult, Results, StudentResult, Verdict};
use serde::Serialize;

use crate::Audience;
use crate::audience::only_student;
use crate::json::write_value;
use crate::layout::Page;
use crate::style::{Style, safe};
use crate::terminal::{
    Explanations, case_lines, graded, has_run, is_submitted, submission_lines, subtask_lines,
    subtask_run,
};
use crate::text::Phrase;

/// Columns of the texts: Gradescope shows them in a narrow box.
const COLUMNS: usize = 80;

/// The whole file. Points are numbers with at most three decimals.
#[derive(Debug, Serialize)]
struct Document {
    /// Missing while points are open.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Points>,
    output: String,
    output_format: &'static str,
    test_output_format: &'static str,
    test_name_format: &'static str,
    visibility: &'static str,
    stdout_visibility: &'static str,
    tests: Vec<Row>,
    extra_data: Extra,
}

/// One row. Without a score it informs, and does not count.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Points>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<Points>,
    /// Missing where we failed: the program neither passed nor did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    name: String,
    name_format: &'static str,
    number: String,
    output: String,
    output_format: &'static str,
    visibility: &'static str,
}

/// For programs that read the submission later.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
struct Extra {
    format: &'static str,
    assignment: String,
    graded: bool,
    points: Option<Points>,
    bonus: Option<Points>,
    verdicts: Vec<ProblemVerdict>,
}

#[derive(Debug, Serialize)]
struct ProblemVerdict {
    problem: String,
    verdict: Verdict,
}

/// Writes the result of the only student as Gradescope reads it, its texts in this language.
///
/// # Errors
/// When `out` cannot be written; with [`io::ErrorKind::InvalidInput`] around [`crate::NotOneStudent`] when there is not
/// exactly one student.
pub fn write_gradescope(results: &Results, lang: Lang, out: &mut dyn Write) -> io::Result<()> {
    let student = Audience::Student.student(only_student(results)?);
    let style = Style {
        color: false,
        lang,
        width: COLUMNS,
        unicode: true,
    };
    write_value(&document(&student, &results.assignment, &style), out)
}

fn document(student: &StudentResult, assignment: &AssignmentInfo, style: &Style) -> Document {
    let (points, bonus) = (student.points(), student.bonus());
    let settled = graded(student);
    Document {
        score: points.zip(bonus).map(|(points, bonus)| points + bonus),
        output: overview(student, assignment, style),
        output_format: "text",
        test_output_format: "text",
        test_name_format: "text",
        visibility: "visible",
        stdout_visibility: "hidden",
        tests: (1..)
            .zip(&student.problems)
            .flat_map(|(number, problem)| rows(number, problem, settled, style))
            .collect(),
        extra_data: Extra {
            format: "bitcraft-gradescope/1",
            assignment: assignment.id.to_string(),
            graded: settled,
            points,
            bonus,
            verdicts: student
                .problems
                .iter()
                .map(|problem| ProblemVerdict {
                    problem: problem.id.to_string(),
                    verdict: problem.verdict,
                })
                .collect(),
        },
    }
}

/// The text at the top: the total or why there is none, what is to be known of what was handed in, unused files.
fn overview(student: &StudentResult, assignment: &AssignmentInfo, style: &Style) -> String {
    let words = style.words();
    let mut page = Page::new(style);
    page.line(
        0,
        &words.totals(
            student.points(),
            assignment.points,
            student.bonus(),
            assignment.bonus,
        ),
    );
    if !graded(student) {
        page.line(0, words.no_score());
    }
    for note in &student.notes {
        page.line(0, &safe(note.get(style.lang)));
    }
    if !student.unused.is_empty() {
        page.gap();
        page.line(0, words.say(Phrase::NotJudged));
        for file in &student.unused {
            let label = format!("{}  ", safe(&file.path));
            page.hang(2, &label, &safe(file.reason.get(style.lang)));
        }
    }
    text(page)
}

/// The rows of a problem: its build where there is something to say of it, then its subtasks.
fn rows(number: usize, problem: &ProblemResult, settled: bool, style: &Style) -> Vec<Row> {
    let words = style.words();
    let mut explanations = Explanations::default();
    let id = safe(problem.id.as_str());
    let scored = |row: Row, points: Option<Points>, most: Points| Row {
        score: points.filter(|_| settled),
        max_score: settled.then_some(most),
        ..row
    };
    // Without subtasks the problem itself is the row that counts.
    if problem.subtasks.is_empty() {
        let mut page = Page::new(style);
        page.line(0, &verdict_line(problem.verdict, "", style));
        whole(&mut page, problem, &mut explanations, style);
        let name = named(id, problem, style);
        let row = row(number.to_string(), name, problem.verdict, text(page));
        return vec![scored(row, problem.points, problem.max_points)];
    }
    let mut rows = Vec::new();
    let mut page = Page::new(style);
    whole(&mut page, problem, &mut explanations, style);
    let built = text(page);
    if !built.is_empty() {
        let passed = match problem.verdict {
            Verdict::CompileError | Verdict::JudgeError => problem.verdict,
            _ => Verdict::Accepted,
        };
        let name = format!("{id}{}{}", words.say(Phrase::Colon), words.build());
        rows.push(row(format!("{number}.0"), name, passed, built));
    }
    let ran = has_run(problem) || problem.message.is_none();
    for (index, subtask) in (1..).zip(&problem.subtasks) {
        let mut page = Page::new(style);
        let summary = subtask_run(subtask, style);
        page.line(0, &verdict_line(subtask.verdict, &summary, style));
        if ran {
            subtask_lines(&mut page, 0, subtask, style);
            case_lines(&mut page, 0, subtask, &mut explanations, style);
        }
        let name = format!(
            "{id}{}{}",
            words.say(Phrase::Colon),
            safe(subtask.name.as_str())
        );
        let name = named(name, problem, style);
        let row = row(
            format!("{number}.{index}"),
            name,
            subtask.verdict,
            text(page),
        );
        rows.push(scored(row, subtask.points, subtask.max_points));
    }
    rows
}

/// What there is to say about the submission as a whole; nothing where it was built without a word.
fn whole(page: &mut Page, problem: &ProblemResult, explanations: &mut Explanations, style: &Style) {
    let said = problem
        .build
        .as_ref()
        .and_then(|build| build.messages.as_ref());
    let silent = problem.message.is_none() && problem.hints.is_empty() && said.is_none();
    if silent {
        return;
    }
    if let Some(message) = &problem.message
        && !is_submitted(problem)
    {
        page.line(0, &safe(message.get(style.lang)));
    }
    submission_lines(page, 0, problem, explanations, style);
}

fn named(name: String, problem: &ProblemResult, style: &Style) -> String {
    if problem.bonus {
        format!("{name} ({})", style.words().say(Phrase::Bonus))
    } else {
        name
    }
}

/// `WA wrong answer: 2 of 3 cases`.
fn verdict_line(verdict: Verdict, summary: &str, style: &Style) -> String {
    let words = style.words();
    let name = words.verdict(verdict);
    let colon = if summary.is_empty() {
        ""
    } else {
        words.say(Phrase::Colon)
    };
    format!("{} {name}{colon}{summary}", verdict.code())
}

fn row(number: String, name: String, verdict: Verdict, output: String) -> Row {
    Row {
        score: None,
        max_score: None,
        status: match verdict {
            Verdict::Accepted => Some("passed"),
            Verdict::JudgeError => None,
            Verdict::PartiallyCorrect
            | Verdict::PresentationError
            | Verdict::WrongAnswer
            | Verdict::TimeLimit
            | Verdict::MemoryLimit
            | Verdict::OutputLimit
            | Verdict::RuntimeError
            | Verdict::CompileError
            | Verdict::Skipped => Some("failed"),
        },
        name,
        name_format: "text",
        number,
        output,
        output_format: "text",
        visibility: "visible",
    }
}

fn text(page: Page) -> String {
    page.finish().trim_end().to_owned()
}

#[cfg(test)]
mod tests;
