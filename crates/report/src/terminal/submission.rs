//! A submission as a whole, and its subtasks.

use grader_model::{Flag, Growth, ProblemResult, Status, StudentResult, SubtaskResult, Verdict};

use super::case::{Explanations, block};
use crate::layout::{Page, table};
use crate::style::{Style, Tone, safe};
use crate::text::Phrase;

/// Whether there is a submission for this problem.
pub(crate) fn is_submitted(problem: &ProblemResult) -> bool {
    problem.status != Status::NotSubmitted
}

/// Whether all points of a student are known.
pub(crate) fn graded(student: &StudentResult) -> bool {
    let mut problems = student.problems.iter();
    problems.all(|problem| problem.points.is_some())
}

/// Whether the subtasks explain more than the message of the whole problem.
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

/// The submission as a whole: the reason of its verdict, how it was built, hints.
pub(crate) fn submission_lines(
    page: &mut Page,
    indent: usize,
    problem: &ProblemResult,
    explanations: &mut Explanations,
    style: &Style,
) {
    if let Some(message) = problem.message.as_ref().filter(|_| is_submitted(problem)) {
        page.line(indent, &safe(message.get(style.lang)));
    }
    let mut parts = Vec::new();
    if let Some(language) = problem.language {
        parts.push(grader_language::language(language).name.clone());
    }
    if !problem.files.is_empty() {
        let files: Vec<String> = problem.files.iter().map(|file| safe(file)).collect();
        parts.push(files.join(style.words().say(Phrase::ListComma)));
    }
    if let Some(build) = &problem.build {
        parts.push(safe(&build.toolchain));
        let time = build.cpu;
        parts.push(style.pick(format!("built in {time}"), format!("编译用时 {time}")));
    }
    if !parts.is_empty() {
        page.line(indent, &Tone::Faint.on(parts.join(" · ")));
    }
    let build = problem.build.as_ref();
    if let Some(messages) = build.and_then(|build| build.messages.as_ref())
        && !messages.is_empty()
    {
        block(page, indent, messages, style);
    }
    explanations.hints(page, indent, &problem.hints, style);
}

/// A flag and its evidence; each line of a source is shown once.
pub(super) fn flag_lines(page: &mut Page, indent: usize, flag: &Flag, style: &Style) {
    let label = Tone::Partial.on(style.pick("flag: ", "留意："));
    page.hang(indent, &label, &safe(flag.message.get(style.lang)));
    let mut shown = None;
    for evidence in &flag.evidence {
        let message = safe(evidence.message.get(style.lang));
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

/// `small  10 of 10  AC  ` for each subtask, aligned.
pub(crate) fn subtask_labels(subtasks: &[SubtaskResult], style: &Style) -> Vec<String> {
    let rows = subtasks.iter().map(|subtask| {
        let (points, most) = style.words().share(subtask.points, subtask.max_points);
        let tone = Tone::of(subtask.verdict);
        vec![
            safe(subtask.name.as_str()),
            format!("{} {most}", tone.on(points)),
            tone.on(subtask.verdict.code()),
        ]
    });
    table(&rows.collect::<Vec<_>>(), &[1])
}

/// How the time of a subtask grows, or else why it has its verdict though its cases have theirs.
pub(crate) fn subtask_lines(
    page: &mut Page,
    indent: usize,
    subtask: &SubtaskResult,
    style: &Style,
) {
    // The growth says what the message says.
    let growth = subtask.growth.as_ref().map(Growth::sentence);
    if let Some(text) = growth.as_ref().or(subtask.message.as_ref()) {
        let tone = growth.as_ref().map(|_| Tone::of(subtask.verdict));
        let text = safe(text.get(style.lang));
        page.line(
            indent,
            &tone.map_or_else(|| text.clone(), |tone| tone.on(&text)),
        );
    }
}

/// How many cases passed, the slowest, the most memory; or why nothing ran.
pub(crate) fn subtask_run(subtask: &SubtaskResult, style: &Style) -> String {
    let words = style.words();
    let cases = &subtask.cases;
    let runs = || {
        cases
            .iter()
            .filter_map(|case| Some((case, case.outcome.as_ref()?)))
    };
    let message = cases.iter().find_map(|case| case.message.as_ref());
    if let (0, Some(message)) = (runs().count(), message) {
        return safe(message.get(style.lang));
    }
    let is_accepted = |verdict| verdict == Verdict::Accepted;
    let passed = cases
        .iter()
        .filter(|case| is_accepted(case.verdict))
        .count();
    let skipped = cases.iter().filter(|case| case.skipped).count();
    let all = cases.len() - skipped;
    let mut parts = vec![if passed == all {
        words.cases(all)
    } else {
        style.pick(
            format!("{passed} of {}", words.cases(all)),
            format!("{all} 个测试点中 {passed} 个通过"),
        )
    }];
    if skipped > 0 {
        parts.push(style.pick(format!("{skipped} skipped"), format!("跳过 {skipped} 个")));
    }
    // The first of the slowest.
    let slowest = runs().rev().max_by_key(|(_, outcome)| outcome.cpu);
    if let Some((case, outcome)) = slowest {
        let (name, time) = (safe(case.name.as_str()), outcome.cpu);
        parts.push(match runs().count() {
            1 => time.to_string(),
            _ => style.pick(
                format!("slowest {name} {time}"),
                format!("最慢 {name} {time}"),
            ),
        });
    }
    let memory = runs().filter_map(|(_, outcome)| outcome.memory).max();
    parts.extend(memory.map(|memory| memory.to_string()));
    parts.join(words.say(Phrase::Comma))
}
