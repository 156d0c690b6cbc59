//! Boards in whatever symbols a student chose.

use std::collections::{BTreeMap, BTreeSet};

use grader_queens::Placement;

use crate::scan;

/// A board with one queen in each row, drawn with other symbols or separators than were asked for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Foreign<'a> {
    /// Where the queens are.
    pub(crate) placement: Placement,
    /// The symbol of an empty cell.
    pub(crate) blank: &'a [u8],
    /// The symbol of a queen; nothing when every queen has its own.
    pub(crate) queen: Option<&'a [u8]>,
    /// The first row as it was written.
    pub(crate) first_row: &'a [u8],
    /// Whether there are other lines round the board.
    pub(crate) framed: bool,
}

/// Tells the cells of a row of so many apart; nothing when they are not so many.
type Split = fn(&[u8], usize) -> Option<Vec<&[u8]>>;

/// The ways to tell cells apart in any row, the plainest first.
const SPLITS: [Split; 2] = [split_characters, split_words];

/// Smallest board that is recognised: below it there are no legal ones, or nothing to tell symbols by.
const SMALLEST: u32 = 4;
/// Largest board that is recognised: nobody looks at a larger one, and its cells would need much memory.
const LARGEST: u32 = 512;

/// Most lines that may stand round a board: a heading, a caption. More is more than a board.
const MOST_OTHER_LINES: usize = 3;
/// Number of lines among which the first of several boards is looked for.
const MOST_BEFORE: usize = 16;

/// The size of the board that all the lines are, whatever was asked for.
pub(crate) fn size_of<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Option<u32> {
    let rows = lines
        .filter(|line| !is_frame(line))
        .take(LARGEST as usize + 1);
    u32::try_from(rows.count())
        .ok()
        .filter(|rows| (SMALLEST..=LARGEST).contains(rows))
}

/// Reads a board of that size from lines without blanks at their ends.
pub(crate) fn read<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    size: u32,
) -> Option<Foreign<'a>> {
    let size = side(size)?;
    let mut rows = lines.clone().filter(|line| !is_frame(line));
    // Counted before any is kept: hostile outputs have many more than are asked for.
    let count = rows.clone().count();
    if count == 1 {
        return read_list(rows.next()?, size);
    }
    if count < size || count > size + MOST_OTHER_LINES.min(size - 1) {
        return None;
    }
    let framed = count > size || lines.count() > count;
    let mut rows: Vec<&[u8]> = rows.collect();
    let board = rows.windows(size).find_map(any_split);
    if let Some(board) = board {
        return Some(Foreign { framed, ..board });
    }
    // A prompt without a line feed stands before the first row.
    rows.truncate(size);
    rows[0] = scan::tokens(rows[0]).next_back()?.bytes;
    any_split(&rows).map(|board| Foreign {
        framed: true,
        ..board
    })
}

/// The size as a length, if such boards are recognised.
fn side(size: u32) -> Option<usize> {
    (SMALLEST..=LARGEST)
        .contains(&size)
        .then_some(size as usize)
}

/// A board on one line: a list of rows, or a list of lists of cells.
fn read_list(line: &[u8], size: usize) -> Option<Foreign<'_>> {
    let most = size * size;
    if line.len() < most {
        return None;
    }
    let words: Vec<&[u8]> = words(line).take(most + 1).collect();
    if words.len() == size {
        any_split(&words)
    } else if words.len() == most {
        from_cells(
            &words
                .chunks(size)
                .map(<[&[u8]]>::to_vec)
                .collect::<Vec<_>>(),
            line,
        )
    } else {
        None
    }
}

/// The first of several boards: consecutive lines of a long output, from near its start on.
pub(crate) fn read_first<'a>(
    lines: impl Iterator<Item = &'a [u8]>,
    size: u32,
) -> Option<Foreign<'a>> {
    let size = side(size)?;
    let rows: Vec<&[u8]> = lines
        .filter(|line| !is_frame(line))
        .take(size + MOST_BEFORE)
        .collect();
    rows.windows(size).find_map(any_split)
}

fn any_split<'a>(rows: &[&'a [u8]]) -> Option<Foreign<'a>> {
    SPLITS
        .iter()
        .find_map(|split| read_rows(rows, *split))
        .or_else(|| {
            // Rows that begin alike are not numbered: what looks like a number is a cell of a larger board.
            let labels: BTreeSet<&[u8]> = rows.iter().filter_map(|row| words(row).next()).collect();
            let is_labelled = labels.len() == rows.len();
            is_labelled
                .then(|| read_rows(rows, split_labelled))
                .flatten()
        })
        .or_else(|| read_rows(rows, split_padded))
}

fn read_rows<'a>(rows: &[&'a [u8]], split: Split) -> Option<Foreign<'a>> {
    let size = rows.len();
    let cells: Vec<Vec<&[u8]>> = rows
        .iter()
        .map(|row| split(row, size))
        .collect::<Option<_>>()?;
    from_cells(&cells, rows[0])
}

fn from_cells<'a>(cells: &[Vec<&'a [u8]>], first_row: &'a [u8]) -> Option<Foreign<'a>> {
    let size = cells.len();
    let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
    for cell in cells.iter().flatten() {
        *counts.entry(cell).or_default() += 1;
    }
    let (blank, _) = counts.iter().max_by_key(|(_, count)| **count)?;
    let mut columns = Vec::with_capacity(size);
    let mut symbols = Vec::with_capacity(size);
    for row in cells {
        let mut queens = (0..).zip(row).filter(|(_, cell)| *cell != blank);
        let ((column, symbol), None) = (queens.next()?, queens.next()) else {
            return None;
        };
        columns.push(column);
        symbols.push(*symbol);
    }
    let alike = symbols.iter().all(|symbol| *symbol == symbols[0]);
    Some(Foreign {
        placement: Placement::new(columns).ok()?,
        blank,
        queen: alike.then_some(symbols[0]),
        first_row,
        framed: false,
    })
}

