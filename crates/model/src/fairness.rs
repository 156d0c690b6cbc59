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
    /// The CPU time of each run; the smallest counts.
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
    /// Number of different outputs among the accepted ones.
    pub outputs: u32,
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
