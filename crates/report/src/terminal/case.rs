//! Why a case has its verdict.

use std::collections::HashSet;

use grader_model::{
    Attempts, Breach, CaseResult, Evidence, Excerpt, Ink, Outcome, Share, Span, Text, Verdict,
};

use crate::layout::Page;
use crate::style::{Style, Tone, safe};

/// Lines of a compiler's messages or of standard error that are shown.
const MAX_BLOCK_LINES: usize = 20;

/// Failing cases of a subtask that are explained in full; the others get a line each.
const MAX_EXPLAINED: usize = 3;

/// Explains the failing cases of one problem: the first few of each subtask in full, each hint once.
#[derive(Debug, Default)]
pub(crate) struct Explanations {
    /// Number of cases of this subtask that were explained.
    explained: usize,
    hinted: HashSet<String>,
}

impl Explanations {
    /// Begins another subtask of the same problem.
    pub(crate) fn begin_subtask(&mut self) {
        self.explained = 0;
    }

    /// Whether the next failing case of this subtask gets only a line.
    pub(crate) const fn is_brief(&self) -> bool {
        self.explained == MAX_EXPLAINED
    }

    /// A case that did not pass: reason, evidence, hints and standard error, or only the reason if enough cases of the
    /// subtask were explained. Of a case that passed, what [`is_notable`].
    pub(crate) fn case(&mut self, page: &mut Page, indent: usize, case: &CaseResult) {
        let style = &page.style();
        let head = case_head(case, style);
        let has_passed = case.verdict == Verdict::Accepted;
        // Of a hidden case a student knows only the verdict.
        if case.message.is_none() && case.outcome.is_none() {
            return page.line(indent, &head);
        }
        let reason = reason(case, style);
        if !has_passed && self.is_brief() {
            return page.hang(indent, &format!("{head}  "), &reason);
        }
        page.line(indent, &head);
        let inner = indent + 4;
        if let Some(attempts) = &case.attempts {
            page.line(inner, &style.attempts(attempts));
        }
        if !has_passed || case.message.is_some() {
            page.line(inner, &reason);
        }
        for line in timing(case, style) {
            page.line(inner, &line);
        }
        if has_passed {
            return;
        }
        self.explained += 1;
        for evidence in &case.evidence {
            evidence_lines(page, inner, evidence, &reason);
        }
        self.hints(page, inner, &case.hints);
        if let Some(stderr) = case.stderr.as_ref().filter(|stderr| !stderr.is_empty()) {
            let label = style.pick("standard error", "标准错误输出");
            page.line(inner, &Tone::Faint.on(label));
            block(page, inner, stderr);
        }
        reproduction(page, inner, case);
    }

    /// The hints that were not given before.
    pub(super) fn hints(&mut self, page: &mut Page, indent: usize, hints: &[Text]) {
        let style = &page.style();
        let label = Tone::Partial.on(style.pick("hint: ", "提示："));
        for hint in hints.iter().map(|hint| style.text(hint)) {
            if self.hinted.insert(hint.clone()) {
                page.hang(indent, &label, &hint);
            }
        }
    }
}

/// The input of a case, and a command line that runs it.
fn reproduction(page: &mut Page, indent: usize, case: &CaseResult) {
    let style = &page.style();
    if let Some(input) = &case.input {
        page.line(indent, &Tone::Faint.on(style.pick("input", "输入")));
        block(page, indent, input);
    }
    if let Some(command) = &case.command {
        let label = Tone::Faint.on(style.pick("try it: ", "重现："));
        // A line break would change the command.
        page.raw(indent, &format!("{label}{}", safe(command)));
    }
}

/// Whether a case that passed needs a remark: it was near a limit, failed some attempts, or earned only a part.
pub(crate) fn is_notable(case: &CaseResult) -> bool {
    let failed_once = |attempts: &Attempts| attempts.accepted < attempts.made;
    case.near_limit || case.attempts.as_ref().is_some_and(failed_once) || partial(case).is_some()
}

/// The part of its points that a case earned. `None` if that is all or nothing.
fn partial(case: &CaseResult) -> Option<Share> {
    case.share
        .filter(|share| *share > Share::NOTHING && *share < Share::WHOLE)
}

