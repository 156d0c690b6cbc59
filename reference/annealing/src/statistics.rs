//! What a whole search took.

use crate::anneal::{Sweep, Tally};

/// What a whole search took, all attempts together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Random boards that were annealed, the last one included.
    pub attempts: u64,
    /// Sweeps, also those that a solution cut short.
    pub sweeps: u64,
    /// What became of the proposals.
    pub tally: Tally,
}

impl Statistics {
    /// Adds a sweep; sweep 0, which is a random board, begins an attempt.
    pub fn add(&mut self, sweep: &Sweep) {
        if sweep.sweep == 0 {
            self.attempts += 1;
        } else {
            self.sweeps += 1;
        }
        self.tally.proposals += sweep.tally.proposals;
        self.tally.accepted += sweep.tally.accepted;
        self.tally.uphill += sweep.tally.uphill;
    }
}
