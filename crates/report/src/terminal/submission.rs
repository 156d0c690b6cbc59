//! A submission as a whole, and its subtasks.

use grader_language::Languages;
use grader_model::{Flag, Growth, ProblemResult, Status, SubtaskResult, Verdict};

use super::case::{Explanations, block, is_notable, reason};
use crate::layout::{Page, table};
use crate::style::{Style, Tone, safe};

/// Whether there is a submission for this problem.
pub(crate) fn is_submitted(problem: &ProblemResult) -> bool {
    problem.status != Status::NotSubmitted
}

/// The code of a problem in a table of points: `EX` if the student is excused, else that of its verdict. `None` if nothing
/// was submitted and nobody corrected that.
pub(crate) fn code(problem: &ProblemResult) -> Option<&'static str> {
    let is_shown = is_submitted(problem) || !problem.adjustments.is_empty();
    let code = if problem.is_excused() {
        "EX"
    } else {
        problem.verdict.code()
    };
    is_shown.then_some(code)
}

/// Whether the subtasks explain more than the message of the whole problem.
pub(crate) fn has_run(problem: &ProblemResult) -> bool {
    let mut cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
    cases.any(|case| case.outcome.is_some() || case.verdict == Verdict::JudgeError)
}

/// Why a problem has not all points: the reason of the whole, or of each subtask that failed, by its first case
/// (`medium/n=9: the number of solutions is wrong`), then what changed the points after judging. Never empty.
pub(crate) fn reasons(problem: &ProblemResult, style: &Style) -> Vec<String> {
    let mut reasons: Vec<String> = match &problem.message {
        Some(message) => vec![style.text(message)],
        None => failures(problem, style),
    };
    reasons.extend(adjustments(problem, style));
    if reasons.is_empty() {
        reasons.push(style.verdict(problem.verdict));
    }
    reasons
}

/// Why each subtask that failed did.
fn failures(problem: &ProblemResult, style: &Style) -> Vec<String> {
    let colon = style.colon();
    // Our own failure explains the verdict, whatever else failed.
    let ours = problem.verdict == Verdict::JudgeError;
    let fails = |verdict| is_failing(verdict) && (!ours || verdict == Verdict::JudgeError);
    let failed = problem.subtasks.iter().filter(|it| fails(it.verdict));
    let reason = |subtask: &SubtaskResult| {
        let mut name = safe(subtask.name.as_str());
        let message = subtask.message.as_ref().map(|it| style.text(it));
        let mut why = message.unwrap_or_else(|| style.verdict(subtask.verdict));
        if let Some(case) = subtask.cases.iter().find(|case| fails(case.verdict)) {
            name = format!("{name}/{}", safe(case.name.as_str()));
            why = reason(case, style);
        }
        format!("{name}{colon}{why}")
    };
    failed.map(reason).collect()
}

/// What changed the points after judging.
pub(crate) fn adjustments(problem: &ProblemResult, style: &Style) -> impl Iterator<Item = String> {
    let all = problem.adjustments.iter();
    all.map(|adjustment| style.text(&adjustment.message))
}

/// Whether a verdict says that something is wrong.
pub(crate) const fn is_failing(verdict: Verdict) -> bool {
    !matches!(
        verdict,
        Verdict::Accepted | Verdict::Skipped | Verdict::CompileError
    )
}

