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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_added_up_and_random_boards_are_attempts() {
        let mut statistics = Statistics::default();
        for (attempt, sweep, proposals) in [(1, 0, 0), (1, 1, 8), (2, 0, 0), (2, 1, 8), (2, 2, 3)] {
            statistics.add(&Sweep {
                attempt,
                sweep,
                temperature: 1.0,
                energy: 1,
                best: 1,
                tally: Tally {
                    proposals,
                    accepted: proposals / 2,
                    uphill: proposals / 8,
                },
            });
        }
        assert_eq!(
            statistics,
            Statistics {
                attempts: 2,
                sweeps: 3,
                tally: Tally {
                    proposals: 19,
                    accepted: 9,
                    uphill: 2,
                },
            }
        );
    }
}
