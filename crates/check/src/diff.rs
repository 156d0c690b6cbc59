//! Two pieces of text beside each other, as a figure.

use std::borrow::Cow;

use grader_model::{Figure, Ink, Span, escaped};
use similar::{ChangeTag, InlineChangeMode, InlineChangeOptions, TextDiff};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// Lines shown before and after the difference.
pub(crate) const CONTEXT: usize = 2;
/// Lines of either side that are compared, from the first line of context on.
pub(crate) const WINDOW: usize = 10;
/// Largest number of lines of either side that are shown as different.
const MOST_CHANGED: usize = 4;
/// Largest number of bytes of a line that are shown.
const WIDTH: usize = 64;
/// A line with more changes than this is marked whole.
const MOST_PIECES: usize = 9;

/// Which side is which, in the marks of `diff`.
pub(crate) fn legend() -> [Span; 3] {
    [
        Span::new("- expected 期望", Ink::Good),
        Span::new("   ", Ink::Plain),
        Span::new("+ found 实际", Ink::Bad),
    ]
}

/// The first difference of two texts with its context. Both begin with the line of that number, and
/// `changed` is the index of the first line that differs. Where they differ, blanks are visible: `·` is a
/// space, `→` a tab, `␍` a carriage return; `^` points at what is too much or different.
pub(crate) fn figure(
    expected: &[&[u8]],
    found: &[&[u8]],
    first_number: usize,
    changed: usize,
) -> Figure {
    let focus = match (expected.get(changed), found.get(changed)) {
        (Some(one), Some(other)) => crate::scan::first_difference(one, other),
        _ => 0,
    };
    let prepare = |lines: &[&[u8]]| -> Vec<String> {
        let clipped = lines.iter().take(WINDOW).enumerate();
        clipped
            .map(|(index, line)| clip(line, if index == changed { focus } else { 0 }))
            .collect()
    };
    let (expected, found) = (prepare(expected), prepare(found));
    let old: Vec<&str> = expected.iter().map(String::as_str).collect();
    let new: Vec<&str> = found.iter().map(String::as_str).collect();
    let diff = TextDiff::from_slices(&old, &new);
    // Words are easier to read than letters, but a line without blanks is one word.
    let words = old
        .get(changed)
        .is_none_or(|line| line.contains(char::is_whitespace));
    let mut options = InlineChangeOptions::default();
    if !words {
        options.mode(InlineChangeMode::Chars);
    }
    let digits = (first_number + WINDOW).to_string().len();
    let mut figure = Figure::default();
    figure.push(legend());
    let mut seen_change = false;
    let mut after = 0;
    let mut shown = [0; 2];
    'groups: for op in diff.ops() {
        // Without a deadline: the same input must give the same figure, and the input is small.
        for change in diff.iter_inline_changes_with_options_deadline(op, options, None) {
            let pieces: Vec<(bool, Cow<'_, str>)> = change.iter_strings_lossy().collect();
            let tag = change.tag();
            let (sign, index) = match tag {
                ChangeTag::Equal => (' ', change.new_index()),
                ChangeTag::Delete => ('-', change.old_index()),
                ChangeTag::Insert => ('+', change.new_index()),
            };
            if tag == ChangeTag::Equal {
                after += usize::from(seen_change);
                if after > CONTEXT {
                    break 'groups;
                }
            } else if after > 0 {
                break 'groups;
            } else {
                seen_change = true;
                let count = &mut shown[usize::from(tag == ChangeTag::Insert)];
                *count += 1;
                if *count > MOST_CHANGED {
                    continue;
                }
            }
            let number = first_number + index.unwrap_or(0);
            push_line(
                &mut figure,
                &format!("{sign} {number:>digits$} | "),
                &pieces,
                tag,
            );
        }
    }
    figure
}

