//! The first difference of two texts with its context, as a figure.

use grader_model::{Excerpt, Figure, Ink, Span, escaped};
use similar::{Algorithm, ChangeTag, TextDiff};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::scan;

/// Lines shown before and after the difference.
const CONTEXT: usize = 2;
/// Lines of either side that are compared, from the first line of context on.
const WINDOW: usize = 10;
/// Most lines of either side that are shown as different.
const MAX_CHANGED: usize = 4;
/// Largest number of bytes of a line that are shown.
const WIDTH: usize = 64;

/// The lines around the first that differs, whose index is `changed`. A tab is shown as `→`, a carriage return as `␍`,
/// and a space as `·` if only white space differs; `^` points at the first difference.
pub(crate) fn of_lines<'a>(
    expected: impl Iterator<Item = &'a [u8]> + Clone,
    found: impl Iterator<Item = &'a [u8]> + Clone,
    changed: usize,
) -> Figure {
    let first = changed.saturating_sub(CONTEXT);
    let one = expected.clone().nth(changed).unwrap_or_default();
    let two = found.clone().nth(changed).unwrap_or_default();
    let at = scan::first_difference(one, two);
    let words = |line| scan::tokens(line).map(|token| token.bytes);
    let same_words = words(one).eq(words(two));
    let clipped = |(index, line): (usize, &[u8])| {
        let is_changed = index == changed;
        clip(
            line,
            if is_changed { at } else { 0 },
            is_changed && same_words,
        )
    };
    let old = expected.enumerate().skip(first).take(WINDOW);
    let new = found.enumerate().skip(first).take(WINDOW);
    let (old, new): (Vec<String>, Vec<String>) =
        (old.map(clipped).collect(), new.map(clipped).collect());
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Myers)
        .diff_slices(&old, &new);
    let digits = (first + WINDOW).to_string().len();
    let mut figure = Figure::default();
    // Which side is which, in the marks of `diff`.
    figure.push([
        Span::new("- expected 期望", Ink::Good),
        Span::new("   ", Ink::Plain),
        Span::new("+ found 实际", Ink::Bad),
    ]);
    let (mut before, mut after, mut shown) = (true, 0, [0; 2]);
    let mut removed: Option<&str> = None;
    for change in diff.iter_all_changes() {
        let text = change.value();
        let (sign, ink, index) = match change.tag() {
            ChangeTag::Equal => (' ', Ink::Plain, change.new_index()),
            ChangeTag::Delete => ('-', Ink::Good, change.old_index()),
            ChangeTag::Insert => ('+', Ink::Bad, change.new_index()),
        };
        match change.tag() {
            ChangeTag::Equal if before => {}
            ChangeTag::Equal => {
                after += 1;
                if after > CONTEXT {
                    break;
                }
            }
            // Only the first place that differs.
            _ if after > 0 => break,
            tag => {
                before = false;
                let count = &mut shown[usize::from(tag == ChangeTag::Insert)];
                *count += 1;
                if *count > MAX_CHANGED {
                    continue;
                }
            }
        }
        let number = first + 1 + index.unwrap_or(0);
        let margin = format!("{sign} {number:>digits$} | ");
        let width = margin.width();
        let margin_ink = if ink == Ink::Plain { Ink::Faint } else { ink };
        figure.push([Span::new(margin, margin_ink), Span::new(text, ink)]);
        match change.tag() {
            ChangeTag::Delete if shown[0] == 1 => removed = Some(text),
            ChangeTag::Insert if shown[1] == 1 => {
                if let Some(removed) = removed {
                    let pairs = removed.chars().zip(text.chars());
                    let same = pairs.take_while(|(one, two)| one == two);
                    let same: usize = same.map(|(_, c)| c.width().unwrap_or(0)).sum();
                    let indent = " ".repeat(width + same);
                    figure.push([Span::new(format!("{indent}^"), Ink::Bad)]);
                }
            }
            _ => {}
        }
    }
    figure
}

/// At most so many bytes of a line around a place, escaped; tabs and carriage returns, and spaces if asked, as signs.
fn clip(line: &[u8], at: usize, show_spaces: bool) -> String {
    let excerpt = Excerpt::window(line, at, WIDTH);
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
