//! A local search for one board of n queens, with places at which the mutants of `polynomial` and `annealing` go
//! wrong.

use std::io::Write;

use crate::Error;
use crate::program::{Question, row};

/// What one search does differently from a right one.
#[derive(Clone, Copy)]
pub(crate) struct Habit {
    /// Whether the diagonals down to the left are looked at too.
    pub(crate) both_directions: bool,
    /// Rows at the bottom that are not looked at.
    pub(crate) rows_left_out: usize,
    /// Passes over the rows before the search is given up and printed as it is.
    pub(crate) passes: u32,
    /// The number of the first column.
    pub(crate) base: u32,
}

impl Habit {
    /// No mistake.
    pub(crate) const RIGHT: Self = Self {
        both_directions: true,
        rows_left_out: 0,
        passes: 10_000,
        base: 1,
    };
}

/// Searches, and prints the column of the queen of each row.
pub(crate) fn answer(
    question: &Question<'_>,
    habit: Habit,
    output: &mut dyn Write,
) -> Result<(), Error> {
    let n = question.n(1..=10_000_000)?;
    row(
        output,
        search(n as usize, habit)
            .iter()
            .map(|column| column + habit.base),
    )
}

/// The column of the queen of each row, counted from 0.
///
/// Begins with a random permutation. In each pass, every row whose queen is attacked along a diagonal exchanges its
/// column with a random other row, where that makes fewer attacks; when a board gets stuck, some rows exchange at
/// random.
fn search(n: usize, habit: Habit) -> Vec<u32> {
    let mut random = Random(7);
    let mut board = Board::new(n, habit, &mut random);
    for pass in 1..=habit.passes {
        let mut attacked = false;
        for a in 0..n {
            // So many partners are tried before the row waits for the next pass.
            for _ in 0..100 {
                if !board.is_attacked(a) {
                    break;
                }
                attacked = true;
                let b = random.below(n);
                if board.exchange(a, b) >= 0 {
                    board.exchange(a, b);
                }
            }
        }
        if !attacked {
            break;
        }
        if pass % 4 == 0 {
            board.exchange(random.below(n), random.below(n));
        }
    }
    board.columns
}

/// A permutation, and how many queens each diagonal has.
struct Board {
    columns: Vec<u32>,
    /// Diagonals down to the right, by column - row + n.
    right: Vec<u32>,
    /// Diagonals down to the left, by column + row.
    left: Vec<u32>,
    habit: Habit,
}

impl Board {
    fn new(n: usize, habit: Habit, random: &mut Random) -> Self {
        let mut columns: Vec<u32> = (0..n as u32).collect();
        for i in (1..n).rev() {
            columns.swap(i, random.below(i + 1));
        }
        let mut board = Self {
            columns,
            right: vec![0; 2 * n],
            left: vec![0; 2 * n],
            habit,
        };
        for row in 0..n {
            board.add(row);
        }
        board
    }

    fn is_watched(&self, row: usize) -> bool {
        row + self.habit.rows_left_out < self.columns.len()
    }

    fn diagonals(&self, row: usize) -> (usize, usize) {
        let column = self.columns[row] as usize;
        (column + self.columns.len() - row, column + row)
    }

    /// Puts the queen of a row on its diagonals; returns how many more collisions there are.
    fn add(&mut self, row: usize) -> i64 {
        if !self.is_watched(row) {
            return 0;
        }
        let (right, left) = self.diagonals(row);
        let mut more = i64::from(self.right[right]);
        self.right[right] += 1;
        if self.habit.both_directions {
            more += i64::from(self.left[left]);
            self.left[left] += 1;
        }
        more
    }

    /// Takes the queen of a row from its diagonals; returns how many fewer collisions there are.
    fn remove(&mut self, row: usize) -> i64 {
        if !self.is_watched(row) {
            return 0;
        }
        let (right, left) = self.diagonals(row);
        self.right[right] -= 1;
        let mut fewer = i64::from(self.right[right]);
        if self.habit.both_directions {
            self.left[left] -= 1;
            fewer += i64::from(self.left[left]);
        }
        fewer
    }

    fn is_attacked(&self, row: usize) -> bool {
        let (right, left) = self.diagonals(row);
        self.is_watched(row) && (self.right[right] > 1 || self.left[left] > 1)
    }

    /// Exchanges the columns of two rows; returns how many more collisions there are.
    fn exchange(&mut self, a: usize, b: usize) -> i64 {
        if a == b {
            return 0;
        }
        let fewer = self.remove(a) + self.remove(b);
        self.columns.swap(a, b);
        self.add(a) + self.add(b) - fewer
    }
}

/// The generator `SplitMix64`, as in the references: the same numbers everywhere.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_legal(columns: &[u32]) -> bool {
        (0..columns.len()).all(|lower| {
            (0..lower).all(|upper| {
                let distance = columns[lower].abs_diff(columns[upper]);
                distance != 0 && distance as usize != lower - upper
            })
        })
    }

    #[test]
    fn without_a_mistake_the_search_finds_boards() {
        for n in (4..=60).chain([1000]) {
            assert!(is_legal(&search(n, Habit::RIGHT)), "n = {n}");
        }
    }
}
