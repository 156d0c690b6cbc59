//! Boards in whatever symbols a student chose.

use std::collections::BTreeMap;

use grader_queens::Placement;

use crate::scan;

/// A board with one queen in each row, drawn with other symbols or separators than were asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Foreign<'a> {
    /// Where the queens are.
    pub(crate) placement: Placement,
    /// The symbol of an empty cell.
    pub(crate) blank: &'a [u8],
    /// The symbol of a queen; `None` if every queen has its own.
    pub(crate) queen: Option<&'a [u8]>,
    /// The first row as it was written.
    pub(crate) first_row: &'a [u8],
}

/// Smallest board that is recognised: below it there are no legal ones, or nothing to tell symbols by.
const SMALLEST: usize = 4;
/// Largest board that is recognised: nobody looks at a larger one, and its cells would need much memory.
const LARGEST: usize = 512;
/// Most lines that may stand around a board: a heading, a caption.
const MAX_OTHER_LINES: usize = 3;

/// The size of the board that all the lines are, whatever was asked for.
pub(crate) fn size_of<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Option<u32> {
    let rows = lines.filter(|line| !is_frame(line)).take(LARGEST + 1);
    let count = rows.count();
    (SMALLEST..=LARGEST)
        .contains(&count)
        .then_some(count as u32)
}

/// Reads a board of that size from lines without blanks at their ends.
pub(crate) fn read<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    size: u32,
) -> Option<Foreign<'a>> {
    let size = size as usize;
    let rows = lines.filter(|line| !is_frame(line));
    let count = rows.clone().take(size + MAX_OTHER_LINES + 1).count();
    let most = size + MAX_OTHER_LINES.min(size.saturating_sub(1));
    if !(SMALLEST..=LARGEST).contains(&size) || !(size..=most).contains(&count) {
        return None;
    }
    let rows: Vec<&[u8]> = rows.collect();
    rows.windows(size)
        .find_map(|rows| from_rows(rows, characters).or_else(|| from_rows(rows, words)))
}

fn from_rows<'a>(
    rows: &[&'a [u8]],
    split: impl Fn(&'a [u8], usize) -> Vec<&'a [u8]>,
) -> Option<Foreign<'a>> {
    let cells: Vec<Vec<&[u8]>> = rows.iter().map(|row| split(row, rows.len() + 1)).collect();
    if cells.iter().any(|row| row.len() != rows.len()) {
        return None;
    }
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    for cell in cells.iter().flatten() {
        *counts.entry(cell).or_default() += 1;
    }
    let (blank, _) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    let (mut columns, mut symbols) = (Vec::new(), Vec::new());
    for row in &cells {
        let mut queens = (0..).zip(row).filter(|(_, cell)| **cell != blank);
        let ((column, symbol), None) = (queens.next()?, queens.next()) else {
            return None;
        };
        columns.push(column);
        symbols.push(*symbol);
    }
    let are_alike = symbols.iter().all(|symbol| *symbol == symbols[0]);
    Some(Foreign {
        placement: Placement::new(columns).ok()?,
        blank,
        queen: are_alike.then(|| symbols[0]),
        first_row: rows[0],
    })
}

/// Whether a line is blank or only draws a frame.
fn is_frame(line: &[u8]) -> bool {
    line.iter().all(|byte| b"+-=|_ \t\r".contains(byte))
}

/// One character, one cell: at most so many. A frame or brackets may stand around them.
fn characters(line: &[u8], most: usize) -> Vec<&[u8]> {
    let only = words(line, 2);
    let [mut rest] = only[..] else {
        return Vec::new();
    };
    let mut cells = Vec::new();
    while !rest.is_empty() && cells.len() < most {
        let (cell, after) = rest.split_at(scan::first_character(rest).len());
        cells.push(cell);
        rest = after;
    }
    cells
}

/// Words between white space and punctuation, at most so many.
fn words(line: &[u8], most: usize) -> Vec<&[u8]> {
    line.split(|byte| scan::is_space(*byte) || b"|,;[](){}'\"".contains(byte))
        .filter(|word| !word.is_empty())
        .take(most)
        .collect()
}
