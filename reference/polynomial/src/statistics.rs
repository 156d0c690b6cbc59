//! What a search had to do.

/// What a search had to do.
///
/// The figures are summed over all starts, except [`left`](Self::left) and
/// [`collisions`](Self::collisions): these are of the last start, the one that led to the board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How often the search started anew.
    pub restarts: u64,
    /// How often a column was drawn and tried before the exchanges; absent where none is.
    pub trials: Option<u64>,
    /// Queens that the trials left for the exchanges; absent where there are no trials.
    pub left: Option<u64>,
    /// Collisions on the board before the first exchange: queens beyond the first, over all
    /// diagonals. Absent where the queens that are left are not on the board.
    pub collisions: Option<u64>,
    /// Exchanges that were examined.
    pub swap_tests: u64,
    /// Exchanges that were kept.
    pub swaps: u64,
}

impl Statistics {
    /// Counts trials of one more start.
    pub(crate) fn add_trials(&mut self, trials: u64) {
        *self.trials.get_or_insert(0) += trials;
    }

    /// The figures of a board of `n` queens, one `key = value` a line.
    pub(crate) fn lines(&self, n: u32) -> String {
        let per_queen = |figure: u64| format!("{:.4}", figure as f64 / f64::from(n));
        let mut lines = String::new();
        let mut line = |key: &str, value: String| lines += &[key, " = ", &value, "\n"].concat();
        line("restarts", self.restarts.to_string());
        if let Some(collisions) = self.collisions {
            line("collisions", collisions.to_string());
            line("collisions-per-queen", per_queen(collisions));
        }
        if let Some(trials) = self.trials {
            line("trials", trials.to_string());
            line("trials-per-queen", per_queen(trials));
        }
        if let Some(left) = self.left {
            line("left", left.to_string());
        }
        line("swap-tests", self.swap_tests.to_string());
        line("swaps", self.swaps.to_string());
        lines
    }
}
