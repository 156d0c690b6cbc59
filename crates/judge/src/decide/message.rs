//! Messages of authors' checkers and of unit tests.

use grader_model::{Evidence, Excerpt, Figure, Ink, Span, Text};

use crate::constants::{MAX_MESSAGE_LINE_BYTES, MAX_MESSAGE_LINES};

/// A checker's message: its first line, then the other lines unchanged.
pub(crate) fn message(code: &str, text: &[u8]) -> Option<Evidence> {
    let mut lines = text.trim_ascii().split(|byte| *byte == b'\n');
    let shown =
        |line: &[u8]| Excerpt::first(line.trim_ascii_end(), MAX_MESSAGE_LINE_BYTES).to_string();
    let first = lines.next().map(shown).filter(|line| !line.is_empty())?;
    let mut figure = Figure::default();
    for line in lines.take(MAX_MESSAGE_LINES) {
        figure.push([Span::new(shown(line), Ink::Plain)]);
    }
    let evidence = Evidence::new(code, Text::new(first.clone(), first));
    Some(if figure.lines.is_empty() {
        evidence
    } else {
        evidence.with_figure(figure)
    })
}
