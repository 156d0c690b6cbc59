//! A board drawn with two symbols, any legal one.
//!
//! Layout: a legal board with text before or after it, in other symbols, with other separators, inside a
//! frame, or as column numbers. More than one board is wrong.

use grader_model::{Evidence, Excerpt, Judgement, Mark};
use grader_queens::{Board, Cell, Queens};

use crate::board_reading::{Format, RowError};
use crate::board_survey::{Mistake, Survey};
use crate::extra::Extra;
use crate::foreign::{self, Foreign};
use crate::{attack, columns, say, scan};

pub(crate) fn judge(
    output: &[u8],
    size: u32,
    queen: &str,
    blank: &str,
    separator: &str,
) -> Judgement {
    let format = Format {
        size,
        queen,
        blank,
        separator,
    };
    let lines = lines(output, &format);
    let survey = Survey::of(lines.clone(), &format);
    if survey.lines == size as usize
        && let Some(board) = board(lines.clone(), &format)
    {
        let problems = attack::problems(&board);
        return if problems.is_empty() {
            Judgement {
                mark: Mark::Right,
                evidence: say::blanks_forgiven(output).into_iter().collect(),
            }
        } else {
            Judgement {
                mark: Mark::Wrong,
                evidence: problems,
            }
        };
    }
    loosely_set(lines.clone(), &format)
        .or_else(|| inside_text(output, lines.clone(), &survey, &format))
        .or_else(|| foreign::read(lines.clone(), size).map(|board| judge_foreign(&board, &format)))
        .or_else(|| as_columns(output, size))
        .unwrap_or_else(|| Judgement {
            mark: Mark::Wrong,
            evidence: wrong(lines.clone(), &survey, &format),
        })
}

/// The lines without blanks at their ends. Where empty cells are white space, blank rows may be missing at the
/// end: they are empty, yet a part of the output, so that every line has a place in it.
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
    let mut cells = Vec::new();
    for (row, line) in (0..).zip(lines) {
        format
            .read(line, |column| cells.push(Cell::new(row, column)))
            .ok()?;
    }
    Board::new(format.size, cells).ok()
}

/// Exactly one board with blanks before its rows, or blank lines before or between them.
fn loosely_set<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    format: &Format<'_>,
) -> Option<Judgement> {
    let written = lines.map(scan::trim).filter(|line| !line.is_empty());
    if format.blank_is_white() || written.clone().count() != format.size as usize {
        return None;
    }
    let mut evidence = attack::problems(&board(written, format)?);
    let mark = if evidence.is_empty() {
        Mark::Layout
    } else {
        Mark::Wrong
    };
    evidence.push(say::evidence(
        "other-blanks",
        "there are blanks before the rows of the board, or blank lines before or between them",
        "棋盘各行之前有空白，或行前、行间有空行",
    ));
    Some(Judgement { mark, evidence })
}

/// Exactly one board among other lines, its first row maybe glued to a prompt.
fn inside_text<'a>(
    output: &[u8],
    mut lines: impl Iterator<Item = &'a [u8]> + Clone,
    survey: &Survey<'_>,
    format: &Format<'_>,
) -> Option<Judgement> {
    let size = format.size as usize;
    let first = survey.first_row?;
    let (first, is_glued) = if survey.rows == size {
        (first, false)
    } else if survey.rows + 1 == size && first > 0 {
        (first - 1, true)
    } else {
        return None;
    };
    if survey.lines < first + size {
        return None;
    }
    let first_line = lines.nth(first)?;
    let glued = if is_glued {
        format.glued_row(first_line)?
    } else {
        0
    };
    let rows = std::iter::once(&first_line[glued..]).chain(lines.take(size - 1));
    let last = rows.clone().last()?;
    let board = board(rows, format)?;
    let offset = |line: &[u8]| line.as_ptr().addr() - output.as_ptr().addr();
    let extra = Extra {
        before: &output[..offset(first_line) + glued],
        after: &output[offset(last) + last.len()..],
    };
    let mut evidence = attack::problems(&board);
    let mark = if evidence.is_empty() {
        Mark::Layout
    } else {
        Mark::Wrong
    };
    evidence.push(extra.evidence());
    Some(Judgement { mark, evidence })
}

