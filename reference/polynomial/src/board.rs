//! A board with one queen in each row and column, and how many queens are on each diagonal.

/// A permutation of columns, and counters of the queens on each diagonal.
///
/// A row has its column from the beginning, but its queen counts only once it is [`put`](Self::put)
/// on the board. The number of *collisions* is the sum, over all diagonals, of the queens beyond
/// the first one; a board of n queens without collisions is a solution.
///
/// Invariant: each column belongs to exactly one row, and each counter is the number of queens that
/// were put on its diagonal. A counter goes to 255: of queens in random columns, 255 would never
/// meet on one diagonal, and counters of one byte keep four times as many diagonals in the caches.
#[derive(Clone, Debug)]
pub struct Board {
    /// The column of each row, counted from 0.
    columns: Vec<u32>,
    /// Queens on each falling diagonal (`\`), by `row - column + n`.
    falling: Vec<u8>,
    /// Queens on each rising diagonal (`/`), by `row + column`.
    rising: Vec<u8>,
}

impl Board {
    /// A board without queens, whose rows have the columns that are given: a permutation of the
    /// numbers from 0.
    pub fn new(columns: Vec<u32>) -> Self {
        let diagonals = 2 * columns.len();
        Self {
            columns,
            falling: vec![0; diagonals],
            rising: vec![0; diagonals],
        }
    }

    /// The same with all queens on the board, and the number of collisions.
    ///
    /// # Panics
    ///
    /// If more than 255 queens are on one diagonal.
    pub fn filled(columns: Vec<u32>) -> (Self, i64) {
        let mut board = Self::new(columns);
        let collisions = (0..board.rows()).map(|row| board.put(row)).sum();
        (board, collisions)
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.columns.len()
    }

    /// The column of each row, counted from 0.
    pub fn into_columns(self) -> Vec<u32> {
        self.columns
    }

    /// Puts the queen of `row` on the board, and returns how many collisions this makes: 0, 1 or 2.
    ///
    /// # Panics
    ///
    /// If 255 queens are on one of its diagonals.
    pub fn put(&mut self, row: usize) -> i64 {
        let (falling, rising) = self.diagonals(row);
        for counter in [&mut self.falling[falling], &mut self.rising[rising]] {
            *counter = counter.checked_add(1).expect("queens in random columns");
        }
        i64::from(self.falling[falling] > 1) + i64::from(self.rising[rising] > 1)
    }

    /// Takes the queen of `row` off the board, and returns how many collisions this ends.
    pub fn take(&mut self, row: usize) -> i64 {
        let (falling, rising) = self.diagonals(row);
        self.falling[falling] -= 1;
        self.rising[rising] -= 1;
        i64::from(self.falling[falling] > 0) + i64::from(self.rising[rising] > 0)
    }

    /// Exchanges the columns of two rows whose queens are not on the board.
    pub fn exchange(&mut self, a: usize, b: usize) {
        self.columns.swap(a, b);
    }

    /// Exchanges the columns of two different rows whose queens are on the board, and returns by
    /// how much the number of collisions grows: -4 to 4. Doing it again undoes it.
    pub fn swap(&mut self, a: usize, b: usize) -> i64 {
        let ended = self.take(a) + self.take(b);
        self.exchange(a, b);
        let made = self.put(a) + self.put(b);
        made - ended
    }

    /// Whether the queen of `row`, which is on the board, shares a diagonal with another one.
    pub fn is_attacked(&self, row: usize) -> bool {
        let (falling, rising) = self.diagonals(row);
        self.falling[falling] > 1 || self.rising[rising] > 1
    }

    /// Whether a queen in `row` and in the column of row `other` would be the first on both of its
    /// diagonals.
    pub fn is_free(&self, row: usize, other: usize) -> bool {
        let column = self.columns[other] as usize;
        self.falling[row + self.rows() - column] == 0 && self.rising[row + column] == 0
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

    /// The collisions by their definition, from the columns alone.
    fn collisions(columns: &[u32]) -> i64 {
        let n = columns.len();
        let row_of = |row: usize| (row, columns[row] as usize);
        (0..2 * n)
            .map(|diagonal| {
                let falling = (0..n)
                    .map(row_of)
                    .filter(|(r, c)| r + n - c == diagonal)
                    .count();
                let rising = (0..n)
                    .map(row_of)
                    .filter(|(r, c)| r + c == diagonal)
                    .count();
                falling.saturating_sub(1) + rising.saturating_sub(1)
            })
            .sum::<usize>() as i64
    }

    #[test]
    fn the_collisions_made_and_ended_add_up() {
        let mut random = Random::new(9);
        for n in 2..20 {
            let (mut board, mut total) = Board::filled(random.permutation(n));
            for _ in 0..50 {
                assert_eq!(total, collisions(&board.columns), "n = {n}");
                let a = random.below(n as usize);
                let b = (a + 1 + random.below(n as usize - 1)) % n as usize;
                total += board.swap(a, b);
            }
        }
    }

    #[test]
    fn a_swap_done_again_is_undone() {
        let (mut board, _) = Board::filled(vec![0, 2, 1, 3]);
        let before = board.clone();
        let change = board.swap(1, 3);
        assert_eq!(board.swap(1, 3), -change);
        assert_eq!(
            (board.columns, board.falling, board.rising),
            (before.columns, before.falling, before.rising)
        );
    }

    #[test]
    fn a_queen_is_attacked_along_diagonals() {
        let (board, _) = Board::filled(vec![1, 3, 2, 0]);
        assert_eq!(
            [0, 1, 2, 3].map(|row| board.is_attacked(row)),
            [false, true, true, false]
        );
    }
}
