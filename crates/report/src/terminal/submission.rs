//! A submission as a whole: its points, how it was built, what an instructor should look at.

use grader_model::{Flag, ProblemResult, Status, StudentResult, Verdict};

use super::explain::{Explanations, block};
use crate::layout::Page;
use crate::style::{Style, Tone, safe};
use crate::words::Phrase;

/// How a submission was built, and what the compiler said.
fn build_lines(page: &mut Page, indent: usize, problem: &ProblemResult, style: &Style) {
    let ProblemResult {
        language,
        files,
        build,
        ..
    } = problem;
    let words = style.words();
    let mut parts = Vec::new();
    if let Some(language) = language {
        parts.push(grader_language::language(*language).name.clone());
    }
    if !files.is_empty() {
        let files: Vec<String> = files.iter().map(|file| safe(file)).collect();
        parts.push(files.join(words.say(Phrase::ListComma)));
    }
    if let Some(build) = build {
        parts.push(safe(&build.toolchain));
        parts.push(words.built_in(&build.cpu.to_string()));
    }
    if !parts.is_empty() {
        page.line(indent, &Tone::Faint.on(parts.join(" · ")));
    }
    if let Some(messages) = build.as_ref().and_then(|build| build.messages.as_ref())
        && !messages.is_empty()
    {
        block(page, indent, messages, style);
    }
}

/// What an instructor should look at, and where: each line of a source that it is about is shown once.
pub(crate) fn flag_lines(page: &mut Page, indent: usize, flag: &Flag, style: &Style) {
    let words = style.words();
    let label = format!("{}{}", words.say(Phrase::Flag), words.say(Phrase::Colon));
    let message = safe(flag.message.get(style.lang));
    page.hang(indent, &Tone::Partial.on(label), &message);
    let mut shown = None;
    for evidence in &flag.evidence {
        let message = safe(evidence.message.get(style.lang));
        let Some(place) = &evidence.place else {
            page.line(indent + 2, &message);
            continue;
        };
        let line = Some((&place.file, place.line));
        if let Some(excerpt) = &evidence.excerpt
            && shown != line
        {
            page.block(indent + 2, &excerpt.to_string());
        }
        shown = line;
        let label = format!("{}  ", safe(&place.to_string()));
        page.hang(indent + 2, &Tone::Faint.on(label), &message);
    }
}

/// Whether there is a submission for this problem.
pub(crate) fn is_submitted(problem: &ProblemResult) -> bool {
    problem.status != Status::NotSubmitted
}

/// Whether an interrupted run did not come to this submission.
pub(crate) fn not_judged(problem: &ProblemResult) -> bool {
    problem.status == Status::NotJudged
}

/// Whether all points of a student are known.
pub(crate) fn graded(student: &StudentResult) -> bool {
    student
        .problems
        .iter()
        .all(|problem| problem.points.is_some())
}

/// Whether the subtasks tell more than the message of the whole problem does.
pub(crate) fn has_run(problem: &ProblemResult) -> bool {
    let mut cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
    cases.any(|case| case.outcome.is_some() || case.verdict == Verdict::JudgeError)
}

/// The line of a whole problem: `count: 26.25 of 35 points  PC partially correct`.
pub(crate) fn problem_total(problem: &ProblemResult, style: &Style) -> String {
    let words = style.words();
    let tone = Tone::of(problem.verdict);
    let why = match &problem.message {
        Some(message) if !is_submitted(problem) => safe(message.get(style.lang)),
        Some(_) | None => words.verdict(problem.verdict),
    };
    let points = words.earned(problem.points, problem.max_points, problem.bonus);
    format!(
        "{}{}{}  {}",
        Tone::Strong.on(safe(problem.id.as_str())),
        words.say(Phrase::Colon),
        tone.on(points),
        tone.on(format!("{} {why}", problem.verdict.code())),
    )
}

/// What there is to say about a submission as a whole: the reason of its verdict, how it was built, hints.
pub(crate) fn submission_lines(
    page: &mut Page,
    indent: usize,
    problem: &ProblemResult,
    explanations: &mut Explanations,
    style: &Style,
) {
    if let Some(message) = &problem.message
        && is_submitted(problem)
    {
        page.line(indent, &safe(message.get(style.lang)));
    }
    build_lines(page, indent, problem, style);
    explanations.hints(page, indent, &problem.hints, style);
}
