//! The attempts of a program that draws random numbers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The attempts of a program that draws random numbers, and the rule they are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Attempts {
    /// The most attempts.
    pub runs: u32,
    /// How many must be accepted; `None` if the points follow the rate.
    pub at_least: Option<u32>,
    /// The attempts that were made: no more when the outcome was certain.
    pub made: u32,
    /// The attempts that were accepted.
    pub accepted: u32,
    /// Number of different outputs of all attempts, those that were not accepted too.
    pub outputs: u32,
    /// Number of different seconds of the clock in which they began: programs that draw their numbers from the clock
    /// have so many seeds.
    pub seconds: u32,
}

impl Attempts {
    /// The 0.975 quantile of the standard normal distribution.
    const Z: f64 = 1.959_963_984_540_054;

    /// The fraction of attempts that were accepted, 0 to 1; 0 without attempts.
    pub fn rate(&self) -> f64 {
        if self.made == 0 {
            return 0.0;
        }
        f64::from(self.accepted) / f64::from(self.made)
    }

    /// The 95% confidence interval of the probability that an attempt is accepted (Wilson score interval); 0 to 1
    /// without attempts.
    ///
    /// It assumes a number of attempts fixed beforehand. Attempts end as soon as the outcome is certain, so the
    /// interval is an approximation.
    ///
    /// E. B. Wilson, *Probable Inference, the Law of Succession, and Statistical Inference*, Journal of the American
    /// Statistical Association 22 (1927), 209–212.
    pub fn interval(&self) -> (f64, f64) {
        if self.made == 0 {
            return (0.0, 1.0);
        }
        let n = f64::from(self.made);
        let p = self.rate();
        let z2 = Self::Z * Self::Z;
        let middle = p + z2 / (2.0 * n);
        let reach = Self::Z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        let whole = 1.0 + z2 / n;
        (
            ((middle - reach) / whole).max(0.0),
            ((middle + reach) / whole).min(1.0),
        )
    }

    /// The probability that a fresh grading by the same rule has the same outcome; `None` if the points are
    /// proportional to the rate, or without attempts.
    ///
    /// The probability that an attempt is accepted has a uniform prior (Laplace). With `a` accepted and `f` failed
    /// attempts so far, a fresh grading of `n` attempts, of which `r` must be accepted, has `k` accepted attempts with
    /// the beta-binomial probability
    ///
    /// ```text
    /// P(k) = C(n, k) · B(a + 1 + k, f + 1 + n − k) / B(a + 1, f + 1)
    /// ```
    ///
    /// and meets the rule with probability Σ `P(k)` over `k ≥ r`. Stopping as soon as the outcome is certain changes
    /// nothing: the likelihood depends only on `a` and `f`, whatever the stopping rule.
    ///
    /// A. Gelman et al., *Bayesian Data Analysis*, 3rd edition (2013), section 2.3 and appendix A.
    pub fn same_again(&self) -> Option<f64> {
        let at_least = self.at_least?;
        if self.made == 0 {
            return None;
        }
        let n = self.runs;
        let (alpha, beta) = (
            f64::from(self.accepted) + 1.0,
            f64::from(self.made.saturating_sub(self.accepted)) + 1.0,
        );
        // As logarithms: with a thousand attempts, the first terms underflow.
        let mut term: f64 = (0..n)
            .map(f64::from)
            .map(|i| ((beta + i) / (alpha + beta + i)).ln())
            .sum();
        let (mut missed, mut met) = (0.0, 0.0);
        for k in 0..=n {
            *(if k < at_least { &mut missed } else { &mut met }) += term.exp();
            if k < n {
                let (k, left) = (f64::from(k), f64::from(n - k));
                term += (left / (k + 1.0) * (alpha + k) / (beta + left - 1.0)).ln();
            }
        }
        Some(if self.accepted < at_least {
            missed
        } else {
            met
        })
    }

    /// Whether luck may have decided: some attempts were accepted and some not, and a fresh grading has the same
    /// outcome with a probability below 0.9 ([`Attempts::same_again`]).
    pub fn is_doubtful(&self) -> bool {
        (1..self.made).contains(&self.accepted)
            && self.same_again().is_some_and(|again| again < 0.9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attempts(accepted: u32, made: u32) -> Attempts {
        Attempts {
            runs: 12,
            at_least: Some(3),
            made,
            accepted,
            outputs: made,
            seconds: 1,
        }
    }

    /// R. G. Newcombe, *Two-sided confidence intervals for the single proportion: comparison of seven methods*,
    /// Statistics in Medicine 17 (1998), 857–872, table I, method 3.
    #[test]
    fn the_interval_is_that_of_published_tables() {
        for (accepted, made, published) in [
            (81, 263, "0.2553 0.3662"),
            (15, 148, "0.0624 0.1605"),
            (0, 20, "0.0000 0.1611"),
            (1, 29, "0.0061 0.1718"),
        ] {
            let (low, high) = attempts(accepted, made).interval();
            assert_eq!(format!("{low:.4} {high:.4}"), published);
        }
    }

    #[test]
    fn the_interval_of_no_attempt_says_nothing() {
        assert_eq!(attempts(0, 0).interval(), (0.0, 1.0));
        assert!(attempts(0, 0).rate() == 0.0);
    }

    /// The first is 1 minus the integral of 6p(1 − p) · (1 − p)².
    #[test]
    fn a_fresh_grading_ends_the_same_with_the_beta_binomial_probability() {
        for (runs, at_least, accepted, made, exact) in [
            (2, 1, 1, 2, 7.0 / 10.0),
            (12, 3, 3, 6, 45_617.0 / 50_388.0),
            (12, 3, 3, 7, 108_680.0 / 125_970.0),
            // The first terms underflow: it is practically impossible that fewer than half are accepted.
            (1000, 500, 1000, 1000, 1.0),
            (1000, 500, 0, 1000, 1.0),
        ] {
            let of = Attempts {
                runs,
                at_least: Some(at_least),
                ..attempts(accepted, made)
            };
            let found = of.same_again().unwrap();
            assert!((found - exact).abs() < 1e-9, "{of:?}: {found}, {exact}");
        }
    }

    #[test]
    fn luck_is_in_doubt_only_where_another_grading_may_well_end_otherwise() {
        // All possible ends of 3 of 12: the third accepted attempt, or the tenth failed one.
        let met = (3..=12).map(|made| attempts(3, made));
        let missed = (0..=2).map(|accepted| attempts(accepted, accepted + 10));
        let doubtful = met.chain(missed).filter(Attempts::is_doubtful);
        assert!(doubtful.map(|it| (it.accepted, it.made)).eq([
            (3, 7),
            (3, 8),
            (3, 9),
            (3, 10),
            (3, 11),
            (3, 12),
            (1, 11),
            (2, 12),
        ]));
        assert!(!attempts(0, 10).is_doubtful());
        assert_eq!(attempts(0, 0).same_again(), None);
        let rate = Attempts {
            at_least: None,
            ..attempts(3, 7)
        };
        assert_eq!((rate.same_again(), rate.is_doubtful()), (None, false));
    }
}
