//! A board with one queen in each row and column, and its energy.

/// A permutation of columns, the queens on each diagonal, and the energy.
///
/// The energy is the number of collisions: the sum, over all diagonals, of the queens beyond the
/// first one. A board of energy 0 is a solution.
///
/// Invariant: each column belongs to exactly one row, each counter is the number of queens on its
/// diagonal, and `energy` is the energy. The counters are bytes, so that as much as possible of
/// them is in the nearest cache; see [`Board::new`] for what this asks of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The column of each row, counted from 0.
    columns: Vec<u32>,
    /// Queens on each falling diagonal (`\`), by `row - column + n`.
    falling: Vec<u8>,
    /// Queens on each rising diagonal (`/`), by `row + column`.
    rising: Vec<u8>,
    energy: u32,
}

impl Board {
    /// The board of a permutation: the column of each row, counted from 0.
    ///
    /// # Panics
    ///
    /// If there are more than 255 queens on one diagonal; so does [`Board::exchange`]. On a random
    /// board this does not happen: there are at most `n! / (k! (n - k)!)` choices of `k` squares of
    /// a diagonal, and all have queens with probability `(n - k)! / n!`, which makes `1 / k!`. With
    /// 10^7 queens, any of the 4 · 10^7 diagonals has 256 of them with probability below 10^-499,
    /// and the search, which avoids collisions, does not make it likelier.
    pub fn new(columns: Vec<u32>) -> Self {
        let (rows, diagonals) = (columns.len(), 2 * columns.len());
        let mut board = Self {
            columns,
            falling: vec![0; diagonals],
            rising: vec![0; diagonals],
            energy: 0,
        };
        for row in 0..rows {
            board.put(row);
        }
        board
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.len()
    }

    /// The number of collisions.
    pub fn energy(&self) -> u32 {
        self.energy
    }

    /// The column of each row, counted from 0.
    pub fn into_columns(self) -> Vec<u32> {
        self.columns
    }

    /// The change of the energy, -4 to 4, if rows `a` and `b`, different ones, exchanged their
    /// columns. It looks at eight diagonals, whatever n is, and writes nothing: nearly all
    /// exchanges are only considered.
    ///
    /// ```text
    ///        ca    cb          A queen that leaves a diagonal where there are others
    ///   a    Q  →  o           ends a collision, one that enters a diagonal where there
    ///                          are others makes one.
    ///   b    o  ←  Q
    /// ```
    ///
    /// This counts each queen as if the other stood still, which is wrong in one case only: `a` and
    /// `b` are on one diagonal, and then they will be on one again, of the other direction. If they
    /// are alone on the first, only one collision ends, not two; if nobody is on the second, one
    /// begins, not none.
    #[inline]
    pub fn change(&self, a: usize, b: usize) -> i32 {
        let n = self.rows();
        let (ca, cb) = (self.columns[a] as usize, self.columns[b] as usize);
        let (falling_a, falling_b) = (self.falling[a + n - ca], self.falling[b + n - cb]);
        let (rising_a, rising_b) = (self.rising[a + ca], self.rising[b + cb]);
        let (to_falling_a, to_falling_b) = (self.falling[a + n - cb], self.falling[b + n - ca]);
        let (to_rising_a, to_rising_b) = (self.rising[a + cb], self.rising[b + ca]);

        let begun = [to_falling_a, to_falling_b, to_rising_a, to_rising_b]
            .map(|others| i32::from(others > 0));
        let ended = [falling_a, falling_b, rising_a, rising_b].map(|queens| i32::from(queens > 1));
        let mut change = begun.iter().sum::<i32>() - ended.iter().sum::<i32>();
        if a + cb == b + ca {
            change += i32::from(falling_a == 2) + i32::from(to_rising_a == 0);
        } else if a + ca == b + cb {
            change += i32::from(rising_a == 2) + i32::from(to_falling_a == 0);
        }
        change
    }

