//! `QS4c`: `QS4` arranged for the caches and the words of today's processors.

mod drawing;
mod feistel;
mod initial;

use crate::statistics::Statistics;
use drawing::draw_columns;
use initial::InitialSearch;
use reference_local_search::random::Random;

/// How often one queen is exchanged in vain before the search starts anew, as in
/// [`qs4`](crate::qs4).
const TRIES_PER_QUEEN: u32 = 7000;

/// A solution for `n` queens, the column of each row counted from 0; `n` is 1 or from 4 to 2^31.
///
/// The two searches are those of [`qs4`](crate::qs4): queens are put on the board at random where
/// they are not attacked, and the few that find no place are brought in by exchanges. Four things
/// are arranged otherwise, so that a queen costs a few nanoseconds instead of a few accesses to far
/// memory:
///
/// 1. Columns are drawn *without* replacement: each one once in random order, and those that found
///    no place wait and are tried again, in the same order. `QS4` draws *with* replacement, and may
///    draw a column twice before it drew another one once.
/// 2. The order is computed, not stored, and passes over the board strip by strip
///    (see `draw_columns`), so that the diagonals in use stay in the nearest caches.
/// 3. A column is tried on up to 64 rows at once, which costs as much as trying it on one: 1.1
///    trials a queen are enough, where `QS4` needs 3.03.
/// 4. Queens that found no place are not on the board. So no two queens on the board ever share a
///    diagonal, and a diagonal needs one bit and no counter.
///
/// Thus the boards are not quite those of `QS4`, and its figures are not those of the papers; for
/// both, and to see the method plainly, there is [`qs4`](crate::qs4). The variant is of this
/// program, not from the papers.
///
/// Invariant: the queens on the board do not attack each other; each column that has no queen is in
/// `waiting`, and each row that has none is open or passed over.
///
/// # Panics
///
/// If `n` is 2 or 3, for which there is no solution.
pub fn solve(n: u32, random: &mut Random, statistics: &mut Statistics) -> Vec<u32> {
    assert!(![2, 3].contains(&n), "no board of {n} queens exists");
    loop {
        let mut board = InitialSearch::new(n as usize);
        let mut waiting = Vec::new();
        draw_columns(n, random, |column| {
            if !board.place(column) {
                waiting.push(column);
            }
        });
        let mut trials = u64::from(n);
        loop {
            let before = waiting.len();
            trials += before as u64;
            waiting.retain(|&column| !board.place(column));
            if waiting.len() == before && !board.pass_over() {
                break;
            }
        }
        statistics.add_trials(trials);
        statistics.left = Some(waiting.len() as u64);
        if final_search(&mut board, &waiting, random, statistics) {
            return board.columns;
        }
        statistics.restarts += 1;
    }
}

/// Brings one queen after the other onto the board, each for a row that was passed over and a
/// column that waits; `false` if one took too many tries.
fn final_search(
    board: &mut InitialSearch,
    waiting: &[u32],
    random: &mut Random,
    statistics: &mut Statistics,
) -> bool {
    let rows = std::mem::take(&mut board.passed_over);
    waiting.iter().enumerate().all(|(i, &column)| {
        // From rows[i] on, no row has a queen yet.
        bring_in(board, rows[i], column, &rows[i..], random, statistics)
    })
}

/// Puts a queen on `row`: in `column` if it is not attacked there, and else by an exchange of
/// columns with a queen drawn at random, if neither is attacked then; again and again.
fn bring_in(
    board: &mut InitialSearch,
    row: usize,
    column: u32,
    without_queen: &[usize],
    random: &mut Random,
    statistics: &mut Statistics,
) -> bool {
    let InitialSearch {
        columns, diagonals, ..
    } = board;
    if diagonals.is_free(row, column as usize) {
        diagonals.put(row, column as usize);
        columns[row] = column;
        return true;
    }
    for _ in 0..TRIES_PER_QUEEN {
        let other = random.below(columns.len());
        if without_queen.contains(&other) {
            continue;
        }
        statistics.swap_tests += 1;
        let others_column = columns[other];
        diagonals.take(other, others_column as usize);
        if diagonals.is_free(row, others_column as usize) {
            diagonals.put(row, others_column as usize);
            if diagonals.is_free(other, column as usize) {
                diagonals.put(other, column as usize);
                columns[row] = others_column;
                columns[other] = column;
                statistics.swaps += 1;
                return true;
            }
            diagonals.take(row, others_column as usize);
        }
        diagonals.put(other, others_column as usize);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference_local_search::legality::is_solution;

    #[test]
    fn few_queens_are_left_for_exchanges_whatever_the_size() {
        // The last one is drawn from strips.
        for n in [1000, 10_000, 100_000, 1_000_000] {
            let mut statistics = Statistics::default();
            let columns = solve(n, &mut Random::new(1), &mut statistics);
            assert!(is_solution(&columns), "n = {n}");
            let n = u64::from(n);
            let Statistics {
                restarts,
                trials: Some(trials),
                left: Some(left),
                collisions: None,
                ..
            } = statistics
            else {
                panic!("{statistics:?}");
            };
            assert_eq!(restarts, 0, "n = {n}");
            assert!(left < 150, "n = {n}: {left} left");
            assert!((n..2 * n).contains(&trials), "n = {n}: {trials} trials");
        }
    }
}
