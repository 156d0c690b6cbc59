//! `QS1`: pairs of queens are exchanged as long as collisions become fewer.

use crate::statistics::Statistics;
use crate::step::Step;
use reference_local_search::board::Board;
use reference_local_search::random::Random;

/// A solution for `n` queens, the column of each row counted from 0; `n` is 1 or at least 4.
///
/// From a random permutation, all pairs of queens of which one is attacked are tried in order, and
/// each exchange that lowers the number of collisions is kept. When a whole pass over the pairs
/// keeps none, no single exchange helps, and the search starts anew from another permutation.
///
/// Invariant: `collisions` is the number of collisions of `board`. Each exchange that is kept
/// lowers it, so one permutation is left after at most as many exchanges as it began with, which
/// are about 0.53 n.
///
/// Source: R. Sosic and J. Gu, *A Polynomial Time Algorithm for the N-Queens Problem*, SIGART
/// Bulletin 1(3), 1990. The abstract gives the exchanges and the number of collisions at the start;
/// the order of the pairs and the test for attack follow re-implementations.
/// `observe` is told each step.
///
/// # Panics
///
/// If `n` is 2 or 3, for which there is no solution.
// Inlined into its caller, it takes a tenth more instructions.
#[inline(never)]
pub fn solve(
    n: u32,
    random: &mut Random,
    statistics: &mut Statistics,
    observe: &mut impl FnMut(Step<'_>),
) -> Vec<u32> {
    assert!(![2, 3].contains(&n), "no board of {n} queens exists");
    loop {
        let (mut board, mut collisions) = Board::filled(random.permutation(n));
        statistics.collisions = Some(collisions as u64);
        observe(Step::Filled {
            columns: board.columns(),
            collisions: collisions as u32,
        });
        while collisions > 0 {
            let after = pass(&mut board, collisions, statistics, observe);
            if after == collisions {
                break;
            }
            collisions = after;
        }
        if collisions == 0 {
            return board.into_columns();
        }
        statistics.restarts += 1;
    }
}

/// One pass over all pairs; returns the number of collisions after it.
fn pass(
    board: &mut Board,
    mut collisions: i32,
    statistics: &mut Statistics,
    observe: &mut impl FnMut(Step<'_>),
) -> i32 {
    for i in 0..board.rows() {
        for j in i + 1..board.rows() {
            if collisions == 0 {
                return 0;
            }
            if !board.is_attacked(i) && !board.is_attacked(j) {
                continue;
            }
            statistics.swap_tests += 1;
            let growth = board.swap(i, j);
            if growth < 0 {
                statistics.swaps += 1;
                collisions += growth;
                observe(Step::Swap { a: i, b: j, growth });
            } else {
                board.swap(i, j);
            }
        }
    }
    collisions
}
