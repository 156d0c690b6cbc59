//! The column of each row's queen: any legal placement of up to 10⁷ queens is right.
//!
//! `Layout`: a legal placement counted from the other base, with text before or after it, or between brackets or
//! commas. More than one placement is wrong.

use grader_model::{Evidence, Excerpt, Judgement, Mark, Text, text};
use grader_queens::{Board, Cell};

use crate::constants::MAX_COPY_BYTES;
use crate::scan;
use crate::{attack, extra, message};

/// Placeholder for numbers that are not a column of any board: negative or too large.
const OUTSIDE: u32 = u32::MAX;

pub(crate) fn check(output: &[u8], size: u32, base: u32) -> Judgement {
    match read(output, size) {
        Ok((numbers, count)) if count == size as usize => place(output, &numbers, base),
        Ok((numbers, count)) => wrong_count(&numbers, count, size, base),
        Err(word) => {
            inside_text(output, size, base).unwrap_or_else(|| not_a_number(output, word, size))
        }
    }
}

/// The first `size` numbers and the count of all, or the first word that is not a number.
fn read(output: &[u8], size: u32) -> Result<(Vec<u32>, usize), &[u8]> {
    // A number and its blank take at least two bytes.
    let mut numbers = Vec::with_capacity((size as usize).min(output.len() / 2 + 1));
    let mut count = 0;
    for word in scan::words(output) {
        let number = number(word).ok_or(word)?;
        if count < size as usize {
            numbers.push(number);
        }
        count += 1;
    }
    Ok((numbers, count))
}

/// Parses an integer; hand-written, because an output may have ten million.
fn number(word: &[u8]) -> Option<u32> {
    let negative = word.strip_prefix(b"-");
    let digits = negative.or(word.strip_prefix(b"+")).unwrap_or(word);
    let mut value = 0u32;
    for digit in digits {
        let digit = char::from(*digit).to_digit(10)?;
        value = value.saturating_mul(10).saturating_add(digit);
    }
    let value = if negative.is_some() && value > 0 {
        OUTSIDE
    } else {
        value
    };
    (!digits.is_empty()).then_some(value)
}

/// The board with these columns, counted from `base`, or the first row whose number is not a column.
fn board(numbers: &[u32], base: u32) -> Result<Board, usize> {
    let column = |number: &u32| number.checked_sub(base).unwrap_or(OUTSIDE);
    let queens = (0..).zip(numbers.iter().map(column));
    let queens = queens.map(|(row, column)| Cell { row, column }).collect();
    Board::new(numbers.len() as u32, queens).map_err(|cell| cell.row as usize)
}

/// Judges a sequence with the required count of numbers.
fn place(output: &[u8], numbers: &[u32], base: u32) -> Judgement {
    let other = 1 - base.min(1);
    let row = match board(numbers, base) {
        Ok(board) => return attack::check(&board, None),
        Err(row) => row,
    };
    if board(numbers, other).is_ok_and(|board| board.is_legal()) {
        let code = ["zero-based", "one-based"][other as usize];
        let evidence = Evidence::new(
            code,
            text!(
                "a legal placement, but columns are counted from {other}; this task counts from {base}",
                "摆法合法，但列号从 {other} 数起；本题要求从 {base} 数起"
            ),
        );
        return Judgement::because(Mark::Layout, evidence);
    }
    let found = message::quote(scan::words(output).nth(row).unwrap_or_default());
    let (row, last) = (row + 1, base as usize + numbers.len() - 1);
    let evidence = Evidence::new(
        "column-outside",
        text!(
            "row {row}: expected a column from {base} to {last}, found {found}",
            "第 {row} 行：列号应在 {base} 到 {last} 之间，实为 {found}"
        ),
    );
    Judgement::because(Mark::Wrong, evidence)
}

fn wrong_count(numbers: &[u32], count: usize, size: u32, base: u32) -> Judgement {
    let is_several = count >= 2 * size as usize;
    let hint = if is_several && board(numbers, base).is_ok_and(|it| it.is_legal()) {
        Text::new(
            ": did it print every solution? Only one is wanted, and the first is legal",
            "：是不是把所有解都输出了？只要求输出一个，第一个摆法是合法的",
        )
    } else {
        Text::default()
    };
    let expected = message::count(size as usize, "number");
    let evidence = Evidence::new(
        "number-count",
        text!(
            "expected {expected}, found {count}{hint}",
            "应有 {size} 个数，实有 {count} 个{hint}",
            hint
        ),
    );
    Judgement::because(Mark::Wrong, evidence)
}

/// A placement after or before text, or between brackets and commas.
fn inside_text(output: &[u8], size: u32, base: u32) -> Option<Judgement> {
    let is_word = |word: &&[u8]| number(word).is_none();
    let last_word = scan::range(output, scan::words(output).rev().find(is_word)?);
    let first_word = scan::range(output, scan::words(output).find(is_word)?);
    let (text, after) = output.split_at(last_word.end);
    if let Some(judgement) = judge_part(after, size, base) {
        return Some(with_note(judgement, extra::around(text, b"")));
    }
    let (before, text) = output.split_at(first_word.start);
    if let Some(judgement) = judge_part(before, size, base) {
        return Some(with_note(judgement, extra::around(b"", text)));
    }
    // A right answer of this size has numbers of at most eight digits.
    if output.len() > MAX_COPY_BYTES + 16 * size as usize {
        return None;
    }
    let is_mark = |byte: u8| b"[](){},;|".contains(&byte);
    let blank = |&byte: &u8| if is_mark(byte) { b' ' } else { byte };
    let spaced: Vec<u8> = output.iter().map(blank).collect();
    let note = Evidence::new(
        "other-separators",
        Text::new(
            "the numbers have brackets or commas; this task asks for white space between them",
            "数字带有括号或逗号；本题要求用空白分隔",
        ),
    );
    Some(with_note(judge_part(&spaced, size, base)?, note))
}

/// Judges a part of the output, if its count of numbers is right.
fn judge_part(part: &[u8], size: u32, base: u32) -> Option<Judgement> {
    let (numbers, count) = read(part, size).ok()?;
    (count == size as usize).then(|| place(part, &numbers, base))
}

/// Adds a note to the judgement of a part; right becomes layout.
fn with_note(mut judgement: Judgement, note: Evidence) -> Judgement {
    if judgement.mark == Mark::Right {
        judgement.mark = Mark::Layout;
    }
    judgement.evidence.push(note);
    judgement
}

fn not_a_number(output: &[u8], word: &[u8], size: u32) -> Judgement {
    let at = scan::range(output, word).start;
    let number = 1 + scan::words(&output[..at]).count();
    let line = scan::line_number(output, at);
    let (found, asked) = (
        message::quote(word),
        message::count(size as usize, "number"),
    );
    let evidence = Evidence::new(
        "not-a-number",
        text!(
            "value {number} on line {line}: expected a column number, found {found}; the task asks for {asked}",
            "第 {line} 行，第 {number} 个值：应为列号，实为 {found}；本题要求输出 {size} 个数"
        ),
    );
    Judgement::because(
        Mark::Wrong,
        evidence.with_found(Excerpt::around(output, at, Excerpt::WIDTH)),
    )
}
