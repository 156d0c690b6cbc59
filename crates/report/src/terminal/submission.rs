//! A submission as a whole, and its subtasks.

use grader_model::{Flag, Origin};
use grader_view::{ProblemView, SubtaskView};

use super::case::{block, hint_lines};
use crate::layout::{Page, table};
use crate::style::{Style, Tone, safe};

/// The line of a whole problem: `count: 26.25 of 35 points  PC partially correct`.
pub(crate) fn problem_total(problem: &ProblemView<'_>, style: &Style) -> String {
    let tone = Tone::of_status(problem.status, problem.verdict);
    let verdict = match problem.message {
        Some(message) if !problem.is_submitted => style.text(message),
        Some(_) | None => {
            let (code, words) = style.outcome(problem);
            format!("{} {words}", code.unwrap_or_default())
        }
    };
    format!(
        "{}{}{}  {}",
        Tone::Strong.on(safe(problem.id.as_str())),
        style.colon(),
        tone.on(style.earned(problem)),
        tone.on(verdict.trim_start()),
    )
}

/// The submission as a whole: the reason of its verdict, how it was built, hints.
pub(crate) fn submission_lines(page: &mut Page, indent: usize, problem: &ProblemView<'_>) {
    let style = &page.style();
    for adjustment in style.adjustments(problem) {
        page.line(indent, &adjustment);
    }
    if let Some(message) = problem.message.filter(|_| problem.is_submitted) {
        page.line(indent, &style.text(message));
    }
    let facts = style.facts(problem);
    if !facts.is_empty() {
        page.line(indent, &Tone::Faint.on(facts));
    }
    if let Some(messages) = problem.compiler_messages() {
        block(page, indent, messages);
    }
    hint_lines(page, indent, &problem.hints);
}

/// Where the result of one submission comes from.
pub(super) fn origin_line(page: &mut Page, indent: usize, problem: &ProblemView<'_>) {
    let style = &page.style();
    let line = match problem.origin {
        Some(Origin::Reused { run }) => style.pick(
            format!("reused from run {run}"),
            format!("沿用第 {run} 次评测的结果"),
        ),
        Some(Origin::Ran { because }) if !because.is_empty() => {
            let why = style.changes(because);
            style.pick(
                format!("judged in this run: {why}"),
                format!("本次重新评测：{why}"),
            )
        }
        Some(Origin::Ran { .. }) | None => return,
    };
    page.line(indent, &Tone::Faint.on(line));
}

/// A flag and its evidence; each line of a source is shown once.
pub(super) fn flag_lines(page: &mut Page, indent: usize, flag: &Flag) {
    let style = &page.style();
    let label = Tone::Partial.on(style.pick("flag: ", "标记："));
    page.hang(indent, &label, &style.text(&flag.message));
    let mut shown = None;
    for evidence in &flag.evidence {
        let message = style.text(&evidence.message);
        let Some(place) = &evidence.place else {
            page.line(indent + 2, &message);
            continue;
        };
        let line = Some((&place.file, place.line));
        if let Some(excerpt) = evidence.excerpt.as_ref().filter(|_| shown != line) {
            page.block(indent + 2, &excerpt.to_string());
        }
        shown = line;
        let label = format!("{}  ", safe(&place.to_string()));
        page.hang(indent + 2, &Tone::Faint.on(label), &message);
    }
}

/// The subtasks of a problem: `small  10 of 10  AC  5 cases, slowest n=8: 1.1 ms`, how the time grows, and what
/// `details` adds.
pub(crate) fn subtasks(
    page: &mut Page,
    problem: &ProblemView<'_>,
    details: impl Fn(&mut Page, &SubtaskView<'_>),
) {
    let style = &page.style();
    let rows = problem.subtasks.iter().map(|subtask| {
        let (points, most) = style.share(subtask.standing, subtask.max_points);
        let tone = Tone::of_status(subtask.status, subtask.verdict);
        vec![
            safe(subtask.name.as_str()),
            format!("{} {most}", tone.on(points)),
            tone.on(if subtask.is_by_hand() {
                ""
            } else {
                subtask.verdict.code()
            }),
        ]
    });
    let labels = table(&rows.collect::<Vec<_>>(), &[1]);
    for (subtask, label) in problem.subtasks.iter().zip(labels) {
        page.hang(2, &label, &Tone::Faint.on(style.subtask_run(&subtask.run)));
        subtask_lines(page, 4, subtask);
        details(page, subtask);
    }
}

/// How the time of a subtask grows, or else why it has its verdict though its cases have theirs.
pub(crate) fn subtask_lines(page: &mut Page, indent: usize, subtask: &SubtaskView<'_>) {
    if let Some(sentence) = subtask.sentence() {
        let sentence = page.style().text(&sentence);
        let is_growth = subtask.growth.is_some();
        page.line(
            indent,
            &if is_growth {
                Tone::of_status(subtask.status, subtask.verdict).on(sentence)
            } else {
                sentence
            },
        );
    }
}
