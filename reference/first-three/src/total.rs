//! The number of all solutions.

/// The number of ways to place `n` queens, `n` from 1 to 32.
///
/// Invariant of `place`: bit `c` of `columns | left | right` is set exactly if a queen above
/// attacks column `c` of the current row: straight, along the diagonal down to the left, along the
/// diagonal down to the right. `columns` has one bit for each row already filled.
///
/// Source: M. Richards, *Backtracking Algorithms in MCPL using Bit Patterns and Recursion*,
/// Technical Report 433, University of Cambridge Computer Laboratory, 1997.
///
/// # Panics
///
/// If `n` is not 1 to 32.
pub fn number_of_solutions(n: u32) -> u64 {
    assert!((1..=32).contains(&n), "n must be 1 to 32");
    place(u32::MAX >> (32 - n), 0, 0, 0)
}

/// The number of ways to fill the rows that are left; `full` has one bit for each column.
fn place(full: u32, columns: u32, left: u32, right: u32) -> u64 {
    if columns == full {
        return 1;
    }
    let mut solutions = 0;
    let mut free = full & !(columns | left | right);
    while free != 0 {
        // `p & -p` keeps the lowest set bit of p.
        let queen = free & free.wrapping_neg();
        free ^= queen;
        solutions += place(
            full,
            columns | queen,
            (left | queen) << 1,
            (right | queen) >> 1,
        );
    }
    solutions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_up_to_ten_are_the_published_ones() {
        // OEIS A000170.
        let totals: Vec<u64> = (1..=10).map(number_of_solutions).collect();
        assert_eq!(totals, [1, 0, 0, 2, 10, 4, 40, 92, 352, 724]);
    }
}
