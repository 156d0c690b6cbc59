//! A board drawn with two symbols, any legal one.
//!
//! Layout: a legal board with text or blanks around its rows, in other symbols, with other separators, or inside a
//! frame. More than one board is wrong.

use grader_model::{Evidence, Excerpt, Judgement, Mark};
use grader_queens::{Board, Cell, Queens as _};

use crate::foreign::{self, Foreign};
use crate::rows::{Format, RowError};
use crate::{attack, extra, message, scan};

pub(crate) fn check(output: &[u8], format: &Format<'_>) -> Judgement {
    let size = format.size as usize;
    let lines = lines(output, format);
    // Counted before any is kept: hostile outputs have many more than are asked for.
    let count = lines.clone().count();
    if count == size
        && let Some(board) = board(lines.clone(), format)
    {
        let note = message::blanks_forgiven(output);
        return attack::check(&board, true, note.into_iter().collect());
    }
    let rows = rows(lines.clone(), format).count();
    inside_text(lines.clone(), rows, format)
        .or_else(|| {
            let board = foreign::read(lines.clone(), format.size)?;
            let note = symbols(&board, format);
            Some(attack::check(&board.placement, false, vec![note]))
        })
        .or_else(|| of_other_size(lines.clone(), format))
        .unwrap_or_else(|| Judgement {
            mark: Mark::Wrong,
            evidence: malformed(lines, count, rows, format),
        })
}

/// The rows of the board that lines end with.
fn rows<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    format: &Format<'_>,
) -> impl Iterator<Item = &'a [u8]> + Clone {
    lines.filter_map(|line| Some(&line[row_start(line, format)?..]))
}

/// Where a row of the board starts that a line ends with: after blanks or a prompt.
fn row_start(line: &[u8], format: &Format<'_>) -> Option<usize> {
    // No more, for each may be read to the end of a long line.
    const MAX_WORDS: usize = 8;
    let is_row = |at: &usize| format.read(&line[*at..], |_| ()).is_ok();
    if format.blank_is_white() {
        return Some(0).filter(is_row);
    }
    let mut words = scan::tokens(line).take(MAX_WORDS).map(|word| word.at);
    words.find(is_row)
}

/// The lines without blanks at their ends. If empty cells are white space, blank rows may be missing at the end: they
/// are empty, yet a part of the output.
fn lines<'a>(output: &'a [u8], format: &Format<'_>) -> impl Iterator<Item = &'a [u8]> + Clone {
    let written = scan::bare_lines(output);
    let size = format.size as usize;
    let missing = if format.blank_is_white() && size <= output.len() {
        size.saturating_sub(written.clone().count())
    } else {
        0
    };
    written.chain(std::iter::repeat_n(&output[output.len()..], missing))
}

/// The board of rows that are all well written.
fn board<'a>(lines: impl Iterator<Item = &'a [u8]>, format: &Format<'_>) -> Option<Board> {
    // More queens than rows attack each other among the first ones, in reading order.
    let most = 4 * format.size as usize + 1000;
    let mut cells = Vec::new();
    for (row, line) in (0..).zip(lines) {
        let keep = |column| {
            if cells.len() < most {
                cells.push(Cell::new(row, column));
            }
        };
        format.read(line, keep).ok()?;
    }
    Board::new(format.size, cells).ok()
}

/// Exactly one board among other lines, or with blanks before its rows.
fn inside_text<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    count: usize,
    format: &Format<'_>,
) -> Option<Judgement> {
    if format.blank_is_white() || count != format.size as usize {
        return None;
    }
    let other = lines
        .clone()
        .find_map(|line| match row_start(line, format) {
            Some(at) if scan::is_blank(&line[..at]) => None,
            Some(at) => Some(extra::around(&line[..at], b"")),
            None if line.is_empty() => None,
            None => {
                let text = message::quote(line);
                Some(message::evidence(
                    "extra-text",
                    format!("there is other text around the board: {text}"),
                    format!("棋盘周围还有其他文字：{text}"),
                ))
            }
        });
    let note = other.unwrap_or_else(|| {
        message::evidence(
            "other-blanks",
            "there are blanks before the rows of the board, or blank lines before or between them",
            "棋盘各行之前有空白，或行前、行间有空行",
        )
    });
    let rows = rows(lines, format);
    Some(attack::check(&board(rows, format)?, false, vec![note]))
}

