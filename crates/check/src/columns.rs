//! The column of the queen of each row, any legal placement of up to 10⁷ queens.
//!
//! Layout: a legal placement counted from the other base, with text before or after it, or between brackets or commas.
//! More than one placement is wrong.

use grader_model::{Evidence, Excerpt, Judgement, Mark};
use grader_queens::{Placement, Queens as _};

use crate::scan::{self, MAX_COPY, Token, is_space};
use crate::{attack, extra, message};

/// Stands for every number that is no column of any board: negative, or too large.
const OUTSIDE: u32 = u32::MAX;

pub(crate) fn check(output: &[u8], size: u32, base: u32) -> Judgement {
    match read(output, size) {
        Ok(numbers) if numbers.count == size as usize => place(output, numbers.first, base),
        Ok(numbers) => wrong_count(numbers, size, base),
        Err(word) => {
            inside_text(output, size, base).unwrap_or_else(|| not_a_number(output, &word, size))
        }
    }
}

/// The numbers of an output.
struct Numbers {
    /// At most as many as are asked for.
    first: Vec<u32>,
    /// How many there are.
    count: usize,
}

/// A token that is no integer.
struct Word {
    /// Its index, from 0.
    index: usize,
    /// Where it starts.
    at: usize,
}

/// Reads integers, by hand: ten million of them are nothing unusual.
fn read(output: &[u8], size: u32) -> Result<Numbers, Word> {
    // A number and its blank are two bytes at least.
    let mut first = Vec::with_capacity((size as usize).min(output.len() / 2 + 1));
    let mut count = 0;
    let mut at = 0;
    while at < output.len() {
        if is_space(output[at]) {
            at += 1;
            continue;
        }
        let start = at;
        let is_negative = output[at] == b'-';
        at += usize::from(is_negative || output[at] == b'+');
        let digits = at;
        let mut value = 0u32;
        while let Some(digit) = output
            .get(at)
            .map(|byte| byte.wrapping_sub(b'0'))
            .filter(|it| *it < 10)
        {
            value = value.saturating_mul(10).saturating_add(u32::from(digit));
            at += 1;
        }
        if at == digits || output.get(at).is_some_and(|byte| !is_space(*byte)) {
            let index = count;
            return Err(Word { index, at: start });
        }
        if first.len() < size as usize {
            first.push(if is_negative && value > 0 {
                OUTSIDE
            } else {
                value
            });
        }
        count += 1;
    }
    Ok(Numbers { first, count })
}

/// The placement with these columns, counted from `base`; the first row whose number is no column.
fn placement(mut numbers: Vec<u32>, base: u32) -> Result<Placement, usize> {
    for number in &mut numbers {
        *number = number.checked_sub(base).unwrap_or(OUTSIDE);
    }
    Placement::new(numbers).map_err(|error| error.cell.row as usize)
}

/// Judges as many numbers as are asked for.
fn place(output: &[u8], numbers: Vec<u32>, base: u32) -> Judgement {
    let size = numbers.len();
    let other = 1 - base.min(1);
    // The first and the last column of the other base: both are used by every legal placement.
    let of_other_base = numbers.contains(&(if other == 0 { 0 } else { size as u32 }));
    let copy = of_other_base.then(|| numbers.clone());
    match placement(numbers, base) {
        Ok(placement) => attack::check(&placement, true, Vec::new()),
        Err(row) => match copy.map(|numbers| placement_is_legal(numbers, other)) {
            Some(true) => other_base(base, other),
            _ => Judgement::because(Mark::Wrong, outside(output, row, base, size)),
        },
    }
}

fn placement_is_legal(numbers: Vec<u32>, base: u32) -> bool {
    placement(numbers, base).is_ok_and(|placement| placement.is_legal())
}

fn other_base(base: u32, other: u32) -> Judgement {
    let code = ["zero-based", "one-based"][other.min(1) as usize];
    Judgement::because(
        Mark::Layout,
        message::evidence(
            code,
            format!(
                "a legal placement, but columns are counted from {other}; this task counts from {base}"
            ),
            format!("摆法合法，但列号从 {other} 开始；本题从 {base} 开始"),
        ),
    )
}

