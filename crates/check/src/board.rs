//! A board drawn with two symbols: any legal board is right.
//!
//! `Layout`: a legal board with text or spaces around its rows, different symbols or separators, or a frame. More than
//! one board is wrong.

use std::collections::BTreeMap;

use grader_model::{Evidence, Excerpt, Judgement, Mark, Text, text};
use grader_queens::{Board, Cell};

use crate::constants::FOREIGN_SIZES;
use crate::scan::is_space;
use crate::{attack, extra, message, scan};

/// The required form of a board.
#[derive(Clone, Copy)]
pub(crate) struct BoardFormat<'a> {
    /// Number of rows and columns.
    pub(crate) size: u32,
    pub(crate) queen: &'a str,
    /// The symbol of an empty cell.
    pub(crate) blank: &'a str,
    /// The separator between cells.
    pub(crate) separator: &'a str,
}

/// Why a line is not a row of the board.
enum RowError {
    /// A wrong symbol or separator at this byte, in this cell (from 1).
    Symbol { cell: usize, at: usize },
    /// Right symbols, but this number of cells.
    Length(usize),
}

pub(crate) fn check(output: &[u8], format: &BoardFormat<'_>) -> Judgement {
    // Lines are not collected: a hostile output may have millions.
    let lines = scan::bare_lines(output);
    if let Some(board) = format.board(lines.clone()) {
        let mut judgement = attack::check(&board, None);
        if judgement.mark == Mark::Right {
            judgement.evidence.extend(message::blanks_ignored(output));
        }
        return judgement;
    }
    let rows = lines.clone().filter_map(|line| format.row_at_end(line));
    if let Some(board) = format.board(rows.clone()) {
        return attack::check(&board, Some(around_rows(output, rows)));
    }
    if let Some(foreign) = ForeignBoard::read(lines.clone(), format.size) {
        return attack::check(&foreign.board, Some(foreign.symbols(format)));
    }
    if let Some(evidence) = other_size(lines.clone(), format) {
        return Judgement::because(Mark::Wrong, evidence);
    }
    Judgement {
        mark: Mark::Wrong,
        evidence: malformed(lines, rows.count(), format),
    }
}

impl BoardFormat<'_> {
    /// Reads a line without spaces at its end. Calls `queen` with the column, from 0, of each queen on the board.
    fn read(&self, line: &[u8], mut queen: impl FnMut(u32)) -> Result<(), RowError> {
        let (mut at, mut cells) = (0, 0);
        // The longer symbol first: one may be a prefix of the other.
        let mut symbols = [self.queen, self.blank];
        symbols.sort_by_key(|symbol| std::cmp::Reverse(symbol.len()));
        while at < line.len() {
            let error = RowError::Symbol {
                cell: cells + 1,
                at,
            };
            if cells > 0 {
                if !line[at..].starts_with(self.separator.as_bytes()) {
                    return Err(error);
                }
                at += self.separator.len();
            }
            let is_there =
                |symbol: &&str| !symbol.is_empty() && line[at..].starts_with(symbol.as_bytes());
            let Some(symbol) = symbols.into_iter().find(is_there) else {
                return Err(error);
            };
            if symbol == self.queen && cells < self.size as usize {
                queen(cells as u32);
            }
            at += symbol.len();
            cells += 1;
        }
        if cells == self.size as usize {
            Ok(())
        } else {
            Err(RowError::Length(cells))
        }
    }

    /// The board, if the number of rows is right and all are well-formed.
    fn board<'a>(&self, rows: impl Iterator<Item = &'a [u8]> + Clone) -> Option<Board> {
        if rows.clone().count() != self.size as usize {
            return None;
        }
        // Surplus queens attack others among the first ones, so the rest need not be stored.
        let max = 4 * self.size as usize + 1000;
        let mut cells = Vec::new();
        for (row, line) in (0..).zip(rows) {
            let keep = |column| {
                if cells.len() < max {
                    cells.push(Cell { row, column });
                }
            };
            self.read(line, keep).ok()?;
        }
        Board::new(self.size, cells).ok()
    }

    /// The row at the end of a line after spaces or a prompt.
    fn row_at_end<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        // Each attempt may read to the end of a long line, so only a few are made.
        const MAX_WORDS: usize = 8;
        let words = scan::words(line).take(MAX_WORDS);
        let mut ends = words.map(|word| &line[scan::range(line, word).start..]);
        ends.find(|end| self.read(end, |_| ()).is_ok())
    }

    /// A row in the required form with its queen in this column.
    fn row(&self, queen: u32) -> String {
        let symbol = |column| {
            if column == queen {
                self.queen
            } else {
                self.blank
            }
        };
        let cells: Vec<&str> = (0..self.size).map(symbol).collect();
        cells.join(self.separator)
    }
}

