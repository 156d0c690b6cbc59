//! Why a case has its verdict.

use std::collections::HashSet;

use grader_model::{
    Attempts, Breach, CaseResult, Evidence, Excerpt, Ink, Outcome, Share, Text, Verdict,
};

use crate::layout::{Page, table};
use crate::style::{Style, Tone, safe};
use crate::text::Phrase;

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
        let rule = style.words().attempts_rule(case.attempts.as_ref()?);
        let is_new = self.rule.as_ref() != Some(&rule);
        self.rule = Some(rule.clone());
        is_new.then(|| Tone::Faint.on(rule))
    }

    /// A case that did not pass: reason, evidence, hints and standard error, or only the reason if enough cases of the
    /// subtask were explained.
    pub(crate) fn case(
        &mut self,
        page: &mut Page,
        indent: usize,
        case: &CaseResult,
        style: &Style,
    ) {
        let head = case_head(case, style);
        if is_bare(case) {
            return page.line(indent, &head);
        }
        let reason = reason(case, style);
        if self.is_brief() {
            return page.hang(indent, &format!("{head}  "), &reason);
        }
        self.explained += 1;
        page.line(indent, &head);
        let inner = indent + 4;
        if let Some(attempts) = &case.attempts {
            page.line(inner, &style.words().attempts(attempts));
        }
        page.line(inner, &reason);
        timing(page, inner, case, style);
        for evidence in &case.evidence {
            evidence_lines(page, inner, evidence, &reason, style);
        }
        self.hints(page, inner, &case.hints, style);
        if let Some(stderr) = case.stderr.as_ref().filter(|stderr| !stderr.is_empty()) {
            let label = style.pick("standard error", "标准错误输出");
            page.line(inner, &Tone::Faint.on(label));
            block(page, inner, stderr, style);
        }
    }

    /// A case that passed and [`is_notable`].
    pub(crate) fn passed(page: &mut Page, indent: usize, case: &CaseResult, style: &Style) {
        page.line(indent, &case_head(case, style));
        if let Some(attempts) = &case.attempts {
            page.line(indent + 4, &style.words().attempts(attempts));
        }
        if let Some(message) = &case.message {
            page.line(indent + 4, &safe(message.get(style.lang)));
        }
        timing(page, indent + 4, case, style);
    }

    /// The hints that were not given before.
    pub(super) fn hints(&mut self, page: &mut Page, indent: usize, hints: &[Text], style: &Style) {
        let label = Tone::Partial.on(style.pick("hint: ", "建议："));
        for hint in hints {
            let hint = safe(hint.get(style.lang));
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
    let confirmation = case.confirmation.as_ref();
    confirmation.is_some_and(|confirmation| confirmation.resolved)
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
        Some(message) => safe(message.get(style.lang)),
        None => style.words().verdict(case.verdict),
    }
}

/// `✗ n=16  TLE  26.1 s of 26.1 s CPU`.
fn case_head(case: &CaseResult, style: &Style) -> String {
    let tone = Tone::of(case.verdict);
    let mark = match case.verdict {
        Verdict::Accepted => "✓",
        Verdict::Skipped => "–",
        Verdict::PartiallyCorrect
        | Verdict::PresentationError
        | Verdict::WrongAnswer
        | Verdict::TimeLimit
        | Verdict::MemoryLimit
        | Verdict::OutputLimit
        | Verdict::RuntimeError
        | Verdict::CompileError
        | Verdict::JudgeError => "✗",
    };
    let mut parts = vec![format!("{} {}", tone.on(mark), safe(case.name.as_str()))];
    if case.verdict != Verdict::Accepted {
        parts.push(tone.on(case.verdict.code()));
    }
    parts.extend(case.outcome.as_ref().map(|it| measured(case, it, style)));
    parts.join("  ")
}

