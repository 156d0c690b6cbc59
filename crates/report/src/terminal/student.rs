//! One student: why this score?

use grader_model::listed;
use grader_view::{ClassView, ProblemView, StudentView};

use super::case::{case_group_lines, case_lines};
use super::submission::{flag_lines, origin_line, problem_total, submission_lines, subtasks};
use crate::layout::{Page, table};
use crate::style::{Style, Tone, safe};

/// Explains the score of one student: every problem, subtask and failing case.
pub fn student(student: &StudentView<'_>, style: &Style) -> String {
    let mut page = Page::new(style);
    score(&mut page, student);
    details(&mut page, student);
    page.finish()
}

/// The report that a student reads: the score, what to fix, then every problem.
pub fn personal(class: &ClassView<'_>, style: &Style) -> String {
    let info = class.assignment;
    let mut page = Page::new(style);
    for student in &class.students {
        score(&mut page, student);
        let (title, id) = (style.text(&info.title), safe(info.id.as_str()));
        page.line(0, &format!("{title} ({id})"));
        if class.interrupted {
            page.line(0, &Tone::Fail.on(style.interrupted()));
        }
        to_fix(&mut page, student);
        details(&mut page, student);
    }
    page.finish()
}

/// `s03 (Ada): 72.5 of 100 points, 0 of 10 bonus points`, and what else is known of the submission.
pub(crate) fn score(page: &mut Page, student: &StudentView<'_>) {
    let style = &page.style();
    let who = Tone::Strong.on(Style::who(student));
    let (colon, totals) = (style.colon(), style.totals(student));
    page.line(0, &format!("{who}{colon}{totals}"));
    for note in &student.notes {
        page.line(2, &style.text(note));
    }
    for comment in student.comments {
        page.line(2, &style.comment(comment));
    }
    for (label, words) in style.objection(student) {
        page.line(2, &label);
        page.block(4, &words.text);
    }
}

/// One line for each problem without full points, with the first reason. Nothing if nothing was submitted.
pub(crate) fn to_fix(page: &mut Page, student: &StudentView<'_>) {
    let style = &page.style();
    if student.standing.is_open() {
        page.gap();
        page.line(0, &style.no_score(student));
    }
    let short: Vec<&ProblemView<'_>> = student.to_fix().collect();
    if short.is_empty() {
        return;
    }
    page.gap();
    page.line(0, &Tone::Strong.on(style.pick("To fix", "待改正")));
    let rows = short.iter().map(|problem| {
        let (points, most) = style.share(problem.standing, problem.max_points);
        let bonus = if problem.bonus { "+" } else { "" };
        let tone = Tone::of_status(problem.status, problem.verdict);
        let points = tone.on(format!("{bonus}{points}"));
        vec![safe(problem.id.as_str()), format!("{points} {most}")]
    });
    let labels = table(&rows.collect::<Vec<_>>(), &[1]);
    for (label, problem) in labels.iter().zip(short) {
        let words = style.mark_words(problem).map(str::to_owned);
        let parts: Vec<_> = words.chain([style.reason(&problem.reasons[0])]).collect();
        page.hang(2, label, &parts.join(" · "));
    }
}

/// The points of one problem of a student, or of all, with what changed them after judging.
pub fn corrected(student: &StudentView<'_>, problem: Option<&str>, style: &Style) -> String {
    let mut page = Page::new(style);
    let is_asked = |it: &&ProblemView<'_>| problem.is_none_or(|id| it.id.as_str() == id);
    for problem in student.problems.iter().filter(is_asked) {
        let (id, total) = (safe(student.id.as_str()), problem_total(problem, style));
        page.line(0, &format!("{id} {total}"));
        for adjustment in style.adjustments(problem) {
            page.line(2, &adjustment);
        }
    }
    for remark in student.remarks {
        page.line(0, &style.text(remark));
    }
    page.finish()
}

fn details(page: &mut Page, student: &StudentView<'_>) {
    let mut is_short = false;
    for problem in &student.problems {
        // Problems without a submission take one line each and stand together.
        if !is_short || problem.is_submitted {
            page.gap();
        }
        is_short = !problem.is_submitted;
        problem_lines(page, problem);
    }
    unused_files(page, student);
}

/// The files of a student that no problem takes.
pub(crate) fn unused_files(page: &mut Page, student: &StudentView<'_>) {
    let style = &page.style();
    if !student.unused.is_empty() {
        page.gap();
        let title = style.pick("files that were not judged", "没有评测的文件");
        page.line(0, title);
    }
    let (files, more) = listed(student.unused);
    for file in files {
        let label = format!("{}  ", safe(&file.path));
        page.hang(2, &label, &style.text(&file.reason));
    }
    if let Some(more) = more {
        page.line(2, &style.text(&more));
    }
}

fn problem_lines(page: &mut Page, problem: &ProblemView<'_>) {
    let style = &page.style();
    page.line(0, &problem_total(problem, style));
    submission_lines(page, 2, problem);
    origin_line(page, 2, problem);
    for flag in problem.flags {
        flag_lines(page, 2, flag);
    }
    if problem.shows_subtasks() {
        subtasks(page, problem, |page, subtask| {
            for group in subtask.groups() {
                case_group_lines(page, 4, &group);
            }
        });
    }
    if let Some(case) = &problem.counterexample {
        page.line(2, style.beyond_cases());
        case_lines(page, 4, case);
    }
}
