//! One case: its verdict, and why.

use grader_model::{CaseResult, Excerpt, Ink, Span, Text};
use grader_view::{CaseGroup, CaseView, Detail, EvidenceView, Explainer};

use super::{Block, Document};
use crate::style::{Style, Tone, safe};
use crate::words::Words;
use crate::wrap::{left, width};

/// Lines of a compiler's messages or of standard error that are shown.
const MAX_QUOTED_LINES: usize = 20;

/// A case by itself, with all that is known of it.
pub fn case(case: &CaseResult, style: &Style) -> String {
    told_case(&Explainer::default().case(case), style.words()).text(style)
}

/// A case with as much as is told of it.
pub(crate) fn told_case(case: &CaseView<'_>, words: Words) -> Document {
    told(
        case,
        head(case, &safe(case.name().as_str()), measured(case, words)),
        words,
    )
}

/// Cases with the same mistake: the first of them explains it.
pub(crate) fn told_group(group: &CaseGroup<'_, '_>, words: Words) -> Document {
    let case = group.first;
    if group.count == 1 {
        return told_case(case, words);
    }
    let name = safe(case.name().as_str());
    let of_first = |used| format!("{name}{}{used}", words.colon());
    let used = measured(case, words).filter(|_| case.is_full());
    told(
        case,
        head(case, &words.group_name(group), used.map(of_first)),
        words,
    )
}

fn measured(case: &CaseView<'_>, words: Words) -> Option<String> {
    case.measured().map(|it| words.measured(case, &it))
}

fn told(case: &CaseView<'_>, head: String, words: Words) -> Document {
    let mut document = Document::default();
    match case.detail {
        Detail::Verdict => document.line(head),
        Detail::Line => document.item(head + "  ", words.text(case.reason())),
        Detail::Full => {
            document.line(head);
            document.under(4, explanation(case, words));
        }
    }
    document
}

fn explanation(case: &CaseView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    for line in words.case_lines(case) {
        document.line(line);
    }
    let evidence = |it: &[EvidenceView<'_>]| -> Document {
        let blocks = it.iter().flat_map(|it| evidence(it, words).blocks);
        blocks.collect()
    };
    let [above, below] = case.evidence_around_hints().map(evidence);
    document.append(above);
    document.append(hints(case.hints(), words));
    document.append(below);
    if let Some(stderr) = case.stderr() {
        document.line(Tone::Faint.on(words.standard_error()));
        document.append(quoted(stderr, words));
    }
    document.append(reproduction(case, words));
    document
}

/// The input of a case, and the command that reproduces it.
pub(crate) fn reproduction(case: &CaseView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    if let Some(input) = case.input() {
        document.line(Tone::Faint.on(words.input()));
        document.append(quoted(input, words));
    }
    if let Some(command) = case.command() {
        let label = Tone::Faint.on(words.try_it());
        // A line break would change the command.
        document.exact(label + &safe(command));
    }
    document
}

pub(crate) fn hints(hints: &[&Text], words: Words) -> Document {
    let label = Tone::Partial.on(words.hint());
    let item = |hint: &&Text| (label.clone(), words.text(hint));
    let mut document = Document::default();
    for (label, hint) in hints.iter().map(item) {
        document.item(label, hint);
    }
    document
}

/// `✗ n=16  TLE  26.1 s of 26.1 s CPU`.
fn head(case: &CaseView<'_>, name: &str, used: Option<String>) -> String {
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

fn evidence(evidence: &EvidenceView<'_>, words: Words) -> Document {
    let mut document = Document::default();
    // A checker's first reason is often the case's message too.
    if evidence.is_new {
        document.line(words.text(evidence.message));
    }
    let sides = [
        (words.expected(), evidence.expected, Tone::Pass),
        (words.found(), evidence.found, Tone::Fail),
    ];
    for (label, excerpt, tone) in sides {
        if let Some(excerpt) = excerpt {
            // Both stand in one column, of other evidence too.
            let label = left(label, width(words.expected())) + "  ";
            document.item(Tone::Faint.on(label), tone.on(safe(&excerpt.to_string())));
        }
    }
    let lines = || evidence.figure.iter().flat_map(|figure| &figure.lines);
    let is_changed = |span: &Span| span.ink != Ink::Plain && span.text.starts_with(['-', '+']);
    if lines().any(|line| line.spans.first().is_some_and(is_changed)) {
        let expected = Tone::Pass.on(format!("- {}", words.expected()));
        let found = Tone::Fail.on(format!("+ {}", words.found()));
        document.exact(format!("{expected}   {found}"));
    }
    for line in lines() {
        document.exact(line.spans.iter().map(inked).collect::<String>());
    }
    document
}

fn inked(span: &Span) -> String {
    let text = safe(&span.text);
    match span.ink {
        Ink::Plain => text,
        Ink::Faint => Tone::Faint.on(text),
        Ink::Good => Tone::Pass.on(text),
        Ink::Bad => Tone::Fail.on(text),
        Ink::Removed => Tone::Removed.on(text),
        Ink::Added => Tone::Added.on(text),
    }
}

/// An excerpt of several lines, capped, and whether something is left out.
pub(super) fn quoted(excerpt: &Excerpt, words: Words) -> Document {
    let lines: Vec<&str> = excerpt.text.split('\n').collect();
    let shown = &lines[..lines.len().min(MAX_QUOTED_LINES)];
    let mut document = Document::from(Block::Quote(shown.join("\n")));
    if lines.len() > shown.len() || excerpt.after > 0 {
        document.line(Tone::Faint.on(words.rest_left_out()));
    }
    document
}
