//! The last check before a board is printed.

/// Whether the board, the column of the queen of each row counted from 0, is a solution: every
/// column once, every diagonal at most once.
///
/// It knows nothing of how the board was found; in particular it does not trust what the search
/// notes about the diagonals. One bit for each column and each diagonal takes 5/8 of a byte a
/// queen.
pub fn is_solution(columns: &[u32]) -> bool {
    let n = columns.len();
    let mut column_taken = vec![0; n.div_ceil(64)];
    let mut falling_taken = vec![0; (2 * n).div_ceil(64)];
    let mut rising_taken = vec![0; (2 * n).div_ceil(64)];
    columns.iter().enumerate().all(|(row, &column)| {
        let column = column as usize;
        column < n
            && take(&mut column_taken, column)
            && take(&mut falling_taken, row + n - column)
            && take(&mut rising_taken, row + column)
    })
}

/// Sets the bit of what may be taken once; `false` if it is set already.
fn take(taken: &mut [u64], index: usize) -> bool {
    let word = &mut taken[index / 64];
    let bit = 1 << (index % 64);
    let free = *word & bit == 0;
    *word |= bit;
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_solution_is_accepted() {
        for (columns, expected, what) in [
            (&[0][..], true, "one queen"),
            (&[1, 3, 0, 2], true, "four queens"),
            (&[1, 3, 0, 1], false, "a column"),
            (&[0, 1, 3, 2], false, "a falling diagonal"),
            (&[1, 3, 2, 0], false, "a rising diagonal"),
            (&[1, 4, 0, 2], false, "a queen beside the board"),
        ] {
            assert_eq!(is_solution(columns), expected, "{what}");
        }
    }

    #[test]
    fn every_pair_of_rows_that_is_exchanged_spoils_a_board_beyond_one_word() {
        // A knight's walk: even columns first, then odd ones, which is right for 70 queens.
        let board: Vec<u32> = (0..35)
            .map(|i| 2 * i + 1)
            .chain((0..35).map(|i| 2 * i))
            .collect();
        assert!(is_solution(&board));
        for row in 1..board.len() {
            let mut spoiled = board.clone();
            spoiled[row] = board[row - 1];
            assert!(!is_solution(&spoiled), "row {row}");
        }
    }
}
