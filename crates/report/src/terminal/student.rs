//! One student: why this score?

use grader_model::{AssignmentInfo, ProblemResult, Results, StudentResult, SubtaskResult, Verdict};

use super::attempts::all_accepted;
use super::class::heading;
use super::explain::{Explanations, is_notable};
use super::origins::origin_line;
use super::submission::{flag_lines, has_run, is_submitted, problem_total, submission_lines};
use super::subtask::{SubtaskColumns, subtask_lines, subtask_summary};
use crate::layout::Page;
use crate::style::{Style, Tone, safe};
use crate::words::Phrase;

/// Explains the score of one student: every problem, subtask and failing case.
///
/// What a student may not see is shown too: reduce the result with [`crate::Audience::student`] before a student
/// reads it.
pub fn student(result: &StudentResult, assignment: &AssignmentInfo, style: &Style) -> String {
    let mut page = Page::new(style);
    student_lines(&mut page, result, assignment, style);
    page.finish()
}

/// The score of every student of these results, under what was graded, where, and how safely.
///
/// For a report that is about one student; [`crate::terminal::class`] is the one for a whole class.
pub fn personal(results: &Results, style: &Style) -> String {
    let mut page = Page::new(style);
    heading(&mut page, results, style);
    for student in &results.students {
        page.gap();
        student_lines(&mut page, student, &results.assignment, style);
    }
    page.finish()
}

fn student_lines(
    page: &mut Page,
    result: &StudentResult,
    assignment: &AssignmentInfo,
    style: &Style,
) {
    let words = style.words();
    let totals = words.totals(
        result.points(),
        assignment.points,
        result.bonus(),
        assignment.bonus,
    );
    page.line(
        0,
        &format!(
            "{}{}{totals}",
            Tone::Strong.on(called(result)),
            words.say(Phrase::Colon)
        ),
    );
    for note in result.notes.iter().chain(&result.remarks) {
        page.hang(2, "", &safe(note.get(style.lang)));
    }
    let mut short = false;
    for problem in &result.problems {
        // Problems without a submission take one line each and stand together.
        if !short || is_submitted(problem) {
            page.gap();
        }
        short = !is_submitted(problem);
        problem_lines(page, problem, style);
    }
    if !result.unused.is_empty() {
        page.gap();
        page.line(0, words.say(Phrase::NotJudged));
        for file in &result.unused {
            let label = format!("{}  ", safe(&file.path));
            page.hang(2, &label, &safe(file.reason.get(style.lang)));
        }
    }
}

/// The student's id, with the name where it is known and another.
fn called(student: &StudentResult) -> String {
    let id = safe(student.id.as_str());
    let name = student.person.as_ref().and_then(|it| it.name.as_deref());
    match name.map(safe).filter(|name| *name != id) {
        Some(name) => format!("{id} ({name})"),
        None => id,
    }
}

fn problem_lines(page: &mut Page, problem: &ProblemResult, style: &Style) {
    page.line(0, &problem_total(problem, style));
    let mut explanations = Explanations::with_rates();
    submission_lines(page, 2, problem, &mut explanations, style);
    origin_line(page, 2, problem, style);
    for flag in &problem.flags {
        flag_lines(page, 2, flag, style);
    }
    if !has_run(problem) && problem.message.is_some() {
        return;
    }
    let columns = SubtaskColumns::of(&problem.subtasks, style);
    for subtask in &problem.subtasks {
        subtask_summary(page, 2, subtask, &columns, style);
        subtask_lines(page, 4, subtask, style);
        case_lines(page, 4, subtask, &mut explanations, style);
    }
}

/// The cases of a subtask that did not pass, and those that passed and of which there is something to say.
pub(crate) fn case_lines(
    page: &mut Page,
    indent: usize,
    subtask: &SubtaskResult,
    explanations: &mut Explanations,
    style: &Style,
) {
    explanations.begin_subtask();
    let tried = subtask.cases.iter().find(|case| case.attempts.is_some());
    if let Some(rule) = tried.and_then(|case| explanations.rule(case, style)) {
        page.line(indent, &rule);
    }
    let failing = subtask.cases.iter().filter(|case| {
        !matches!(
            case.verdict,
            Verdict::Accepted | Verdict::Skipped | Verdict::CompileError
        )
    });
    for case in failing {
        explanations.case(page, indent, case, style);
    }
    for case in &subtask.cases {
        if case.verdict == Verdict::Accepted && is_notable(case) {
            explanations.passed(page, indent, case, style);
        }
    }
    all_accepted(page, indent, subtask, style);
}
