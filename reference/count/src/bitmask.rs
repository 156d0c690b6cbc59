//! Counting with bit masks: one bit per square of the current row.

/// The number of ways to place `n` queens, `n` from 1 to 32.
///
/// Queens are placed row by row. Three masks say which columns of the current row are attacked:
/// straight from above (`columns`), along the diagonals that run down to the left (`left`), and along
/// those that run down to the right (`right`). Going down one row, a diagonal moves by one column, so
/// the second mask is shifted left and the third one right:
///
/// ```text
///  column    5 4 3 2 1 0     bit c stands for column c
///  row 0     . . . . Q .
///  row 1     Q . . . . .
///  row 2     . . . ? . ?     the current row
///
///  columns   1 0 0 0 1 0
///  left      0 0 1 0 0 0     queen of row 0; that of row 1 attacks a square beyond the edge
///  right     0 1 0 0 0 0     queen of row 1
///  free      0 0 0 1 0 1     none of the three
/// ```
///
/// Shifted right, a diagonal falls off the mask at column 0; shifted left, its bit stands beyond the
/// board, or falls off too, and is not looked at.
///
/// Invariant of `place`: bit `c` of `columns | left | right` is set exactly if column `c` of the
/// current row is attacked by a queen above, for each column of the board; `columns` has one bit for
/// each row already filled.
///
/// Source: M. Richards, *Backtracking Algorithms in MCPL using Bit Patterns and Recursion*,
/// Technical Report 433, University of Cambridge Computer Laboratory, 1997.
///
/// # Panics
///
/// If `n` is not 1 to 32.
pub fn number_of_solutions(n: u32) -> u64 {
    search(n, |_| {})
}

/// A step of the search. A square of the current row is given as its bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A queen is put on a square, and the next row becomes the current one.
    Place(u32),
    /// All rows are filled.
    Solution,
    /// The current row, which was entered just now, has no free square.
    DeadEnd,
    /// The search is back in the row of this queen, and takes it off the board.
    Remove(u32),
}

/// The same number, with each step of the search told to `observe`. An observer that does nothing costs nothing.
///
/// # Panics
///
/// If `n` is not 1 to 32.
pub fn search(n: u32, mut observe: impl FnMut(Step)) -> u64 {
    assert!((1..=32).contains(&n), "n must be 1 to 32");
    let full = u32::MAX >> (32 - n);
    place(full, 0, 0, 0, &mut observe)
}

/// The number of ways to fill the rows that are left; `full` has one bit for each column.
fn place(full: u32, columns: u32, left: u32, right: u32, observe: &mut impl FnMut(Step)) -> u64 {
    if columns == full {
        observe(Step::Solution);
        return 1;
    }
    let mut solutions = 0;
    let mut free = full & !(columns | left | right);
    if free == 0 {
        observe(Step::DeadEnd);
    }
    while free != 0 {
        // `p & -p` keeps the lowest set bit of p: -p has all bits above it inverted.
        let queen = free & free.wrapping_neg();
        free ^= queen;
        observe(Step::Place(queen));
        solutions += place(
            full,
            columns | queen,
            (left | queen) << 1,
            (right | queen) >> 1,
            observe,
        );
        observe(Step::Remove(queen));
    }
    solutions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_full_of_columns_is_searched_without_overflow() {
        // One row of the 32 by 32 board is left, and only its highest column is free of queens.
        let full = u32::MAX;
        let top = 1 << 31;
        assert_eq!(place(full, full ^ top, 0, 0, &mut |_| {}), 1);
        assert_eq!(place(full, full ^ top, top, 0, &mut |_| {}), 0);
    }

    #[test]
    fn the_steps_are_those_of_the_search() {
        let mut steps = Vec::new();
        assert_eq!(search(2, |step| steps.push(step)), 0);
        let of_column = |queen| [Step::Place(queen), Step::DeadEnd, Step::Remove(queen)];
        assert_eq!(steps, [of_column(1), of_column(2)].concat());

        let mut calls = 1;
        assert_eq!(
            search(8, |step| calls += u32::from(matches!(step, Step::Place(_)))),
            92
        );
        assert_eq!(calls, 2057);
    }

    #[test]
    #[should_panic(expected = "n must be 1 to 32")]
    fn an_empty_board_is_refused() {
        number_of_solutions(0);
    }
}
