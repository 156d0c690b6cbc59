//! A subtask as a whole: its points, its cases in a sentence, and why it has its verdict.

use grader_model::{SubtaskResult, Verdict};

use crate::layout::{Page, brackets_whole, left, right, width};
use crate::plot::growth_lines;
use crate::style::{Style, Tone, safe};
use crate::words::Phrase;

/// Columns of the subtasks of one problem, so that their lines stand under each other.
pub(crate) struct SubtaskColumns {
    name: usize,
    points: usize,
    most: usize,
}

impl SubtaskColumns {
    pub(crate) fn of(subtasks: &[SubtaskResult], style: &Style) -> Self {
        let widest = |measure: &dyn Fn(&SubtaskResult) -> usize| {
            subtasks.iter().map(measure).max().unwrap_or(0)
        };
        let share =
            |subtask: &SubtaskResult| style.words().share(subtask.points, subtask.max_points);
        Self {
            name: widest(&|subtask| width(&safe(subtask.name.as_str()))),
            points: widest(&|subtask| width(&share(subtask).0)),
            most: widest(&|subtask| width(&share(subtask).1)),
        }
    }
}

/// `small  10 of 10  AC   5 cases, slowest n=8 1.1 ms, 1.2 MiB`.
pub(crate) fn subtask_summary(
    page: &mut Page,
    indent: usize,
    subtask: &SubtaskResult,
    columns: &SubtaskColumns,
    style: &Style,
) {
    let words = style.words();
    let (points, most) = words.share(subtask.points, subtask.max_points);
    let tone = Tone::of(subtask.verdict);
    let label = format!(
        "{}  {} {}  {}  ",
        left(&safe(subtask.name.as_str()), columns.name),
        tone.on(right(&points, columns.points)),
        left(&most, columns.most),
        tone.on(left(subtask.verdict.code(), 3)),
    );
    page.hang(indent, &label, &Tone::Faint.on(subtask_run(subtask, style)));
}

/// What there is to say about a subtask as a whole: how its time grows, drawn, or else why it has its verdict though its
/// cases have theirs.
pub(crate) fn subtask_lines(
    page: &mut Page,
    indent: usize,
    subtask: &SubtaskResult,
    style: &Style,
) {
    match (&subtask.growth, &subtask.message) {
        // The growth says itself what the message says.
        (Some(growth), _) => growth_lines(page, indent, growth, style),
        (None, Some(message)) => {
            let message = safe(message.get(style.lang));
            page.line(indent, &brackets_whole(&message));
        }
        (None, None) => {}
    }
}

/// How many cases passed, the slowest, the most memory; or why nothing ran.
pub(crate) fn subtask_run(subtask: &SubtaskResult, style: &Style) -> String {
    let words = style.words();
    let ran: Vec<_> = subtask
        .cases
        .iter()
        .filter_map(|case| Some((case, case.outcome.as_ref()?)))
        .collect();
    let said = subtask.cases.iter().find_map(|case| case.message.as_ref());
    if let (true, Some(message)) = (ran.is_empty(), said) {
        return safe(message.get(style.lang));
    }
    let passed = subtask
        .cases
        .iter()
        .filter(|case| case.verdict == Verdict::Accepted)
        .count();
    let skipped = subtask.cases.iter().filter(|case| case.skipped).count();
    let mut parts = vec![words.passed(passed, subtask.cases.len() - skipped)];
    if skipped > 0 {
        parts.push(words.skipped(skipped));
    }
    match ran.as_slice() {
        [] => {}
        [(_, outcome)] => parts.push(outcome.cpu.to_string()),
        [first, ..] => {
            // The first of the slowest.
            let slowest = ran.iter().skip(1).fold(first, |slowest, other| {
                if other.1.cpu > slowest.1.cpu {
                    other
                } else {
                    slowest
                }
            });
            let name = safe(slowest.0.name.as_str());
            parts.push(words.slowest(&name, &slowest.1.cpu.to_string()));
        }
    }
    if let Some(memory) = ran.iter().filter_map(|(_, outcome)| outcome.memory).max() {
        parts.push(memory.to_string());
    }
    parts.join(words.say(Phrase::Comma))
}