fn judge_foreign(board: &Foreign<'_>, format: &Format<'_>) -> Judgement {
    let problems = attack::problems(&board.placement);
    let mark = if problems.is_empty() {
        Mark::Layout
    } else {
        Mark::Wrong
    };
    let mut evidence = problems;
    evidence.push(symbols(board, format, mark == Mark::Layout).with_pair(
        Excerpt::new(format.drawn(&board.placement.columns()[..1]).as_bytes()),
        Excerpt::new(board.first_row),
    ));
    if board.framed {
        evidence.push(say::evidence(
            "extra-text",
            "there is other text round the board",
            "棋盘周围还有其他文字",
        ));
    }
    Judgement { mark, evidence }
}

/// In which symbols the board is drawn, and in which it should be.
fn symbols(board: &Foreign<'_>, format: &Format<'_>, legal: bool) -> Evidence {
    let (a_board, a_board_zh) = if legal {
        ("a legal board", "棋盘合法，但")
    } else {
        ("a board", "棋盘")
    };
    let same_blank = board.blank == format.blank.as_bytes();
    let same_queen = board.queen == Some(format.queen.as_bytes());
    let (blank, queen) = (say::quote(board.blank), board.queen.map(say::quote));
    let (asked_blank, asked_queen) = (
        say::quote(format.blank.as_bytes()),
        say::quote(format.queen.as_bytes()),
    );
    let (queens_en, queens_zh) = match queen {
        Some(queen) => (
            format!("{queen} for a queen"),
            format!("用 {queen} 表示皇后"),
        ),
        None => (
            "a different symbol for each queen".to_owned(),
            "每个皇后用了不同的符号".to_owned(),
        ),
    };
    let (code, with, with_zh, asked, asked_zh) = match (same_blank, same_queen) {
        (true, true) => {
            let row = say::quote(format.drawn(&board.placement.columns()[..1]).as_bytes());
            (
                "other-separator",
                "other separators between the cells".to_owned(),
                "格子之间的分隔不同".to_owned(),
                format!("a first row like {row}"),
                format!("第一行应写成 {row}"),
            )
        }
        (false, true) => (
            "other-symbols",
            format!("{blank} for blank"),
            format!("用 {blank} 表示空格"),
            asked_blank.clone(),
            format!("本题要求用 {asked_blank}"),
        ),
        (true, false) => (
            "other-symbols",
            queens_en,
            queens_zh,
            asked_queen.clone(),
            format!("本题要求用 {asked_queen}"),
        ),
        (false, false) => (
            "other-symbols",
            format!("{queens_en} and {blank} for blank"),
            format!("{queens_zh}，用 {blank} 表示空格"),
            format!("{asked_queen} and {asked_blank}"),
            format!("本题要求用 {asked_queen} 和 {asked_blank}"),
        ),
    };
    say::evidence(
        code,
        format!("{a_board} with {with}; this task asks for {asked}"),
        format!("{a_board_zh}{with_zh}；{asked_zh}"),
    )
}

/// A legal placement as the columns of its queens.
fn as_columns(output: &[u8], size: u32) -> Option<Judgement> {
    let legal = [0, 1]
        .into_iter()
        .any(|base| columns::is_legal(output, size, base));
    legal.then(|| {
        Judgement::because(
            Mark::Layout,
            say::evidence(
                "column-numbers",
                "a legal placement as column numbers; this task asks for a drawn board",
                "摆法合法，但输出的是列号；本题要求画出棋盘",
            )
            .with_found(Excerpt::new(scan::trim(output))),
        )
    })
}

fn wrong<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    survey: &Survey<'_>,
    format: &Format<'_>,
) -> Vec<Evidence> {
    let size = format.size as usize;
    let mut evidence = Vec::new();
    if survey.lines != size {
        let other_size = of_other_size(lines.clone(), format);
        let first = first_of_many(lines, survey, format);
        let (hint, hint_zh) = if first.is_some() {
            (
                ": all solutions? one is asked",
                "：是否输出了所有解？只要求一个",
            )
        } else {
            ("", "")
        };
        evidence.push(say::evidence(
            "line-count",
            format!(
                "expected {}, found {}{hint}",
                say::count(size as u64, "line"),
                survey.lines
            ),
            format!("应有 {size} 行，实有 {} 行{hint_zh}", survey.lines),
        ));
        if let Some(first) = first {
            evidence.extend(first);
            return evidence;
        }
        if let Some(other) = other_size {
            return other;
        }
    }
    evidence.extend(survey.mistake.map(|mistake| bad_row(mistake, format)));
    evidence
}

