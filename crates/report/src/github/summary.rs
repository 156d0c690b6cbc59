//! The page that a step of a workflow shows.

use std::fmt::Write as _;

use grader_model::{Lang, Results};

use super::style;
use crate::Audience;
use crate::style::safe;

/// The whole page.
pub(super) fn summary(results: &Results, audience: Audience, lang: Lang) -> String {
    let results = audience.view(results);
    let style = style(lang);
    let words = style.words();
    let mut page = format!("## {}\n\n", cell(results.assignment.title.get(lang)));
    for student in &results.students {
        let totals = words.totals(
            student.points(),
            results.assignment.points,
            student.bonus(),
            results.assignment.bonus,
        );
        // Writing to a String cannot fail.
        let _ = writeln!(page, "- {}: {totals}", cell(student.id.as_str()));
    }
    page
}

/// One line in which nothing is markup.
fn cell(text: &str) -> String {
    let mut escaped = String::new();
    for c in safe(text).chars() {
        if c.is_ascii_punctuation() {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The page, cut between lines so that it has at most `most` bytes, with a last line that says so. What the cut leaves
/// open is closed: a block of code, a part that folds.
pub(super) fn capped(page: String, most: usize, lang: Lang) -> String {
    if page.len() <= most {
        return page;
    }
    let note = style(lang).words().cut();
    // Room for what is closed: folds within folds are two deep at most.
    let room = most.saturating_sub(note.len() + 64);
    let end = (0..=room).rev().find(|at| page.is_char_boundary(*at));
    let kept = &page[..end.unwrap_or(0)];
    let kept = &kept[..kept.rfind('\n').map_or(0, |at| at + 1)];
    let mut cut = kept.to_owned();
    let mut fence: Option<&str> = None;
    for line in kept.lines().map(str::trim_start) {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if ticks.len() >= open.len() => fence = None,
            None if ticks.len() >= 3 => fence = Some(ticks),
            Some(_) | None => {}
        }
    }
    if let Some(ticks) = fence {
        cut.push_str(ticks);
        cut.push('\n');
    }
    let folds = kept.matches("<details").count();
    let open = folds.saturating_sub(kept.matches("</details>").count());
    for _ in 0..open.min(2) {
        cut.push_str("\n</details>\n");
    }
    cut.push('\n');
    cut.push_str(note);
    cut.push('\n');
    cut
}
