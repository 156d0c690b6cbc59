//! Which changes of energy are accepted.

use crate::exponential::exp_of_minus;

/// The largest change of energy of one exchange: each of two queens leaves two diagonals and enters
/// two others.
const MAX_RISE: usize = 4;

/// The rule by which a change of energy is accepted, at one temperature.
///
/// Metropolis: a change by `d` is accepted always if `d <= 0`, else with probability `e^(-d/T)`.
/// Only four changes are uphill, so each probability is computed once per temperature, as the
/// integer `2^64 · e^(-d/T)`: a random number of 64 bits is below it with just this probability.
///
/// Source: N. Metropolis and others, *Equation of State Calculations by Fast Computing Machines*,
/// Journal of Chemical Physics 21, 1953; thresholds instead of exponentials are common practice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// The largest change that is accepted always.
    always: i32,
    /// Thresholds of the changes 0, 1, 2, 3 and 4. That of 0 is 0: a level change is accepted
    /// always or never.
    thresholds: [u64; MAX_RISE + 1],
}

impl Acceptance {
    /// The rule of Metropolis at `temperature`, from 0.001 up, in units of one collision.
    pub fn at(temperature: f64) -> Self {
        Self {
            always: 0,
            thresholds: std::array::from_fn(|change| match change {
                0 => 0,
                uphill => exp_of_minus(uphill as f64 / temperature),
            }),
        }
    }

    /// Nothing that raises the energy: what the rule of Metropolis becomes when the temperature
    /// falls to 0.
    pub fn at_zero() -> Self {
        Self {
            always: 0,
            thresholds: [0; MAX_RISE + 1],
        }
    }

    /// Only what lowers the energy.
    pub fn downhill_only() -> Self {
        Self {
            always: -1,
            thresholds: [0; MAX_RISE + 1],
        }
    }

    /// Whether a change of energy, -4 to 4, is accepted, given a random number of 64 bits.
    #[inline]
    pub fn accepts(&self, change: i32, number: u64) -> bool {
        change <= self.always || number < self.thresholds[change as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_below_the_threshold_is_accepted_and_the_threshold_is_not() {
        let acceptance = Acceptance::at(2.0);
        for change in 1..=4 {
            let threshold = acceptance.thresholds[change as usize];
            assert!(acceptance.accepts(change, threshold - 1));
            assert!(!acceptance.accepts(change, threshold));
        }
    }
}
