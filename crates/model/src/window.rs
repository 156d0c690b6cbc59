//! What `grader limits` found: between which values a time limit does what the samples say.

use serde::{Deserialize, Serialize};

use crate::{CpuTime, Host, Isolation, LanguageId, Mismatch, ProblemId};

/// The values of a time limit with which the samples of a problem get what they must get.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LimitsReport {
    /// The problem.
    pub problem: ProblemId,
    /// The machine.
    pub host: Host,
    /// How programs were isolated.
    pub isolation: Isolation,
    /// What the values below are.
    pub unit: LimitUnit,
    /// The value that the problem file has.
    pub present: f64,
    /// So much faster than the limit must be what passes; at least 1.
    pub pass_margin: f64,
    /// So much slower than the limit must be what fails; at least 1.
    pub fail_margin: f64,
    /// The window without margins.
    pub whole: LimitWindow,
    /// The window with margins: where the limit belongs.
    pub safe: LimitWindow,
    /// A round value inside the window; nothing where there is no window.
    pub suggestion: Option<f64>,
    /// Languages whose samples alone close the window.
    pub advice: Vec<FactorAdvice>,
    /// Samples that did not do what they must do, so that their times say nothing.
    pub mismatches: Vec<Mismatch>,
    /// Number of samples whose times are in the window.
    pub samples: usize,
}

/// What a value of a time limit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitUnit {
    /// A multiple of the reference's time.
    Factor,
    /// Seconds.
    Seconds,
}

/// An interval of values, with the samples that end it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LimitWindow {
    /// The smallest value with which every sample that must pass does so; nothing where every value will do. It is
    /// infinite where no value will: a sample is slower than the rule's `at-most`, or did not end.
    pub lower: Option<WindowEnd>,
    /// The largest value with which every sample that must fail does so; nothing where every value will do. It is
    /// 0 where no value will: a sample ends within the rule's `at-least`.
    pub upper: Option<WindowEnd>,
}

/// One end of a window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct WindowEnd {
    /// Where it is.
    pub value: f64,
    /// The run that puts it there.
    pub witness: Witness,
}

/// A run of a sample that ends a window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Witness {
    /// The sample's path below `submissions/`.
    pub sample: String,
    /// Its language.
    pub language: LanguageId,
    /// The time factor of its language.
    pub time_factor: f64,
    /// The case, as `subtask/case`.
    pub case: String,
    /// Its CPU time, or the time within which it did not end.
    pub cpu: CpuTime,
    /// Whether it was stopped, so that it takes longer than `cpu`.
    pub cut: bool,
    /// The reference's time for the case, where the limit is a multiple of it.
    pub yardstick: Option<CpuTime>,
}

/// A language whose samples alone leave no window, and the time factors of it that would.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct FactorAdvice {
    /// The language.
    pub language: LanguageId,
    /// Its time factor.
    pub present: f64,
    /// The value of the limit that suits the other languages.
    pub limit: f64,
    /// The time factors that suit that limit, the second nothing where there is no largest; nothing where none does.
    pub factors: Option<(f64, Option<f64>)>,
}

impl LimitWindow {
    /// The smallest value, 0 where every value will do.
    pub fn from(&self) -> f64 {
        self.lower.as_ref().map_or(0.0, |end| end.value)
    }

    /// The largest value, infinite where every value will do.
    pub fn to(&self) -> f64 {
        self.upper.as_ref().map_or(f64::INFINITY, |end| end.value)
    }

    /// Whether some value is inside.
    pub fn is_open(&self) -> bool {
        self.from().is_finite() && self.to() > 0.0 && self.from() <= self.to()
    }

    /// Whether this value is inside.
    pub fn contains(&self, value: f64) -> bool {
        self.is_open() && (self.from()..=self.to()).contains(&value)
    }
}

impl LimitsReport {
    /// Whether there is a window and the present value is inside.
    pub fn holds(&self) -> bool {
        self.mismatches.is_empty() && self.safe.contains(self.present)
    }

    /// Whether something failed on our side.
    pub fn has_faults(&self) -> bool {
        self.mismatches.iter().any(|mismatch| mismatch.fault)
    }
}
