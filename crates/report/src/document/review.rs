//! Submissions with the same mistake, for the person who writes remarks.

use std::iter;

use grader_model::Lang;
use grader_view::GroupView;

use super::Document;
use crate::style::{Style, Tone, painted, safe};
use crate::words::Words;

/// Students who are named; the others are counted.
const MAX_NAMED: usize = 10;
/// Reasons of a group that are shown.
const MAX_REASONS: usize = 3;

/// Each group with its mistake, and below it the lines from `beside`.
pub fn review<'a>(
    groups: &[&GroupView<'a>],
    beside: impl Fn(&GroupView<'a>) -> Vec<String>,
    style: &Style,
) -> String {
    let words = style.words();
    let mut document = Document::default();
    for group in groups {
        document.gap();
        document.line(Tone::Strong.on(title(group, words)));
        let mut mistake = Document::default();
        for reason in reasons(group, words) {
            mistake.line(reason);
        }
        for line in beside(group) {
            mistake.exact(safe(&line));
        }
        document.under(2, mistake);
    }
    document.text(style)
}

/// A group in a few lines without colour.
pub fn group_lines(group: &GroupView<'_>, lang: Lang) -> Vec<String> {
    let words = Words::of(lang);
    let lines = iter::once(title(group, words)).chain(reasons(group, words));
    lines.map(|line| painted(&line, false)).collect()
}

/// `count 3f2a91c0: 12 students: ann, bob, …`.
fn title(group: &GroupView<'_>, words: Words) -> String {
    let count = words.students(group.students.len());
    let named = group.called.iter().take(MAX_NAMED);
    let mut named: Vec<String> = named.cloned().collect();
    if group.students.len() > MAX_NAMED {
        named.push("…".to_owned());
    }
    let (problem, id, colon) = (safe(group.problem.as_str()), safe(group.id), words.colon());
    let named = named.join(words.comma());
    format!("{problem} {id}{colon}{count}{colon}{named}")
}

/// The mistake of a group, as its first submission shows it.
fn reasons(group: &GroupView<'_>, words: Words) -> Vec<String> {
    let reasons = group.reasons.iter().take(MAX_REASONS);
    reasons.map(|it| words.reason(it)).collect()
}