/// Whether running the program again alone settled a result near a limit.
pub(super) fn is_settled(case: &CaseResult) -> bool {
    case.confirmation.as_ref().is_some_and(|it| it.resolved)
}

/// Why a case has its verdict, in one sentence.
pub(crate) fn reason(case: &CaseResult, style: &Style) -> String {
    let first = case.evidence.first().map(|evidence| &evidence.message);
    match case.message.as_ref().or(first) {
        Some(message) => style.text(message),
        None => style.verdict(case.verdict),
    }
}

/// `✗ n=16  TLE  26.1 s of 26.1 s CPU`.
fn case_head(case: &CaseResult, style: &Style) -> String {
    let (tone, name) = (Tone::of(case.verdict), safe(case.name.as_str()));
    let mark = match tone {
        Tone::Pass => "✓",
        Tone::Faint => "–",
        Tone::Fail | Tone::Partial | Tone::Strong | Tone::Removed | Tone::Added => "✗",
    };
    let mut parts = vec![format!("{} {name}", tone.on(mark))];
    if case.verdict != Verdict::Accepted {
        parts.push(tone.on(case.verdict.code()));
    }
    parts.extend(case.outcome.as_ref().map(|it| measured(case, it, style)));
    parts.join("  ")
}

/// What a run used, and its CPU time limit if it came near that: reasons of failures name limits already.
pub(crate) fn measured(case: &CaseResult, outcome: &Outcome, style: &Style) -> String {
    let mut parts = vec![outcome.cpu.to_string()];
    if let Some(limits) = case.limits.filter(|_| case.near_limit) {
        let used = style.used_of(&parts[0], &limits.cpu.to_string());
        parts[0] = style.pick(format!("{used} CPU"), format!("CPU {used}"));
    }
    if case.near_limit {
        let (en, zh) = if case.confirmation.is_some() && !is_settled(case) {
            ("too near the limit to decide", "太接近限制，无法断定")
        } else {
            ("near the limit", "接近限制")
        };
        parts.push(Tone::Partial.on(style.pick(en, zh)));
    } else {
        parts.extend(outcome.memory.map(|memory| memory.to_string()));
    }
    if let Some(share) = partial(case).map(f64::from) {
        let earns = style.pick(format!("earns {share} %"), format!("得 {share} %"));
        parts.push(Tone::Partial.on(earns));
    }
    parts.join(style.comma())
}

/// Where the limit came from, if it decided, and the runs that confirmed the result.
pub(crate) fn timing(case: &CaseResult, style: &Style) -> Vec<String> {
    let breach = case.outcome.as_ref().and_then(|outcome| outcome.breach);
    let is_over = case.verdict == Verdict::TimeLimit && breach != Some(Breach::Wall);
    if !is_over && !case.near_limit {
        return Vec::new();
    }
    let origin = case.limit_origin.as_ref();
    let origin = origin.and_then(|origin| style.limit_origin(origin));
    origin.into_iter().chain(style.confirmation(case)).collect()
}

fn evidence_lines(page: &mut Page, indent: usize, evidence: &Evidence, reason: &str) {
    let style = &page.style();
    let message = style.text(&evidence.message);
    // A checker's first reason is often the case's message too.
    if message != reason {
        page.line(indent, &message);
    }
    let pair = [
        ("expected  ", "应为  ", &evidence.expected, Tone::Pass),
        ("found     ", "实为  ", &evidence.found, Tone::Fail),
    ];
    for (en, zh, excerpt, tone) in pair {
        let excerpt = excerpt.as_ref().map(|it| safe(&it.to_string()));
        // The sentence may quote it already.
        if let Some(excerpt) = excerpt.filter(|it| !message.contains(&format!("`{it}`"))) {
            let label = Tone::Faint.on(style.pick(en, zh));
            page.hang(indent, &label, &tone.on(excerpt));
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
pub(crate) fn block(page: &mut Page, indent: usize, excerpt: &Excerpt) {
    let style = &page.style();
    let lines: Vec<&str> = excerpt.text.split('\n').collect();
    let shown = &lines[..lines.len().min(MAX_BLOCK_LINES)];
    page.block(indent, &shown.join("\n"));
    if lines.len() > shown.len() || excerpt.after > 0 {
        let more = style.pick("… the rest is left out", "……其余未显示");
        page.line(indent, &Tone::Faint.on(more));
    }
}
