//! When the outcome of attempts is certain, and what it is.

use grader_problem::AttemptRule;

/// What attempts come to, once that is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// As many were accepted as must be.
    Met,
    /// So many failed that what is left cannot make up for it.
    Missed,
    /// All were made, and the points follow the rate.
    Counted,
}

/// What the attempts come to, if no further attempt can change it.
///
/// Stopping there changes nothing for the student: the outcome is that of making all attempts.
pub(super) fn certain(rule: AttemptRule, accepted: u32, failed: u32) -> Option<Outcome> {
    match rule.at_least {
        Some(at_least) if accepted >= at_least => Some(Outcome::Met),
        Some(at_least) if failed > rule.runs.saturating_sub(at_least) => Some(Outcome::Missed),
        None if accepted + failed >= rule.runs => Some(Outcome::Counted),
        Some(_) | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: AttemptRule = AttemptRule {
        runs: 12,
        at_least: Some(3),
    };

    #[test]
    fn the_outcome_is_certain_as_soon_as_and_not_before_nothing_can_change_it() {
        assert_eq!(certain(RULE, 2, 9), None);
        assert_eq!(certain(RULE, 3, 0), Some(Outcome::Met));
        assert_eq!(certain(RULE, 3, 9), Some(Outcome::Met));
        assert_eq!(certain(RULE, 0, 9), None);
        assert_eq!(certain(RULE, 0, 10), Some(Outcome::Missed));
        assert_eq!(certain(RULE, 2, 10), Some(Outcome::Missed));
    }

    #[test]
    fn for_a_rate_every_attempt_is_made() {
        let rate = AttemptRule {
            runs: 5,
            at_least: None,
        };
        assert_eq!(certain(rate, 4, 0), None);
        assert_eq!(certain(rate, 0, 4), None);
        assert_eq!(certain(rate, 3, 2), Some(Outcome::Counted));
    }

    #[test]
    fn stopping_early_never_changes_the_outcome() {
        for sequence in 0_u32..1 << RULE.runs {
            let all = if sequence.count_ones() >= 3 {
                Outcome::Met
            } else {
                Outcome::Missed
            };
            let mut accepted = 0;
            let stopped = (0..RULE.runs).find_map(|made| {
                accepted += sequence >> made & 1;
                certain(RULE, accepted, made + 1 - accepted)
            });
            assert_eq!(stopped, Some(all), "{sequence:012b}");
        }
    }

    /// The probability that the rule is met by a program that succeeds with probability `p`: the upper tail of the
    /// binomial distribution.
    fn met(rule: AttemptRule, p: f64) -> f64 {
        let runs = f64::from(rule.runs);
        let mut choose = 1.0;
        let mut sum = 0.0;
        for k in 0..=rule.runs {
            if rule.at_least.is_some_and(|at_least| k >= at_least) {
                sum += choose * p.powi(k as i32) * (1.0 - p).powi((rule.runs - k) as i32);
            }
            choose *= (runs - f64::from(k)) / f64::from(k + 1);
        }
        sum
    }

    /// What `problems/n-queens/annealing/problem.toml` says of its rule.
    #[test]
    fn three_of_twelve_is_met_almost_surely_at_a_rate_of_60_per_cent() {
        let percent = |p: f64| format!("{:.2}", p * 100.0);
        assert_eq!(percent(met(RULE, 0.6)), "99.72");
        assert_eq!(percent(met(RULE, 0.6).powi(4)), "98.88");
        assert_eq!(percent(met(RULE, 0.9)), "100.00");
        assert_eq!(percent(met(RULE, 0.05)), "1.96");
    }
}
