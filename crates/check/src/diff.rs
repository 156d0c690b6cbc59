//! The first differences of two texts with their context, as a figure.

use std::ops::Range;

use grader_model::{Excerpt, Figure, Ink, Span, escaped};
use similar::{Algorithm, DiffTag, InlineChangeMode, InlineChangeOptions, TextDiff, capture_diff};
use unicode_width::UnicodeWidthStr as _;

use crate::constants::{
    CONTEXT_LINES, MAX_CHANGED_LINES, MAX_LINE_BYTES, MIN_SIMILARITY, WINDOW_LINES,
};
use crate::scan;

/// Pieces of a line; `true` if a piece differs from the other side.
type Pieces = Vec<(bool, String)>;

/// The lines around the first difference, at index `changed`. A tab is shown as `→`, a carriage return as `␍`, and a
/// space as `·` if only white space differs; `^` marks differences inside a line.
pub(crate) fn figure<'a>(
    expected: impl Iterator<Item = &'a [u8]>,
    found: impl Iterator<Item = &'a [u8]>,
    changed: usize,
) -> Figure {
    let first = changed.saturating_sub(CONTEXT_LINES);
    let old: Vec<&[u8]> = expected.skip(first).take(WINDOW_LINES).collect();
    let new: Vec<&[u8]> = found.skip(first).take(WINDOW_LINES).collect();
    // The preceding lines are equal; a diff that includes them could move an inserted line up.
    let start = (changed - first).min(old.len()).min(new.len());
    let operations = capture_diff(
        Algorithm::Myers,
        &old,
        start..old.len(),
        &new,
        start..new.len(),
    );
    let mut drawing = Drawing {
        figure: Figure::default(),
        first,
    };
    drawing.equal(&new, 0..start);
    for (place, operation) in operations.iter().enumerate() {
        let (removed, added) = (operation.old_range(), operation.new_range());
        if operation.tag() == DiffTag::Equal {
            let length = added.len();
            drawing.equal(&new, added.start..added.start + length.min(CONTEXT_LINES));
            if length > CONTEXT_LINES {
                break;
            }
            continue;
        }
        // The window may have truncated equal lines.
        if place > 0 && (removed.end == WINDOW_LINES || added.end == WINDOW_LINES) {
            break;
        }
        drawing.changed(
            &old[removed.clone()],
            &new[added.clone()],
            [removed.start, added.start],
        );
    }
    drawing.figure
}

struct Drawing {
    figure: Figure,
    /// Number of lines before the window.
    first: usize,
}

impl Drawing {
    fn equal(&mut self, lines: &[&[u8]], range: Range<usize>) {
        for index in range {
            let margin = Span::new(self.margin(' ', index), Ink::Faint);
            let text = Span::new(clip(lines[index], 0, false), Ink::Plain);
            self.figure.push([margin, text]);
        }
    }

    /// Draws lines that replace others. `starts` has the indices of the first old and the first new line.
    fn changed(&mut self, old: &[&[u8]], new: &[&[u8]], starts: [usize; 2]) {
        let pairs = old.iter().zip(new).take(MAX_CHANGED_LINES);
        let pairs: Vec<[Pieces; 2]> = pairs.map(|(old, new)| compared(old, new)).collect();
        let line = |side: usize, index: usize, line: &[u8]| {
            let pair = pairs.get(index).map(|pair| pair[side].clone());
            pair.unwrap_or_else(|| vec![(false, clip(line, 0, false))])
        };
        for (index, text) in old.iter().enumerate().take(MAX_CHANGED_LINES) {
            let margin = self.margin('-', starts[0] + index);
            let inks = [Ink::Good, Ink::Removed];
            self.figure.push(spans(margin, line(0, index, text), inks));
        }
        for (index, text) in new.iter().enumerate().take(MAX_CHANGED_LINES) {
            let margin = self.margin('+', starts[1] + index);
            let width = margin.width();
            let inks = [Ink::Bad, Ink::Added];
            self.figure.push(spans(margin, line(1, index, text), inks));
            if let Some(pair) = pairs.get(index) {
                let marks = " ".repeat(width) + &marks(pair);
                self.figure.push([Span::new(marks, Ink::Bad)]);
            }
        }
    }

