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

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of permutations, completing `columns`, in which no two queens share a diagonal.
    fn legal_permutations(columns: &mut [usize; SIZE], fixed: usize) -> u32 {
        if fixed == SIZE {
            let legal = (0..SIZE).all(|lower| {
                (0..lower).all(|upper| columns[lower].abs_diff(columns[upper]) != lower - upper)
            });
            return u32::from(legal);
        }
        let mut legal = 0;
        for other in fixed..SIZE {
            columns.swap(fixed, other);
            legal += legal_permutations(columns, fixed + 1);
            columns.swap(fixed, other);
        }
        legal
    }

    #[test]
    fn as_many_as_all_permutations_show() {
        assert_eq!(
            number_of_solutions(),
            legal_permutations(&mut [0, 1, 2, 3, 4, 5, 6, 7], 0)
        );
    }

    #[test]
    fn queens_attack_along_columns_and_both_diagonals() {
        assert!(!is_free(2, 3, &[3, 7]));
        assert!(!is_free(2, 3, &[5, 7]));
        assert!(!is_free(2, 3, &[1, 7]));
        assert!(!is_free(2, 3, &[7, 4]));
        assert!(is_free(2, 3, &[0, 7]));
    }
}
