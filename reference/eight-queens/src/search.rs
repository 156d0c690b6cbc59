//! Backtracking in its plainest form.

/// Rows and columns of a chessboard.
const SIZE: usize = 8;

/// The number of ways to place eight queens.
///
/// The board is one column for each row, so two queens never share a row; whether they share a
/// column or a diagonal is found by comparing the new queen with all queens above it.
///
/// Invariant of `place`: the queens of the rows above do not attack each other; whatever
/// `columns` holds for the rows below is left over from earlier tries and is not read.
///
/// Source: N. Wirth, *Program Development by Stepwise Refinement*, CACM 14(4), 1971.
pub fn number_of_solutions() -> u32 {
    place(0, &mut [0; SIZE])
}

/// The number of ways to fill the rows from `row` on.
fn place(row: usize, columns: &mut [usize; SIZE]) -> u32 {
    if row == SIZE {
        return 1;
    }
    let mut solutions = 0;
    for column in 0..SIZE {
        if is_free(row, column, &columns[..row]) {
            columns[row] = column;
            solutions += place(row + 1, columns);
        }
    }
    solutions
}

/// Whether none of the queens `above` attacks the square: on a diagonal, the distance in rows
/// equals the distance in columns.
fn is_free(row: usize, column: usize, above: &[usize]) -> bool {
    above
        .iter()
        .enumerate()
        .all(|(other_row, &other)| other != column && other.abs_diff(column) != row - other_row)
}
