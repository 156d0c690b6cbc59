//! Why a case has its verdict: shared by all views.

use std::collections::HashSet;

use grader_model::{
    Attempts, Breach, CaseResult, Evidence, Excerpt, Figure, Ink, Outcome, Share, Text, Verdict,
};

use super::limit::{alone, origin};
use crate::layout::{Page, left, width};
use crate::style::{Style, Tone, safe};
use crate::words::Phrase;

/// Number of lines of a standard error or a compiler that are shown.
const BLOCK_LINES: usize = 20;

/// Number of failing cases of a subtask that are explained; the others have their heads and reasons.
const EXPLAINED: usize = 3;

/// `✗ n=16  TLE  26.1 s of 26.1 s CPU`, on one line.
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
    let mut head = format!("{} {}", tone.on(mark), safe(case.name.as_str()));
    if case.verdict != Verdict::Accepted {
        head.push_str("  ");
        head.push_str(&tone.on(case.verdict.code()));
    }
    if let Some(outcome) = &case.outcome {
        head.push_str("  ");
        head.push_str(&measured(case, outcome, style));
    }
    head
}

/// What a run used, of what it might where that matters.
fn measured(case: &CaseResult, outcome: &Outcome, style: &Style) -> String {
    let words = style.words();
    let plain = || match outcome.memory {
        Some(memory) => format!("{}{}{memory}", outcome.cpu, words.say(Phrase::Comma)),
        None => outcome.cpu.to_string(),
    };
    let Some(limits) = case.limits else {
        return plain();
    };
    let mut text = match (case.verdict, outcome.breach) {
        (Verdict::TimeLimit, Some(Breach::Wall)) => words.used_of(
            &outcome.wall.to_string(),
            &limits.wall.to_string(),
            Phrase::Wall,
        ),
        (Verdict::TimeLimit, _) => words.used_of(
            &outcome.cpu.to_string(),
            &limits.cpu.to_string(),
            Phrase::Cpu,
        ),
        (Verdict::MemoryLimit, _) => match outcome.memory {
            Some(memory) => words.used_of(
                &memory.to_string(),
                &limits.memory.to_string(),
                Phrase::Memory,
            ),
            None => plain(),
        },
        (Verdict::OutputLimit, _) => words.used_of(
            &outcome.stdout.max(outcome.stderr).to_string(),
            &limits.output.to_string(),
            Phrase::Output,
        ),
        (_, _) if case.near_limit => words.used_of(
            &outcome.cpu.to_string(),
            &limits.cpu.to_string(),
            Phrase::Cpu,
        ),
        (_, _) => plain(),
    };
    if case.near_limit {
        text.push_str(words.say(Phrase::Comma));
        // One run near a limit tells less than runs that do not agree.
        let near = if case.confirmation.is_some() && !is_settled(case) {
            Phrase::TooNearLimit
        } else {
            Phrase::NearLimit
        };
        text.push_str(&Tone::Partial.on(words.say(near)));
    }
    if let Some(share) = partial(case) {
        text.push_str(words.say(Phrase::Comma));
        text.push_str(&Tone::Partial.on(words.earns(share)));
    }
    text
}

/// The explanations of one problem's failing cases: the first few of each subtask in full, each hint once.
#[derive(Debug, Default)]
pub(crate) struct Explanations {
    /// Number of cases of this subtask that were explained.
    explained: usize,
    hinted: HashSet<String>,
    /// The rule of attempts that was told last.
    told: Option<String>,
    /// Whether rates are told of cases that passed too.
    rates: bool,
}

impl Explanations {
    /// Explanations that also tell the rates of cases that passed though not every attempt was accepted.
    pub(crate) fn with_rates() -> Self {
        Self {
            rates: true,
            ..Self::default()
        }
    }

    /// Begins another subtask of the same problem.
    pub(crate) fn begin_subtask(&mut self) {
        self.explained = 0;
    }