/// What to say about one board of another size: the program may have a size of its own.
fn of_other_size<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    format: &Format<'_>,
) -> Option<Vec<Evidence>> {
    let (asked, size) = (format.size, foreign::size_of(lines.clone())?);
    let other = Format { size, ..*format };
    let (is_legal, foreign) = if let Some(board) = board(lines.clone(), &other) {
        (board.is_legal(), None)
    } else {
        let board = foreign::read(lines, size)?;
        (board.placement.is_legal(), Some(board))
    };
    let (a_board, a_board_zh) = if is_legal {
        ("a legal board", "棋盘合法，但")
    } else {
        ("a board", "棋盘")
    };
    let mut evidence = vec![say::evidence(
        "other-size",
        format!("{a_board} of {size} × {size} cells; this task asks for {asked} × {asked}"),
        format!("{a_board_zh}大小为 {size} × {size}；本题要求 {asked} × {asked}"),
    )];
    evidence.extend(foreign.map(|board| symbols(&board, &other, false)));
    Some(evidence)
}

/// What to say about the first board of an output that holds more than one.
fn first_of_many<'a>(
    lines: impl Iterator<Item = &'a [u8]> + Clone,
    survey: &Survey<'_>,
    format: &Format<'_>,
) -> Option<Vec<Evidence>> {
    let size = format.size as usize;
    let at_least = |count: usize| size > 0 && count >= 2 * size;
    let mut evidence = Vec::new();
    let legal = if at_least(survey.rows) {
        let first = survey.first_row?;
        survey.lines >= first + size
            && board(lines.skip(first).take(size), format).is_some_and(|board| board.is_legal())
    } else if at_least(survey.lines) {
        let first = foreign::read_first(lines, format.size)?;
        let legal = first.placement.is_legal();
        evidence.push(symbols(&first, format, legal).with_pair(
            Excerpt::new(format.drawn(&first.placement.columns()[..1]).as_bytes()),
            Excerpt::new(first.first_row),
        ));
        legal
    } else {
        return None;
    };
    if legal {
        evidence.insert(
            0,
            say::evidence(
                "first-board-legal",
                "the first board is legal, but more was printed",
                "第一个棋盘是合法的，但之后还有输出",
            ),
        );
    }
    Some(evidence)
}

fn bad_row(mistake: Mistake<'_>, format: &Format<'_>) -> Evidence {
    let (number, line, size) = (mistake.index + 1, mistake.line, format.size);
    let (queen, blank) = (
        say::quote(format.queen.as_bytes()),
        say::quote(format.blank.as_bytes()),
    );
    let evidence = match mistake.error {
        RowError::Length(cells) => say::evidence(
            "line-length",
            format!(
                "line {number}: expected {}, found {cells}",
                say::count(u64::from(size), "cell")
            ),
            format!("第 {number} 行：应有 {size} 格，实有 {cells} 格"),
        ),
        RowError::Symbol { .. } if line.is_empty() => say::evidence(
            "line-length",
            format!("line {number} is blank"),
            format!("第 {number} 行是空行"),
        ),
        RowError::Symbol { cell, at } => {
            let found = say::quote(first_character(&line[at..]));
            say::evidence(
                "unknown-symbol",
                format!("line {number}, cell {cell}: expected {queen} or {blank}, found {found}"),
                format!("第 {number} 行第 {cell} 格：应为 {queen} 或 {blank}，实为 {found}"),
            )
        }
    };
    let at = match mistake.error {
        RowError::Symbol { at, .. } => at,
        RowError::Length(_) => 0,
    };
    evidence.with_found(Excerpt::window(line, at, Excerpt::WIDTH))
}

fn first_character(bytes: &[u8]) -> &[u8] {
    let length =
        (1..=bytes.len().min(4)).find(|length| std::str::from_utf8(&bytes[..*length]).is_ok());
    &bytes[..length.unwrap_or(bytes.len().min(1))]
}
