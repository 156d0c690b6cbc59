//! Counting up to symmetry: solutions that are one another's turned or mirrored image count once.
//!
//! The square has eight symmetries: it can be left as it is, turned by a quarter, a half and three
//! quarters, and mirrored in four lines. Burnside's lemma says that the number of classes is the
//! mean, over the eight, of the number of solutions that look the same afterwards:
//!
//! | symmetry | how many | solutions that look the same |
//! |---|--:|---|
//! | none | 1 | all |
//! | half turn | 1 | [`half_turn`] |
//! | quarter turn, to the left or to the right | 2 | [`quarter_turn`] |
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

pub mod half_turn;
pub mod quarter_turn;

/// The number of solutions up to symmetry for `n` queens, `n` from 1 to 32, of which `all` are
/// counted one by one.
///
/// # Panics
///
/// If `n` is not 1 to 32, or if the mean over the eight symmetries is no whole number, which would
/// be a mistake in one of the counts.
pub fn from_all(n: u32, all: u64) -> u64 {
    let half_turn = half_turn::number_of_solutions(n);
    let quarter_turn = quarter_turn::number_of_solutions(n);
    let mirror = u64::from(n == 1);
    let sum = all + half_turn + 2 * quarter_turn + 4 * mirror;
    assert!(
        sum.is_multiple_of(8),
        "the mean of {sum} over eight symmetries must be a whole number"
    );
    sum / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eight_queens_have_twelve_classes() {
        assert_eq!(from_all(8, 92), 12);
    }

    #[test]
    fn the_one_queen_looks_the_same_in_every_mirror() {
        assert_eq!(from_all(1, 1), 1);
    }

    #[test]
    #[should_panic(expected = "the mean of 95 over eight symmetries must be a whole number")]
    fn a_count_that_is_one_short_is_noticed() {
        from_all(8, 91);
    }
}
