//! Mutants of `board`.

use std::io::Write;

use crate::masks::{self, Attacks};
use crate::program::{Question, line};
use crate::{Error, Mutant};

/// One bit for each column.
const SIZES: std::ops::RangeInclusive<u32> = 1..=31;

pub(crate) const MUTANTS: &[Mutant] = &[
    Mutant::new(
        "one-diagonal-forgotten",
        "forgets the diagonals down to the right",
        "漏掉了一个方向的对角线",
        |question, output| first(question, masks::one_diagonal_forgotten, output),
    ),
    Mutant::new(
        "diagonals-of-one-row",
        "lets a queen attack along diagonals in the next row only",
        "皇后的对角线攻击只延伸到下一行",
        |question, output| first(question, masks::diagonals_of_one_row, output),
    ),
    Mutant::new(
        "last-row-missing",
        "stops one row too early and draws the last one empty",
        "少放最后一行的皇后",
        |question, output| {
            let n = question.n(SIZES)?;
            let mut queens = one(n, masks::right_step);
            // Right: all rows.
            if let Some(last) = queens.last_mut() {
                *last = 0;
            }
            draw(&queens, output)
        },
    ),
    Mutant::new(
        "queen-not-taken-back",
        "leaves a queen on the board when it steps back",
        "回溯时没有把皇后从棋盘上拿走",
        |question, output| {
            let n = question.n(SIZES)?;
            let mut rows = vec![0; n as usize];
            place_and_leave(masks::full(n), 0, Attacks::default(), &mut rows);
            draw(&rows, output)
        },
    ),
];

/// Searches with a wrong step and draws the first board that it finds.
fn first(question: &Question<'_>, step: masks::Step, output: &mut dyn Write) -> Result<(), Error> {
    draw(&one(question.n(SIZES)?, step), output)
}

/// The first board of a search; no rows where there is none.
fn one(n: u32, step: masks::Step) -> Vec<u32> {
    let mut boards = masks::first_boards(n, 1, masks::lowest, step);
    boards.pop().unwrap_or_default()
}

/// Fills the rows from `row` on, in a picture of the board.
fn place_and_leave(full: u32, row: usize, attacks: Attacks, rows: &mut [u32]) -> bool {
    if row == rows.len() {
        return true;
    }
    let mut free = full & !(attacks.columns | attacks.left | attacks.right);
    while free != 0 {
        let queen = masks::lowest(free);
        free ^= queen;
        rows[row] |= queen;
        if place_and_leave(full, row + 1, masks::right_step(attacks, queen), rows) {
            return true;
        }
        // Right: `rows[row] ^= queen`.
    }
    false
}

fn draw(rows: &[u32], output: &mut dyn Write) -> Result<(), Error> {
    for row in rows {
        let cell = |column: usize| if row >> column & 1 == 1 { 'Q' } else { '#' };
        line(output, &(0..rows.len()).map(cell).collect::<String>())?;
    }
    Ok(())
}
