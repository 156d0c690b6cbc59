//! Mutants of `eight-queens`.

use std::io::Write;

use crate::program::{Question, line};
use crate::{Error, Mutant};

/// Rows and columns of a chessboard.
const SIZE: usize = 8;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "one-diagonal-forgotten",
        "forgets one direction of diagonals: the distance has a sign",
        "漏掉了一个方向的对角线",
        |question, output| {
            // Right: the absolute difference of the columns.
            let free = |row: usize, column: usize, above: &[usize]| {
                above.iter().enumerate().all(|(other_row, &other)| {
                    other != column && other + (row - other_row) != column
                })
            };
            answer(question, place(0, &mut [0; SIZE], &free), output)
        },
    ),
    Mutant::new(
        "mirrored-half-lost",
        "searches the left half of the first row and does not double it",
        "第一行只搜索左半边，没有翻倍",
        |question, output| {
            let mut columns = [0; SIZE];
            let number: u32 = (0..SIZE / 2)
                .map(|first| {
                    columns[0] = first;
                    place(1, &mut columns, &is_free)
                })
                .sum();
            // Right: twice that.
            answer(question, number, output)
        },
    ),
    Mutant::new(
        "first-column-left-out",
        "is off by one: its columns begin with the second one in the first row",
        "第一行从第二列开始循环，差一",
        |question, output| {
            let mut columns = [0; SIZE];
            // Right: from 0 on.
            let number: u32 = (1..SIZE)
                .map(|first| {
                    columns[0] = first;
                    place(1, &mut columns, &is_free)
                })
                .sum();
            answer(question, number, output)
        },
    ),
    Mutant::new(
        "nearest-queen-only",
        "compares a new queen with the one right above it only, where diagonals are concerned",
        "判断对角线时只看上一行的皇后",
        |question, output| {
            let free = |row: usize, column: usize, above: &[usize]| {
                above.iter().enumerate().all(|(other_row, &other)| {
                    // Right: every row above.
                    let attacks = row - other_row == 1 && other.abs_diff(column) == 1;
                    other != column && !attacks
                })
            };
            answer(question, place(0, &mut [0; SIZE], &free), output)
        },
    ),
];

/// The number of ways to fill the rows from `row` on.
fn place(
    row: usize,
    columns: &mut [usize; SIZE],
    is_free: &dyn Fn(usize, usize, &[usize]) -> bool,
) -> u32 {
    if row == SIZE {
        return 1;
    }
    let mut solutions = 0;
    for column in 0..SIZE {
        if is_free(row, column, &columns[..row]) {
            columns[row] = column;
            solutions += place(row + 1, columns, is_free);
        }
    }
    solutions
}

/// Whether none of the queens `above` attacks the square, as in the reference.
fn is_free(row: usize, column: usize, above: &[usize]) -> bool {
    above
        .iter()
        .enumerate()
        .all(|(other_row, &other)| other != column && other.abs_diff(column) != row - other_row)
}

fn answer(question: &Question<'_>, number: u32, output: &mut dyn Write) -> Result<(), Error> {
    let [] = question.numbers()?;
    line(output, &number.to_string())
}
