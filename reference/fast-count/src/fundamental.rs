//! Counting up to symmetry: solutions that are one another's turned or mirrored image count once.
//!
//! The square has eight symmetries: it can be left as it is, turned by a quarter, a half and three
//! quarters, and mirrored in four lines. Burnside's lemma says that the number of classes is the
//! mean, over the eight, of the number of solutions that look the same afterwards:
//!
//! | symmetry | how many | solutions that look the same |
//! |---|--:|---|
//! | none | 1 | all |
//! | half turn | 1 | [`after_half_turn`] |
//! | quarter turn, to the left or to the right | 2 | [`after_quarter_turn`] |
//! | mirror | 4 | 1 for n = 1, otherwise none |
//!
//! No mirror image of a solution is the solution itself, except for n = 1. Mirrored in the middle
//! column, a queen beside it would meet a second one in its row; so all n stand in that column,
//! which holds one. Mirrored in a main diagonal, a queen at (r, c) would meet one at (c, r), which
//! it attacks; so all n stand on the diagonal, which holds one.
//!
//! Dividing the number of all solutions by eight would be wrong: a class has fewer than eight
//! members if a turn gives the same board again. For n = 4 two solutions make one class.
//!
//! Source: W. Burnside, *Theory of Groups of Finite Order*, Cambridge 1897.

/// The number of solutions up to symmetry for `n` queens, `n` from 1 to 32, of which `all` are
/// counted one by one.
///
/// # Panics
///
/// If `n` is not 1 to 32, or if the mean over the eight symmetries is no whole number, which would
/// be a mistake in one of the counts.
pub fn from_all(n: u32, all: u64) -> u64 {
    let mirror = u64::from(n == 1);
    let sum = all + after_half_turn(n) + 2 * after_quarter_turn(n) + 4 * mirror;
    assert!(
        sum.is_multiple_of(8),
        "the mean of {sum} over eight symmetries must be a whole number"
    );
    sum / 8
}

/// The number of solutions for `n` queens, `n` from 1 to 32, that a half turn leaves as they are.
///
/// The half turn takes square (r, c) to (n-1-r, n-1-c). So the queens come in pairs, and who knows
/// the upper half of the board knows all of it:
///
/// ```text
///   . Q . .   row 0, column 1   ─┐
///   . . . Q   row 1, column 3   ─┼─┐
///   Q . . .   row 2, column 0   ─┼─┘
///   . . Q .   row 3, column 2   ─┘
/// ```
///
/// The search goes down the upper half and places two queens at a time. Three sets say which lines
/// are taken, on the whole board: `columns` by c, `rising` diagonals (`/`) by r + c, and `falling`
/// ones (`\`) by c - r + n-1. The half turn reads each of these numbers backwards, so with two
/// queens placed at a time each set is its own mirror image: where one queen of a pair attacks
/// nothing, the other attacks nothing either.
///
/// A queen and its image attack each other exactly if the queen is on a line through the centre of
/// the board: a main diagonal, or the middle row or column of an odd board. So these lines are
/// taken from the start. On an odd board they are taken indeed: the queen of the middle row is its
/// own image, and stands in the centre.
///
/// Invariant of `place`: the rows `0..row` and their images are filled, no two of these queens
/// attack each other, and the sets hold exactly their lines and the lines through the centre.
///
/// # Panics
///
/// If `n` is not 1 to 32.
pub fn after_half_turn(n: u32) -> u64 {
    assert!((1..=32).contains(&n), "n must be 1 to 32");
    let middle_column = if n % 2 == 1 { 1 << (n / 2) } else { 0 };
    let main_diagonal = 1 << (n - 1);
    Half { n }.place(0, middle_column, main_diagonal, main_diagonal)
}

/// The upper half of a board.
struct Half {
    n: u32,
}

impl Half {
    /// The number of ways to fill the rows of the upper half from `row` on.
    fn place(&self, row: u32, columns: u64, rising: u64, falling: u64) -> u64 {
        let last = self.n - 1;
        if row == self.n / 2 {
            return 1;
        }
        let mut solutions = 0;
        let full = u64::MAX >> (64 - self.n);
        // Column c of this row is on the rising diagonal row + c and the falling one c + last - row.
        let mut free = full & !(columns | rising >> row | falling >> (last - row));
        while free != 0 {
            let column = free.trailing_zeros();
            free &= free - 1;
            solutions += self.place(
                row + 1,
                columns | pair(column, last),
                rising | pair(row + column, 2 * last),
                falling | pair(column + last - row, 2 * last),
            );
        }
        solutions
    }
}

/// The number of solutions for `n` queens, `n` from 1 to 32, that a quarter turn leaves as they
/// are.
///
/// With m = n-1, the quarter turn takes square (r, c) to (c, m-r). So the queens come in fours
/// (r, c), (c, m-r), (m-r, m-c), (m-c, r):
///
/// ```text
///   . Q . .   (0, 1)
///   . . . Q   (1, 3)
///   Q . . .   (2, 0)
///   . . Q .   (3, 2)
/// ```
///
/// Four queens fill the rows r, c, m-r, m-c, and the columns of the same numbers. So one set says
/// which rows and which columns are taken. One set is enough for the diagonals too: the turn takes
/// the rising diagonal (`/`) of number r + c to the falling one (`\`) of number c - r + m = r + c,
/// and back to the rising one of number 2m - (r + c).
///
/// Two of the four attack each other exactly if r, c is on a main diagonal, or in the middle row or
/// column of an odd board. These lines are taken from the start; on an odd board they are taken
/// indeed, by the queen in the centre, which is the only one that is its own image.
///
/// Invariant of `place`: no two of the queens that are placed attack each other; bit i of `lines`
/// is set exactly if row i, and so column i, is taken; bit d of `diagonals` exactly if the rising
/// diagonal r + c = d, and so the falling diagonal c - r + m = d, is taken.
///
/// # Panics
///
/// If `n` is not 1 to 32.
pub fn after_quarter_turn(n: u32) -> u64 {
    assert!((1..=32).contains(&n), "n must be 1 to 32");
    if n % 4 > 1 {
        // Apart from a queen in the centre there are four of each kind.
        return 0;
    }
    let middle_line = if n % 2 == 1 { 1 << (n / 2) } else { 0 };
    let main_diagonal = 1 << (n - 1);
    Quarter { n }.place(middle_line, main_diagonal)
}

/// A board with queens in fours.
struct Quarter {
    n: u32,
}

impl Quarter {
    /// The number of ways to fill the rows that are left, four at a time.
    fn place(&self, lines: u64, diagonals: u64) -> u64 {
        let last = self.n - 1;
        let left = u64::MAX >> (64 - self.n) & !lines;
        if left == 0 {
            return 1;
        }
        let row = left.trailing_zeros();
        let mut solutions = 0;
        // Column c of this row is on the rising diagonal row + c and the falling one c + last - row.
        let mut free = left & !(diagonals >> row | diagonals >> (last - row));
        while free != 0 {
            let column = free.trailing_zeros();
            free &= free - 1;
            solutions += self.place(
                lines | pair(row, last) | pair(column, last),
                diagonals | pair(row + column, 2 * last) | pair(column + last - row, 2 * last),
            );
        }
        solutions
    }
}

/// A line and the one that a half turn takes it to: it reads the numbers 0 to `last` backwards.
fn pair(line: u32, last: u32) -> u64 {
    1 << line | 1 << (last - line)
}
