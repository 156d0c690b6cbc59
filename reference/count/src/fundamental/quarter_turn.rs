//! Solutions that look the same after a quarter turn.

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
pub fn number_of_solutions(n: u32) -> u64 {
    assert!((1..=32).contains(&n), "n must be 1 to 32");
    if n % 4 > 1 {
        // Apart from a queen in the centre there are four of each kind.
        return 0;
    }
    let middle_line = if n % 2 == 1 { 1 << (n / 2) } else { 0 };
    let main_diagonal = 1 << (n - 1);
    Board { n }.place(middle_line, main_diagonal)
}

/// A board whose queens come in fours.
struct Board {
    n: u32,
}

impl Board {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_up_to_twenty_five_are_those_of_an_independent_program() {
        let counts: Vec<u64> = (1..=25).map(number_of_solutions).collect();
        assert_eq!(
            counts,
            [
                1, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0, 8, 8, 0, 0, 64, 128, 0, 0, 480, 704, 0, 0, 3328,
                3264
            ]
        );
    }

    #[test]
    #[should_panic(expected = "n must be 1 to 32")]
    fn an_empty_board_is_refused() {
        number_of_solutions(0);
    }
}