/// In which symbols a board is drawn, and in which it should be.
fn symbols(board: &Foreign<'_>, format: &Format<'_>) -> Evidence {
    let first = board.placement.columns().first().copied().unwrap_or(0);
    let (row, row_found) = (format.row(first), Excerpt::new(board.first_row));
    let quote = message::quote;
    let [queen, blank] = [format.queen, format.blank].map(|symbol| quote(symbol.as_bytes()));
    let found_queen = board.queen.map(quote);
    let found_blank = quote(board.blank);
    let evidence = if found_queen.as_ref() == Some(&queen) && found_blank == blank {
        let row = quote(row.as_bytes());
        message::evidence(
            "other-separator",
            format!(
                "a board with other separators between the cells; this task asks for a first row like {row}"
            ),
            format!("棋盘格子之间的分隔不同；第一行应写成 {row}"),
        )
    } else {
        let (found, found_zh) = found_queen.map_or_else(
            || {
                (
                    "a different symbol for each queen".to_owned(),
                    "每个皇后用了不同的符号".to_owned(),
                )
            },
            |found| {
                (
                    format!("{found} for a queen"),
                    format!("用 {found} 表示皇后"),
                )
            },
        );
        message::evidence(
            "other-symbols",
            format!(
                "a board with {found} and {found_blank} for blank; this task asks for {queen} and {blank}"
            ),
            format!("棋盘{found_zh}，用 {found_blank} 表示空格；本题要求用 {queen} 和 {blank}"),
        )
    };
    evidence.with_pair(Excerpt::new(row.as_bytes()), row_found)
}

/// One board of another size: the program may have a size of its own.
fn of_other_size<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    format: &Format<'_>,
) -> Option<Judgement> {
    let (asked, size) = (format.size, foreign::size_of(lines.clone())?);
    let other = Format { size, ..*format };
    let is_legal = match board(lines.clone(), &other) {
        Some(board) => board.is_legal(),
        None => foreign::read(lines, size)?.placement.is_legal(),
    };
    let (a_board, a_board_zh) = if is_legal {
        ("a legal board", "棋盘合法，但")
    } else {
        ("a board", "棋盘")
    };
    Some(Judgement::because(
        Mark::Wrong,
        message::evidence(
            "other-size",
            format!("{a_board} of {size} × {size} cells; this task asks for {asked} × {asked}"),
            format!("{a_board_zh}大小为 {size} × {size}；本题要求 {asked} × {asked}"),
        ),
    ))
}

/// A wrong number of lines, and the first that is no row.
fn malformed<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    count: usize,
    rows: usize,
    format: &Format<'_>,
) -> Vec<Evidence> {
    let size = format.size as usize;
    let mut evidence = Vec::new();
    if count != size {
        let (hint, hint_zh) = if rows >= 2 * size {
            (
                ": all solutions? one is asked",
                "：是否输出了所有解？只要求一个",
            )
        } else {
            ("", "")
        };
        let expected = message::count(size, "line");
        evidence.push(message::evidence(
            "line-count",
            format!("expected {expected}, found {count}{hint}"),
            format!("应有 {size} 行，实有 {count} 行{hint_zh}"),
        ));
    }
    let mistake = (1..).zip(lines).find_map(|(number, line)| {
        let error = format.read(line, |_| ()).err()?;
        Some(bad_row(number, line, error, format))
    });
    evidence.extend(mistake);
    evidence
}

fn bad_row(number: usize, line: &[u8], error: RowError, format: &Format<'_>) -> Evidence {
    let (at, code, en, zh) = match error {
        _ if line.is_empty() => (
            0,
            "line-length",
            format!("line {number} is blank"),
            format!("第 {number} 行是空行"),
        ),
        RowError::Length(cells) => {
            let expected = message::count(format.size as usize, "cell");
            (
                0,
                "line-length",
                format!("line {number}: expected {expected}, found {cells}"),
                format!("第 {number} 行：应有 {} 格，实有 {cells} 格", format.size),
            )
        }
        RowError::Symbol { cell, at } => {
            let quote = |symbol: &str| message::quote(symbol.as_bytes());
            let (queen, blank) = (quote(format.queen), quote(format.blank));
            let found = message::quote(scan::first_character(&line[at..]));
            (
                at,
                "unknown-symbol",
                format!("line {number}, cell {cell}: expected {queen} or {blank}, found {found}"),
                format!("第 {number} 行第 {cell} 格：应为 {queen} 或 {blank}，实为 {found}"),
            )
        }
    };
    message::evidence(code, en, zh).with_found(Excerpt::window(line, at, Excerpt::WIDTH))
}
