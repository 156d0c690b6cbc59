//! Diagnostics as text, in rustc's style. The only user of `annotate-snippets`.

use std::collections::BTreeSet;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::Diagnostic;

/// Renders diagnostics with the lines that they point at, and a closing line that counts them.
///
/// `width` is the width of the terminal in columns; longer lines of a file are truncated around the mistake. No part of
/// a file reaches the terminal raw: control characters are replaced. Without diagnostics, the text is empty; otherwise
/// it ends with a line feed.
pub fn render(diagnostics: &[Diagnostic], color: bool, width: usize) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    }
    .term_width(width.max(40));
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(renderer.render(&[group(diagnostic)]).trim_end());
        text.push_str("\n\n");
    }
    let files: BTreeSet<&str> = diagnostics.iter().map(|it| it.file.path.as_str()).collect();
    let count = |number, noun| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
    let mistakes = count(diagnostics.len(), "mistake");
    format!("{text}{mistakes} in {}\n", count(files.len(), "file"))
}

fn group(diagnostic: &Diagnostic) -> Group<'_> {
    let title = Level::ERROR.primary_title(diagnostic.message.as_str());
    let path = diagnostic.file.path.as_str();
    let group = match &diagnostic.span {
        None => title.element(Origin::path(path)),
        Some(span) => {
            let text = printable(&diagnostic.file.text);
            // Only the first line of a longer value.
            let line = text[span.start..].find('\n');
            let end = line.map_or(span.end, |length| span.end.min(span.start + length));
            let place = AnnotationKind::Primary.span(span.start..end);
            title.element(Snippet::source(text).path(path).annotation(place))
        }
    };
    match &diagnostic.help {
        None => group,
        Some(help) => group.element(Level::HELP.message(help.as_str())),
    }
}

/// The text without the control characters that `annotate-snippets` lets through. Byte offsets do not change.
fn printable(text: &str) -> String {
    let printable = |c| match c {
        '\u{80}'..='\u{9f}' => '¿',
        c => c,
    };
    text.chars().map(printable).collect()
}
