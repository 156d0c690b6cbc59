//! The last check before a board is printed.

/// Whether the board, the column of the queen of each row counted from 0, is a solution: every
/// column once, every diagonal at most once.
///
/// It knows nothing of how the board was found; in particular it does not trust the counters of the
/// diagonals that the search keeps up to date.
pub fn is_solution(columns: &[u32]) -> bool {
    let n = columns.len();
    let mut column_taken = vec![false; n];
    let mut falling_taken = vec![false; 2 * n];
    let mut rising_taken = vec![false; 2 * n];
    columns.iter().enumerate().all(|(row, &column)| {
        let column = column as usize;
        column < n
            && take(&mut column_taken[column])
            && take(&mut falling_taken[row + n - column])
            && take(&mut rising_taken[row + column])
    })
}

/// Takes what may be taken once; `false` if it is taken already.
fn take(taken: &mut bool) -> bool {
    !std::mem::replace(taken, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solution_is_accepted() {
        assert!(is_solution(&[0]));
        assert!(is_solution(&[1, 3, 0, 2]));
        assert!(is_solution(&[2, 0, 3, 1]));
    }

    #[test]
    fn two_queens_in_one_line_are_refused() {
        assert!(!is_solution(&[1, 3, 0, 1]), "a column");
        assert!(!is_solution(&[0, 1, 3, 2]), "a falling diagonal");
        assert!(!is_solution(&[1, 3, 2, 0]), "a rising diagonal");
    }

    #[test]
    fn a_queen_beside_the_board_is_refused() {
        assert!(!is_solution(&[1, 4, 0, 2]));
    }
}
