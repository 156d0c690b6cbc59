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
    fn the_thresholds_are_the_probabilities_of_the_rule() {
        let two_to_the_64 = 2_f64.powi(64);
        for temperature in [0.02, 0.05, 0.1, 0.3, 0.9, 1.0, 3.0, 1000.0] {
            let acceptance = Acceptance::at(temperature);
            for change in 1..=MAX_RISE {
                let expected = (-(change as f64) / temperature).exp() * two_to_the_64;
                let found = acceptance.thresholds[change] as f64;
                // Four units of the threshold, and the last digits of a floating-point number.
                let allowed = 4.0 + expected * 2_f64.powi(-48);
                assert!(
                    (found - expected).abs() <= allowed,
                    "{change} at {temperature}: {found}, {expected}"
                );
            }
        }
    }

    #[test]
    fn the_thresholds_are_the_same_on_every_platform() {
        assert_eq!(
            Acceptance::at(1.0).thresholds,
            [
                0,
                6_786_177_901_268_885_274,
                2_496_495_334_008_788_799,
                918_409_308_362_266_468,
                337_863_903_126_961_437
            ]
        );
        assert_eq!(
            Acceptance::at(0.05).thresholds,
            [0, 38_021_573_369, 78, 0, 0]
        );
        // A temperature and quotients that are rounded, as those of a default search are.
        let cooled = (0..7).fold(1.0, |temperature, _| temperature * 0.9);
        assert_eq!(
            Acceptance::at(cooled).thresholds,
            [
                0,
                2_279_910_757_278_971_382,
                281_783_768_473_515_842,
                34_826_842_200_569_646,
                4_304_396_041_808_835
            ]
        );
    }

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