    /// Whether enough cases of this subtask were explained, so that others get a line each.
    pub(crate) const fn is_brief(&self) -> bool {
        self.explained == EXPLAINED
    }

    /// The rule that the attempts of a case are judged by; nothing where it was told of a subtask before and is the same.
    pub(crate) fn rule(&mut self, case: &CaseResult, style: &Style) -> Option<String> {
        let rule = style.words().attempts_rule(case.attempts.as_ref()?);
        if self.told.as_ref() == Some(&rule) {
            return None;
        }
        let told = Tone::Faint.on(&rule);
        self.told = Some(rule);
        Some(told)
    }

    /// A case that did not pass: its head, reason, evidence, hints and standard error; only its head and reason
    /// where enough cases of the subtask were explained.
    pub(crate) fn case(
        &mut self,
        page: &mut Page,
        indent: usize,
        case: &CaseResult,
        style: &Style,
    ) {
        if says_nothing(case) {
            page.line(indent, &case_head(case, style));
            return;
        }
        if self.is_brief() {
            let mut head = case_head(case, style);
            if let Some(attempts) = &case.attempts {
                let words = style.words();
                head.push_str(words.say(Phrase::Comma));
                head.push_str(&words.attempts(attempts));
            }
            page.hang(indent, &format!("{head}  "), &reason(case, style));
            return;
        }
        self.explained += 1;
        page.line(indent, &case_head(case, style));
        let inner = indent + 4;
        attempt_lines(page, inner, case, style);
        let reason = reason(case, style);
        page.line(inner, &reason);
        Self::account(page, inner, case, style);
        for evidence in &case.evidence {
            evidence_lines(page, inner, evidence, &reason, style);
        }
        self.hints(page, inner, &case.hints, style);
        if let Some(stderr) = &case.stderr
            && !stderr.is_empty()
        {
            page.line(inner, &Tone::Faint.on(style.words().say(Phrase::Stderr)));
            block(page, inner, stderr, style);
        }
    }

    /// A case that passed and is [`is_notable`]: its head, and why it is.
    pub(crate) fn passed(&self, page: &mut Page, indent: usize, case: &CaseResult, style: &Style) {
        let head = case_head(case, style);
        match &case.attempts {
            Some(attempts) if !self.rates => {
                let said = style.words().attempts(attempts);
                page.hang(indent, &format!("{head}  "), &said);
            }
            Some(_) | None => {
                page.line(indent, &head);
                attempt_lines(page, indent + 4, case, style);
            }
        }
        if let Some(message) = &case.message {
            page.line(indent + 4, &safe(message.get(style.lang)));
        }
        Self::account(page, indent + 4, case, style);
    }

    /// How the result came about: what made the limit, and what the runs alone gave.
    fn account(page: &mut Page, indent: usize, case: &CaseResult, style: &Style) {
        for line in [origin(case, style), alone(case, style)]
            .into_iter()
            .flatten()
        {
            page.line(indent, &line);
        }
    }

    /// The hints that were not given before.
    pub(super) fn hints(&mut self, page: &mut Page, indent: usize, hints: &[Text], style: &Style) {
        let words = style.words();
        let label = format!("{}{}", words.say(Phrase::Hint), words.say(Phrase::Colon));
        for hint in hints {
            let hint = safe(hint.get(style.lang));
            if self.hinted.insert(hint.clone()) {
                page.hang(indent, &Tone::Partial.on(&label), &hint);
            }
        }
    }
}

/// Whether there is something to say of a case though it passed: it was near a limit, not every attempt was accepted,
/// or it did not earn everything.
pub(crate) fn is_notable(case: &CaseResult) -> bool {
    let failed_once = |attempts: &Attempts| attempts.accepted < attempts.made;
    case.near_limit || case.attempts.as_ref().is_some_and(failed_once) || partial(case).is_some()
}

