//! The column of the queen of each row, any legal placement of up to 10⁷ queens.
//!
//! Layout: a legal placement counted from the other base, with text before or after it, between other
//! separators, or as a drawn board. More than one placement is wrong.

use grader_model::{Evidence, Excerpt, Judgement, Mark};
use grader_queens::{Placement, Queens};

use crate::extra::Extra;
use crate::scan::{self, Token, is_space};
use crate::{attack, foreign, number, room, say};

/// Stands for every number that is no column of any board: negative, or too large.
const OUTSIDE: u32 = u32::MAX;

pub(crate) fn judge(output: &[u8], size: u32, base: u32) -> Judgement {
    match read(output, size) {
        Ok(numbers) if numbers.count == u64::from(size) => place(output, numbers.first, base),
        Ok(numbers) => as_board(output, size)
            .or_else(|| size_first(output, size, base))
            .or_else(|| unseparated(output, size, base))
            .or_else(|| with_rows(output, &numbers, size, base))
            .unwrap_or_else(|| wrong_count(&numbers, size, base)),
        Err(word) => inside_text(output, size, base)
            .or_else(|| as_board(output, size))
            .unwrap_or_else(|| not_a_number(output, &word, size)),
    }
}

/// Whether the output is exactly a legal placement, counted from `base`.
pub(crate) fn is_legal(output: &[u8], size: u32, base: u32) -> bool {
    read(output, size)
        .is_ok_and(|numbers| numbers.count == u64::from(size) && legal(numbers.first, base))
}

/// The numbers of an output.
struct Numbers {
    /// At most as many as are asked for.
    first: Vec<u32>,
    /// How many there are.
    count: u64,
}

/// A token that is no integer.
struct Word {
    /// Its index, from 0.
    index: u64,
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
        let negative = output[at] == b'-';
        at += usize::from(negative || output[at] == b'+');
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
            return Err(Word {
                index: count,
                at: start,
            });
        }
        if first.len() < size as usize {
            first.push(if negative && value > 0 {
                OUTSIDE
            } else {
                value
            });
        }
        count += 1;
    }
    Ok(Numbers { first, count })
}

/// The numbers as columns from 0. A number that is no column becomes a large one, which no placement takes.
fn from_base(mut numbers: Vec<u32>, base: u32) -> Vec<u32> {
    if base > 0 {
        for number in &mut numbers {
            *number = number.checked_sub(base).unwrap_or(OUTSIDE);
        }
    }
    numbers
}

fn legal(numbers: Vec<u32>, base: u32) -> bool {
    Placement::new(from_base(numbers, base)).is_ok_and(|placement| placement.is_legal())
}

/// Judges as many numbers as are asked for.
fn place(output: &[u8], numbers: Vec<u32>, base: u32) -> Judgement {
    let size = numbers.len();
    let last = base as usize + size - usize::from(size > 0);
    let in_range = |number: &u32| (base as usize..=last).contains(&(*number as usize));
    if let Some(row) = numbers.iter().position(|number| !in_range(number)) {
        let other = 1 - base.min(1);
        if legal(numbers, other) {
            return other_base(base, other);
        }
        return Judgement::because(Mark::Wrong, outside(output, row, base, last));
    }
    let problems = match Placement::new(from_base(numbers, base)) {
        Ok(placement) => attack::problems(&placement),
        // Every number was in range.
        Err(error) => vec![outside(output, error.cell.row as usize, base, last)],
    };
    Judgement {
        mark: if problems.is_empty() {
            Mark::Right
        } else {
            Mark::Wrong
        },
        evidence: problems,
    }
}

fn other_base(base: u32, other: u32) -> Judgement {
    let code = if other == 0 {
        "zero-based"
    } else {
        "one-based"
    };
    Judgement::because(
        Mark::Layout,
        say::evidence(
            code,
            format!(
                "a legal placement, but columns are counted from {other}; this task counts from {base}"
            ),
            format!("摆法合法，但列号从 {other} 开始；本题从 {base} 开始"),
        ),
    )
}