/// Whether a line is blank or only draws a frame.
fn is_frame(line: &[u8]) -> bool {
    line.iter().all(|byte| {
        matches!(
            byte,
            b'+' | b'-' | b'=' | b'|' | b'_' | b' ' | b'\t' | b'\r'
        )
    })
}

/// One character, one cell.
fn split_characters(line: &[u8], size: usize) -> Option<Vec<&[u8]>> {
    let cells = characters(scan::trim(line), size)?;
    (cells.len() == size && cells.iter().all(|cell| !scan::is_blank(cell))).then_some(cells)
}

/// One character, one cell, and a space is an empty one.
fn split_padded(line: &[u8], size: usize) -> Option<Vec<&[u8]>> {
    let mut cells = characters(line, size)?;
    cells.resize(size, b" ");
    Some(cells)
}

/// Words between white space and punctuation.
fn split_words(line: &[u8], size: usize) -> Option<Vec<&[u8]>> {
    let cells: Vec<&[u8]> = words(line).take(size + 1).collect();
    if let [only] = cells[..] {
        return split_characters(only, size);
    }
    (cells.len() == size).then_some(cells)
}

/// The same after a row number.
fn split_labelled(line: &[u8], size: usize) -> Option<Vec<&[u8]>> {
    let mut cells = words(line);
    let label = cells.next()?;
    let label_is_short = label.len() <= 5;
    let rest: Vec<&[u8]> = cells.take(size + 1).collect();
    if let [only] = rest[..] {
        return split_characters(only, size).filter(|_| label_is_short);
    }
    (label_is_short && rest.len() == size).then_some(rest)
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| scan::is_space(*byte) || b"|,;[](){}'\"".contains(byte))
        .filter(|word| !word.is_empty())
}

/// The characters of a line, bytes that are no UTF-8 one by one; nothing when there are more than `most`.
fn characters(line: &[u8], most: usize) -> Option<Vec<&[u8]>> {
    let mut cells = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        if cells.len() == most {
            return None;
        }
        let length = (1..=rest.len().min(4))
            .find(|length| std::str::from_utf8(&rest[..*length]).is_ok())
            .unwrap_or(1);
        let (cell, after) = rest.split_at(length);
        cells.push(cell);
        rest = after;
    }
    Some(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Option<(Vec<u32>, String, Option<String>, bool)> {
        let board = read(scan::bare_lines(text.as_bytes()), 4)?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Some((
            board.placement.columns().to_vec(),
            text(board.blank),
            board.queen.map(text),
            board.framed,
        ))
    }

    #[test]
    fn boards_are_recognised_in_many_symbols() {
        for (text, blank, queen, framed) in [
            (".Q..\n...Q\nQ...\n..Q.\n", ".", Some("Q"), false),
            (
                "0 1 0 0\n0 0 0 1\n1 0 0 0\n0 0 1 0\n",
                "0",
                Some("1"),
                false,
            ),
            ("0 1 0 0\n0 0 0 2\n3 0 0 0\n0 0 4 0\n", "0", None, false),
            (
                "_|*|_|_\n_|_|_|*\n*|_|_|_\n_|_|*|_\n",
                "_",
                Some("*"),
                false,
            ),
            (
                "+\t♕\t+\t+\n+\t+\t+\t♕\n♕\t+\t+\t+\n+\t+\t♕\t+\n",
                "+",
                Some("♕"),
                false,
            ),
            (" Q\n   Q\nQ\n  Q\n", " ", Some("Q"), false),
            (
                "['.', 'Q', '.', '.']\n[. . . Q]\n[Q...]\n..Q.\n",
                ".",
                Some("Q"),
                false,
            ),
            (
                "  a b c d\n1 . Q . .\n2 . . . Q\n3 Q . . .\n4 . . Q .\n",
                ".",
                Some("Q"),
                true,
            ),
            (
                "+---+\n|.Q..|\n|...Q|\n|Q...|\n|..Q.|\n+---+\n",
                ".",
                Some("Q"),
                true,
            ),
            (
                "Solution:\n.Q..\n...Q\nQ...\n..Q.\nDone\n",
                ".",
                Some("Q"),
                true,
            ),
        ] {
            let expected = Some((
                vec![1, 3, 0, 2],
                blank.to_owned(),
                queen.map(str::to_owned),
                framed,
            ));
            assert_eq!(seen(text), expected, "{text}");
        }
    }

    #[test]
    fn boards_are_recognised_behind_a_prompt_and_as_lists() {
        let seen = |text| seen(text).map(|(columns, ..)| columns);
        for text in [
            "Enter n: .Q..\n...Q\nQ...\n..Q.\n",
            "[[0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0]]\n",
            "['.Q..', '...Q', 'Q...', '..Q.']\n",
        ] {
            assert_eq!(seen(text), Some(vec![1, 3, 0, 2]), "{text}");
        }
    }

    #[test]
    fn a_part_of_a_larger_board_is_no_board() {
        // Without its first row and column it would be a legal one.
        let larger = "1 0 0 0 0\n0 0 1 0 0\n0 0 0 0 1\n0 1 0 0 0\n0 0 0 1 0\n";
        assert_eq!(seen(larger), None);
        assert_eq!(size_of(scan::bare_lines(larger.as_bytes())), Some(5));
    }

    #[test]
    fn other_text_is_no_board() {
        assert_eq!(seen("one\ntwo\nthree\nfour\n"), None);
        assert_eq!(seen("1 2 3 4\n"), None);
        assert_eq!(seen(".Q..\n...Q\nQQ..\n..Q.\n"), None);
    }
}
