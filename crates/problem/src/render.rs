//! Diagnostics as text, as rustc shows them. The only place that knows `annotate-snippets`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use grader_model::escape_into;

use crate::diagnostic::{Diagnostic, sort};

/// The diagnostics with the lines that they point at, in the order of files and places, and a closing line
/// that counts them.
///
/// `width` is the width of the terminal in columns; longer lines of a file are cut around the mistake.
/// Nothing of a file reaches the terminal raw: control characters are spelled out. The text of no diagnostics
/// is empty; otherwise it ends with a line feed.
pub fn render(diagnostics: &[Diagnostic], color: bool, width: usize) -> String {
    let mut sorted = diagnostics.to_vec();
    sort(&mut sorted);
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
    .term_width(width.max(40));
    let mut text = String::new();
    for diagnostic in &sorted {
        text.push_str(renderer.render(&[group(diagnostic)]).trim_end());
        text.push_str("\n\n");
    }
    if !sorted.is_empty() {
        let files: BTreeSet<&str> = sorted.iter().map(|d| d.file.path.as_str()).collect();
        let count = |number: usize, noun: &str| {
            format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{} in {}",
            count(sorted.len(), "mistake"),
            count(files.len(), "file")
        );
    }
    text
}

fn group(diagnostic: &Diagnostic) -> Group<'_> {
    let title = Level::ERROR.primary_title(diagnostic.message.as_str());
    let group = match &diagnostic.span {
        None => title.element(Origin::path(diagnostic.file.path.as_str())),
        Some(span) => {
            let line = Line::of(&diagnostic.file.text, span);
            title.element(
                Snippet::source(line.text)
                    .line_start(line.number)
                    .path(diagnostic.file.path.as_str())
                    .annotation(AnnotationKind::Primary.span(line.span)),
            )
        }
    };
    match &diagnostic.help {
        None => group,
        Some(help) => group.element(Level::HELP.message(help.as_str())),
    }
}

/// The line on which a mistake begins, escaped, and the mistake's place in it.
struct Line {
    number: usize,
    text: String,
    span: Range<usize>,
}

impl Line {
    fn of(text: &str, span: &Range<usize>) -> Self {
        let at = floor(text, span.start.min(text.len()));
        let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
        let end = text[at..].find('\n').map_or(text.len(), |more| at + more);
        let line = text[start..end].trim_end_matches('\r');
        let inside = at - start..floor(line, span.end.saturating_sub(start).min(line.len()));
        let mut shown = String::with_capacity(line.len());
        let mut place = None;
        let mut place_end = 0;
        for (offset, character) in line.char_indices() {
            if offset >= inside.start {
                place.get_or_insert(shown.len());
            }
            if character == '\t' {
                // The renderer widens tabs itself, and counts each as one column.
                shown.push(character);
            } else {
                let mut bytes = [0; 4];
                escape_into(
                    &mut shown,
                    character.encode_utf8(&mut bytes).as_bytes(),
                    false,
                );
            }
            if offset < inside.end {
                place_end = shown.len();
            }
        }
        let place = place.unwrap_or(shown.len());
        Self {
            number: text[..start].matches('\n').count() + 1,
            span: place..place_end.max(place),
            text: shown,
        }
    }
}

/// The nearest place at or before `at` that does not cut a character in two.
fn floor(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
