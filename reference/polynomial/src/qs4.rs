//! `QS4`: nearly all queens are placed without collision at once, the others by exchanges.

use crate::statistics::Statistics;
use crate::step::Step;
use reference_local_search::board::Board;
use reference_local_search::random::Random;

/// How often one queen is exchanged in vain before the search starts anew, as re-implementations of
/// the paper have it. From 1000 queens on, a hundred tries are usual.
const TRIES_PER_QUEEN: u32 = 7000;

/// A solution for `n` queens, the column of each row counted from 0; `n` is 1 or at least 4.
///
/// 1. *Initial search.* Rows are filled from the top with columns that are drawn at random from
///    those left; a draw is kept if its queen attacks none above. About 3.03 n draws place all but
///    some 25 queens, whatever n is; so the search is ended after 3.08 n.
/// 2. The queens that are left are put on their rows at random.
/// 3. *Final search.* Each of them that is attacked is exchanged with a queen drawn at random,
///    again and again, until neither of the two is attacked. Thus it needs no counting of
///    collisions.
///
/// Invariant of the initial search: the queens of rows `0..placed` do not attack each other, and
/// the columns of the other rows are those not used yet. Invariant of the final search: every
/// collision involves a queen of a row that is still to come. An exchange that is kept leaves both
/// queens alone on their diagonals, so it makes no collision with a third one.
///
/// Source: R. Sosic and J. Gu, *3,000,000 Queens in Less Than One Minute*, SIGART Bulletin 2(2),
/// 1991, and *Efficient Local Search with Conflict Minimization*, IEEE Transactions on Knowledge
/// and Data Engineering 6(5), 1994. The abstracts give the two searches, the linear time and that
/// nothing is undone; the numbers 3.08 and 7000 follow re-implementations.
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
        let mut board = Board::new((0..n).collect());
        let (placed, trials) = initial_search(&mut board, random, observe);
        statistics.add_trials(trials);
        statistics.left = Some((board.rows() - placed) as u64);
        let collisions = put_at_random(&mut board, placed, random);
        statistics.collisions = Some(collisions as u64);
        observe(Step::Filled {
            columns: board.columns(),
            collisions: collisions as u32,
        });
        if final_search(&mut board, placed, random, statistics, observe) {
            return board.into_columns();
        }
        statistics.restarts += 1;
    }
}

/// Fills rows from the top without collision; returns how many, and how many columns were drawn.
fn initial_search(
    board: &mut Board,
    random: &mut Random,
    observe: &mut impl FnMut(Step<'_>),
) -> (usize, u64) {
    let rows = board.rows();
    let most_trials = most_trials(rows);
    let mut placed = 0;
    let mut trials = 0;
    while placed < rows && trials < most_trials {
        trials += 1;
        let drawn = placed + random.below(rows - placed);
        let kept = board.is_free(placed, drawn);
        observe(Step::Trial {
            column: board.columns()[drawn],
            kept,
        });
        if kept {
            board.exchange(placed, drawn);
            board.put(placed);
            placed += 1;
        }
    }
    (placed, trials)
}

/// How many columns are drawn for a board of this many rows: 3.08 a row. The product on the way is
/// beyond 32 bits from 14 million rows on, so this is not done in `usize`.
fn most_trials(rows: usize) -> u64 {
    rows as u64 * 308 / 100
}

/// Puts a queen on each row from `first` on, in random columns of those left; returns how many
/// collisions this makes.
fn put_at_random(board: &mut Board, first: usize, random: &mut Random) -> i32 {
    (first..board.rows())
        .map(|row| {
            board.exchange(row, row + random.below(board.rows() - row));
            board.put(row)
        })
        .sum()
}

/// Exchanges each attacked queen from row `first` on with random ones until it and the other one
/// are attacked no more; `false` if one took too many tries.
fn final_search(
    board: &mut Board,
    first: usize,
    random: &mut Random,
    statistics: &mut Statistics,
    observe: &mut impl FnMut(Step<'_>),
) -> bool {
    (first..board.rows()).all(|row| free_from_attack(board, row, random, statistics, observe))
}

fn free_from_attack(
    board: &mut Board,
    row: usize,
    random: &mut Random,
    statistics: &mut Statistics,
    observe: &mut impl FnMut(Step<'_>),
) -> bool {
    if !board.is_attacked(row) {
        return true;
    }
    for _ in 0..TRIES_PER_QUEEN {
        let other = random.below(board.rows());
        if other == row {
            continue;
        }
        statistics.swap_tests += 1;
        let growth = board.swap(row, other);
        if !board.is_attacked(row) && !board.is_attacked(other) {
            statistics.swaps += 1;
            observe(Step::Swap {
                a: row,
                b: other,
                growth,
            });
            return true;
        }
        board.swap(row, other);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_board_has_its_trials_where_usize_has_32_bits_too() {
        assert_eq!(
            [4, 13_944_699, 13_944_700, 100_000_000].map(most_trials),
            [12, 42_949_672, 42_949_676, 308_000_000]
        );
    }

    #[test]
    fn the_initial_search_leaves_few_queens_whatever_the_size() {
        for n in [1000, 10_000, 100_000] {
            let mut board = Board::new((0..n).collect());
            let (placed, trials) = initial_search(&mut board, &mut Random::new(1), &mut |_| {});
            assert!(n as usize - placed < 100, "n = {n}: {placed} placed");
            assert!(
                trials <= u64::from(n) * 308 / 100,
                "n = {n}: {trials} trials"
            );
            assert!((0..placed).all(|row| !board.is_attacked(row)), "n = {n}");
        }
    }
}
