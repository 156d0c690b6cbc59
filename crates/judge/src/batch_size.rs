//! How many runs of a program may share a sandbox.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::constants::MAX_RUNS_TOGETHER;

/// The size of the next batch of runs. After a batch that did not end within its limits, half as many as ended; a batch that ends
/// doubles it.
#[derive(Debug)]
pub(crate) struct BatchSize(AtomicUsize);

impl Default for BatchSize {
    fn default() -> Self {
        Self(AtomicUsize::new(MAX_RUNS_TOGETHER))
    }
}

impl BatchSize {
    pub(crate) fn get(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Learns how many runs of a batch of `asked` ended.
    pub(crate) fn learn(&self, asked: usize, ended: usize) {
        let next = if ended < asked {
            (ended / 2).max(2)
        } else {
            (2 * ended).clamp(self.get(), MAX_RUNS_TOGETHER)
        };
        self.0.store(next, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_that_does_not_end_makes_the_next_ones_smaller_for_a_while() {
        let size = BatchSize::default();
        let mut sizes = Vec::new();
        for (asked, ended) in [
            (256, 256),
            (256, 40),
            (20, 0),
            (2, 2),
            (4, 4),
            (3, 3),
            (8, 8),
            (16, 1),
        ] {
            size.learn(asked, ended);
            sizes.push(size.get());
        }
        assert_eq!(sizes, [256, 20, 2, 4, 8, 8, 16, 2]);
    }
}