/// The part of its points that a case earned, where it is neither all nor nothing.
fn partial(case: &CaseResult) -> Option<Share> {
    case.share
        .filter(|share| *share > Share::NOTHING && *share < Share::WHOLE)
}

/// Whether a result near a limit was settled by running the program again alone.
pub(super) fn is_settled(case: &CaseResult) -> bool {
    let settled = case.confirmation.as_ref();
    settled.is_some_and(|confirmation| confirmation.resolved)
}

/// How many attempts were accepted and the rate, where there were several.
fn attempt_lines(page: &mut Page, indent: usize, case: &CaseResult, style: &Style) {
    if let Some(attempts) = &case.attempts {
        page.line(indent, &style.words().attempts_with_rate(attempts));
    }
}

/// Whether there is nothing to a case but its verdict: a hidden one that a student reads about.
fn says_nothing(case: &CaseResult) -> bool {
    case.message.is_none()
        && case.evidence.is_empty()
        && case.hints.is_empty()
        && case.stderr.is_none()
        && case.outcome.is_none()
}

/// Why a case has its verdict, in one sentence.
fn reason(case: &CaseResult, style: &Style) -> String {
    match &case.message {
        Some(message) => safe(message.get(style.lang)),
        None => style.words().verdict(case.verdict),
    }
}

fn evidence_lines(page: &mut Page, indent: usize, evidence: &Evidence, said: &str, style: &Style) {
    let words = style.words();
    let message = safe(evidence.message.get(style.lang));
    // A checker's first reason is often the case's message too.
    if message != said {
        page.line(indent, &message);
    }
    if !quotes_pair(&message, evidence) {
        let labels = [Phrase::Expected, Phrase::Found].map(|phrase| words.say(phrase));
        let label_width = labels.map(width).into_iter().max().unwrap_or(0) + 2;
        let pair = [
            (labels[0], &evidence.expected, Tone::Pass),
            (labels[1], &evidence.found, Tone::Fail),
        ];
        for (label, excerpt, tone) in pair {
            if let Some(excerpt) = excerpt {
                let label = Tone::Faint.on(left(label, label_width));
                page.hang(indent, &label, &tone.on(safe(&excerpt.to_string())));
            }
        }
    }
    if let Some(figure) = &evidence.figure {
        figure_lines(page, indent, figure);
    }
}

/// Whether the sentence quotes, whole, both what was expected and what was found.
fn quotes_pair(message: &str, evidence: &Evidence) -> bool {
    let quotes = |excerpt: &Option<Excerpt>| {
        excerpt
            .as_ref()
            .is_some_and(|excerpt| message.contains(&format!("`{}`", safe(&excerpt.to_string()))))
    };
    quotes(&evidence.expected) && quotes(&evidence.found)
}

fn figure_lines(page: &mut Page, indent: usize, figure: &Figure) {
    for line in &figure.lines {
        let painted: String = line
            .spans
            .iter()
            .map(|span| {
                let text = safe(&span.text);
                match span.ink {
                    Ink::Plain => text,
                    Ink::Faint => Tone::Faint.on(text),
                    Ink::Good => Tone::Pass.on(text),
                    Ink::Bad => Tone::Fail.on(text),
                }
            })
            .collect();
        page.raw(indent, &painted);
    }
}

/// An excerpt of several lines, capped, saying how much is left out.
pub(super) fn block(page: &mut Page, indent: usize, excerpt: &Excerpt, style: &Style) {
    let words = style.words();
    let lines: Vec<&str> = excerpt.text.split('\n').collect();
    let shown = &lines[..lines.len().min(BLOCK_LINES)];
    page.block(indent, &shown.join("\n"));
    if lines.len() > shown.len() {
        let more = words.more_lines(lines.len() - shown.len());
        page.line(indent, &Tone::Faint.on(more));
    } else if excerpt.after > 0 {
        page.line(indent, &Tone::Faint.on(words.left_out(excerpt.after)));
    }
}
