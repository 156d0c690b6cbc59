//! The same search with an exact test: does any solution begin like this?
//!
//! On a large board the plain search spends nearly all its time below a few beginnings that no
//! solution has. It fills row after row, although the trouble may be elsewhere: in a row far below,
//! or in a column, that has hardly a square left. Here a beginning is made longer only if the test
//! ([`visit_solutions`] says which) has found a solution that begins with it.
//!
//! ```text
//!        1 2 3 4 5 6
//!      1 Q . . . . .      Which solutions of n = 6 begin with 1 4? Squares that are not attacked
//!      2 . . . Q . .      are `o`. Row 3 has two, and so have row 4, column 5 and column 6; all
//!      3 . o . . . o      others have three. Whichever square of row 3 gets a queen, row 4 keeps
//!      4 . . o . o .      one square, and with a queen there row 5 or row 6 has none: so there is
//!      5 . o o . . o      no such solution.
//!      6 . o o . o .
//! ```

use std::ops::ControlFlow;

use crate::LARGEST;

/// Shows `visit` all solutions for `n` queens (1 to [`LARGEST`]) in numerical order, until it
/// breaks. A solution is the column of the queen of each row, counted from 1.
///
/// Rows are filled from the top and the columns of each row are tried from left to right, as in
/// [`plain`](crate::plain). A queen stays only if `has_completion` finds a solution with it and the
/// queens above. The test gives yes or no and nothing else: it searches in an order of its own, but
/// what it finds is thrown away. As it is exact, only beginnings without any solution are
/// dropped, and the solutions that are left are met in the same order.
///
/// Invariant of `place`: the queens of the rows above do not attack each other, `rows` and
/// `columns` are the board with these queens, and at least one solution begins with them. Every
/// solution that is smaller than all continuations of `queens` has been visited.
///
/// So every call of `place` meets a solution, and the test is asked at most n² times for each
/// solution; the time is that of the tests. They are fast because they place next where the choice
/// is smallest, the old rule "fail first", here with rows and columns as equals.
///
/// Source: R. M. Haralick and G. L. Elliott, *Increasing Tree Search Efficiency for Constraint
/// Satisfaction Problems*, Artificial Intelligence 14, 1980, for the rule; the boards of large n are
/// OEIS A141843.
///
/// # Panics
///
/// If `n` is not 1 to [`LARGEST`].
pub fn visit_solutions<B>(
    n: u32,
    visit: &mut dyn FnMut(&[u32]) -> ControlFlow<B>,
) -> ControlFlow<B> {
    assert!((1..=LARGEST).contains(&n), "n must be 1 to {LARGEST}");
    let (rows, columns) = (Side::empty(n), Side::empty(n));
    // The empty board has no solution for n = 2 and 3.
    if !has_completion(rows, columns) {
        return ControlFlow::Continue(());
    }
    let mut search = Search {
        queens: Vec::with_capacity(n as usize),
        visit,
    };
    search.place(rows, columns)
}

struct Search<'a, B> {
    /// The columns of the rows above, counted from 1.
    queens: Vec<u32>,
    /// Who is shown the solutions.
    visit: &'a mut dyn FnMut(&[u32]) -> ControlFlow<B>,
}

impl<B> Search<'_, B> {
    /// Tries all ways to fill the rows that are left.
    fn place(&mut self, rows: Side, columns: Side) -> ControlFlow<B> {
        if rows.open == 0 {
            return (self.visit)(&self.queens);
        }
        let row = self.queens.len() as u32;
        for column in ascending(rows.candidates(row)) {
            let (rows, columns) = (rows.with(row, column), columns.with(column, row));
            if has_completion(rows, columns) {
                self.queens.push(column + 1);
                self.place(rows, columns)?;
                self.queens.pop();
            }
        }
        ControlFlow::Continue(())
    }
}

/// Whether the open rows can all get a queen, by a search over rows and columns alike.
///
/// Each solution has a queen in every open row and in every open column. So the next queen may be
/// sought in any one line, row or column: if no candidate of that line leads to a solution, there is
/// none. The line with the fewest candidates is taken; a line without any ends the branch at
/// once, and a line with one leaves no choice.
///
/// `one` and `other` are the board with the same queens, seen from the rows and from the columns;
/// which is which does not matter, for the mirror image of a solution in the main diagonal is one
/// for the mirror image of the board.
///
/// Candidates are tried from the highest place: the beginnings that are tested have used up
/// squares on the left and at the top, so most completions of the rest are found sooner there.
/// The answer does not depend on it.
fn has_completion(one: Side, other: Side) -> bool {
    if one.open == 0 {
        return true;
    }
    let (mut lines, mut across) = (one, other);
    let mut narrowest = lines.narrowest();
    if narrowest.count > 1 {
        let crossing = across.narrowest();
        if crossing.count < narrowest.count {
            (lines, across, narrowest) = (across, lines, crossing);
        }
    }
    let line = narrowest.line;
    descending(narrowest.candidates)
        .any(|place| has_completion(lines.with(line, place), across.with(place, line)))
}

/// A board seen from one side: its lines are the rows and the places in a line are columns, or the
/// other way round. Both are counted from 0.
///
/// ```text
///     place  0 1 2 3
///   line 0   0 1 2 3      line + place: the same along a diagonal that rises to the right
///   line 1   1 2 3 4
///   line 2   2 3 4 5      the bits of `rising` from bit 2 on are the places of line 2
///   line 3   3 4 5 6
///
///   line 0   3 4 5 6      n - 1 - line + place: the same along one that falls to the right
///   line 1   2 3 4 5
///   line 2   1 2 3 4      the bits of `falling` from bit 1 on are the places of line 2
///   line 3   0 1 2 3
/// ```
#[derive(Clone, Copy)]
struct Side {
    /// The number of lines, 1 to [`LARGEST`].
    n: u32,
    /// One bit for each line without a queen.
    open: u64,
    /// One bit for each place that is attacked in no line straight across.
    free: u64,
    /// One bit for each rising diagonal with a queen.
    rising: u128,
    /// One bit for each falling diagonal with a queen.
    falling: u128,
}

