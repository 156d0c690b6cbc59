//! What is accepted in the course of a search, and when it is given up.

use crate::acceptance::Acceptance;

/// The course of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// What is accepted.
    pub rule: Rule,
    /// Sweeps of n proposals after which a board is given up as frozen.
    pub sweeps: u64,
    /// Random boards to begin with before the search is given up.
    pub attempts: u64,
}

/// What is accepted.
///
/// On this problem the temperature hardly matters. At temperature 0, one attempt of 2000 sweeps was
/// enough for each of 2000 seeds at n = 8 and 50, for 1997 of them at n = 20, and for each of 500,
/// 300 and 30 seeds at n = 100, 1000 and 10000, in 5 to 15 percent fewer proposals than annealing
/// took. What does the work are the level exchanges: they let the collisions wander over the board
/// until they meet a way down. Without them, three searches in four got stuck at n = 20, and every
/// second one at n = 100. Heat is needed on small boards only, which have valleys without a level
/// way out: at temperature 0, 6 queens were placed one time in ten, and 7 queens nine times in ten.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// Metropolis' rule at a falling temperature.
    Annealing(Cooling),
    /// What does not raise the energy: annealing at temperature 0.
    Zero,
    /// What lowers the energy.
    Strict,
}

impl Rule {
    /// The temperature of the first sweep, in units of one collision.
    pub fn start_temperature(self) -> f64 {
        match self {
            Self::Annealing(cooling) => cooling.start_temperature,
            Self::Zero | Self::Strict => 0.0,
        }
    }

    /// The temperature of the sweep after one at `temperature`.
    pub fn next_temperature(self, temperature: f64) -> f64 {
        match self {
            Self::Annealing(cooling) => {
                (temperature * cooling.factor).max(cooling.final_temperature)
            }
            Self::Zero | Self::Strict => 0.0,
        }
    }

    /// Which changes are accepted at `temperature`.
    pub fn acceptance(self, temperature: f64) -> Acceptance {
        match self {
            Self::Annealing(_) => Acceptance::at(temperature),
            Self::Zero => Acceptance::at_zero(),
            Self::Strict => Acceptance::downhill_only(),
        }
    }
}

/// How the temperature falls, in units of one collision: geometric cooling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cooling {
    /// Temperature of the first sweep, 0.001 to 1000.
    pub start_temperature: f64,
    /// Factor of the temperature after each sweep, 0.01 to 1.
    pub factor: f64,
    /// Temperature below which it does not fall, 0.001 to 1000.
    pub final_temperature: f64,
}

impl Cooling {
    /// The final temperature that suits `n` queens, with a start at 1 and a factor of 0.9.
    ///
    /// Small boards must stay warm: at 0.05, 6 queens freeze two times in three, and 12 queens once
    /// in eighty. Large boards must not, because what is gained is lost again: at 0.15, none of 30
    /// boards of 10000 queens was solved in 2000 sweeps. With this rule one attempt was enough for
    /// each of 10000 seeds at n = 4 to 28.
    pub fn final_temperature_for(n: u32) -> f64 {
        if n <= 25 { 0.3 } else { 0.05 }
    }
}
