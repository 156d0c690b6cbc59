//! The first difference of two texts with its context, as a figure.

use grader_model::{Excerpt, Figure, Ink, Span, escaped};
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

/// The lines around the first that differs, at index `changed`. A tab is shown as `→`, a carriage return as `␍`,
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
    let same_words = scan::words(one).eq(scan::words(two));
    let clipped = |(index, line): (usize, &[u8])| {
        if index == changed {
            clip(line, at, same_words)
        } else {
            clip(line, 0, false)
        }
    };
    let old: Vec<String> = expected
        .enumerate()
        .skip(first)
        .take(WINDOW)
        .map(clipped)
        .collect();
    let new: Vec<String> = found
        .enumerate()
        .skip(first)
        .take(WINDOW)
        .map(clipped)
        .collect();
    let start = equal_lines(&old, &new);
    let (removed, added) = resync(&old[start..], &new[start..]);
    let (removed, added) = (start..start + removed, start..start + added);
    let after = equal_lines(&old[removed.end..], &new[added.end..]).min(CONTEXT);
    let mut figure = Figure::default();
    let digits = (first + WINDOW).to_string().len();
    let margin = |sign, index| format!("{sign} {:>digits$} | ", first + index + 1);
    let equal = |figure: &mut Figure, index| {
        let margin = Span::new(margin(' ', index), Ink::Faint);
        figure.push([margin, Span::new(&new[index], Ink::Plain)]);
    };
    (0..added.start).for_each(|index| equal(&mut figure, index));
    for index in removed.clone().take(MAX_CHANGED) {
        figure.push([Span::new(margin('-', index) + &old[index], Ink::Good)]);
    }
    for index in added.clone().take(MAX_CHANGED) {
        let margin = margin('+', index);
        let width = margin.width();
        figure.push([Span::new(margin + &new[index], Ink::Bad)]);
        if index == added.start && !removed.is_empty() {
            let pairs = old[removed.start].chars().zip(new[index].chars());
            let same = pairs.take_while(|(one, two)| one == two);
            let same: usize = same.map(|(_, c)| c.width().unwrap_or(0)).sum();
            figure.push([Span::new(" ".repeat(width + same) + "^", Ink::Bad)]);
        }
    }
    (added.end..added.end + after).for_each(|index| equal(&mut figure, index));
    figure
}

/// How many lines at the beginning are the same.
fn equal_lines(old: &[String], new: &[String]) -> usize {
    let pairs = old.iter().zip(new);
    pairs.take_while(|(old, new)| old == new).count()
}

/// How many lines of each side come before the nearest line that both have; all if they have none.
fn resync(old: &[String], new: &[String]) -> (usize, usize) {
    let pairs = (0..old.len()).flat_map(|one| (0..new.len()).map(move |two| (one, two)));
    pairs
        .filter(|&(one, two)| old[one] == new[two])
        .min_by_key(|(one, two)| one + two)
        .unwrap_or((old.len(), new.len()))
}

/// At most so many bytes of a line around a place, escaped; tabs and carriage returns, and spaces if asked, as signs.
fn clip(line: &[u8], at: usize, show_spaces: bool) -> String {
    let excerpt = Excerpt::around(line, at, WIDTH);
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
