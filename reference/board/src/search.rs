//! Depth-first search with bit masks that stops at the first solution.

/// The first solution for `n` queens, `n` from 1 to 32: one bit for the queen of each row, where
/// bit 0 is the leftmost column. `None` if there is none, which is so for 2 and 3 only.
///
/// Rows are filled from the top; in each row the lowest free column is tried first, so the
/// solution is the smallest one when the columns are read as a number.
///
/// Invariant of `place`: the queens of `above` do not attack each other, and bit `c` of
/// `columns | left | right` is set exactly if one of them attacks column `c` of the current row
/// (straight, along the diagonal down to the left, along the diagonal down to the right). When
/// `place` returns `false`, `above` is as it was.
///
/// Source: M. Richards, *Backtracking Algorithms in MCPL using Bit Patterns and Recursion*,
/// Technical Report 433, University of Cambridge Computer Laboratory, 1997.
///
/// # Panics
///
/// If `n` is not 1 to 32.
pub fn first_solution(n: u32) -> Option<Vec<u32>> {
    assert!((1..=32).contains(&n), "n must be 1 to 32");
    let full = u32::MAX >> (32 - n);
    let mut queens = Vec::with_capacity(n as usize);
    place(full, 0, 0, 0, &mut queens).then_some(queens)
}

/// Fills the rows that are left, if that is possible.
fn place(full: u32, columns: u32, left: u32, right: u32, above: &mut Vec<u32>) -> bool {
    if columns == full {
        return true;
    }
    let mut free = full & !(columns | left | right);
    while free != 0 {
        // `p & -p` keeps the lowest set bit of p.
        let queen = free & free.wrapping_neg();
        free ^= queen;
        above.push(queen);
        if place(
            full,
            columns | queen,
            (left | queen) << 1,
            (right | queen) >> 1,
            above,
        ) {
            return true;
        }
        above.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether no two queens share a column or a diagonal, by comparing all pairs.
    fn is_legal(queens: &[u32]) -> bool {
        let columns: Vec<u32> = queens.iter().map(|queen| queen.trailing_zeros()).collect();
        queens.iter().all(|queen| queen.is_power_of_two())
            && (0..columns.len()).all(|lower| {
                (0..lower).all(|upper| {
                    let distance = columns[lower].abs_diff(columns[upper]);
                    distance != 0 && distance as usize != lower - upper
                })
            })
    }

    #[test]
    fn every_board_is_legal_and_complete() {
        for n in (1..=29).filter(|n| ![2, 3].contains(n)) {
            let queens = first_solution(n).unwrap();
            assert_eq!(queens.len(), n as usize);
            assert!(
                queens.iter().all(|&queen| queen <= 1 << (n - 1)),
                "n = {n}: {queens:?}"
            );
            assert!(is_legal(&queens), "n = {n}: {queens:?}");
        }
    }
}