fn outside(output: &[u8], row: usize, base: u32, last: usize) -> Evidence {
    let token = scan::tokens(output)
        .nth(row)
        .map_or(&b""[..], |token| token.bytes);
    let found = say::quote(token);
    let (hint, hint_zh) = if number::canonical(token) == number::canonical(b"0") {
        (
            format!(": columns count from {base}"),
            format!("：列号从 {base} 开始"),
        )
    } else {
        (String::new(), String::new())
    };
    let row = row + 1;
    say::evidence(
        "column-outside",
        format!("row {row}: expected a column from {base} to {last}, found {found}{hint}"),
        format!("第 {row} 行：列号应在 {base} 到 {last} 之间，实为 {found}{hint_zh}"),
    )
}

fn wrong_count(numbers: &Numbers, size: u32, base: u32) -> Judgement {
    let many = size > 0 && numbers.count >= 2 * u64::from(size);
    let (hint, hint_zh) = if many && numbers.count.is_multiple_of(u64::from(size)) {
        (
            ": all solutions? one is asked",
            "：是否输出了所有解？只要求一个",
        )
    } else {
        ("", "")
    };
    let mut evidence = vec![say::evidence(
        "number-count",
        format!(
            "expected {}, found {}{hint}",
            say::count(u64::from(size), "number"),
            numbers.count
        ),
        format!("应有 {size} 个数，实有 {} 个{hint_zh}", numbers.count),
    )];
    if many && legal(numbers.first.clone(), base) {
        evidence.push(say::evidence(
            "first-placement-legal",
            "the first placement is legal, but more was printed",
            "第一个摆法是合法的，但之后还有输出",
        ));
    }
    Judgement {
        mark: Mark::Wrong,
        evidence,
    }
}

/// A legal placement after the size of the board.
fn size_first(output: &[u8], size: u32, base: u32) -> Option<Judgement> {
    let token = scan::tokens(output).next()?;
    let is_size = number::canonical(token.bytes) == number::canonical(size.to_string().as_bytes());
    let rest = &output[token.end()..];
    (is_size && is_legal(rest, size, base)).then(|| {
        let extra = Extra {
            before: token.bytes,
            after: b"",
        };
        Judgement::because(Mark::Layout, extra.evidence())
    })
}

/// A legal placement of one-digit numbers without white space.
fn unseparated(output: &[u8], size: u32, base: u32) -> Option<Judgement> {
    let digits = scan::trim(output);
    if digits.len() != size as usize {
        return None;
    }
    let spaced: Vec<u8> = digits.iter().flat_map(|digit| [*digit, b' ']).collect();
    is_legal(&spaced, size, base).then(|| {
        Judgement::because(
            Mark::Layout,
            say::evidence(
                "other-separators",
                "a legal placement, but there is no white space between the numbers",
                "摆法合法，但数字之间没有空白",
            ),
        )
    })
}

/// A legal placement with the number of the row before each column.
fn with_rows(output: &[u8], numbers: &Numbers, size: u32, base: u32) -> Option<Judgement> {
    if numbers.count != 2 * u64::from(size) || size == 0 {
        return None;
    }
    let pairs = read(output, size.checked_mul(2)?).ok()?;
    let start = *pairs.first.first()?;
    let in_order = (start..)
        .zip(pairs.first.iter().step_by(2))
        .all(|(row, found)| row == *found);
    let columns = pairs.first.iter().skip(1).step_by(2).copied().collect();
    (start <= 1 && in_order && legal(columns, base)).then(|| {
        Judgement::because(
            Mark::Layout,
            say::evidence(
                "row-numbers",
                "a legal placement with row numbers; this task asks for the columns only",
                "摆法合法，但还输出了行号；本题只要求列号",
            ),
        )
    })
}

/// A placement with a prompt before it, words after it, or other separators.
fn inside_text(output: &[u8], size: u32, base: u32) -> Option<Judgement> {
    if let Some(extra) = at_either_end(output, size) {
        let middle = &output[extra.before.len()..output.len() - extra.after.len()];
        let mut judgement = judge_middle(middle, size, base)?;
        judgement.evidence.push(extra.evidence());
        return Some(judgement);
    }
    let is_mark = |byte: &u8| b"[](){},;|".contains(byte);
    if output.len() > room::of_columns(size) || !output.iter().any(is_mark) {
        return None;
    }
    let spaced: Vec<u8> = output
        .iter()
        .map(|byte| if is_mark(byte) { b' ' } else { *byte })
        .collect();
    let mut judgement = judge_middle(&spaced, size, base).or_else(|| {
        let extra = at_either_end(&spaced, size)?;
        let middle = &spaced[extra.before.len()..spaced.len() - extra.after.len()];
        let mut judgement = judge_middle(middle, size, base)?;
        judgement.evidence.push(extra.evidence());
        Some(judgement)
    })?;
    judgement.evidence.push(say::evidence(
        "other-separators",
        "the numbers have brackets or commas; this task asks for white space between them",
        "数字带有括号或逗号；本题要求用空白分隔",
    ));
    Some(judgement)
}