fn outside(output: &[u8], row: usize, base: u32, size: usize) -> Evidence {
    let token = scan::tokens(output).nth(row);
    let found = message::quote(token.map_or(&b""[..], |token| token.bytes));
    let (row, last) = (row + 1, base as usize + size - 1);
    message::evidence(
        "column-outside",
        format!("row {row}: expected a column from {base} to {last}, found {found}"),
        format!("第 {row} 行：列号应在 {base} 到 {last} 之间，实为 {found}"),
    )
}

fn wrong_count(numbers: Numbers, size: u32, base: u32) -> Judgement {
    let (asked, count) = (size as usize, numbers.count);
    let is_legal = count >= 2 * asked && placement_is_legal(numbers.first, base);
    let (hint, hint_zh) = if is_legal {
        (
            ": all solutions? one is asked, and the first is legal",
            "：是否输出了所有解？只要求一个，第一个摆法是合法的",
        )
    } else {
        ("", "")
    };
    let expected = message::count(asked, "number");
    Judgement::because(
        Mark::Wrong,
        message::evidence(
            "number-count",
            format!("expected {expected}, found {count}{hint}"),
            format!("应有 {asked} 个数，实有 {count} 个{hint_zh}"),
        ),
    )
}

/// A placement with text before or after it, or between brackets and commas.
fn inside_text(output: &[u8], size: u32, base: u32) -> Option<Judgement> {
    let is_number = |token: &Token<'_>| read(token.bytes, 1).is_ok();
    let last_word = scan::tokens(output).rev().find(|it| !is_number(it))?;
    let first_word = scan::tokens(output).find(|it| !is_number(it))?;
    let (after, before) = (&output[last_word.end()..], &output[..first_word.at]);
    if let Some(mut judgement) = judge_part(after, size, base) {
        let text = &output[..output.len() - after.len()];
        judgement.evidence.push(extra::around(text, b""));
        return Some(judgement);
    }
    if let Some(mut judgement) = judge_part(before, size, base) {
        judgement
            .evidence
            .push(extra::around(b"", &output[before.len()..]));
        return Some(judgement);
    }
    // A right answer of that size has numbers of at most eight digits.
    if output.len() > MAX_COPY + 16 * size as usize {
        return None;
    }
    let is_mark = |byte: &u8| b"[](){},;|".contains(byte);
    let blank = |byte: &u8| if is_mark(byte) { b' ' } else { *byte };
    let spaced: Vec<u8> = output.iter().map(blank).collect();
    let mut judgement = judge_part(&spaced, size, base)?;
    judgement.evidence.push(message::evidence(
        "other-separators",
        "the numbers have brackets or commas; this task asks for white space between them",
        "数字带有括号或逗号；本题要求用空白分隔",
    ));
    Some(judgement)
}

/// Judges a part of the output that holds as many numbers as asked: right becomes layout.
fn judge_part(part: &[u8], size: u32, base: u32) -> Option<Judgement> {
    let numbers = read(part, size).ok()?;
    if numbers.count != size as usize {
        return None;
    }
    let mut judgement = place(part, numbers.first, base);
    if judgement.mark == Mark::Right {
        judgement.mark = Mark::Layout;
    }
    Some(judgement)
}

fn not_a_number(output: &[u8], word: &Word, size: u32) -> Judgement {
    let token = scan::tokens(&output[word.at..]).next();
    let found = message::quote(token.map_or(&b""[..], |token| token.bytes));
    let (number, line) = (word.index + 1, scan::line_number(output, word.at));
    let asked = message::count(size as usize, "number");
    let evidence = message::evidence(
        "not-a-number",
        format!(
            "value {number} on line {line}: expected a column number, found {found}; {asked} are asked"
        ),
        format!("第 {line} 行，第 {number} 个值：应为列号，实为 {found}；共要求 {size} 个数"),
    );
    Judgement::because(
        Mark::Wrong,
        evidence.with_found(Excerpt::window(output, word.at, 80)),
    )
}