/// The line of a whole problem: `count: 26.25 of 35 points  PC partially correct`.
pub(crate) fn problem_total(problem: &ProblemResult, style: &Style) -> String {
    let tone = Tone::of(problem.verdict);
    let why = match &problem.message {
        Some(message) if !is_submitted(problem) => style.text(message),
        Some(_) | None => style.verdict(problem.verdict),
    };
    let points = style.earned(problem);
    format!(
        "{}{}{}  {}",
        Tone::Strong.on(safe(problem.id.as_str())),
        style.colon(),
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
) {
    let style = &page.style();
    for adjustment in adjustments(problem, style) {
        page.line(indent, &adjustment);
    }
    if let Some(message) = problem.message.as_ref().filter(|_| is_submitted(problem)) {
        page.line(indent, &style.text(message));
    }
    let facts = facts(problem, style);
    if !facts.is_empty() {
        page.line(indent, &Tone::Faint.on(facts));
    }
    let messages = problem.build.as_ref().and_then(|it| it.messages.as_ref());
    if let Some(messages) = messages.filter(|messages| !messages.is_empty()) {
        block(page, indent, messages);
    }
    explanations.hints(page, indent, &problem.hints);
}

/// Language, files, toolchain and the time of building: `C · count.c · gcc 12.2.0 -O2 · built in 60 ms`.
pub(crate) fn facts(problem: &ProblemResult, style: &Style) -> String {
    let mut parts = Vec::new();
    if let Some(language) = problem.language {
        parts.push(Languages::built_in().name(language).to_owned());
    }
    if !problem.files.is_empty() {
        parts.push(style.list(problem.files.iter().map(|file| safe(file))));
    }
    if let Some(build) = &problem.build {
        parts.push(safe(&build.toolchain));
        let time = build.cpu;
        parts.push(style.pick(format!("built in {time}"), format!("准备用时 {time}")));
    }
    parts.join(" · ")
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
    problem: &ProblemResult,
    mut details: impl FnMut(&mut Page, &SubtaskResult),
) {
    let style = &page.style();
    let rows = problem.subtasks.iter().map(|subtask| {
        let (points, most) = style.share(subtask.standing(), subtask.max_points);
        let tone = Tone::of(subtask.verdict);
        vec![
            safe(subtask.name.as_str()),
            format!("{} {most}", tone.on(points)),
            tone.on(subtask.verdict.code()),
        ]
    });
    let labels = table(&rows.collect::<Vec<_>>(), &[1]);
    for (subtask, label) in problem.subtasks.iter().zip(labels) {
        page.hang(2, &label, &Tone::Faint.on(subtask_run(subtask, style)));
        subtask_lines(page, 4, subtask);
        details(page, subtask);
    }
}

/// How the time of a subtask grows, or else why it has its verdict though its cases have theirs.
pub(crate) fn subtask_lines(page: &mut Page, indent: usize, subtask: &SubtaskResult) {
    let style = &page.style();
    // The growth says what the message says.
    if let Some(growth) = subtask.growth.as_ref().map(Growth::sentence) {
        page.line(indent, &Tone::of(subtask.verdict).on(style.text(&growth)));
    } else if let Some(message) = &subtask.message {
        page.line(indent, &style.text(message));
    }
}

/// The cases of a subtask that did not pass, and those that passed and [`is_notable`].
pub(crate) fn case_lines(
    page: &mut Page,
    indent: usize,
    subtask: &SubtaskResult,
    explanations: &mut Explanations,
) {
    explanations.begin_subtask();
    let failing = subtask.cases.iter().filter(|it| is_failing(it.verdict));
    let passed = subtask.cases.iter();
    let notable = passed.filter(|it| it.verdict == Verdict::Accepted && is_notable(it));
    for case in failing.chain(notable) {
        explanations.case(page, indent, case);
    }
}

/// How many cases passed, the slowest, the most memory; or why nothing ran.
pub(crate) fn subtask_run(subtask: &SubtaskResult, style: &Style) -> String {
    let cases = &subtask.cases;
    let runs = || {
        cases
            .iter()
            .filter_map(|it| Some((it, it.outcome.as_ref()?)))
    };
    let message = cases.iter().find_map(|case| case.message.as_ref());
    if let (0, Some(message)) = (runs().count(), message) {
        return style.text(message);
    }
    let passed = cases.iter().filter(|it| it.verdict == Verdict::Accepted);
    let skipped = cases.iter().filter(|case| case.skipped).count();
    let (passed, all) = (passed.count(), cases.len() - skipped);
    let mut parts = vec![if passed == all {
        style.cases(all)
    } else {
        style.pick(
            format!("{passed} of {}", style.cases(all)),
            format!("{all} 个测试点中 {passed} 个通过"),
        )
    }];
    if skipped > 0 {
        parts.push(style.pick(format!("{skipped} skipped"), format!("跳过 {skipped} 个")));
    }
    // The first of the slowest.
    if let Some((case, outcome)) = runs().rev().max_by_key(|(_, outcome)| outcome.cpu) {
        let (name, time) = (safe(case.name.as_str()), outcome.cpu);
        parts.push(style.pick(
            format!("slowest {name}: {time}"),
            format!("最慢 {name}：{time}"),
        ));
    }
    let memory = runs().filter_map(|(_, outcome)| outcome.memory).max();
    parts.extend(
        memory.map(|memory| style.pick(format!("peak {memory}"), format!("内存峰值 {memory}"))),
    );
    parts.join(style.comma())
}
