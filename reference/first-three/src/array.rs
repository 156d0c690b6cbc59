//! The search that the task teaches: row by row, with a flag for each column and diagonal.

use std::ops::ControlFlow;

/// The largest board that is searched: fast-count takes a minute for its total.
pub const MAX_N: u32 = 20;

/// Shows `visit` all solutions for `n` queens (1 to [`MAX_N`]) in numerical order, until it breaks.
/// A solution is the column of the queen of each row, counted from 1.
///
/// The order and the invariant are those of [`crate::bitmask::visit_solutions`]; this is how a good student writes it, and so
/// its time is the one that limits are multiples of.
///
/// # Panics
///
/// If `n` is not 1 to [`MAX_N`].
pub fn visit_solutions<B>(
    n: u32,
    visit: &mut dyn FnMut(&[u32]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    assert!((1..=MAX_N).contains(&n), "n must be 1 to {MAX_N}");
    let n = n as usize;
    let mut search = Search {
        n,
        queens: vec![0; n],
        columns: vec![false; n],
        rising: vec![false; 2 * n],
        falling: vec![false; 2 * n],
        visit,
    };
    search.place(0)
}

struct Search<'a, B> {
    n: usize,
    /// The columns of the rows above, counted from 1.
    queens: Vec<u32>,
    columns: Vec<bool>,
    /// By row + column.
    rising: Vec<bool>,
    /// By row - column + n.
    falling: Vec<bool>,
    visit: &'a mut dyn FnMut(&[u32]) -> ControlFlow<B>,
}

impl<B> Search<'_, B> {
    /// Tries all ways to fill the rows from `row` on.
    fn place(&mut self, row: usize) -> ControlFlow<B> {
        if row == self.n {
            return (self.visit)(&self.queens);
        }
        for column in 0..self.n {
            let (rising, falling) = (row + column, row + self.n - column);
            if self.columns[column] || self.rising[rising] || self.falling[falling] {
                continue;
            }
            self.queens[row] = column as u32 + 1;
            self.set(column, rising, falling, true);
            self.place(row + 1)?;
            self.set(column, rising, falling, false);
        }
        ControlFlow::Continue(())
    }

    fn set(&mut self, column: usize, rising: usize, falling: usize, taken: bool) {
        self.columns[column] = taken;
        self.rising[rising] = taken;
        self.falling[falling] = taken;
    }
}