/// What a run used, and the limit if that decided.
fn measured(case: &CaseResult, outcome: &Outcome, style: &Style) -> String {
    let words = style.words();
    let of = |used: String, limit: String, en, zh| {
        let used = words.used_of(&used, &limit);
        style.pick(format!("{used} {en}"), format!("{zh} {used}"))
    };
    let limited = case.limits.and_then(|limits| {
        let cpu = || {
            of(
                outcome.cpu.to_string(),
                limits.cpu.to_string(),
                "CPU",
                "CPU",
            )
        };
        match (case.verdict, outcome.breach, outcome.memory) {
            (Verdict::TimeLimit, Some(Breach::Wall), _) => {
                let (wall, limit) = (outcome.wall.to_string(), limits.wall.to_string());
                Some(of(wall, limit, "wall time", "实际时间"))
            }
            (Verdict::TimeLimit, _, _) => Some(cpu()),
            (Verdict::MemoryLimit, _, Some(memory)) => {
                let (memory, limit) = (memory.to_string(), limits.memory.to_string());
                Some(of(memory, limit, "memory", "内存"))
            }
            (Verdict::OutputLimit, _, _) => {
                let output = outcome.stdout.max(outcome.stderr).to_string();
                Some(of(output, limits.output.to_string(), "output", "输出"))
            }
            (_, _, _) => case.near_limit.then(cpu),
        }
    });
    let mut parts = Vec::new();
    match limited {
        Some(limited) => parts.push(limited),
        None => {
            parts.push(outcome.cpu.to_string());
            parts.extend(outcome.memory.map(|memory| memory.to_string()));
        }
    }
    if case.near_limit {
        let (en, zh) = if case.confirmation.is_some() && !is_settled(case) {
            ("too near the limit to decide", "太接近限制，无法断定")
        } else {
            ("near the limit", "接近限制")
        };
        parts.push(Tone::Partial.on(style.pick(en, zh)));
    }
    parts.extend(partial(case).map(|share| Tone::Partial.on(words.earns(share))));
    parts.join(words.say(Phrase::Comma))
}

/// Where the limit came from, if it decided, and the runs that confirmed the result.
fn timing(page: &mut Page, indent: usize, case: &CaseResult, style: &Style) {
    let words = style.words();
    let breach = case.outcome.as_ref().and_then(|outcome| outcome.breach);
    let over = case.verdict == Verdict::TimeLimit && breach != Some(Breach::Wall);
    if over || case.near_limit {
        let origin = match &case.limit_origin {
            Some(origin) => words.limit_origin(origin),
            // The limit follows from growth.
            None => case.reference_time.map(|time| words.reference(time)),
        };
        let lines = origin.into_iter().chain(words.confirmation(case));
        lines.for_each(|line| page.line(indent, &line));
    }
}

fn evidence_lines(
    page: &mut Page,
    indent: usize,
    evidence: &Evidence,
    reason: &str,
    style: &Style,
) {
    let message = safe(evidence.message.get(style.lang));
    // A checker's first reason is often the case's message too.
    if message != reason {
        page.line(indent, &message);
    }
    let pair = [
        (
            style.pick("expected", "应为"),
            &evidence.expected,
            Tone::Pass,
        ),
        (style.pick("found", "实为"), &evidence.found, Tone::Fail),
    ];
    let pair = pair.map(|(label, excerpt, tone)| {
        let excerpt = excerpt.as_ref().map(|it| safe(&it.to_string()));
        (label, excerpt, tone)
    });
    // The sentence may quote both already.
    let quoted = |(_, excerpt, _): &(&str, Option<String>, Tone)| {
        let excerpt = excerpt.as_ref();
        excerpt.is_some_and(|excerpt| message.contains(&format!("`{excerpt}`")))
    };
    if !pair.iter().all(quoted) {
        let labels = table(
            &pair
                .each_ref()
                .map(|(label, ..)| vec![Tone::Faint.on(label)]),
            &[],
        );
        for (label, (_, excerpt, tone)) in labels.iter().zip(&pair) {
            if let Some(excerpt) = excerpt {
                page.hang(indent, label, &tone.on(excerpt));
            }
        }
    }
    for line in evidence.figure.iter().flat_map(|figure| &figure.lines) {
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
pub(crate) fn block(page: &mut Page, indent: usize, excerpt: &Excerpt, style: &Style) {
    let lines: Vec<&str> = excerpt.text.split('\n').collect();
    let shown = &lines[..lines.len().min(MAX_BLOCK_LINES)];
    page.block(indent, &shown.join("\n"));
    let bytes = excerpt.after;
    let more = match lines.len() - shown.len() {
        0 if bytes == 0 => return,
        0 => style.pick(
            format!("{bytes} more bytes are left out"),
            format!("还有 {bytes} 字节未显示"),
        ),
        lines => style.words().more_lines(lines),
    };
    page.line(indent, &Tone::Faint.on(more));
}
