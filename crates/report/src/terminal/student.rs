//! One student: why this score?

use std::collections::BTreeMap;

use grader_model::{
    AssignmentInfo, Attempts, ProblemResult, Results, StudentResult, SubtaskResult, Verdict,
};

use super::case::{Explanations, is_notable, reason};
use super::origins::origin_line;
use super::submission::{
    flag_lines, has_run, is_submitted, problem_total, submission_lines, subtask_labels,
    subtask_lines, subtask_run,
};
use crate::layout::{Page, table};
use crate::style::{Style, Tone, safe};
use crate::text::Phrase;

/// Explains the score of one student to staff: every problem, subtask and failing case.
///
/// Nothing is hidden: a student reads [`personal`].
pub fn student(result: &StudentResult, assignment: &AssignmentInfo, style: &Style) -> String {
    let mut page = Page::new(style);
    score(&mut page, result, assignment, style);
    details(&mut page, result, style);
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
        score(&mut page, student, info, style);
        let (title, id) = (safe(info.title.get(style.lang)), safe(info.id.as_str()));
        page.line(0, &format!("{title} ({id})"));
        if results.interrupted {
            let line = style.words().say(Phrase::Interrupted);
            page.line(0, &Tone::Fail.on(line));
        }
        to_fix(&mut page, student, style);
        details(&mut page, student, style);
    }
    page.finish()
}

/// `s03 (Ada): 72.5 of 100 points, 0 of 10 bonus points`, and what else is known of the submission.
fn score(page: &mut Page, result: &StudentResult, assignment: &AssignmentInfo, style: &Style) {
    let words = style.words();
    let id = safe(result.id.as_str());
    let name = result.person.as_ref().and_then(|it| it.name.as_deref());
    let who = match name.map(safe).filter(|name| *name != id) {
        Some(name) => format!("{id} ({name})"),
        None => id,
    };
    let totals = words.totals(
        result.points(),
        assignment.points,
        result.bonus(),
        assignment.bonus,
    );
    let colon = words.say(Phrase::Colon);
    page.line(0, &format!("{}{colon}{totals}", Tone::Strong.on(who)));
    for note in result.notes.iter().chain(&result.remarks) {
        page.line(2, &safe(note.get(style.lang)));
    }
}

/// One line for each problem without full points, with the first reason. Nothing if nothing was submitted.
fn to_fix(page: &mut Page, student: &StudentResult, style: &Style) {
    let problems = student.problems.iter();
    let short: Vec<&ProblemResult> = problems
        .filter(|problem| {
            problem
                .points
                .is_some_and(|points| points < problem.max_points)
        })
        .collect();
    if short.is_empty() || student.nothing_submitted {
        return;
    }
    page.gap();
    page.line(0, &Tone::Strong.on(style.pick("To fix", "待改正")));
    let rows = short.iter().map(|problem| {
        let words = style.words();
        let (points, most) = words.share(problem.points, problem.max_points);
        let bonus = if problem.bonus { "+" } else { "" };
        let points = Tone::of(problem.verdict).on(format!("{bonus}{points}"));
        vec![safe(problem.id.as_str()), format!("{points} {most}")]
    });
    let labels = table(&rows.collect::<Vec<_>>(), &[1]);
    for (label, problem) in labels.iter().zip(short) {
        page.hang(2, label, &first_reason(problem, style));
    }
}

/// Why a problem has not all points: `medium/n=9: the number of solutions is wrong`.
fn first_reason(problem: &ProblemResult, style: &Style) -> String {
    if let Some(message) = &problem.message {
        return safe(message.get(style.lang));
    }
    let failing = problem.subtasks.iter().find_map(|subtask| {
        let case = subtask.cases.iter().find(|case| is_failing(case.verdict));
        Some((subtask, case)).filter(|_| case.is_some() || subtask.verdict == Verdict::WrongAnswer)
    });
    match failing {
        Some((subtask, case)) => {
            let colon = style.words().say(Phrase::Colon);
            let name = safe(subtask.name.as_str());
            match (case, &subtask.message) {
                (Some(case), _) => {
                    let case_name = safe(case.name.as_str());
                    format!("{name}/{case_name}{colon}{}", reason(case, style))
                }
                (None, Some(message)) => format!("{name}{colon}{}", safe(message.get(style.lang))),
                (None, None) => format!("{name}{colon}{}", style.words().verdict(subtask.verdict)),
            }
        }
        None => style.words().verdict(problem.verdict),
    }
}

const fn is_failing(verdict: Verdict) -> bool {
    !matches!(
        verdict,
        Verdict::Accepted | Verdict::Skipped | Verdict::CompileError
    )
}

fn details(page: &mut Page, result: &StudentResult, style: &Style) {
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
        page.line(0, style.words().say(Phrase::NotJudged));
        for file in &result.unused {
            let label = format!("{}  ", safe(&file.path));
            page.hang(2, &label, &safe(file.reason.get(style.lang)));
        }
    }
}

fn problem_lines(page: &mut Page, problem: &ProblemResult, style: &Style) {
    page.line(0, &problem_total(problem, style));
    let mut explanations = Explanations::default();
    submission_lines(page, 2, problem, &mut explanations, style);
    origin_line(page, 2, problem, style);
    for flag in &problem.flags {
        flag_lines(page, 2, flag, style);
    }
    if !has_run(problem) && problem.message.is_some() {
        return;
    }
    let labels = subtask_labels(&problem.subtasks, style);
    for (subtask, label) in problem.subtasks.iter().zip(labels) {
        page.hang(2, &label, &Tone::Faint.on(subtask_run(subtask, style)));
        subtask_lines(page, 4, subtask, style);
        case_lines(page, 4, subtask, &mut explanations, style);
    }
}

/// The cases of a subtask that did not pass, and those that passed and [`is_notable`].
pub(crate) fn case_lines(
    page: &mut Page,
    indent: usize,
    subtask: &SubtaskResult,
    explanations: &mut Explanations,
    style: &Style,
) {
    explanations.begin_subtask();
    let attempted = subtask.cases.iter().find(|case| case.attempts.is_some());
    if let Some(rule) = attempted.and_then(|case| explanations.rule(case, style)) {
        page.line(indent, &rule);
    }
    for case in subtask.cases.iter().filter(|case| is_failing(case.verdict)) {
        explanations.case(page, indent, case, style);
    }
    for case in &subtask.cases {
        if case.verdict == Verdict::Accepted && is_notable(case) {
            Explanations::passed(page, indent, case, style);
        }
    }
    all_accepted(page, indent, subtask, style);
}

/// The rates of the cases whose attempts were all accepted: those with as many attempts in one sentence.
fn all_accepted(page: &mut Page, indent: usize, subtask: &SubtaskResult, style: &Style) {
    let words = style.words();
    let mut alike: BTreeMap<u32, (Attempts, Vec<String>)> = BTreeMap::new();
    for case in &subtask.cases {
        let attempts = case.attempts.filter(|it| it.accepted == it.made);
        if let Some(attempts) = attempts.filter(|_| case.verdict == Verdict::Accepted) {
            let (_, names) = alike.entry(attempts.made).or_insert((attempts, Vec::new()));
            names.push(safe(case.name.as_str()));
        }
    }
    for (attempts, names) in alike.values() {
        let (names, colon) = (
            names.join(words.say(Phrase::ListComma)),
            words.say(Phrase::Colon),
        );
        page.line(
            indent,
            &format!("{names}{colon}{}", words.attempts(attempts)),
        );
    }
}
