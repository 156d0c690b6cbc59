//! `QS2`: attacked queens are exchanged with random ones as long as collisions become fewer.

use crate::statistics::Statistics;
use crate::step::Step;
use reference_local_search::board::Board;
use reference_local_search::random::Random;

/// The list of attacked queens is made anew when the collisions fell below this part, in
/// hundredths, of what they were when it was made (C1 = 0.45).
const RENEWED_BELOW_PERCENT: i64 = 45;
/// How many tries a queen one permutation is given (C2 = 32).
const TRIES_PER_QUEEN: usize = 32;

/// A solution for `n` queens, the column of each row counted from 0; `n` is 1 or at least 4.
///
/// `QS1` looks at all pairs of queens. Here only queens on a list are tried, those that were
/// attacked when the list was made, each with one queen drawn at random; an exchange that lowers
/// the number of collisions is kept. To make the list takes a pass over the board, so it is made
/// anew only when the collisions fell to less than a half, and there are few such passes. A
/// permutation is given up after 32 n tries.
///
/// Invariant: `collisions` is the number of collisions of `board`. The list may hold queens that
/// are attacked no more; trying them costs time, but cannot do harm.
///
/// Source: R. Sosic and J. Gu, *Fast Search Algorithms for the N-Queens Problem*, IEEE Transactions
/// on Systems, Man, and Cybernetics 21(6), 1991. The abstract gives the random permutations, the
/// exchanges that lower the number of collisions, and that the time is almost linear; the list and
/// the two constants follow re-implementations.
/// `observe` is told each step.
///
/// # Panics
///
/// If `n` is 2 or 3, for which there is no solution.
pub fn solve(
    n: u32,
    random: &mut Random,
    statistics: &mut Statistics,
    observe: &mut impl FnMut(Step<'_>),
) -> Vec<u32> {
    assert!(![2, 3].contains(&n), "no board of {n} queens exists");
    loop {
        let (mut board, collisions) = Board::filled(random.permutation(n));
        statistics.collisions = Some(collisions as u64);
        observe(Step::Filled {
            columns: board.columns(),
            collisions: collisions as u32,
        });
        if search(&mut board, collisions, random, statistics, observe) {
            return board.into_columns();
        }
        statistics.restarts += 1;
    }
}

/// Exchanges queens until no collision is left; `false` if that took too many tries.
fn search(
    board: &mut Board,
    mut collisions: i32,
    random: &mut Random,
    statistics: &mut Statistics,
    observe: &mut impl FnMut(Step<'_>),
) -> bool {
    let mut attacked = attacked_rows(board);
    let mut renewed_below = renewal(collisions);
    let mut tries = 0;
    while collisions > 0 && tries <= TRIES_PER_QUEEN * board.rows() {
        // The list may become shorter on the way, so it is gone through by numbers.
        let mut i = 0;
        while i < attacked.len() && collisions > 0 {
            let (row, other) = (attacked[i], random.below(board.rows()));
            i += 1;
            if other == row as usize {
                continue;
            }
            statistics.swap_tests += 1;
            let growth = board.swap(row as usize, other);
            if growth >= 0 {
                board.swap(row as usize, other);
                continue;
            }
            statistics.swaps += 1;
            collisions += growth;
            observe(Step::Swap {
                a: row as usize,
                b: other,
                growth,
            });
            if collisions < renewed_below {
                attacked = attacked_rows(board);
                renewed_below = renewal(collisions);
            }
        }
        tries += attacked.len();
    }
    collisions == 0
}

/// The number of collisions below which a list that was made at `collisions` is made anew.
fn renewal(collisions: i32) -> i32 {
    // 45 times the collisions of 9 * 10^7 queens are beyond 32 bits.
    (i64::from(collisions) * RENEWED_BELOW_PERCENT / 100) as i32
}

/// The rows of the queens that are attacked.
fn attacked_rows(board: &Board) -> Vec<u32> {
    (0..board.rows())
        .filter(|&row| board.is_attacked(row))
        .map(|row| row as u32)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_made_anew_below_45_percent_whatever_the_number_of_queens() {
        // 10^8 queens begin with about 0.53 * 10^8 collisions, and with 2 * 10^8 at most.
        for (collisions, below) in [
            (0, 0),
            (1, 0),
            (548, 246),
            (47_721_859, 21_474_836),
            (52_700_000, 23_715_000),
            (200_000_000, 90_000_000),
        ] {
            assert_eq!(renewal(collisions), below, "{collisions}");
        }
    }
}