    fn margin(&self, sign: char, index: usize) -> String {
        let digits = (self.first + WINDOW_LINES).to_string().len();
        format!("{sign} {:>digits$} | ", self.first + index + 1)
    }
}

/// A line of a figure; `inks` are for equal and for different pieces.
fn spans(margin: String, pieces: Pieces, inks: [Ink; 2]) -> Vec<Span> {
    let pieces = pieces.into_iter();
    let pieces = pieces.map(|(differs, text)| Span::new(text, inks[usize::from(differs)]));
    [Span::new(margin, inks[0])]
        .into_iter()
        .chain(pieces)
        .collect()
}

/// `^` under the differences in the second line, or at the first difference if none is marked.
fn marks([old, new]: &[Pieces; 2]) -> String {
    let marks = new.iter().map(|(differs, text)| {
        let mark = if *differs { "^" } else { " " };
        mark.repeat(text.width())
    });
    let marks = marks.collect::<String>();
    if marks.contains('^') {
        return marks.trim_end().to_owned();
    }
    let [old, new] = [old, new].map(|side| {
        side.iter()
            .map(|(_, text)| text.as_str())
            .collect::<String>()
    });
    let pairs = new.char_indices().zip(old.chars());
    let same = pairs.take_while(|((_, new), old)| new == old).last();
    let end = same.map_or(0, |((at, c), _)| at + c.len_utf8());
    " ".repeat(new[..end].width()) + "^"
}

/// Two lines, clipped around their first difference, with the characters that differ.
fn compared(old: &[u8], new: &[u8]) -> [Pieces; 2] {
    let at = scan::first_difference(old, new);
    let same_words = scan::words(old).eq(scan::words(new));
    let [old, new] = [old, new].map(|line| clip(line, at, same_words));
    let is_part = old.contains(&new) || new.contains(&old);
    let mut options = InlineChangeOptions::new();
    options
        .algorithm(Algorithm::Myers)
        .mode(InlineChangeMode::Chars)
        .semantic_cleanup(true)
        .min_ratio(if is_part { 0.0 } else { MIN_SIMILARITY });
    // The lines are short, so no deadline is needed; a deadline would make the figure depend on the machine.
    let diff = TextDiff::from_slices(&[old.as_str()], &[new.as_str()]);
    let mut sides = [Pieces::new(), Pieces::new()];
    for change in diff.iter_all_inline_changes_with_options(options) {
        let pieces = change.iter_strings_lossy();
        let pieces = pieces.map(|(differs, text)| (differs, text.into_owned()));
        sides[usize::from(change.old_index().is_none())].extend(pieces);
    }
    sides
}

/// The bytes of a line around a place, escaped, with symbols for tabs, carriage returns and, optionally, spaces.
fn clip(line: &[u8], at: usize, show_spaces: bool) -> String {
    let excerpt = Excerpt::around(line, at, MAX_LINE_BYTES);
    let start = excerpt.before as usize;
    let piece = &line[start..line.len() - excerpt.after as usize];
    let mut text = String::new();
    for part in piece.split_inclusive(|byte| b"\t\r ".contains(byte)) {
        let (blank, word) = match part.split_last() {
            Some((b'\t', word)) => ("→", word),
            Some((b'\r', word)) => ("␍", word),
            Some((b' ', word)) => (if show_spaces { "·" } else { " " }, word),
            _ => ("", part),
        };
        text.push_str(&escaped(word));
        text.push_str(blank);
    }
    let cut = |bytes: u64| if bytes > 0 { "…" } else { "" };
    format!("{}{text}{}", cut(excerpt.before), cut(excerpt.after))
}
