//! The search: proposals at falling temperature.

use crate::acceptance::Acceptance;
use crate::board::Board;
use crate::random::Random;

/// How the temperature falls, in units of one collision.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Temperature of the first sweep, 0.001 to 1000.
    pub start_temperature: f64,
    /// Factor of the temperature after each sweep, 0.01 to 1.
    pub cooling: f64,
    /// Temperature below which it does not fall, 0.001 to 1000.
    pub final_temperature: f64,
    /// Sweeps of n proposals after which a board is given up as frozen.
    pub sweeps: u64,
}

impl Schedule {
    /// The final temperature that suits `n` queens. On the smallest boards nearly every way to a
    /// solution leads uphill, so they must stay warm: at 0.05, 6 queens freeze two times in three.
    pub fn final_temperature_for(n: u32) -> f64 {
        if n <= 7 { 0.3 } else { 0.05 }
    }
}

/// A solution for `n` queens, the column of each row counted from 0; `None` if none of `attempts`
/// random boards could be annealed, which for 2 and 3 queens is sure.
pub fn solve(n: u32, schedule: &Schedule, attempts: u64, random: &mut Random) -> Option<Vec<u32>> {
    (0..attempts).find_map(|_| anneal(Board::new(random.permutation(n)), schedule, random))
}

/// Anneals one board; `None` if it froze before its energy was 0.
///
/// One sweep is n proposals. A proposal is an exchange of the columns of two random rows, which is
/// made if the change of energy is accepted. After a sweep the temperature is multiplied by the cooling
/// factor (geometric cooling).
///
/// Invariant: the board is a permutation at any time, so only its diagonals need to be watched; and
/// during a sweep the probability of a step from one board to another depends on nothing but the
/// difference of their energies.
///
/// Source: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, *Optimization by Simulated Annealing*,
/// Science 220, 1983; the constant time per proposal as in I. Martinjak and M. Golub, *Comparison
/// of Heuristic Algorithms for the N-Queen Problem*, ITI 2007.
fn anneal(mut board: Board, schedule: &Schedule, random: &mut Random) -> Option<Vec<u32>> {
    let mut temperature = schedule.start_temperature;
    for _ in 0..schedule.sweeps {
        let acceptance = Acceptance::at(temperature);
        for _ in 0..board.rows() {
            if board.energy() == 0 {
                return Some(board.into_columns());
            }
            propose(&mut board, &acceptance, random);
        }
        temperature = (temperature * schedule.cooling).max(schedule.final_temperature);
    }
    (board.energy() == 0).then(|| board.into_columns())
}

/// Proposes one exchange of two different rows, of which there must be two.
fn propose(board: &mut Board, acceptance: &Acceptance, random: &mut Random) {
    let a = random.below(board.rows());
    let mut b = random.below(board.rows() - 1);
    if b >= a {
        b += 1;
    }
    if acceptance.accepts(board.change(a, b), random) {
        board.exchange(a, b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legality::is_solution;

    fn schedule_for(n: u32) -> Schedule {
        Schedule {
            start_temperature: 1.0,
            cooling: 0.9,
            final_temperature: Schedule::final_temperature_for(n),
            sweeps: 2000,
        }
    }

    #[test]
    fn every_board_is_a_solution() {
        for n in [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 50, 100, 1000] {
            for seed in 0..10 {
                let columns = solve(n, &schedule_for(n), 100, &mut Random::new(seed)).unwrap();
                assert_eq!(columns.len(), n as usize);
                assert!(is_solution(&columns), "n = {n}, seed {seed}");
            }
        }
    }

    #[test]
    fn one_attempt_is_nearly_always_enough() {
        for n in [4, 5, 6, 7, 8, 9, 10, 20, 50] {
            let solved = (0..100)
                .filter(|&seed| solve(n, &schedule_for(n), 1, &mut Random::new(seed)).is_some())
                .count();
            assert!(solved >= 95, "n = {n}: {solved} of 100");
        }
    }

    #[test]
    fn what_has_no_solution_is_given_up() {
        for n in [2, 3] {
            assert_eq!(solve(n, &schedule_for(n), 3, &mut Random::new(1)), None);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_board() {
        let board = |seed| solve(50, &schedule_for(50), 1, &mut Random::new(seed));
        assert_eq!(board(3), board(3));
        assert_ne!(board(3), board(4));
    }
}
