//! A board with one queen in each row and column, and its energy.

/// A permutation of columns, the queens on each diagonal, and the energy.
///
/// The energy is the number of collisions: the sum, over all diagonals, of the queens beyond the
/// first one. A board of energy 0 is a solution.
///
/// Invariant: each column belongs to exactly one row, each counter is the number of queens on its
/// diagonal, and `energy` is the energy; an exchange touches eight counters, whatever n is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// The column of each row, counted from 0.
    columns: Vec<u32>,
    /// Queens on each falling diagonal (`\`), by `row - column + n`.
    falling: Vec<u32>,
    /// Queens on each rising diagonal (`/`), by `row + column`.
    rising: Vec<u32>,
    energy: i32,
}

impl Board {
    /// The board of a permutation: the column of each row, counted from 0.
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
    pub fn energy(&self) -> i32 {
        self.energy
    }

    /// The column of each row, counted from 0.
    pub fn into_columns(self) -> Vec<u32> {
        self.columns
    }

    /// Exchanges the columns of two different rows, and returns the change of the energy: -4 to 4.
    /// Doing it again undoes it.
    pub fn swap(&mut self, a: usize, b: usize) -> i32 {
        let before = self.energy;
        self.take(a);
        self.take(b);
        self.columns.swap(a, b);
        self.put(a);
        self.put(b);
        self.energy - before
    }

    fn put(&mut self, row: usize) {
        let (falling, rising) = self.diagonals(row);
        self.energy += i32::from(self.falling[falling] > 0) + i32::from(self.rising[rising] > 0);
        self.falling[falling] += 1;
        self.rising[rising] += 1;
    }

    fn take(&mut self, row: usize) {
        let (falling, rising) = self.diagonals(row);
        self.falling[falling] -= 1;
        self.rising[rising] -= 1;
        self.energy -= i32::from(self.falling[falling] > 0) + i32::from(self.rising[rising] > 0);
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
    fn collisions(columns: &[u32]) -> i32 {
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
            .sum::<usize>() as i32
    }

    #[test]
    fn the_energy_is_the_number_of_collisions_after_every_exchange() {
        let mut random = Random::new(9);
        for n in 2..20 {
            let mut board = Board::new(random.permutation(n));
            for _ in 0..50 {
                assert_eq!(board.energy(), collisions(&board.columns), "n = {n}");
                let a = random.below(n as usize);
                let b = (a + 1 + random.below(n as usize - 1)) % n as usize;
                let before = board.energy();
                assert_eq!(board.swap(a, b), board.energy() - before);
            }
        }
    }

    #[test]
    fn an_exchange_done_again_is_undone() {
        let before = Board::new(vec![0, 2, 1, 3]);
        let mut board = before.clone();
        let change = board.swap(1, 3);
        assert_ne!(board, before);
        assert_eq!(board.swap(1, 3), -change);
        assert_eq!(board, before);
    }
}