fn push_line(figure: &mut Figure, margin: &str, pieces: &[(bool, Cow<'_, str>)], tag: ChangeTag) {
    let ink = match tag {
        ChangeTag::Equal => Ink::Plain,
        ChangeTag::Delete => Ink::Good,
        ChangeTag::Insert => Ink::Bad,
    };
    let margin_ink = if tag == ChangeTag::Equal {
        Ink::Faint
    } else {
        ink
    };
    let mut spans = vec![Span::new(margin, margin_ink)];
    let partly = pieces.iter().any(|(marked, _)| *marked) && pieces.len() <= MOST_PIECES;
    let mut carets = String::new();
    for (marked, text) in pieces {
        let marked = *marked && partly;
        let text = visible(text, marked);
        let ink = if partly && !marked { Ink::Plain } else { ink };
        let mark = if marked { "^" } else { " " };
        carets.push_str(&mark.repeat(text.width()));
        match spans.last_mut() {
            Some(last) if last.ink == ink => last.text.push_str(&text),
            _ => spans.push(Span::new(text, ink)),
        }
    }
    figure.push(spans);
    if partly && tag == ChangeTag::Insert {
        let indent = " ".repeat(margin.width());
        figure.push([Span::new(
            format!("{indent}{}", carets.trim_end()),
            Ink::Bad,
        )]);
    }
}

/// At most so many bytes of a line around a place, escaped but for tabs and carriage returns.
fn clip(line: &[u8], focus: usize) -> String {
    let cut = |at: usize| {
        // Not inside a UTF-8 character.
        (at.saturating_sub(3)..=at)
            .rev()
            .find(|place| line.get(*place).is_none_or(|byte| byte & 0xc0 != 0x80))
            .unwrap_or(at)
    };
    let start = if line.len() <= WIDTH {
        0
    } else {
        cut(focus.saturating_sub(WIDTH / 2).min(line.len() - WIDTH))
    };
    let end = cut((start + WIDTH).min(line.len()));
    let mut text = String::new();
    if start > 0 {
        text.push('…');
    }
    for part in line[start..end].split_inclusive(|byte| matches!(byte, b'\t' | b'\r')) {
        match part.split_last() {
            Some((last @ (b'\t' | b'\r'), before)) => {
                text.push_str(&escaped(before));
                text.push(char::from(*last));
            }
            _ => text.push_str(&escaped(part)),
        }
    }
    if end < line.len() {
        text.push('…');
    }
    text
}

/// Tabs and carriage returns always as signs, spaces where they are what differs.
fn visible(text: &str, marked: bool) -> String {
    text.chars()
        .map(|character| match character {
            '\t' => '→',
            '\r' => '␍',
            ' ' if marked => '·',
            c => c,
        })
        .collect()
}

/// The neighbourhood of two tokens that differ, on one line each, the found one pointed at.
pub(crate) fn token_figure(expected: &Neighbourhood, found: &Neighbourhood) -> Figure {
    let mut figure = Figure::default();
    figure.push(legend());
    // Both sides start alike as far as their tokens are the same, so the places agree.
    figure.push([
        Span::new(format!("- {}", expected.before), Ink::Plain),
        Span::new(expected.token.clone(), Ink::Good),
        Span::new(expected.after.clone(), Ink::Plain),
    ]);
    figure.push([
        Span::new(format!("+ {}", found.before), Ink::Plain),
        Span::new(found.token.clone(), Ink::Bad),
        Span::new(found.after.clone(), Ink::Plain),
    ]);
    let width = found
        .token
        .chars()
        .map(|c| c.width().unwrap_or(0))
        .sum::<usize>()
        .max(1);
    let indent = " ".repeat(2 + found.before.width());
    figure.push([Span::new(
        format!("{indent}{}", "^".repeat(width)),
        Ink::Bad,
    )]);
    figure
}

/// A token with those beside it.
pub(crate) struct Neighbourhood {
    /// Those before it, each followed by a space.
    before: String,
    /// The token; empty when the text ends there.
    token: String,
    /// Those after it, each preceded by a space.
    after: String,
}

impl Neighbourhood {
    /// The token of that index, from 0, in a text.
    pub(crate) fn new(text: &[u8], index: usize) -> Self {
        const BESIDE: usize = 4;
        const TOKEN: usize = 24;
        let short = |bytes: &[u8]| grader_model::Excerpt::first(bytes, TOKEN).to_string();
        let skipped = index.saturating_sub(BESIDE);
        let mut tokens = crate::scan::tokens(text).skip(skipped);
        let mut before = if skipped > 0 {
            "… ".to_owned()
        } else {
            String::new()
        };
        for token in tokens.by_ref().take(index - skipped) {
            before.push_str(&short(token.bytes));
            before.push(' ');
        }
        let token = tokens.next().map(|it| short(it.bytes)).unwrap_or_default();
        let mut after = String::new();
        for token in tokens.by_ref().take(BESIDE) {
            after.push(' ');
            after.push_str(&short(token.bytes));
        }
        if tokens.next().is_some() {
            after.push_str(" …");
        }
        Self {
            before,
            token,
            after,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(expected: &[&str], found: &[&str], changed: usize) -> String {
        let bytes = |lines: &[&str]| -> Vec<Vec<u8>> {
            lines.iter().map(|line| line.as_bytes().to_vec()).collect()
        };
        let (expected, found) = (bytes(expected), bytes(found));
        let expected: Vec<&[u8]> = expected.iter().map(Vec::as_slice).collect();
        let found: Vec<&[u8]> = found.iter().map(Vec::as_slice).collect();
        figure(&expected, &found, 9, changed).plain()
    }

    #[test]
    fn the_differing_part_of_a_line_is_pointed_at() {
        assert_eq!(
            drawn(
                &["1 3 5 2 4", "2 4 1 3 5", "4"],
                &["1 3 5 2 4", "2 4 7 3 5", "4"],
                1
            ),
            "- expected 期望   + found 实际
   9 | 1 3 5 2 4
- 10 | 2 4 1 3 5
+ 10 | 2 4 7 3 5
           ^
  11 | 4"
        );
    }

    #[test]
    fn blanks_that_differ_are_visible() {
        assert_eq!(
            drawn(&["1 3 5 2 4"], &["1 3\t5  2 4\r"], 0),
            "- expected 期望   + found 实际
-  9 | 1 3·5·2 4
+  9 | 1 3→5··2 4␍
          ^ ^^"
        );
    }

    #[test]
    fn a_line_too_much_is_shown_as_such() {
        assert_eq!(
            drawn(
                &["1 2", "3 4", "5 6", "7 8"],
                &["1 2", "皇后 1", "3 4", "5 6", "7 8"],
                1
            ),
            "- expected 期望   + found 实际
   9 | 1 2
+ 10 | 皇后 1
  11 | 3 4
  12 | 5 6"
        );
    }

    #[test]
    fn a_long_line_is_cut_round_the_difference() {
        let expected = "ab ".repeat(1000);
        let found = format!("{}xb {}", "ab ".repeat(500), "ab ".repeat(499));
        assert_eq!(
            drawn(&[&expected], &[&found], 0),
            "- expected 期望   + found 实际
-  9 | …b ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab ab…
+  9 | …b ab ab ab ab ab ab ab ab ab ab xb ab ab ab ab ab ab ab ab ab ab…
                                        ^^"
        );
    }
}