/// A note on spaces or text around the rows of a board.
fn around_rows<'a>(output: &[u8], rows: impl Iterator<Item = &'a [u8]> + Clone) -> Evidence {
    let range = |row| scan::range(output, row);
    let start = rows.clone().next().map_or(0, |row| range(row).start);
    let end = rows.last().map_or(0, |row| range(row).end);
    let (before, after) = (&output[..start], &output[end..]);
    if scan::is_blank(before) && scan::is_blank(after) {
        return Evidence::new(
            "other-blanks",
            Text::new(
                "there are spaces or other text before or between the rows of the board",
                "棋盘前面或各行之间有空白或其他文字",
            ),
        );
    }
    extra::around(before, after)
}

/// A board with one queen in each row, but with different symbols or separators.
struct ForeignBoard<'a> {
    board: Board,
    /// The symbol of an empty cell.
    blank: &'a [u8],
    /// The symbol of a queen; `None` if every queen has its own.
    queen: Option<&'a [u8]>,
    /// The first row in the output.
    first_row: &'a [u8],
}

/// Lines that are neither blank nor part of a frame.
fn without_frames<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
) -> impl Iterator<Item = &'a [u8]> + Clone {
    lines.filter(|line| !line.iter().all(|byte| b"+-=|_ \t\r".contains(byte)))
}

impl<'a> ForeignBoard<'a> {
    /// Reads a board of this size, with an optional heading or caption.
    fn read(lines: impl Iterator<Item = &'a [u8]> + Clone, size: u32) -> Option<Self> {
        const MAX_OTHER_LINES: usize = 3;
        let size = size as usize;
        let rows: Vec<&[u8]> = without_frames(lines)
            .take(*FOREIGN_SIZES.end() + MAX_OTHER_LINES + 1)
            .collect();
        let max = size + MAX_OTHER_LINES.min(size.saturating_sub(1));
        if !FOREIGN_SIZES.contains(&size) || rows.len() > max {
            return None;
        }
        let mut boards = rows.windows(size);
        boards.find_map(|rows| {
            Self::from_rows(rows, characters).or_else(|| Self::from_rows(rows, words))
        })
    }

