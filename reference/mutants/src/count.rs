//! Mutants of `count`.

use crate::Mutant;
use crate::masks::{self, Attacks, full};
use crate::program::line;

/// One bit for each column.
const SIZES: std::ops::RangeInclusive<u32> = 1..=31;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "one-diagonal-forgotten",
        "forgets the diagonals down to the right",
        "漏掉了一个方向的对角线",
        |question, output| {
            let full = full(question.n(SIZES)?);
            let number = masks::count(full, Attacks::default(), masks::one_diagonal_forgotten);
            line(output, &number.to_string())
        },
    ),
    Mutant::new(
        "mirrored-half-lost",
        "searches the left half and the middle column, and forgets to double the half",
        "只搜索左半边和中间列，忘了把左半边翻倍",
        |question, output| {
            let (full, left, middle) = halves(question.n(SIZES)?);
            // Right: twice the left half.
            let number = masks::count_from(full, left) + masks::count_from(full, middle);
            line(output, &number.to_string())
        },
    ),
    Mutant::new(
        "middle-column-doubled",
        "doubles the boards of the middle column too, so every odd n is wrong",
        "把中间列的解也翻了倍，n 为奇数时都错",
        |question, output| {
            let (full, left, middle) = halves(question.n(SIZES)?);
            // Right: twice `left`, once `middle`.
            let number = 2 * masks::count_from(full, left | middle);
            line(output, &number.to_string())
        },
    ),
    Mutant::new(
        "last-column-left-out",
        "is off by one in the first row and never tries its last column",
        "第一行循环差一，从不尝试最后一列",
        |question, output| {
            let full = full(question.n(SIZES)?);
            // Right: `full`.
            let number = masks::count_from(full, full >> 1);
            line(output, &number.to_string())
        },
    ),
    Mutant::new(
        "sixteen-bit-counter",
        "counts in sixteen bits, which overflow from n = 13 on",
        "用 16 位计数，从 n = 13 起溢出",
        |question, output| {
            let full = full(question.n(SIZES)?);
            let number = masks::count(full, Attacks::default(), masks::right_step);
            // Right: `number` as it is.
            line(output, &(number as u16).to_string())
        },
    ),
];

/// All columns, those of the left half, and the middle one where there is one.
pub(crate) fn halves(n: u32) -> (u32, u32, u32) {
    let left = (1 << (n / 2)) - 1;
    let middle = (n % 2) << (n / 2);
    (full(n), left, middle)
}
