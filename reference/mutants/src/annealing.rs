//! Mutants of `annealing`.
//!
//! Whether a board was annealed or found otherwise cannot be seen in it, so these mutants have the mistakes of a
//! search by exchanges at no temperature.

use crate::Mutant;
use crate::columns::{Habit, answer};

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "one-diagonal-forgotten",
        "leaves one direction of diagonals out of the energy",
        "能量里漏掉了一个方向的对角线",
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
        "last-row-not-in-the-energy",
        "is off by one and leaves the queen of the last row out of the energy",
        "循环差一，能量里漏掉最后一行的皇后",
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
        "first-minimum-printed",
        "prints the first board that it gets stuck in",
        "陷入局部极小就直接输出",
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
        "random-permutation",
        "prints the random permutation that it begins with",
        "直接输出初始的随机排列",
        |question, output| {
            let passes = 0;
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
];
