//! Which changes of energy are accepted at a temperature.

use crate::exponential::exp_of_minus;
use crate::random::Random;

/// The largest change of energy of one exchange: each of two queens leaves two diagonals and enters
/// two others.
const MOST: usize = 4;

/// The rule of acceptance at one temperature.
///
/// Metropolis: a change by `d` is accepted always if `d <= 0`, else with probability `e^(-d/T)`.
/// Only four changes are uphill, so each probability is computed once per temperature, as the
/// integer `2^64 · e^(-d/T)`: a random number of 64 bits is below it with just this probability.
///
/// Source: N. Metropolis and others, *Equation of State Calculations by Fast Computing Machines*,
/// Journal of Chemical Physics 21, 1953; thresholds instead of exponentials are common practice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Acceptance {
    /// Thresholds of the changes 1, 2, 3 and 4.
    uphill: [u64; MOST],
}

impl Acceptance {
    /// The rule at `temperature`, at least 0.001, in units of one collision.
    pub fn at(temperature: f64) -> Self {
        Self {
            uphill: std::array::from_fn(|less| exp_of_minus((less + 1) as f64 / temperature)),
        }
    }

    /// Whether a change of energy, -4 to 4, is accepted; draws a random number if it is uphill.
    pub fn accepts(&self, change: i32, random: &mut Random) -> bool {
        change <= 0 || random.draw() < self.uphill[change as usize - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thresholds_are_the_same_on_every_platform() {
        assert_eq!(
            Acceptance::at(1.0).uphill,
            [
                6_786_177_901_268_885_274,
                2_496_495_334_008_788_799,
                918_409_308_362_266_468,
                337_863_903_126_961_437
            ]
        );
        assert_eq!(Acceptance::at(0.05).uphill, [38_021_573_369, 78, 0, 0]);
    }

    #[test]
    fn changes_downhill_and_level_are_accepted_without_a_random_number() {
        let mut random = Random::new(1);
        for change in -4..=0 {
            assert!(Acceptance::at(0.001).accepts(change, &mut random));
        }
        assert_eq!(random.draw(), Random::new(1).draw());
    }

    #[test]
    fn changes_uphill_are_accepted_as_often_as_the_rule_says() {
        let acceptance = Acceptance::at(2.0);
        let mut random = Random::new(1);
        for change in 1..=4 {
            let draws = 20_000;
            let accepted = (0..draws)
                .filter(|_| acceptance.accepts(change, &mut random))
                .count() as f64;
            let expected = (-f64::from(change) / 2.0).exp() * f64::from(draws);
            assert!(
                (accepted - expected).abs() < 400.0,
                "{change}: {accepted}, {expected}"
            );
        }
    }

    #[test]
    fn nothing_is_accepted_uphill_when_it_is_cold() {
        assert_eq!(Acceptance::at(0.001).uphill, [0; MOST]);
    }
}