    /// Exchanges the columns of two different rows. Doing it again undoes it.
    pub fn exchange(&mut self, a: usize, b: usize) {
        self.take(a);
        self.take(b);
        self.columns.swap(a, b);
        self.put(a);
        self.put(b);
    }

    fn put(&mut self, row: usize) {
        let (falling, rising) = self.diagonals(row);
        for queens in [&mut self.falling[falling], &mut self.rising[rising]] {
            self.energy += u32::from(*queens > 0);
            *queens = queens
                .checked_add(1)
                .expect("at most 255 queens on a diagonal");
        }
    }

    fn take(&mut self, row: usize) {
        let (falling, rising) = self.diagonals(row);
        for queens in [&mut self.falling[falling], &mut self.rising[rising]] {
            *queens -= 1;
            self.energy -= u32::from(*queens > 0);
        }
    }

    fn diagonals(&self, row: usize) -> (usize, usize) {
        let column = self.columns[row] as usize;
        (row + self.rows() - column, row + column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The energy by its definition, from the columns alone.
    fn collisions(columns: &[u32]) -> usize {
        let n = columns.len();
        let beyond_the_first = |diagonal_of: fn(usize, usize, usize) -> usize| -> usize {
            (0..2 * n)
                .map(|diagonal| {
                    (0..n)
                        .filter(|&row| diagonal_of(n, row, columns[row] as usize) == diagonal)
                        .count()
                        .saturating_sub(1)
                })
                .sum()
        };
        beyond_the_first(|n, row, column| row + n - column)
            + beyond_the_first(|_, row, column| row + column)
    }

    /// Holds every exchange on the board to the definition.
    fn check(columns: &[u32]) {
        let board = Board::new(columns.to_vec());
        let before = collisions(columns);
        assert_eq!(board.energy() as usize, before, "{columns:?}");
        for a in 0..columns.len() {
            for b in (0..columns.len()).filter(|&b| b != a) {
                let mut exchanged = columns.to_vec();
                exchanged.swap(a, b);
                let after = collisions(&exchanged);
                let change = board.change(a, b);
                assert_eq!(
                    change,
                    after as i32 - before as i32,
                    "{columns:?}: {a} and {b}"
                );
                assert!((-4..=4).contains(&change));

                let mut made = board.clone();
                made.exchange(a, b);
                assert_eq!(made, Board::new(exchanged));
                made.exchange(b, a);
                assert_eq!(made, board, "undone");
            }
        }
    }

    /// All permutations that begin with `columns`.
    fn for_each_permutation(n: u32, columns: &mut Vec<u32>, check: fn(&[u32])) {
        if columns.len() == n as usize {
            return check(columns);
        }
        for column in 0..n {
            if !columns.contains(&column) {
                columns.push(column);
                for_each_permutation(n, columns, check);
                columns.pop();
            }
        }
    }

    #[test]
    fn every_exchange_on_every_small_board_changes_the_energy_as_defined() {
        for n in 1..=6 {
            for_each_permutation(n, &mut Vec::new(), check);
        }
    }

    #[test]
    fn every_exchange_on_random_boards_changes_the_energy_as_defined() {
        let mut random = Random::new(9);
        for n in 7..20 {
            for _ in 0..5 {
                check(&random.permutation(n));
            }
        }
    }

    #[test]
    fn every_exchange_on_a_crowded_diagonal_changes_the_energy_as_defined() {
        check(&(0..12).collect::<Vec<u32>>());
        check(&(0..12).rev().collect::<Vec<u32>>());
    }

    #[test]
    fn a_diagonal_holds_255_queens() {
        let mut board = Board::new((0..255).collect());
        assert_eq!(board.energy(), 254);
        assert_eq!(board.change(0, 1), -1);
        board.exchange(0, 1);
        assert_eq!(board.energy(), 253);
    }

    #[test]
    #[should_panic(expected = "at most 255 queens on a diagonal")]
    fn a_diagonal_with_more_queens_is_not_miscounted() {
        Board::new((0..256).collect());
    }
}
