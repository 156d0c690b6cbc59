//! One student: why this score?

use grader_model::listed;
use grader_view::{ClassView, ProblemView, StudentView};

use super::case::{told_case, told_group};
use super::submission::{flag, origin, problem_total, submission, subtasks};
use super::{Block, Document, Row};
use crate::style::{Style, Tone, safe};
use crate::words::Words;

/// Explains the score of one student: every problem, subtask and failing case.
pub fn student(student: &StudentView<'_>, style: &Style) -> String {
    let words = style.words();
    let mut document = score(student, words);
    document.append(details(student, words));
    document.text(style)
}

/// The report that a student reads: the score, what to fix, then every problem.
pub fn personal(class: &ClassView<'_>, style: &Style) -> String {
    let words = style.words();
    let mut document = Document::default();
    for student in &class.students {
        document.append(score(student, words));
        document.line(words.assignment(class.assignment));
        if class.interrupted {
            document.line(Tone::Fail.on(words.interrupted()));
        }
        document.append(to_fix(student, words));
        document.append(details(student, words));
    }
    document.text(style)
}

/// `s03 (Ada): 72.5 of 100 points, 0 of 10 bonus points`, and what else is known of the submission.
pub(crate) fn score(student: &StudentView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    let who = Tone::Strong.on(Words::who(student));
    document.line(format!("{who}{}{}", words.colon(), words.totals(student)));
    let mut said = Document::default();
    for note in &student.notes {
        said.line(words.text(note));
    }
    for comment in student.comments {
        said.line(words.comment(comment));
    }
    for (label, text) in words.objection(student) {
        said.line(label);
        said.under(2, Block::Quote(text.text.clone()));
    }
    document.under(2, said);
    document
}

/// One line for each problem without full points, with the first reason. Nothing if nothing was submitted.
pub(crate) fn to_fix(student: &StudentView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    if student.standing.is_open() {
        document.gap();
        document.line(words.no_score(student));
    }
    let row = |problem: &ProblemView<'_>| {
        let (points, most) = words.share(problem.standing, problem.max_points);
        let bonus = if problem.bonus { "+" } else { "" };
        let tone = Tone::of_status(problem.status, problem.verdict);
        let points = tone.on(format!("{bonus}{points}"));
        let marks = words.mark_words(problem).map(str::to_owned);
        let reason = problem.to_fix().map(|it| words.reason(&it));
        let why: Vec<_> = marks.chain(reason).collect();
        Row::of([safe(problem.id.as_str()), format!("{points} {most}")]).with(why.join(" · "))
    };
    let rows: Vec<Row> = student.to_fix().map(row).collect();
    if !rows.is_empty() {
        document.gap();
        document.line(Tone::Strong.on(words.to_fix()));
        document.under(2, Document::of_rows(rows, &[1]));
    }
    document
}

/// The points of one problem of a student, or of all, with what changed them after judging.
pub fn corrected(student: &StudentView<'_>, problem: Option<&str>, style: &Style) -> String {
    let words = style.words();
    let mut document = Document::default();
    let is_asked = |it: &&ProblemView<'_>| problem.is_none_or(|id| it.id.as_str() == id);
    for problem in student.problems.iter().filter(is_asked) {
        let (id, total) = (safe(student.id.as_str()), problem_total(problem, words));
        document.line(format!("{id} {total}"));
        for adjustment in words.adjustments(problem) {
            document.under(2, Block::Line(adjustment));
        }
    }
    for remark in student.remarks {
        document.line(words.text(remark));
    }
    document.text(style)
}

fn details(student: &StudentView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    let mut is_short = false;
    for shown in &student.problems {
        // Problems without a submission take one line each and stand together.
        if !is_short || shown.is_submitted {
            document.gap();
        }
        is_short = !shown.is_submitted;
        document.append(problem(shown, words));
    }
    document.append(unused_files(student, words));
    document
}

/// The files of a student that no problem takes.
pub(crate) fn unused_files(student: &StudentView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    if student.unused.is_empty() {
        return document;
    }
    document.gap();
    document.line(words.files_not_judged());
    let (files, more) = listed(student.unused);
    let mut list = Document::default();
    for file in files {
        list.item(safe(&file.path) + "  ", words.text(&file.reason));
    }
    if let Some(more) = more {
        list.line(words.text(&more));
    }
    document.under(2, list);
    document
}

fn problem(problem: &ProblemView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    document.line(problem_total(problem, words));
    let mut details = submission(problem, words);
    details.append(origin(problem, words));
    for found in problem.flags {
        details.append(flag(found, words));
    }
    if problem.shows_subtasks() {
        details.append(subtasks(problem, words, |subtask| {
            let groups = subtask.groups();
            groups
                .iter()
                .flat_map(|it| told_group(it, words).blocks)
                .collect()
        }));
    }
    if let Some(case) = &problem.counterexample {
        details.line(words.beyond_cases());
        details.under(2, told_case(case, words));
    }
    document.under(2, details);
    document
}