/// The line with the fewest candidates.
struct Narrowest {
    /// Its number.
    line: u32,
    /// How many candidates it has.
    count: u32,
    /// One bit for each.
    candidates: u64,
}

impl Side {
    /// An empty board of `n` lines.
    fn empty(n: u32) -> Self {
        let full = u64::MAX >> (64 - n);
        Self {
            n,
            open: full,
            free: full,
            rising: 0,
            falling: 0,
        }
    }

    /// One bit for each place of an open line that is not attacked.
    fn candidates(&self, line: u32) -> u64 {
        let rising = (self.rising >> line) as u64;
        let falling = (self.falling >> (self.n - 1 - line)) as u64;
        self.free & !(rising | falling)
    }

    /// The board with one more queen.
    fn with(&self, line: u32, place: u32) -> Self {
        Self {
            n: self.n,
            open: self.open & !(1 << line),
            free: self.free & !(1 << place),
            rising: self.rising | 1 << (line + place),
            falling: self.falling | 1 << (self.n - 1 - line + place),
        }
    }

    /// The first of the open lines that have the fewest candidates; there must be an open line.
    fn narrowest(&self) -> Narrowest {
        let mut narrowest = Narrowest {
            line: 0,
            count: u32::MAX,
            candidates: 0,
        };
        for line in ascending(self.open) {
            let candidates = self.candidates(line);
            let count = candidates.count_ones();
            if count < narrowest.count {
                narrowest = Narrowest {
                    line,
                    count,
                    candidates,
                };
            }
            if count == 0 {
                break;
            }
        }
        narrowest
    }
}

/// The numbers of the bits that are set, from the lowest.
fn ascending(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = (bits != 0).then(|| bits.trailing_zeros())?;
        bits &= bits - 1;
        Some(lowest)
    })
}

/// The numbers of the bits that are set, from the highest.
fn descending(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let highest = bits.checked_ilog2()?;
        bits ^= 1 << highest;
        Some(highest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain;

    /// The board with these queens, columns counted from 1, seen from both sides.
    fn board(n: u32, queens: &[u32]) -> (Side, Side) {
        let mut sides = (Side::empty(n), Side::empty(n));
        for (row, queen) in (0..).zip(queens) {
            sides = (sides.0.with(row, queen - 1), sides.1.with(queen - 1, row));
        }
        sides
    }

    #[test]
    fn the_candidates_are_those_of_the_picture() {
        let (rows, columns) = board(6, &[1, 4]);
        let of_row = |row: u32| -> Vec<u32> {
            ascending(rows.candidates(row - 1))
                .map(|column| column + 1)
                .collect()
        };
        let of_column = |column: u32| -> Vec<u32> {
            ascending(columns.candidates(column - 1))
                .map(|row| row + 1)
                .collect()
        };
        assert_eq!(
            [3, 4, 5, 6].map(of_row),
            [vec![2, 6], vec![3, 5], vec![2, 3, 6], vec![2, 3, 5]]
        );
        assert_eq!(
            [2, 3, 5, 6].map(of_column),
            [vec![3, 5, 6], vec![4, 5, 6], vec![4, 6], vec![3, 5]]
        );
        assert!(!has_completion(rows, columns));
    }

    #[test]
    fn a_beginning_has_a_completion_exactly_if_a_solution_begins_with_it() {
        for n in 1..=9 {
            let mut solutions: Vec<Vec<u32>> = Vec::new();
            let end = plain::visit_solutions(n, &mut |board| {
                solutions.push(board.to_vec());
                ControlFlow::<()>::Continue(())
            });
            assert!(end.is_continue());
            let mut beginnings = vec![Vec::new()];
            while let Some(beginning) = beginnings.pop() {
                let (rows, columns) = board(n, &beginning);
                let expected = solutions.iter().any(|all| all.starts_with(&beginning));
                assert_eq!(
                    has_completion(rows, columns),
                    expected,
                    "{n}: {beginning:?}"
                );
                assert_eq!(
                    has_completion(columns, rows),
                    expected,
                    "{n}: {beginning:?}"
                );
                if rows.open != 0 {
                    let next = ascending(rows.candidates(beginning.len() as u32));
                    beginnings.extend(next.map(|column| [&*beginning, &[column + 1]].concat()));
                }
            }
        }
    }

    #[test]
    fn the_largest_board_fits_its_words() {
        // The closed form for n = 40 (E. Pauls, 1874): the even columns, then the odd ones.
        let all: Vec<u32> = (2..=40).step_by(2).chain((1..=39).step_by(2)).collect();
        for length in [0, 20, 39, 40] {
            let (rows, columns) = board(LARGEST, &all[..length]);
            assert!(has_completion(rows, columns), "{length} queens");
        }
        let (rows, columns) = board(LARGEST, &all[..39]);
        assert_eq!(rows.candidates(39), 1 << 38);
        assert_eq!(columns.candidates(38), 1 << 39);
        // Both corners of the falling main diagonal, and both of the rising one.
        let (rows, _) = board(LARGEST, &[1]);
        assert_eq!(rows.candidates(39), (u64::MAX >> 24) & !(1 | 1 << 39));
        let (rows, _) = board(LARGEST, &[40]);
        assert_eq!(rows.candidates(39), (u64::MAX >> 24) & !(1 | 1 << 39));
    }
}
