//! Mutants of `first-three`.

use std::io::Write;

use crate::count::halves;
use crate::masks::{self, Attacks};
use crate::program::{Question, line, row, within};
use crate::{Error, Mutant};

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "first-two-only",
        "prints two boards: the loop is off by one",
        "循环差一，只输出两个解",
        |question, output| {
            let n = n(question)?;
            boards(n, 2, masks::lowest, 1, output)?;
            line(output, &total(n).to_string())
        },
    ),
    Mutant::new(
        "wrong-order",
        "tries the highest column first, so the boards are the last three",
        "先试最右边的列，输出的是最后三个解",
        |question, output| {
            let n = n(question)?;
            boards(n, 3, masks::highest, 1, output)?;
            line(output, &total(n).to_string())
        },
    ),
    Mutant::new(
        "columns-from-zero",
        "counts the columns from 0",
        "列号从 0 开始",
        |question, output| {
            let n = n(question)?;
            boards(n, 3, masks::lowest, 0, output)?;
            line(output, &total(n).to_string())
        },
    ),
    Mutant::new(
        "total-of-what-is-printed",
        "ends the search with the third board and prints 3 as the total",
        "找到第三个解就停止搜索，总数输出成 3",
        |question, output| {
            let printed = boards(n(question)?, 3, masks::lowest, 1, output)?;
            // Right: go on and count the others.
            line(output, &printed.to_string())
        },
    ),
    Mutant::new(
        "middle-column-not-counted",
        "doubles the left half for the total and forgets the middle column, so every odd n is wrong",
        "总数只把左半边翻倍，漏掉中间列，n 为奇数时都错",
        |question, output| {
            let n = n(question)?;
            boards(n, 3, masks::lowest, 1, output)?;
            let (full, left, _middle) = halves(n);
            line(output, &(2 * masks::count_from(full, left)).to_string())
        },
    ),
];

/// The number on standard input.
fn n(question: &mut Question<'_>) -> Result<u32, Error> {
    let text = question.text()?;
    let found = text.lines().next().unwrap_or_default().trim();
    let n = found.parse().map_err(|_| Error::NotAQuestion {
        found: found.escape_debug().to_string(),
    })?;
    within(n, 4..=20)
}

/// Prints the first boards that a search meets, and tells how many they are.
fn boards(
    n: u32,
    most: usize,
    first: fn(u32) -> u32,
    base: u32,
    output: &mut dyn Write,
) -> Result<usize, Error> {
    let boards = masks::first_boards(n, most, first, masks::right_step);
    for board in &boards {
        row(
            output,
            board.iter().map(|queen| queen.trailing_zeros() + base),
        )?;
    }
    Ok(boards.len())
}

fn total(n: u32) -> u64 {
    masks::count(masks::full(n), Attacks::default(), masks::right_step)
}