    fn from_rows(
        rows: &[&'a [u8]],
        split: impl Fn(&'a [u8], usize) -> Vec<&'a [u8]>,
    ) -> Option<Self> {
        let cells: Vec<Vec<&[u8]>> = rows.iter().map(|row| split(row, rows.len() + 1)).collect();
        if cells.iter().any(|row| row.len() != rows.len()) {
            return None;
        }
        let mut counts: BTreeMap<&[u8], usize> = BTreeMap::new();
        for cell in cells.iter().flatten() {
            *counts.entry(cell).or_default() += 1;
        }
        let (blank, _) = counts.into_iter().max_by_key(|(_, count)| *count)?;
        let (mut queens, mut symbols) = (Vec::new(), Vec::new());
        for (row, cells) in (0..).zip(&cells) {
            let mut others = (0..).zip(cells).filter(|(_, cell)| **cell != blank);
            let ((column, symbol), None) = (others.next()?, others.next()) else {
                return None;
            };
            queens.push(Cell { row, column });
            symbols.push(*symbol);
        }
        let are_alike = symbols.iter().all(|symbol| *symbol == symbols[0]);
        Some(Self {
            board: Board::new(rows.len() as u32, queens).ok()?,
            blank,
            queen: are_alike.then(|| symbols[0]),
            first_row: rows[0],
        })
    }

    /// A note on its symbols and the required ones.
    fn symbols(&self, format: &BoardFormat<'_>) -> Evidence {
        let quote = message::quote;
        let [queen, blank] = [format.queen, format.blank].map(|symbol| quote(symbol.as_bytes()));
        let row = format.row(self.board.queens().first().map_or(0, |queen| queen.column));
        let found_blank = quote(self.blank);
        let evidence = if self.queen == Some(format.queen.as_bytes()) && found_blank == blank {
            let row = quote(row.as_bytes());
            Evidence::new(
                "other-separator",
                text!(
                    "the board's cells are not separated as this task requires; its first row should look like {row}",
                    "格子之间的分隔不符合要求；本题的第一行应写成 {row} 这样"
                ),
            )
        } else {
            let found = match self.queen.map(quote) {
                Some(symbol) => text!("{symbol} for a queen", "用 {symbol} 表示皇后"),
                None => Text::new("a different symbol for each queen", "中各个皇后的符号不同"),
            };
            Evidence::new(
                "other-symbols",
                text!(
                    "a board with {found} and {found_blank} for an empty square; this task asks for {queen} and {blank}",
                    "棋盘{found}，用 {found_blank} 表示空位；本题要求用 {queen} 和 {blank}",
                    found
                ),
            )
        };
        evidence.with_pair(Excerpt::new(row.as_bytes()), Excerpt::new(self.first_row))
    }
}

/// Cells of one character each, at most `max`, inside a frame or brackets if there are any.
fn characters(line: &[u8], max: usize) -> Vec<&[u8]> {
    let [mut rest] = words(line, 2)[..] else {
        return Vec::new();
    };
    let mut cells = Vec::new();
    while !rest.is_empty() && cells.len() < max {
        let (cell, after) = rest.split_at(scan::first_character(rest).len());
        cells.push(cell);
        rest = after;
    }
    cells
}

/// At most `max` words between white space and punctuation.
fn words(line: &[u8], max: usize) -> Vec<&[u8]> {
    line.split(|byte| is_space(*byte) || b"|,;[](){}'\"".contains(byte))
        .filter(|word| !word.is_empty())
        .take(max)
        .collect()
}

/// A message on one board of a different size: the program may have ignored its input.
fn other_size<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    format: &BoardFormat<'_>,
) -> Option<Evidence> {
    let rows = without_frames(lines.clone()).take(*FOREIGN_SIZES.end() + 1);
    let (asked, size) = (format.size, rows.count() as u32);
    let as_asked = BoardFormat { size, ..*format }.board(lines.clone());
    let board = as_asked.or_else(|| Some(ForeignBoard::read(lines, size)?.board))?;
    let a_board = if board.is_legal() {
        Text::new("a legal board", "棋盘合法，但")
    } else {
        Text::new("a board", "棋盘")
    };
    Some(Evidence::new(
        "other-size",
        text!(
            "{a_board} of {size} × {size} cells; this task asks for {asked} × {asked}",
            "{a_board}大小为 {size} × {size}；本题要求 {asked} × {asked}",
            a_board
        ),
    ))
}

/// Messages on a wrong number of lines and on the first line that is not a row.
fn malformed<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    rows: usize,
    format: &BoardFormat<'_>,
) -> Vec<Evidence> {
    let (size, count) = (format.size as usize, lines.clone().count());
    let mut evidence = Vec::new();
    if count != size {
        let hint = if rows >= 2 * size {
            Text::new(
                ": did it print every solution? Only one is wanted",
                "：是不是把所有解都输出了？只要求输出一个",
            )
        } else {
            Text::default()
        };
        let expected = message::count(size, "line");
        evidence.push(Evidence::new(
            "line-count",
            text!(
                "expected {expected}, found {count}{hint}",
                "应有 {size} 行，实有 {count} 行{hint}",
                hint
            ),
        ));
    }
    evidence.extend((1..).zip(lines).find_map(|(number, line)| {
        let error = format.read(line, |_| ()).err()?;
        Some(bad_row(number, line, &error, format))
    }));
    evidence
}

fn bad_row(number: usize, line: &[u8], error: &RowError, format: &BoardFormat<'_>) -> Evidence {
    match *error {
        RowError::Length(cells) => {
            let (size, expected) = (format.size, message::count(format.size as usize, "cell"));
            Evidence::new(
                "line-length",
                text!(
                    "line {number}: expected {expected}, found {cells}",
                    "第 {number} 行：应有 {size} 格，实有 {cells} 格"
                ),
            )
            .with_found(Excerpt::new(line))
        }
        RowError::Symbol { cell, at } => {
            let quote = |symbol: &str| message::quote(symbol.as_bytes());
            let (queen, blank) = (quote(format.queen), quote(format.blank));
            let found = message::quote(scan::first_character(&line[at..]));
            Evidence::new(
                "unknown-symbol",
                text!(
                    "line {number}, cell {cell}: expected {queen} or {blank}, found {found}",
                    "第 {number} 行第 {cell} 格：应为 {queen} 或 {blank}，实为 {found}"
                ),
            )
            .with_found(Excerpt::around(line, at, Excerpt::WIDTH))
        }
    }
}
