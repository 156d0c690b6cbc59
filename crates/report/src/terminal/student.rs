//! One student: why this score?

use grader_model::{ProblemResult, Results, StudentResult};

use super::case::Explanations;
use super::origins::origin_line;
use super::submission::{
    adjustments, case_lines, flag_lines, has_run, is_submitted, problem_total, reasons,
    submission_lines, subtasks,
};
use crate::layout::{Page, table};
use crate::style::{Style, Tone, safe};

/// Explains the score of one student to staff: every problem, subtask and failing case.
///
/// Nothing is hidden: a student reads [`personal`].
pub fn student(result: &StudentResult, style: &Style) -> String {
    let mut page = Page::new(style);
    score(&mut page, result);
    details(&mut page, result);
    page.finish()
}

/// The report that a student reads: the score, what to fix, then every problem.
///
/// The results must be [`crate::Audience::view`]'s.
pub fn personal(results: &Results, style: &Style) -> String {
    let info = &results.assignment;
    let mut page = Page::new(style);
    for student in &results.students {
        page.gap();
        score(&mut page, student);
        let (title, id) = (style.text(&info.title), safe(info.id.as_str()));
        page.line(0, &format!("{title} ({id})"));
        if results.interrupted {
            page.line(0, &Tone::Fail.on(style.interrupted()));
        }
        to_fix(&mut page, student);
        details(&mut page, student);
    }
    page.finish()
}

/// `s03 (Ada): 72.5 of 100 points, 0 of 10 bonus points`, and what else is known of the submission.
pub(crate) fn score(page: &mut Page, result: &StudentResult) {
    let style = &page.style();
    let who = Tone::Strong.on(who(result));
    let (colon, totals) = (style.colon(), style.totals(result));
    page.line(0, &format!("{who}{colon}{totals}"));
    for note in result.notes.iter().chain(&result.remarks) {
        page.line(2, &style.text(note));
    }
}

/// The id of a student, and the name if it is another: `s03 (Ada)`.
pub(crate) fn who(student: &StudentResult) -> String {
    let id = student.id.as_str();
    let name = student.person.as_ref().and_then(|it| it.name.as_deref());
    match name.filter(|name| *name != id) {
        Some(name) => format!("{} ({})", safe(id), safe(name)),
        None => safe(id),
    }
}

/// One line for each problem without full points, with the first reason. Nothing if nothing was submitted.
pub(crate) fn to_fix(page: &mut Page, student: &StudentResult) {
    let style = &page.style();
    if student.standing().is_open() {
        page.gap();
        page.line(0, style.no_score());
    }
    let is_short = |it: &&ProblemResult| it.points.is_some_and(|points| points < it.max_points);
    let short: Vec<&ProblemResult> = student.problems.iter().filter(is_short).collect();
    if short.is_empty() || student.nothing_submitted {
        return;
    }
    page.gap();
    page.line(0, &Tone::Strong.on(style.pick("To fix", "待改正")));
    let rows = short.iter().map(|problem| {
        let (points, most) = style.share(problem.standing(), problem.max_points);
        let bonus = if problem.bonus { "+" } else { "" };
        let points = Tone::of(problem.verdict).on(format!("{bonus}{points}"));
        vec![safe(problem.id.as_str()), format!("{points} {most}")]
    });
    let labels = table(&rows.collect::<Vec<_>>(), &[1]);
    for (label, problem) in labels.iter().zip(short) {
        page.hang(2, label, &reasons(problem, style)[0]);
    }
}

/// The points of one problem of a student, or of all, with what changed them after judging.
pub fn corrected(result: &StudentResult, problem: Option<&str>, style: &Style) -> String {
    let mut page = Page::new(style);
    let is_asked = |it: &&ProblemResult| problem.is_none_or(|id| it.id.as_str() == id);
    for problem in result.problems.iter().filter(is_asked) {
        let (id, total) = (safe(result.id.as_str()), problem_total(problem, style));
        page.line(0, &format!("{id} {total}"));
        for adjustment in adjustments(problem, style) {
            page.line(2, &adjustment);
        }
    }
    for remark in &result.remarks {
        page.line(0, &style.text(remark));
    }
    page.finish()
}

fn details(page: &mut Page, result: &StudentResult) {
    let mut is_short = false;
    for problem in &result.problems {
        // Problems without a submission take one line each and stand together.
        if !is_short || is_submitted(problem) {
            page.gap();
        }
        is_short = !is_submitted(problem);
        problem_lines(page, problem);
    }
    unused_files(page, result);
}

/// The files of a student that no problem takes.
pub(crate) fn unused_files(page: &mut Page, result: &StudentResult) {
    let style = &page.style();
    if !result.unused.is_empty() {
        page.gap();
        page.line(
            0,
            style.pick("files that were not judged", "没有评测的文件"),
        );
    }
    for file in &result.unused {
        let label = format!("{}  ", safe(&file.path));
        page.hang(2, &label, &style.text(&file.reason));
    }
}

fn problem_lines(page: &mut Page, problem: &ProblemResult) {
    let style = &page.style();
    page.line(0, &problem_total(problem, style));
    let mut explanations = Explanations::default();
    submission_lines(page, 2, problem, &mut explanations);
    origin_line(page, 2, problem);
    for flag in &problem.flags {
        flag_lines(page, 2, flag);
    }
    if has_run(problem) || problem.message.is_none() {
        subtasks(page, problem, |page, subtask| {
            case_lines(page, 4, subtask, &mut explanations);
        });
    }
}
