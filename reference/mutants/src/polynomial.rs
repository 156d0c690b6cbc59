//! Mutants of `polynomial`.

use crate::Mutant;
use crate::columns::{Habit, answer};
use crate::program::row;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "one-diagonal-forgotten",
        "counts collisions along one direction of diagonals only",
        "只统计一个方向的对角线冲突",
        |question, output| {
            let both_directions = false;
            let habit = Habit {
                both_directions,
                ..Habit::RIGHT
            };
            answer(question, habit, output)
        },
    ),
    Mutant::new(
        "last-row-not-watched",
        "is off by one: its loop never looks at the queen of the last row",
        "循环差一，从不检查最后一行的皇后",
        |question, output| {
            let rows_left_out = 1;
            let habit = Habit {
                rows_left_out,
                ..Habit::RIGHT
            };
            answer(question, habit, output)
        },
    ),
    Mutant::new(
        "one-pass-only",
        "prints what one pass over the rows leaves, collisions and all",
        "只扫描一遍就输出，不管还有没有冲突",
        |question, output| {
            let passes = 1;
            answer(
                question,
                Habit {
                    passes,
                    ..Habit::RIGHT
                },
                output,
            )
        },
    ),
    Mutant::new(
        "columns-from-zero",
        "counts the columns from 0",
        "列号从 0 开始",
        |question, output| {
            answer(
                question,
                Habit {
                    base: 0,
                    ..Habit::RIGHT
                },
                output,
            )
        },
    ),
    Mutant::new(
        "knights-moves-only",
        "takes the even columns, then the odd ones, which is wrong where n mod 6 is 2 or 3",
        "先偶数列后奇数列，n 除以 6 余 2 或 3 时是错的",
        |question, output| {
            let n = question.n(1..=10_000_000)?;
            // Right: some columns change places where n mod 6 is 2 or 3.
            let even = (2..=n).step_by(2);
            row(output, even.chain((1..=n).step_by(2)))
        },
    ),
];
