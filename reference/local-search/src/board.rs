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
#[derive(Clone, Debug, PartialEq, Eq)]
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
    pub fn filled(columns: Vec<u32>) -> (Self, i32) {
        let mut board = Self::new(columns);
        let collisions = (0..board.rows()).map(|row| board.put(row)).sum();
        (board, collisions)
    }

    /// The number of rows.
    #[inline]
    pub fn rows(&self) -> usize {
        self.columns.len()
    }

    /// The column of each row, counted from 0.
    #[inline]
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The same, when the board is not needed any more.
    pub fn into_columns(self) -> Vec<u32> {
        self.columns
    }

    /// Puts the queen of `row` on the board, and returns how many collisions this makes: 0, 1 or 2.
    ///
    /// # Panics
    ///
    /// If 255 queens are on one of its diagonals.
    #[inline]
    pub fn put(&mut self, row: usize) -> i32 {
        let (falling, rising) = self.diagonals(row);
        for counter in [&mut self.falling[falling], &mut self.rising[rising]] {
            *counter = counter.checked_add(1).expect("queens in random columns");
        }
        i32::from(self.falling[falling] > 1) + i32::from(self.rising[rising] > 1)
    }

    /// Takes the queen of `row` off the board, and returns how many collisions this ends.
    #[inline]
    pub fn take(&mut self, row: usize) -> i32 {
        let (falling, rising) = self.diagonals(row);
        self.falling[falling] -= 1;
        self.rising[rising] -= 1;
        i32::from(self.falling[falling] > 0) + i32::from(self.rising[rising] > 0)
    }

    /// Exchanges the columns of two rows without queens on the board.
    #[inline]
    pub fn exchange(&mut self, a: usize, b: usize) {
        self.columns.swap(a, b);
    }

    /// Exchanges the columns of two different rows with queens on the board, and returns by
    /// how much the number of collisions grows: -4 to 4. Doing it again undoes it.
    #[inline]
    pub fn swap(&mut self, a: usize, b: usize) -> i32 {
        let ended = self.take(a) + self.take(b);
        self.exchange(a, b);
        let made = self.put(a) + self.put(b);
        made - ended
    }

    /// What [`swap`](Self::swap) would return. It looks at eight diagonals, whatever n is, and writes nothing: nearly all
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

    /// Whether the queen of `row`, which is on the board, shares a diagonal with another one.
    #[inline]
    pub fn is_attacked(&self, row: usize) -> bool {
        let (falling, rising) = self.diagonals(row);
        self.falling[falling] > 1 || self.rising[rising] > 1
    }

    /// Whether a queen in `row` and in the column of row `other` would be the first on both of its
    /// diagonals.
    #[inline]
    pub fn is_free(&self, row: usize, other: usize) -> bool {
        let column = self.columns[other] as usize;
        self.falling[row + self.rows() - column] == 0 && self.rising[row + column] == 0
    }

    #[inline]
    fn diagonals(&self, row: usize) -> (usize, usize) {
        let column = self.columns[row] as usize;
        (row + self.rows() - column, row + column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The collisions by their definition, from the columns alone.
    fn collisions(columns: &[u32]) -> i32 {
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
        let falling = beyond_the_first(|n, row, column| row + n - column);
        (falling + beyond_the_first(|_, row, column| row + column)) as i32
    }

    /// Holds every exchange on the board to the definition.
    fn check(columns: &[u32]) {
        let (board, before) = Board::filled(columns.to_vec());
        assert_eq!(before, collisions(columns), "{columns:?}");
        for a in 0..columns.len() {
            for b in (0..columns.len()).filter(|&b| b != a) {
                let mut exchanged = columns.to_vec();
                exchanged.swap(a, b);
                let after = collisions(&exchanged);
                let change = board.change(a, b);
                assert_eq!(change, after - before, "{columns:?}: {a} and {b}");
                assert!((-4..=4).contains(&change));

                let mut made = board.clone();
                assert_eq!(made.swap(a, b), change);
                assert_eq!(made, Board::filled(exchanged).0);
                assert_eq!(made.swap(b, a), -change);
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
    fn every_exchange_on_every_small_board_changes_the_collisions_as_defined() {
        for n in 1..=6 {
            for_each_permutation(n, &mut Vec::new(), check);
        }
    }

    #[test]
    #[should_panic(expected = "queens in random columns")]
    fn a_diagonal_with_more_queens_is_not_miscounted() {
        Board::filled((0..256).collect());
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
