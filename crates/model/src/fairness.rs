//! Evidence behind verdicts on time: limits, reference times, exclusive runs, growth.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{CaseName, CpuTime, ProblemId, SubtaskName};

/// Derivation of a CPU time limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum LimitOrigin {
    /// The problem file gives a time: `seconds` × `language-factor`.
    #[serde(rename_all = "kebab-case")]
    Seconds {
        /// The time in the problem file.
        #[serde(rename = "seconds-ms")]
        seconds: CpuTime,
        /// The language's factor.
        language_factor: f64,
    },
    /// A multiple of the reference's time: `factor` × `reference` × `language-factor` + 2 × `start-up` + `slack`.
    #[serde(rename_all = "kebab-case")]
    Reference {
        /// The multiple.
        factor: f64,
        /// CPU time of the reference in `case`.
        #[serde(rename = "reference-ms")]
        reference: CpuTime,
        /// The case whose reference time decides.
        case: ReferenceCase,
        /// The language's factor; 1 if the limit is `at-most`.
        language_factor: f64,
        /// Measured CPU time of a minimal program in the language; 0 if the limit is `at-most`.
        #[serde(rename = "start-up-ms")]
        start_up: CpuTime,
        /// Added so that measurement noise decides nothing.
        #[serde(rename = "slack-ms")]
        slack: CpuTime,
    },
}

impl LimitOrigin {
    /// Whether it names a case that is hidden from students.
    pub const fn tells_of_a_hidden_case(&self) -> bool {
        use ReferenceCase::{AtLeast, AtMost, Other};
        matches!(self, Self::Reference { case: Other(case) | AtLeast(case) | AtMost(case), .. } if case.hidden)
    }

    /// Factor of the start-up time: a program may load more of its library than the minimal one does.
    pub const START_UPS: u32 = 2;

    /// The resulting CPU time limit.
    pub fn limit(&self) -> CpuTime {
        match self {
            Self::Seconds {
                seconds,
                language_factor,
            } => CpuTime(seconds.0.mul_f64(*language_factor)),
            Self::Reference {
                factor,
                reference,
                case: _,
                language_factor,
                start_up,
                slack,
            } => {
                let multiple = reference.0.mul_f64(factor * language_factor);
                CpuTime(multiple + start_up.0 * Self::START_UPS + slack.0)
            }
        }
    }
}

/// The case whose reference time decides a limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "is", content = "case")]
pub enum ReferenceCase {
    /// The case that is run.
    Own,
    /// The case that `time` of the run case names.
    Other(NamedCase),
    /// The case that `at-least` names: the limit is no smaller.
    AtLeast(NamedCase),
    /// The case that `at-most` names: the limit is no larger.
    AtMost(NamedCase),
}

/// A case that a limit names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct NamedCase {
    /// `subtask/case`.
    pub name: String,
    /// Whether its subtask is hidden from students.
    pub hidden: bool,
}

/// The reference's CPU time in one case on this machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ReferenceTime {
    /// The problem.
    pub problem: ProblemId,
    /// The subtask.
    pub subtask: SubtaskName,
    /// The case.
    pub case: CaseName,
    /// The smallest CPU time: limits are multiples of it.
    #[serde(rename = "cpu-ms")]
    pub cpu: CpuTime,
    /// The largest CPU time.
    #[serde(rename = "largest-cpu-ms")]
    pub largest: CpuTime,
    /// Number of measurements.
    pub samples: u32,
    /// If several machines graded the class, the shard on whose machine it was measured, from 1.
    #[serde(default)]
    pub shard: Option<u32>,
}

/// Pairs of runs, alone on the machine, of a program near its time limit and the reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Confirmation {
    /// The CPU time of each run that was accepted or took too long. The smallest counts.
    #[serde(rename = "runs-ms")]
    pub runs: Vec<CpuTime>,
    /// The reference's CPU time of each pair, if the limit is a multiple of it. The smallest counts.
    #[serde(rename = "references-ms")]
    pub reference_times: Vec<CpuTime>,
    /// The CPU time limit of each pair.
    #[serde(rename = "limits-ms")]
    pub limits: Vec<CpuTime>,
    /// Whether all pairs agree, each with its own limit.
    pub resolved: bool,
}

/// Share of a case's points, in millionths, so that 95.35 of 100 points stay exact. In JSON it is percent.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(from = "f64", into = "f64")]
pub struct Share(u32);

impl Share {
    /// Nothing.
    pub const NOTHING: Self = Self(0);
    /// Everything.
    pub const WHOLE: Self = Self(1_000_000);

    /// `part` of `whole`, rounded; at most everything. `whole` must not be 0.
    pub fn of(part: f64, whole: f64) -> Self {
        let share = f64::from(Self::WHOLE.0) * part / whole;
        Self((share.round() as u32).min(Self::WHOLE.0))
    }

    /// In millionths.
    pub const fn millionths(self) -> u32 {
        self.0
    }
}

impl From<Share> for f64 {
    fn from(share: Share) -> Self {
        Self::from(share.0) / 10_000.0
    }
}

impl From<f64> for Share {
    fn from(percent: f64) -> Self {
        Self::of(percent, 100.0)
    }
}

/// How the CPU time of a program grows with the size of its input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Growth {
    /// The variable that is the size.
    pub over: String,
    /// The largest exponent that passes.
    pub at_most: f64,
    /// The start-up time that was subtracted.
    #[serde(rename = "startup-ms")]
    pub startup: CpuTime,
    /// The runs, sorted by size.
    pub points: Vec<GrowthPoint>,
    /// The line through the measured points, if there are enough.
    pub fit: Option<GrowthFit>,
    /// If a run was stopped at its limit, or took so long that no larger size was needed: the least exponent between the run
    /// before it and this one.
    pub stopped: Option<f64>,
    /// The conclusion.
    pub verdict: GrowthVerdict,
}

/// One run of a growth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct GrowthPoint {
    /// The size.
    pub size: f64,
    /// CPU time, start-up included.
    #[serde(rename = "cpu-ms")]
    pub cpu: CpuTime,
    /// Its use for the line.
    pub kind: GrowthPointKind,
}

/// Use of a run for a growth's line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthPointKind {
    /// A point of the line.
    Measured,
    /// Too close to the start-up time to be measured.
    TooFast,
    /// Stopped at its limit.
    Stopped,
}

/// A line through the logarithms of sizes and times: time = factor · size^exponent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct GrowthFit {
    /// The slope.
    pub exponent: f64,
    /// Lower end of the 95% confidence interval of the slope.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// The time at size 1, in seconds.
    pub factor: f64,
}

/// Whether a growth passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthVerdict {
    /// Passes: it does not grow too fast.
    Within,
    /// Fails: the whole interval is above the largest exponent.
    TooFast,
    /// Unresolved, and passes: the program is too fast to measure, or the interval too wide.
    Unresolved,
}
