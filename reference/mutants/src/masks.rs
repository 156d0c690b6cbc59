//! The search with bit masks, with places at which the mutants go wrong.

use std::ops::ControlFlow;

/// The attacked columns of a row: straight, along the diagonals down to the left, along those down to the right.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attacks {
    pub(crate) columns: u32,
    pub(crate) left: u32,
    pub(crate) right: u32,
}

/// How the attacks on the next row follow from those on this row and its new queen.
pub(crate) type Step = fn(Attacks, u32) -> Attacks;

/// The right step: every diagonal moves on by one column.
pub(crate) fn right_step(attacks: Attacks, queen: u32) -> Attacks {
    Attacks {
        columns: attacks.columns | queen,
        left: (attacks.left | queen) << 1,
        right: (attacks.right | queen) >> 1,
    }
}

/// The mistake: the diagonals down to the right are forgotten.
pub(crate) fn one_diagonal_forgotten(attacks: Attacks, queen: u32) -> Attacks {
    Attacks {
        right: 0,
        ..right_step(attacks, queen)
    }
}

/// The mistake: the queens above are not carried along, so a diagonal ends after one row.
pub(crate) fn diagonals_of_one_row(attacks: Attacks, queen: u32) -> Attacks {
    Attacks {
        columns: attacks.columns | queen,
        left: queen << 1,
        right: queen >> 1,
    }
}

/// The lowest set bit: the leftmost free column.
pub(crate) fn lowest(free: u32) -> u32 {
    free & free.wrapping_neg()
}

/// The highest set bit: the rightmost free column. `free` must not be 0.
pub(crate) fn highest(free: u32) -> u32 {
    1 << free.ilog2()
}

/// The number of ways to fill the rows that are left; `full` has one bit for each column.
pub(crate) fn count(full: u32, attacks: Attacks, step: Step) -> u64 {
    if attacks.columns == full {
        return 1;
    }
    let mut free = full & !(attacks.columns | attacks.left | attacks.right);
    let mut solutions = 0;
    while free != 0 {
        let queen = lowest(free);
        free ^= queen;
        solutions += count(full, step(attacks, queen), step);
    }
    solutions
}

/// The number of boards whose first queen is in one of the columns `first`.
pub(crate) fn count_from(full: u32, mut first: u32) -> u64 {
    let mut solutions = 0;
    while first != 0 {
        let queen = lowest(first);
        first ^= queen;
        solutions += count(full, right_step(Attacks::default(), queen), right_step);
    }
    solutions
}

/// One bit for each of `n` columns, `n` from 1 to 31.
pub(crate) const fn full(n: u32) -> u32 {
    (1 << n) - 1
}

/// A search that shows its boards, one bit for the queen of each row.
pub(crate) struct Search<'a> {
    /// One bit for each column.
    pub(crate) full: u32,
    /// Which free column is tried first.
    pub(crate) first: fn(u32) -> u32,
    /// How attacks go on.
    pub(crate) step: Step,
    /// The queens of the rows above.
    pub(crate) above: Vec<u32>,
    /// Who is shown the boards, until it breaks.
    pub(crate) visit: &'a mut dyn FnMut(&[u32]) -> ControlFlow<()>,
}

impl Search<'_> {
    /// Tries all ways to fill the rows that are left.
    pub(crate) fn place(&mut self, attacks: Attacks) -> ControlFlow<()> {
        if attacks.columns == self.full {
            return (self.visit)(&self.above);
        }
        let mut free = self.full & !(attacks.columns | attacks.left | attacks.right);
        while free != 0 {
            let queen = (self.first)(free);
            free ^= queen;
            self.above.push(queen);
            self.place((self.step)(attacks, queen))?;
            self.above.pop();
        }
        ControlFlow::Continue(())
    }
}

/// The first boards that a search meets, at most `most`.
pub(crate) fn first_boards(
    n: u32,
    most: usize,
    first: fn(u32) -> u32,
    step: Step,
) -> Vec<Vec<u32>> {
    let mut boards = Vec::new();
    let mut visit = |board: &[u32]| {
        boards.push(board.to_vec());
        if boards.len() == most {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    // Whether it ended before the last board does not matter.
    let _ = Search {
        full: full(n),
        first,
        step,
        above: Vec::new(),
        visit: &mut visit,
    }
    .place(Attacks::default());
    boards
}
