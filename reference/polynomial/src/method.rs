//! The methods, side by side.

use clap::ValueEnum;

use crate::statistics::Statistics;
use crate::{closed_form, qs1, qs2, qs4, qs4c};
use reference_local_search::random::Random;

/// A way to place the queens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Method {
    /// Exchange pairs of queens while collisions become fewer (1990)
    Qs1,
    /// Exchange attacked queens with random ones while collisions become fewer (1991)
    Qs2,
    /// Place nearly all queens without collision, exchange the rest (1991, 1994)
    Qs4,
    /// The same arranged for caches and words: other boards than qs4, several times as fast
    Qs4c,
    /// No search: the formulas of Pauls, of Hoffman, Loessi and Moore, and of Bernhardsson
    ClosedForm,
}

impl Method {
    /// The memory that it takes at most, in bytes a queen.
    pub fn bytes_per_queen(self) -> usize {
        match self {
            Self::Qs1 | Self::Qs4 => 8,
            Self::Qs2 => 16,
            Self::Qs4c => 6,
            Self::ClosedForm => 5,
        }
    }

    /// Whether the board depends on random numbers.
    pub(crate) fn is_random(self) -> bool {
        self != Self::ClosedForm
    }

    /// The search that suits `n` queens: below 200, exchanges that leave no collision are rare, and
    /// `QS4` starts anew often; from there on, its variant is the fastest.
    pub fn for_queens(n: u32) -> Self {
        if n < 200 { Self::Qs1 } else { Self::Qs4c }
    }

    /// A solution for `n` queens, the column of each row counted from 0; `n` is 1 or from 4 to
    /// 10^8. What the search had to do is added to `statistics`.
    ///
    /// # Panics
    ///
    /// If `n` is 2 or 3, for which there is no solution.
    pub fn solve(self, n: u32, random: &mut Random, statistics: &mut Statistics) -> Vec<u32> {
        match self {
            Self::Qs1 => qs1::solve(n, random, statistics, &mut |_| {}),
            Self::Qs2 => qs2::solve(n, random, statistics, &mut |_| {}),
            Self::Qs4 => qs4::solve(n, random, statistics, &mut |_| {}),
            Self::Qs4c => qs4c::solve(n, random, statistics),
            Self::ClosedForm => closed_form::solve(n),
        }
    }
}