/// Judges a part of the output that holds as many numbers as asked: right becomes layout.
fn judge_middle(middle: &[u8], size: u32, base: u32) -> Option<Judgement> {
    let numbers = read(middle, size)
        .ok()
        .filter(|it| it.count == u64::from(size))?;
    let mut judgement = place(middle, numbers.first, base);
    if judgement.mark == Mark::Right {
        judgement.mark = Mark::Layout;
    }
    Some(judgement)
}

/// The text round so many numbers at the end, or else at the start, of the output.
fn at_either_end(output: &[u8], size: u32) -> Option<Extra<'_>> {
    let size = size as usize;
    let is_number = |token: &Token<'_>| number::is_integer(token.bytes);
    let mut before = scan::tokens(output).rev();
    let numbers = before.by_ref().take(size).take_while(is_number).last();
    let count = scan::tokens(output)
        .rev()
        .take(size)
        .take_while(is_number)
        .count();
    let preceding = scan::tokens(output).rev().nth(count);
    let start = match (numbers, preceding) {
        (Some(first), Some(word)) if count == size && !is_number(&word) => Some(first.at),
        (_, Some(word)) if count + 1 == size => glued(&word),
        _ => None,
    };
    if let Some(start) = start {
        return Some(Extra {
            before: &output[..start],
            after: b"",
        });
    }
    let last = scan::tokens(output).take(size).take_while(is_number).last();
    let count = scan::tokens(output)
        .take(size)
        .take_while(is_number)
        .count();
    let following = scan::tokens(output).nth(count);
    match (last, following) {
        (Some(last), Some(word)) if count == size && !is_number(&word) => Some(Extra {
            before: b"",
            after: &output[last.end()..],
        }),
        _ => None,
    }
}

/// Where the number starts that is glued to the end of a word: `n:5`.
fn glued(word: &Token<'_>) -> Option<usize> {
    let letters = 1 + word.bytes.iter().rposition(|byte| !byte.is_ascii_digit())?;
    let signed = matches!(word.bytes[letters - 1], b'-' | b'+' | b'.');
    (letters < word.bytes.len() && !signed).then_some(word.at + letters)
}

/// A drawn board instead of numbers.
fn as_board(output: &[u8], size: u32) -> Option<Judgement> {
    // Rows may lack their last blanks, but not all of them: a huge placement is no drawing.
    if u64::from(size).pow(2) / 4 > output.len() as u64 {
        return None;
    }
    let lines = scan::bare_lines(output).take(size as usize + 64);
    let board = foreign::read(lines, size)?;
    let mut evidence = attack::problems(&board.placement);
    let mark = if evidence.is_empty() {
        Mark::Layout
    } else {
        Mark::Wrong
    };
    let (a_board, a_board_zh) = if mark == Mark::Layout {
        ("a legal board", "棋盘合法")
    } else {
        ("a board", "棋盘")
    };
    evidence.push(
        say::evidence(
            "drawn-board",
            format!("{a_board} as a drawing; this task asks for the column of each row's queen"),
            format!("{a_board_zh}，但输出的是图形；本题要求输出每行皇后的列号"),
        )
        .with_found(Excerpt::new(board.first_row)),
    );
    Some(Judgement { mark, evidence })
}

fn not_a_number(output: &[u8], word: &Word, size: u32) -> Judgement {
    let token = scan::tokens(&output[word.at..])
        .next()
        .map_or(&b""[..], |token| token.bytes);
    let (number, line) = (word.index + 1, scan::line_number(output, word.at));
    let found = say::quote(token);
    let evidence = say::evidence(
        "not-a-number",
        format!(
            "value {number} on line {line}: expected a column number, found {found}; {} are asked",
            say::count(u64::from(size), "number")
        ),
        format!("第 {line} 行，第 {number} 个值：应为列号，实为 {found}；共要求 {size} 个数"),
    );
    Judgement::because(
        Mark::Wrong,
        evidence.with_found(Excerpt::window(output, word.at, 80)),
    )
}
