//! Solutions that look the same after a half turn.

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
pub fn number_of_solutions(n: u32) -> u64 {
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

/// A line and its image: the half turn reads the numbers 0 to `last` backwards.
fn pair(line: u32, last: u32) -> u64 {
    1 << line | 1 << (last - line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_up_to_twenty_are_those_of_an_independent_program() {
        let counts: Vec<u64> = (1..=20).map(number_of_solutions).collect();
        assert_eq!(
            counts,
            [
                1, 0, 0, 2, 2, 4, 8, 4, 16, 12, 48, 80, 136, 420, 1240, 3000, 8152, 18104, 44184,
                144_620
            ]
        );
    }

    #[test]
    fn the_largest_board_fits_its_sets() {
        // The last row of the upper half, with columns 1 and 30 left.
        let half = Half { n: 32 };
        let columns = u64::from(u32::MAX) & !pair(1, 31);
        assert_eq!(half.place(15, columns, 0, 0), 2);
        assert_eq!(half.place(15, columns, 1 << (15 + 1), 0), 1);
        assert_eq!(half.place(15, columns, 0, 1 << (1 + 31 - 15)), 1);
        assert_eq!(
            half.place(15, columns, 1 << (15 + 1), 1 << (30 + 31 - 15)),
            0
        );
    }

    #[test]
    #[should_panic(expected = "n must be 1 to 32")]
    fn an_empty_board_is_refused() {
        number_of_solutions(0);
    }
}
