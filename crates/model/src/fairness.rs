//! What stands behind a verdict on time or chance: yardsticks, runs alone, attempts, growth.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{CaseName, CpuTime, LanguageId, ProblemId, SubtaskName};

/// How the time limits of a problem come about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TimeInfo {
    /// The multiple of the reference's time; nothing where the limit is absolute.
    pub factor: Option<f64>,
    /// The smallest limit, before the language's factor; the limit itself where it is absolute.
    pub at_least: CpuTime,
    /// The largest limit, after the language's factor; nothing where the limit is absolute.
    pub at_most: Option<CpuTime>,
    /// What the limit is multiplied by, for each language that the problem accepts.
    pub languages: BTreeMap<LanguageId, f64>,
}

/// What was measured of the reference in one case on this machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Yardstick {
    /// The problem.
    pub problem: ProblemId,
    /// The subtask.
    pub subtask: SubtaskName,
    /// The case.
    pub case: CaseName,
    /// The smallest CPU time: what limits are multiples of.
    pub cpu: CpuTime,
    /// The largest CPU time.
    pub largest: CpuTime,
    /// Number of measurements.
    pub samples: u32,
    /// Whether it was kept from an earlier run on this machine, and found to hold still.
    pub kept: bool,
    /// How many times it was measured anew because the machine had become faster or slower.
    pub drifts: u32,
}

/// Runs alone on the machine of a program whose CPU time was near a limit, each beside a run of the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Confirmation {
    /// The CPU time of each run. The smallest counts, unless that run answered wrong and another one did not: the time
    /// that counted is the one of [`crate::CaseResult::outcome`].
    pub runs: Vec<CpuTime>,
    /// The reference's CPU time beside each run, where the limit is a multiple of it; the smallest counts.
    pub yardsticks: Vec<CpuTime>,
    /// Whether all runs, each held against the limit of its own moment, agree.
    pub resolved: bool,
}

/// The attempts of a program that draws random numbers, and the rule they are judged by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Attempts {
    /// The most attempts.
    pub runs: u32,
    /// So many must be accepted; nothing where the points follow the rate.
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

    /// The part of the attempts that was accepted, 0 to 1; 0 where none was made.
    pub fn rate(&self) -> f64 {
        if self.made == 0 {
            return 0.0;
        }
        f64::from(self.accepted) / f64::from(self.made)
    }

    /// The 95 % interval of the probability that an attempt is accepted, by Wilson's score; 0 to 1 where no attempt
    /// was made.
    ///
    /// It takes the number of attempts as given beforehand. Where they end as soon as the outcome is certain that is
    /// not quite so, and the interval is a good description and no more.
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

    /// Whether luck may have decided: some attempts were accepted and some not, and the rate that the rule asks for
    /// lies in the interval.
    pub fn is_doubtful(&self) -> bool {
        let (low, high) = self.interval();
        let threshold = self
            .at_least
            .map(|at_least| f64::from(at_least) / f64::from(self.runs));
        (1..self.made).contains(&self.accepted)
            && threshold.is_some_and(|rate| (low..=high).contains(&rate))
    }
}

/// Part of the points of a case, in thousandths: 0 to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Share(u32);

impl Share {
    /// Nothing.
    pub const NOTHING: Self = Self(0);
    /// Everything.
    pub const WHOLE: Self = Self(1000);

    /// So many thousandths; more than 1000 are 1000.
    pub const fn from_thousandths(thousandths: u32) -> Self {
        Self(if thousandths < 1000 {
            thousandths
        } else {
            1000
        })
    }

    /// In thousandths.
    pub const fn thousandths(self) -> u32 {
        self.0
    }
}

/// How the CPU time of a program grows with the size of its input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Growth {
    /// The variable that is the size.
    pub over: String,
    /// The largest exponent that passes.
    pub at_most: f64,
    /// The start-up time that was subtracted.
    pub startup: CpuTime,
    /// The runs, by growing size.
    pub points: Vec<GrowthPoint>,
    /// The line through the points that could be measured, where there are enough.
    pub fit: Option<GrowthFit>,
    /// A run was stopped at its limit: the exponent between the run before it and this one is at least so much.
    pub stopped: Option<f64>,
    /// What it comes to.
    pub verdict: GrowthVerdict,
}

/// One run of a growth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GrowthPoint {
    /// The size.
    pub size: f64,
    /// CPU time, with the start-up.
    pub cpu: CpuTime,
    /// What became of it.
    pub kind: GrowthPointKind,
}

/// What became of a run of a growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthPointKind {
    /// The line goes through it.
    Measured,
    /// It is too near to the start-up time to be measured.
    TooFast,
    /// It was stopped at its limit.
    Stopped,
}

/// A line through sizes and times, both as logarithms: time = factor · size^exponent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GrowthFit {
    /// The slope.
    pub exponent: f64,
    /// Lower end of the 95 % confidence interval of the slope.
    pub low: f64,
    /// Upper end of it.
    pub high: f64,
    /// The time at size 1, in seconds.
    pub factor: f64,
}

/// Whether a growth passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthVerdict {
    /// It does not grow faster than it may.
    Within,
    /// It grows too fast: the whole interval is above what may be.
    TooFast,
    /// It cannot be told, and passes: the program is too fast to measure, or the interval too wide.
    Unresolved,
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

    /// To four decimals, as tables give it.
    fn interval(accepted: u32, made: u32) -> (String, String) {
        let (low, high) = attempts(accepted, made).interval();
        (format!("{low:.4}"), format!("{high:.4}"))
    }

    fn published(low: &str, high: &str) -> (String, String) {
        (low.to_owned(), high.to_owned())
    }

    /// R. G. Newcombe, *Two-sided confidence intervals for the single proportion: comparison of seven methods*,
    /// Statistics in Medicine 17 (1998), 857–872, table I, method 3.
    #[test]
    fn the_interval_is_that_of_published_tables() {
        assert_eq!(interval(81, 263), published("0.2553", "0.3662"));
        assert_eq!(interval(15, 148), published("0.0624", "0.1605"));
        assert_eq!(interval(0, 20), published("0.0000", "0.1611"));
        assert_eq!(interval(1, 29), published("0.0061", "0.1718"));
    }

    #[test]
    fn the_interval_of_no_attempt_says_nothing() {
        assert_eq!(attempts(0, 0).interval(), (0.0, 1.0));
        assert!(attempts(0, 0).rate() == 0.0);
    }

    #[test]
    fn luck_is_in_doubt_only_between_all_and_none() {
        assert!(!attempts(3, 3).is_doubtful());
        assert!(!attempts(0, 10).is_doubtful());
        assert!(attempts(2, 12).is_doubtful());
        assert!(attempts(3, 7).is_doubtful());
        // 0.30 to 0.95.
        assert!(!attempts(3, 4).is_doubtful());
        let rate = Attempts {
            at_least: None,
            ..attempts(3, 7)
        };
        assert!(!rate.is_doubtful());
    }
}
