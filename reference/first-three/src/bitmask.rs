//! The search with bit masks: row by row, lowest column first.

use std::ops::ControlFlow;

use crate::array::MAX_N;

/// Shows `visit` all solutions for `n` queens (1 to [`MAX_N`]) in numerical order, until it breaks.
/// A solution is the column of the queen of each row, counted from 1.
///
/// Rows are filled from the top, and in each row the free columns are tried from the lowest bit to
/// the highest. Therefore solutions are met in numerical order, and the search can stop as soon as
/// `visit` has seen enough of them.
///
/// Invariant of `place`: `queens` holds the columns of the rows above, which do not
/// attack each other, and bit `c` of `columns | left | right` is set exactly if one of them
/// attacks column `c` of the current row. Every solution that is smaller than all continuations of
/// `queens` has been visited.
///
/// Source: M. Richards, *Backtracking Algorithms in MCPL using Bit Patterns and Recursion*,
/// Technical Report 433, University of Cambridge Computer Laboratory, 1997; the order is that of
/// *Checker Challenge*, USACO training pages, section 1.5.
///
/// # Panics
///
/// If `n` is not 1 to [`MAX_N`].
pub fn visit_solutions<B>(
    n: u32,
    visit: &mut dyn FnMut(&[u32]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    assert!((1..=MAX_N).contains(&n), "n must be 1 to {MAX_N}");
    let mut search = Search {
        full: u64::MAX >> (64 - n),
        queens: Vec::with_capacity(n as usize),
        visit,
    };
    search.place(0, 0, 0)
}

struct Search<'a, B> {
    /// One bit for each column.
    full: u64,
    /// The columns of the rows above, counted from 1.
    queens: Vec<u32>,
    /// Who is shown the solutions.
    visit: &'a mut dyn FnMut(&[u32]) -> ControlFlow<B>,
}

impl<B> Search<'_, B> {
    /// Tries all ways to fill the rows that are left.
    fn place(&mut self, columns: u64, left: u64, right: u64) -> ControlFlow<B> {
        if columns == self.full {
            return (self.visit)(&self.queens);
        }
        let mut free = self.full & !(columns | left | right);
        while free != 0 {
            // `p & -p` keeps the lowest set bit of p.
            let queen = free & free.wrapping_neg();
            free ^= queen;
            self.queens.push(queen.trailing_zeros() + 1);
            self.place(columns | queen, (left | queen) << 1, (right | queen) >> 1)?;
            self.queens.pop();
        }
        ControlFlow::Continue(())
    }
}
