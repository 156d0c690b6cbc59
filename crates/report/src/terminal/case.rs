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
    /// The rule of attempts that was shown last.
    rule: Option<String>,
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

    /// The rule that judges the attempts of a case. `None` if the rule shown last is the same.
    pub(crate) fn rule(&mut self, case: &CaseResult, style: &Style) -> Option<String> {
        let rule = style.attempts_rule(case.attempts.as_ref()?);
        let shown = self.rule.replace(rule.clone());
        (shown.as_ref() != Some(&rule)).then(|| Tone::Faint.on(rule))
    }

    /// A case that did not pass: reason, evidence, hints and standard error, or only the reason if enough cases of the
    /// subtask were explained. Of a case that passed, what [`is_notable`].
    pub(crate) fn case(&mut self, page: &mut Page, indent: usize, case: &CaseResult) {
        let style = &page.style();

        let head = case_head(case, style);
        let has_passed = case.verdict == Verdict::Accepted;
        if is_bare(case) {
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
        timing(page, inner, case);
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
    }

    /// The hints that were not given before.
    pub(super) fn hints(&mut self, page: &mut Page, indent: usize, hints: &[Text]) {
        let style = &page.style();

        let label = Tone::Partial.on(style.pick("hint: ", "建议："));
        for hint in hints.iter().map(|hint| style.text(hint)) {
            if self.hinted.insert(hint.clone()) {
                page.hang(indent, &label, &hint);
            }
        }
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

/// Whether only the verdict of a case is known, as with a hidden case that a student reads about.
fn is_bare(case: &CaseResult) -> bool {
    case.message.is_none()
        && case.evidence.is_empty()
        && case.hints.is_empty()
        && case.stderr.is_none()
        && case.outcome.is_none()
}

/// Why a case has its verdict, in one sentence.
pub(super) fn reason(case: &CaseResult, style: &Style) -> String {
    let first = case.evidence.first().map(|evidence| &evidence.message);
    match case.message.as_ref().or(first) {
        Some(message) => style.text(message),
        None => style.verdict(case.verdict),
    }
}

/// `✗ n=16  TLE  26.1 s of 26.1 s CPU`.
fn case_head(case: &CaseResult, style: &Style) -> String {
    let (tone, name) = (Tone::of(case.verdict), safe(case.name.as_str()));
    let mut parts = match case.verdict {
        Verdict::Accepted => vec![format!("{} {name}", tone.on("✓"))],
        verdict => {
            let mark = if verdict == Verdict::Skipped {
                "–"
            } else {
                "✗"
            };
            vec![format!("{} {name}", tone.on(mark)), tone.on(verdict.code())]
        }
    };
    parts.extend(case.outcome.as_ref().map(|it| measured(case, it, style)));
    parts.join("  ")
}

/// What a run used, and the limit if that decided.
fn measured(case: &CaseResult, outcome: &Outcome, style: &Style) -> String {
    let limited = case.limits.and_then(|limits| {
        let (used, limit, en, zh) = match (case.verdict, outcome.breach, outcome.memory) {
            (Verdict::TimeLimit, Some(Breach::Wall), _) => {
                let (wall, limit) = (outcome.wall.to_string(), limits.wall.to_string());
                (wall, limit, "wall time", "实际时间")
            }
            (Verdict::MemoryLimit, _, Some(memory)) => {
                let limit = limits.memory.to_string();
                (memory.to_string(), limit, "memory", "内存")
            }
            (Verdict::OutputLimit, _, _) => {
                let output = outcome.stdout.max(outcome.stderr).to_string();
                (output, limits.output.to_string(), "output", "输出")
            }
            (verdict, _, _) if verdict == Verdict::TimeLimit || case.near_limit => {
                let (cpu, limit) = (outcome.cpu.to_string(), limits.cpu.to_string());
                (cpu, limit, "CPU", "CPU")
            }
            (_, _, _) => return None,
        };
        let used = style.used_of(&used, &limit);
        Some(style.pick(format!("{used} {en}"), format!("{zh} {used}")))
    });
    let mut parts: Vec<String> = if let Some(limited) = limited {
        vec![limited]
    } else {
        let memory = outcome.memory.map(|memory| memory.to_string());
        [outcome.cpu.to_string()]
            .into_iter()
            .chain(memory)
            .collect()
    };
    if case.near_limit {
        let (en, zh) = if case.confirmation.is_some() && !is_settled(case) {
            ("too near the limit to decide", "太接近限制，无法断定")
        } else {
            ("near the limit", "接近限制")
        };
        parts.push(Tone::Partial.on(style.pick(en, zh)));
    }
    if let Some(share) = partial(case).map(f64::from) {
        let earns = style.pick(format!("earns {share} %"), format!("得 {share} %"));
        parts.push(Tone::Partial.on(earns));
    }
    parts.join(style.comma())
}

/// Where the limit came from, if it decided, and the runs that confirmed the result.
fn timing(page: &mut Page, indent: usize, case: &CaseResult) {
    let style = &page.style();

    let breach = case.outcome.as_ref().and_then(|outcome| outcome.breach);
    let is_over = case.verdict == Verdict::TimeLimit && breach != Some(Breach::Wall);
    if !is_over && !case.near_limit {
        return;
    }
    let origin = match (&case.limit_origin, case.reference_time) {
        (Some(origin), _) => style.limit_origin(origin),
        // The limit follows from growth.
        (None, time) => {
            time.map(|it| style.pick(format!("reference: {it}"), format!("参考程序：{it}")))
        }
    };
    for line in origin.into_iter().chain(style.confirmation(case)) {
        page.line(indent, &line);
    }
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
            }
        });
        page.raw(indent, &spans.collect::<String>());
    }
}

/// An excerpt of several lines, capped, and how much is left out.
pub(crate) fn block(page: &mut Page, indent: usize, excerpt: &Excerpt) {
    let style = &page.style();

    let lines: Vec<&str> = excerpt.text.split('\n').collect();
    let shown = &lines[..lines.len().min(MAX_BLOCK_LINES)];
    page.block(indent, &shown.join("\n"));
    let more = match (lines.len() - shown.len(), excerpt.after) {
        (0, 0) => return,
        (0, bytes) => style.pick(
            format!("{bytes} more bytes are left out"),
            format!("还有 {bytes} 字节未显示"),
        ),
        (lines, _) => {
            let more = style.counted(lines, ["more line", "more lines"], "");
            style.pick(format!("{more} left out"), format!("还有 {lines} 行未显示"))
        }
    };
    page.line(indent, &Tone::Faint.on(more));
}
