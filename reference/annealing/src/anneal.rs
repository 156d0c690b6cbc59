//! The search: proposals at falling temperature.

use crate::acceptance::Acceptance;
use crate::schedule::Schedule;
use reference_local_search::board::Board;
use reference_local_search::random::Random;

/// What happened in one sweep.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    /// The number of the random board that is annealed, from 1.
    pub attempt: u64,
    /// The number of the sweep, from 1. Sweep 0 is the random board, before the first proposal.
    pub sweep: u64,
    /// The temperature, in units of one collision.
    pub temperature: f64,
    /// Collisions after the sweep.
    pub energy: u32,
    /// The fewest collisions so far in this attempt.
    pub best: u32,
    /// What became of the proposals of the sweep.
    pub tally: Tally,
}

/// What became of some proposals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Exchanges that were proposed.
    pub proposals: u64,
    /// Exchanges that were accepted, and so made.
    pub accepted: u64,
    /// Those of the accepted ones that raised the energy.
    pub uphill: u64,
}

/// An exchange of the columns of two rows that was proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// One row.
    pub a: usize,
    /// The other row.
    pub b: usize,
    /// By how much the energy would grow: -4 to 4.
    pub change: i32,
    /// The random number of 64 bits that decides if the energy would grow, as a fraction of `2^64`.
    pub number: u64,
    /// Whether the exchange was made.
    pub accepted: bool,
}

/// Who is told what happens. What it does not want to know costs nothing.
pub trait Observer<E> {
    /// A random board is about to be annealed.
    fn begin(&mut self, _board: &Board) {}

    /// An exchange was proposed.
    #[inline]
    fn propose(&mut self, _proposal: Proposal) {}

    /// A sweep ended; an error ends the search.
    fn sweep(&mut self, sweep: &Sweep) -> Result<(), E>;
}

/// Is told of sweeps only.
struct OfSweeps<F>(F);

impl<E, F: FnMut(&Sweep) -> Result<(), E>> Observer<E> for OfSweeps<F> {
    fn sweep(&mut self, sweep: &Sweep) -> Result<(), E> {
        (self.0)(sweep)
    }
}

/// A solution for `n` queens, the column of each row counted from 0; `None` if none of the random
/// boards that the schedule allows could be annealed, which for 2 and 3 queens is sure.
///
/// After each sweep, `observe` is told what happened; an error of it ends the search.
///
/// # Errors
///
/// Those of `observe`.
pub fn solve<E>(
    n: u32,
    schedule: &Schedule,
    random: &mut Random,
    observe: impl FnMut(&Sweep) -> Result<(), E>,
) -> Result<Option<Vec<u32>>, E> {
    solve_observed(n, schedule, random, &mut OfSweeps(observe))
}

/// The same, with an observer of each proposal.
///
/// # Errors
///
/// Those of `observer`.
pub fn solve_observed<E>(
    n: u32,
    schedule: &Schedule,
    random: &mut Random,
    observer: &mut impl Observer<E>,
) -> Result<Option<Vec<u32>>, E> {
    for attempt in 1..=schedule.attempts {
        let (mut board, energy) = Board::filled(random.permutation(n));
        let start = Sweep {
            attempt,
            sweep: 0,
            temperature: schedule.rule.start_temperature(),
            energy: energy as u32,
            best: energy as u32,
            tally: Tally::default(),
        };
        observer.begin(&board);
        if anneal(&mut board, start, schedule, random, observer)? == 0 {
            return Ok(Some(board.into_columns()));
        }
    }
    Ok(None)
}

/// Anneals one board, until it is solved or has had all its sweeps. Returns its energy, the number of collisions.
///
/// One sweep is n proposals. A proposal is an exchange of the columns of two random rows, which is
/// made if the change of energy is accepted. After a sweep the temperature is multiplied by the
/// cooling factor (geometric cooling).
///
/// Invariant: the board is a permutation at any time, so only its diagonals need to be watched; and
/// during a sweep the probability of a step from one board to another depends on nothing but the
/// difference of their energies.
///
/// Source: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, *Optimization by Simulated Annealing*,
/// Science 220, 1983; the constant time per proposal as in I. Martinjak and M. Golub, *Comparison
/// of Heuristic Algorithms for the N-Queen Problem*, ITI 2007.
fn anneal<E>(
    board: &mut Board,
    mut now: Sweep,
    schedule: &Schedule,
    random: &mut Random,
    observer: &mut impl Observer<E>,
) -> Result<u32, E> {
    let rule = schedule.rule;
    let mut acceptance = rule.acceptance(now.temperature);
    observer.sweep(&now)?;
    while now.energy > 0 && now.sweep < schedule.sweeps {
        if now.sweep > 0 {
            let temperature = rule.next_temperature(now.temperature);
            // Once the final temperature is reached, the thresholds stay as they are.
            if temperature < now.temperature {
                now.temperature = temperature;
                acceptance = rule.acceptance(temperature);
            }
        }
        now.sweep += 1;
        sweep(board, &acceptance, &mut now, random, observer);
        observer.sweep(&now)?;
    }
    Ok(now.energy)
}

