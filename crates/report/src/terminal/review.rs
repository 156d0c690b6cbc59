//! Submissions with the same mistake, for the person who writes remarks.

use grader_model::Lang;
use grader_view::GroupView;

use crate::layout::Page;
use crate::style::{Style, Tone, safe};

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
    let mut page = Page::new(style);
    for group in groups {
        page.gap();
        page.line(0, &Tone::Strong.on(title(group, style)));
        for reason in reasons(group, style) {
            page.line(2, &reason);
        }
        for line in beside(group) {
            page.raw(2, &safe(&line));
        }
    }
    page.finish()
}

/// A group in a few lines without colour.
pub fn group_lines(group: &GroupView<'_>, lang: Lang) -> Vec<String> {
    let style = Style::of(lang);
    let lines = [title(group, &style)]
        .into_iter()
        .chain(reasons(group, &style));
    lines.map(|line| style.paint(&line)).collect()
}

/// `count 3f2a91c0: 12 students: ann, bob, …`.
fn title(group: &GroupView<'_>, style: &Style) -> String {
    let count = style.students(group.students.len());
    let named = group.called.iter().take(MAX_NAMED);
    let mut named: Vec<String> = named.cloned().collect();
    if group.students.len() > MAX_NAMED {
        named.push("…".to_owned());
    }
    let (problem, id, colon) = (safe(group.problem.as_str()), safe(group.id), style.colon());
    let named = named.join(style.comma());
    format!("{problem} {id}{colon}{count}{colon}{named}")
}

/// The mistake of a group, as its first submission shows it.
fn reasons(group: &GroupView<'_>, style: &Style) -> Vec<String> {
    let reasons = group.reasons.iter().take(MAX_REASONS);
    reasons.map(|it| style.reason(it)).collect()
}
