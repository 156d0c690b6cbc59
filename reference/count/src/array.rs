//! Counting with arrays: one record per column and per diagonal.

/// The number of ways to place `n` queens, `n` from 1 to 32.
///
/// Queens are placed row by row, from the top. All squares of a falling diagonal (`\`) have the
/// same `row - column`, all squares of a rising one (`/`) the same `row + column`; so three arrays
/// tell in three look-ups whether a square is attacked.
///
/// ```text
///  row - column (+ 3)      row + column         n = 4
///      3 2 1 0               0 1 2 3
///      4 3 2 1               1 2 3 4
///      5 4 3 2               2 3 4 5
///      6 5 4 3               3 4 5 6
/// ```
///
/// Invariant: before row `r` is tried, rows `0..r` hold one queen each, none attacks another, and
/// the arrays are `true` exactly for the columns and diagonals of these `r` queens.
///
/// Source: N. Wirth, *Program Development by Stepwise Refinement*, CACM 14(4), 1971.
///
/// # Panics
///
/// If `n` is not 1 to 32.
pub fn number_of_solutions(n: u32) -> u64 {
    assert!((1..=32).contains(&n), "n must be 1 to 32");
    let n = n as usize;
    let mut records = Records {
        column: vec![false; n],
        falling: vec![false; 2 * n - 1],
        rising: vec![false; 2 * n - 1],
    };
    records.place(0)
}

/// What the queens that are on the board occupy.
struct Records {
    column: Vec<bool>,
    /// Falling diagonals, by `row - column + n - 1` so that the index is never negative.
    falling: Vec<bool>,
    /// Rising diagonals, by `row + column`.
    rising: Vec<bool>,
}

impl Records {
    /// The number of ways to fill the rows from `row` on; leaves the records as it found them.
    fn place(&mut self, row: usize) -> u64 {
        let n = self.column.len();
        if row == n {
            return 1;
        }
        let mut solutions = 0;
        for column in 0..n {
            let (falling, rising) = (row + n - 1 - column, row + column);
            if self.column[column] || self.falling[falling] || self.rising[rising] {
                continue;
            }
            self.mark(column, falling, rising, true);
            solutions += self.place(row + 1);
            self.mark(column, falling, rising, false);
        }
        solutions
    }

    fn mark(&mut self, column: usize, falling: usize, rising: usize, occupied: bool) {
        self.column[column] = occupied;
        self.falling[falling] = occupied;
        self.rising[rising] = occupied;
    }
}
