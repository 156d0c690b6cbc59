//! Submissions with the same mistake, for the person who writes remarks.

use std::iter;

use grader_language::first_error;
use grader_model::{Lang, SubtaskName};
use grader_view::{CaseView, GroupView, ProblemView};

use super::Document;
use crate::style::{Style, Tone, painted, safe};
use crate::words::Words;

/// Students who are named; the others are counted.
const MAX_NAMED: usize = 10;
/// Reasons of a group that are shown.
const MAX_REASONS: usize = 3;

/// What a person said of a group.
#[derive(Debug, Default)]
pub struct Remarked {
    /// The groups that are joined with it.
    pub joined: Vec<String>,
    /// The students who came into it after its remark was written.
    pub new: Vec<String>,
}

/// Each group with its mistake, what a person said of it, and below it the lines from `beside`.
pub fn review<'a>(
    groups: &[&GroupView<'a>],
    remarked: impl Fn(&GroupView<'a>) -> Remarked,
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
        let Remarked { joined, new } = remarked(group);
        if !joined.is_empty() {
            mistake.line(words.joined_with(safe(&joined.join(words.comma()))));
        }
        if !new.is_empty() {
            mistake.line(Tone::Partial.on(words.new_since(new.join(words.comma()))));
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
    let mut named = group.names(|_| true);
    if named.len() > MAX_NAMED {
        named.truncate(MAX_NAMED);
        named.push("…".to_owned());
    }
    let (problem, id, colon) = (safe(group.problem.as_str()), safe(group.id), words.colon());
    let named = named.join(words.comma());
    format!("{problem} {id}{colon}{count}{colon}{named}")
}

/// The mistake of a group, as its first submission shows it.
pub(crate) fn reasons(group: &GroupView<'_>, words: Words) -> Vec<String> {
    let reasons = group.reasons.iter().take(MAX_REASONS);
    let reasons = reasons.map(|(reason, case)| {
        let text = words.reason_in_case(reason, case.as_ref());
        let without_input = case.as_ref().filter(|it| it.input().is_none());
        let command = without_input.and_then(CaseView::command);
        command.map_or(text.clone(), |it| {
            format!("{text}{}`{}`", words.semicolon(), safe(it))
        })
    });
    let error = group
        .compiler
        .and_then(|it| first_error(&it.text, |_| true));
    reasons.chain(error.map(|it| safe(&it.message))).collect()
}

/// What the mistake of a submission looks like in the first of these subtasks in which a case fails. `None` if no case tells it.
pub fn condition(
    problem: &ProblemView<'_>,
    subtasks: &[&SubtaskName],
    lang: Lang,
) -> Option<String> {
    let mut reasons = problem.reasons.iter();
    let first = reasons
        .find(|it| it.case.is_some() && it.subtask.is_some_and(|it| subtasks.contains(&it)))?;
    let mut cases = problem.cases();
    let (_, case) = cases.find(|(subtask, case)| {
        Some(subtask.name) == first.subtask && Some(case.name()) == first.case
    })?;
    Some(painted(
        &Words::of(lang).reason_in_case(first, Some(case)),
        false,
    ))
}
