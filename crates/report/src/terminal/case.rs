//! One case: its verdict, and why.

use grader_model::{CaseResult, Excerpt, Ink, Span, Text};
use grader_view::{CaseGroup, CaseView, Detail, EvidenceView, Explainer};

use crate::layout::Page;
use crate::style::{Style, Tone, safe};

/// Lines of a compiler's messages or of standard error that are shown.
const MAX_BLOCK_LINES: usize = 20;

/// A case by itself, with all that is known of it.
pub fn case(case: &CaseResult, style: &Style) -> String {
    let mut page = Page::new(style);
    case_lines(&mut page, 0, &Explainer::default().case(case));
    page.finish()
}

/// A case with as much as is told of it.
pub(crate) fn case_lines(page: &mut Page, indent: usize, case: &CaseView<'_>) {
    let head = case_head(case, &safe(case.name().as_str()), measured(page, case));
    told_lines(page, indent, case, &head);
}

/// Cases with the same mistake: the first of them explains it.
pub(crate) fn case_group_lines(page: &mut Page, indent: usize, group: &CaseGroup<'_, '_>) {
    let case = group.first;
    if group.count == 1 {
        return case_lines(page, indent, case);
    }
    let (style, name) = (&page.style(), safe(case.name().as_str()));
    let of_first = |used| format!("{name}{}{used}", style.colon());
    let used = measured(page, case).filter(|_| case.is_full());
    let head = case_head(case, &style.group_name(group), used.map(of_first));
    told_lines(page, indent, case, &head);
}

fn measured(page: &Page, case: &CaseView<'_>) -> Option<String> {
    let measured = case.measured();
    measured.map(|it| page.style().measured(case, &it))
}

fn told_lines(page: &mut Page, indent: usize, case: &CaseView<'_>, head: &str) {
    let style = &page.style();
    match case.detail {
        Detail::Verdict => return page.line(indent, head),
        Detail::Line => return page.hang(indent, &format!("{head}  "), &style.text(case.reason())),
        Detail::Full => page.line(indent, head),
    }
    let inner = indent + 4;
    for line in style.case_lines(case) {
        page.line(inner, &line);
    }
    for evidence in case.evidence() {
        evidence_lines(page, inner, evidence);
    }
    hint_lines(page, inner, case.hints());
    if let Some(stderr) = case.stderr() {
        let label = style.pick("standard error", "标准错误输出");
        page.line(inner, &Tone::Faint.on(label));
        block(page, inner, stderr);
    }
    reproduction_lines(page, inner, case);
}

/// The input of a case, and the command that reproduces it.
pub(crate) fn reproduction_lines(page: &mut Page, indent: usize, case: &CaseView<'_>) {
    let style = &page.style();
    if let Some(input) = case.input() {
        page.line(indent, &Tone::Faint.on(style.pick("input", "输入")));
        block(page, indent, input);
    }
    if let Some(command) = case.command() {
        let label = Tone::Faint.on(style.pick("try it: ", "重现："));
        // A line break would change the command.
        page.raw(indent, &format!("{label}{}", safe(command)));
    }
}

pub(crate) fn hint_lines(page: &mut Page, indent: usize, hints: &[&Text]) {
    let style = &page.style();
    let label = Tone::Partial.on(style.pick("hint: ", "提示："));
    for hint in hints {
        page.hang(indent, &label, &style.text(hint));
    }
}

/// `✗ n=16  TLE  26.1 s of 26.1 s CPU`.
fn case_head(case: &CaseView<'_>, name: &str, used: Option<String>) -> String {
    let verdict = case.verdict();
    let tone = Tone::of(verdict);
    let mark = match tone {
        Tone::Pass => "✓",
        Tone::Faint => "–",
        Tone::Fail | Tone::Partial | Tone::Strong | Tone::Removed | Tone::Added => "✗",
    };
    let mut parts = vec![format!("{} {name}", tone.on(mark))];
    if !case.has_passed() {
        parts.push(tone.on(verdict.code()));
    }
    parts.extend(used);
    parts.join("  ")
}

fn evidence_lines(page: &mut Page, indent: usize, evidence: &EvidenceView<'_>) {
    let style = &page.style();
    // A checker's first reason is often the case's message too.
    if evidence.is_new {
        page.line(indent, &style.text(evidence.message));
    }
    for (en, zh, excerpt, tone) in [
        ("expected  ", "应为  ", evidence.expected, Tone::Pass),
        ("found     ", "实为  ", evidence.found, Tone::Fail),
    ] {
        if let Some(excerpt) = excerpt {
            let label = Tone::Faint.on(style.pick(en, zh));
            page.hang(indent, &label, &tone.on(safe(&excerpt.to_string())));
        }
    }
    let lines = || evidence.figure.iter().flat_map(|figure| &figure.lines);
    let is_changed = |span: &Span| span.ink != Ink::Plain && span.text.starts_with(['-', '+']);
    if lines().any(|line| line.spans.first().is_some_and(is_changed)) {
        let expected = Tone::Pass.on(style.pick("- expected", "- 应为"));
        let found = Tone::Fail.on(style.pick("+ found", "+ 实为"));
        page.raw(indent, &format!("{expected}   {found}"));
    }
    for line in lines() {
        let spans = line.spans.iter().map(|span| {
            let text = safe(&span.text);
            match span.ink {
                Ink::Plain => text,
                Ink::Faint => Tone::Faint.on(text),
                Ink::Good => Tone::Pass.on(text),
                Ink::Bad => Tone::Fail.on(text),
                Ink::Removed => Tone::Removed.on(text),
                Ink::Added => Tone::Added.on(text),
            }
        });
        page.raw(indent, &spans.collect::<String>());
    }
}

/// An excerpt of several lines, capped, and whether something is left out.
pub(super) fn block(page: &mut Page, indent: usize, excerpt: &Excerpt) {
    let style = &page.style();
    let lines: Vec<&str> = excerpt.text.split('\n').collect();
    let shown = &lines[..lines.len().min(MAX_BLOCK_LINES)];
    page.block(indent, &shown.join("\n"));
    if lines.len() > shown.len() || excerpt.after > 0 {
        let more = style.pick("… the rest is left out", "……其余未显示");
        page.line(indent, &Tone::Faint.on(more));
    }
}
