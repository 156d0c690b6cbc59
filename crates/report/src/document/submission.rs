//! A submission as a whole, and its subtasks.

use grader_model::{Flag, Origin};
use grader_view::{ProblemView, SubtaskView};

use super::case::{hints, quoted};
use super::{Block, Document, Row};
use crate::style::{Tone, safe};
use crate::words::Words;

/// The line of a whole problem: `count: 26.25 of 35 points  PC partially correct`.
pub(crate) fn problem_total(problem: &ProblemView<'_>, words: Words) -> String {
    let tone = Tone::of_status(problem.status, problem.verdict);
    let verdict = match problem.message {
        Some(message) if !problem.is_submitted => words.text(message),
        Some(_) | None => words.coded_outcome(problem),
    };
    format!(
        "{}{}{}  {}",
        Tone::Strong.on(safe(problem.id.as_str())),
        words.colon(),
        tone.on(words.earned(problem)),
        tone.on(verdict),
    )
}

/// The submission as a whole: the reason of its verdict, unless that stands beside it ([`Words::outcome`]), how it was built, with hints.
pub(crate) fn submission(problem: &ProblemView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    for adjustment in words.adjustments(problem) {
        document.line(adjustment);
    }
    let message = problem.message.filter(|_| problem.is_submitted);
    if let Some(message) = message.filter(|_| !problem.is_unbuilt()) {
        document.line(words.text(message));
    }
    let facts = words.facts(problem);
    if !facts.is_empty() {
        document.line(Tone::Faint.on(facts));
    }
    document.append(hints(&problem.hints, words));
    for remark in problem.remarks {
        let label = format!("{}  ", safe(&remark.check));
        document.item(Tone::Faint.on(label), safe(&remark.to_string()));
    }
    if let Some(messages) = problem.compiler_messages() {
        document.append(quoted(messages, words));
    }
    document
}

/// Where the result of one submission comes from.
pub(super) fn origin(problem: &ProblemView<'_>, words: Words) -> Document {
    let line = match problem.origin {
        Some(Origin::Reused { run }) => words.reused_from(run),
        Some(Origin::Ran { because }) if !because.is_empty() => {
            words.judged_again(words.changes(because))
        }
        Some(Origin::Ran { .. }) | None => return Document::default(),
    };
    Block::Line(Tone::Faint.on(line)).into()
}

/// A flag and its evidence; each line of a source is shown once.
pub(super) fn flag(flag: &Flag, words: Words) -> Document {
    let mut document = Document::default();
    document.item(Tone::Partial.on(words.flag()), words.text(&flag.message));
    let mut evidence = Document::default();
    let mut shown = None;
    for it in &flag.evidence {
        let message = words.text(&it.message);
        let Some(place) = &it.place else {
            evidence.line(message);
            continue;
        };
        let line = Some((&place.file, place.line));
        if let Some(excerpt) = it.excerpt.as_ref().filter(|_| shown != line) {
            evidence.quote(excerpt.to_string());
        }
        shown = line;
        let label = format!("{}  ", safe(&place.to_string()));
        evidence.item(Tone::Faint.on(label), message);
    }
    document.under(2, evidence);
    document
}

/// The subtasks of a problem: `small  10 of 10  AC  5 cases, slowest n=8: 1.1 ms`, how the time grows, and what
/// `details` adds.
pub(crate) fn subtasks(
    problem: &ProblemView<'_>,
    words: Words,
    details: impl Fn(&SubtaskView<'_>) -> Document,
) -> Document {
    let rows = problem.subtasks.iter().map(|subtask| {
        let (points, most) = words.share(subtask.standing, subtask.max_points);
        let tone = Tone::of_status(subtask.status, subtask.verdict);
        let code = if subtask.has_verdict() {
            subtask.verdict.code()
        } else {
            ""
        };
        let points = format!("{} {most}", tone.on(points));
        let mut below = subtask_sentence(subtask, words);
        below.append(details(subtask));
        Row {
            cells: vec![safe(subtask.name.as_str()), points, tone.on(code)],
            words: Tone::Faint.on(words.subtask_run(&subtask.run)),
            below,
        }
    });
    Document::of_rows(rows, &[1])
}

/// How the time of a subtask grows, or else why it has its verdict though its cases have theirs.
pub(crate) fn subtask_sentence(subtask: &SubtaskView<'_>, words: Words) -> Document {
    let Some(sentence) = subtask.sentence() else {
        return Document::default();
    };
    let sentence = words.text(&sentence);
    let tone = Tone::of_status(subtask.status, subtask.verdict);
    let is_growth = subtask.growth.is_some();
    Block::Line(if is_growth {
        tone.on(sentence)
    } else {
        sentence
    })
    .into()
}