/// Makes n proposals, or fewer if the board, which is not solved yet, is solved by one of them. Updates energy, best and
/// tally of `now`.
// Inlined into its caller, it takes three hundredths more instructions.
#[inline(never)]
fn sweep<E>(
    board: &mut Board,
    acceptance: &Acceptance,
    now: &mut Sweep,
    random: &mut Random,
    observer: &mut impl Observer<E>,
) {
    let (mut energy, mut best) = (now.energy, now.best);
    let mut tally = Tally::default();
    for _ in 0..board.rows() {
        let (a, b, rest) = proposal(random.draw(), board.rows());
        let change = board.change(a, b);
        tally.proposals += 1;
        let accepted = acceptance.accepts(change, rest);
        observer.propose(Proposal {
            a,
            b,
            change,
            number: rest,
            accepted,
        });
        if accepted {
            board.swap(a, b);
            energy = energy.wrapping_add_signed(change);
            tally.accepted += 1;
            tally.uphill += u64::from(change > 0);
            best = best.min(energy);
            if energy == 0 {
                break;
            }
        }
    }
    (now.energy, now.best, now.tally) = (energy, best, tally);
}

/// What one random number of 64 bits proposes to `n` rows, of which there must be two: two
/// different rows, and what is left of the number, to accept or reject their exchange by.
///
/// The number is read as a fraction of `2^64`, as if it were a point of a ruler:
///
/// ```text
///   0        1        2        3        4   times n: the whole part is the first row,
///   |--------|--------|-----x--|--------|   here 2; the fraction
///                     0   1   2   3         times n - 1: the whole part is the second row, counted
///                     |---|---|-x-|---|     without the first; the fraction
///                             0   1         is left
/// ```
///
/// Each pair has the same share of the ruler, but for `n^2 / 2^64` of it, which is at most one part
/// in 180000. One pair of 10^7 queens can be left with 180000 different fractions only, but all
/// pairs together, what is left is below a threshold as often as it should be, but for `2^-40`.
#[inline]
fn proposal(number: u64, n: usize) -> (usize, usize, u64) {
    let (a, rest) = whole_and_fraction(number, n as u64);
    let (other, rest) = whole_and_fraction(rest, n as u64 - 1);
    let b = other + u64::from(other >= a);
    (a as usize, b as usize, rest)
}

/// The product of a fraction of `2^64` and a whole number: its whole part and its fraction.
#[inline]
fn whole_and_fraction(fraction: u64, factor: u64) -> (u64, u64) {
    let product = u128::from(fraction) * u128::from(factor);
    ((product >> 64) as u64, product as u64)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::schedule::{Cooling, Rule};
    use reference_local_search::legality::is_solution;

    /// The default of the command line.
    fn annealing(n: u32) -> Rule {
        Rule::Annealing(Cooling {
            start_temperature: 1.0,
            factor: 0.9,
            final_temperature: Cooling::final_temperature_for(n),
        })
    }

    /// A board and what was observed on the way, with one attempt of at most `sweeps`.
    fn course(n: u32, rule: Rule, sweeps: u64, seed: u64) -> (Option<Vec<u32>>, Vec<Sweep>) {
        let schedule = Schedule {
            rule,
            sweeps,
            attempts: 1,
        };
        let mut course = Vec::new();
        let Ok(board) = solve(n, &schedule, &mut Random::new(seed), |sweep| {
            course.push(sweep.clone());
            Ok::<(), Infallible>(())
        });
        (board, course)
    }

    /// How many of the first hundred seeds lead to a solution in one attempt.
    fn solved(n: u32, rule: Rule, sweeps: u64) -> usize {
        (0..100)
            .filter_map(|seed| course(n, rule, sweeps, seed).0)
            .inspect(|columns| {
                assert_eq!(columns.len(), n as usize);
                assert!(is_solution(columns), "n = {n}: {columns:?}");
            })
            .count()
    }

    #[test]
    fn one_attempt_of_annealing_is_enough_for_each_of_a_hundred_seeds() {
        for n in (4..=30).chain([1, 40, 50, 60, 100, 300, 1000]) {
            assert_eq!(solved(n, annealing(n), 2000), 100, "n = {n}");
        }
        // Small boards need heat, and level exchanges do most of the work.
        assert_eq!([6, 8].map(|n| solved(n, Rule::Zero, 2000)), [10, 100]);
        assert_eq!(solved(20, Rule::Strict, 500), 32);
    }

    #[test]
    fn the_temperature_falls_after_each_sweep_down_to_the_final_one() {
        let rule = Rule::Annealing(Cooling {
            start_temperature: 4.0,
            factor: 0.5,
            final_temperature: 0.75,
        });
        let (_, course) = course(200, rule, 6, 1);
        let temperatures: Vec<f64> = course.iter().map(|sweep| sweep.temperature).collect();
        assert_eq!(temperatures, [4.0, 4.0, 2.0, 1.0, 0.75, 0.75, 0.75]);
    }

    #[test]
    fn the_ends_of_the_ruler_are_the_first_and_the_last_pair() {
        assert_eq!(proposal(0, 5), (0, 1, 0));
        assert_eq!(proposal(u64::MAX, 5), (4, 3, u64::MAX - 19));
        // Half of 5 is 2.5, of which half of 4 is 2: the third row without row 2 is row 3.
        assert_eq!(proposal(1 << 63, 5), (2, 3, 0));
    }

    #[test]
    fn every_pair_of_rows_is_proposed_as_often_as_any_other() {
        let mut random = Random::new(1);
        let mut met = [[0; 5]; 5];
        for _ in 0..20_000 {
            let (a, b, _) = proposal(random.draw(), 5);
            met[a][b] += 1;
        }
        for (a, times) in met.iter().enumerate() {
            for (b, times) in times.iter().enumerate() {
                let expected = if a == b { 0..=0 } else { 850..=1150 };
                assert!(expected.contains(times), "{met:?}");
            }
        }
    }
}
