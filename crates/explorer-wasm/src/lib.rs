//! The reference searches with recorders: what a search does becomes a list of 32-bit words that a page can go through
//! both ways.
//!
//! The functions of this library run anywhere. Built for WebAssembly, the module also exports them, without any
//! generated glue: numbers go in, and a list comes out as its length and the place of its first word in memory.
//!
//! | list | words |
//! |---|---|
//! | [`backtracking`] | one for each step: bits 0 to 4 column, bits 5 to 6 [`Entered`], bit 7 set if the queen is removed |
//! | [`local_search`] | bits 30 to 31 say what: 0 a new board (collisions, then n words with the columns), 1 a trial (column, bit 20 if it is kept), 2 an exchange (rows in bits 0 to 9 and 10 to 19, growth + 4 in bits 20 to 23) |
//! | [`annealing`] | bits 30 to 31 say what: 0 a new board as above, 1 a proposal (rows as above, change + 4 in bits 20 to 23, bit 24 if accepted, then one word: the upper half of the random number), 2 a sweep (then two words: the temperature as the bits of a double, lower half first) |

#[cfg(target_arch = "wasm32")]
mod exports;

use std::convert::Infallible;

use reference_annealing::anneal::{self, Observer, Proposal, Sweep};
use reference_annealing::schedule::{Cooling, Rule, Schedule};
use reference_count::bitmask::{self, Step as QueenStep};
use reference_local_search::board::Board;
use reference_local_search::random::Random;
use reference_polynomial::{Statistics, Step, qs1, qs2, qs4};

/// The most words of a list; a search that does more is cut there.
pub const MAX_WORDS: usize = 2_000_000;

/// What a queen that is placed leads to.
#[derive(Clone, Copy, Debug)]
pub enum Entered {
    /// A row with free squares.
    Open = 0,
    /// A row without one.
    DeadEnd = 1,
    /// The end of the board: a solution.
    Solution = 2,
}

/// A local search of the reference.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// `qs1`.
    Qs1,
    /// `qs2`.
    Qs2,
    /// `qs4`.
    Qs4,
}

/// How a board is annealed.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// Temperature of the first sweep.
    pub start_temperature: f64,
    /// Factor of the temperature after each sweep.
    pub cooling: f64,
    /// Temperature below which it does not fall.
    pub final_temperature: f64,
    /// Sweeps after which the board is given up.
    pub sweeps: u32,
}

impl Course {
    fn schedule(self) -> Schedule {
        Schedule {
            rule: Rule::Annealing(Cooling {
                start_temperature: self.start_temperature,
                factor: self.cooling,
                final_temperature: self.final_temperature,
            }),
            sweeps: self.sweeps.into(),
            attempts: 1,
        }
    }
}

/// All steps of the count of solutions for `n` queens.
pub fn backtracking(n: u32) -> Vec<u32> {
    let mut words = Words::default();
    bitmask::search(n, |step| match step {
        QueenStep::Place(queen) => words.push(queen.trailing_zeros()),
        QueenStep::Remove(queen) => words.push(queen.trailing_zeros() | 1 << 7),
        QueenStep::DeadEnd => words.mark_last((Entered::DeadEnd as u32) << 5),
        QueenStep::Solution => words.mark_last((Entered::Solution as u32) << 5),
    });
    words.0
}

/// The number of solutions for `n` queens.
pub fn count(n: u32) -> u64 {
    bitmask::number_of_solutions(n)
}

/// All steps of a local search for `n` queens, at most 1000.
pub fn local_search(method: Method, n: u32, seed: u64) -> Vec<u32> {
    let mut words = Words::default();
    let mut record = |step: Step<'_>| match step {
        Step::Trial { column, kept } => words.push(1 << 30 | u32::from(kept) << 20 | column),
        Step::Filled {
            columns,
            collisions,
        } => words.board(columns, collisions),
        Step::Swap { a, b, growth } => words.push(2 << 30 | exchange(a, b, growth)),
    };
    let (mut random, mut statistics) = (Random::new(seed), Statistics::default());
    match method {
        Method::Qs1 => qs1::solve(n, &mut random, &mut statistics, &mut record),
        Method::Qs2 => qs2::solve(n, &mut random, &mut statistics, &mut record),
        Method::Qs4 => qs4::solve(n, &mut random, &mut statistics, &mut record),
    };
    words.0
}

/// All proposals and sweeps while one board of `n` queens, at most 1000, is annealed.
pub fn annealing(n: u32, course: Course, seed: u64) -> Vec<u32> {
    let mut words = Words::default();
    let Ok(_) = anneal::solve_observed(n, &course.schedule(), &mut Random::new(seed), &mut words);
    words.0
}

/// How many sweeps annealing takes to solve the board of this seed; `None` if it does not.
pub fn sweeps_to_solve(n: u32, course: Course, seed: u64) -> Option<u64> {
    let mut sweeps = 0;
    let Ok(board) = anneal::solve(
        n,
        &course.schedule(),
        &mut Random::new(seed),
        |sweep: &Sweep| {
            sweeps = sweep.sweep;
            Ok::<(), Infallible>(())
        },
    );
    board.map(|_| sweeps)
}

/// The Gray code at a place of its sequence.
pub fn gray(index: u32) -> u32 {
    reference_gray_code::code::gray(index)
}

/// The peg of each disc after `moves` moves.
pub fn hanoi(discs: u32, moves: u32) -> Vec<u32> {
    let pegs = reference_hanoi::tower::pegs_after(discs, moves.into());
    pegs.into_iter().map(|peg| peg as u32).collect()
}

/// A list that is being recorded.
#[derive(Debug, Default)]
struct Words(Vec<u32>);

impl Words {
    fn push(&mut self, word: u32) {
        self.extend(&[word]);
    }

    /// Adds words that belong together: all or none.
    fn extend(&mut self, words: &[u32]) {
        if self.0.len() + words.len() <= MAX_WORDS {
            self.0.extend_from_slice(words);
        }
    }

    fn mark_last(&mut self, bits: u32) {
        if let Some(last) = self.0.last_mut() {
            *last |= bits;
        }
    }

    fn board(&mut self, columns: &[u32], collisions: u32) {
        self.extend(&[&[collisions], columns].concat());
    }
}

impl Observer<Infallible> for Words {
    fn begin(&mut self, board: &Board) {
        let (_, collisions) = Board::filled(board.columns().to_vec());
        self.board(board.columns(), collisions as u32);
    }

    fn propose(&mut self, proposal: Proposal) {
        let what = exchange(proposal.a, proposal.b, proposal.change);
        self.extend(&[
            1 << 30 | u32::from(proposal.accepted) << 24 | what,
            (proposal.number >> 32) as u32,
        ]);
    }

    fn sweep(&mut self, sweep: &Sweep) -> Result<(), Infallible> {
        let temperature = sweep.temperature.to_bits();
        self.extend(&[2 << 30, temperature as u32, (temperature >> 32) as u32]);
        Ok(())
    }
}

/// Two rows and by how much their exchange changes the collisions.
fn exchange(a: usize, b: usize, change: i32) -> u32 {
    a as u32 | (b as u32) << 10 | ((change + 4) as u32) << 20
}
