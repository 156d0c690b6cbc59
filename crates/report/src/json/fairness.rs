//! What stands behind verdicts on time and chance: its types in the document, and how they come from the results.

use std::collections::BTreeMap;

use grader_model::{
    Attempts, Confirmation, CpuTime, Growth, GrowthFit, GrowthPoint, GrowthPointKind,
    GrowthVerdict, Share, TimeInfo, Yardstick,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Decimal, Millis};

/// How the time limits of a problem come about: the largest of `at-least-ms` and `factor` times the reference's
/// time, times the language's factor, but at most `at-most-ms`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TimeDocument {
    /// The multiple of the reference's time; `null` where the limit is absolute.
    pub factor: Option<Decimal>,
    /// The smallest limit, before the language's factor; the limit itself where it is absolute.
    pub at_least_ms: Millis,
    /// The largest limit, after the language's factor; `null` where the limit is absolute.
    pub at_most_ms: Option<Millis>,
    /// By language: what the limit is multiplied by.
    pub language_factors: BTreeMap<String, Decimal>,
}

/// What was measured of the reference in one case on this machine.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct YardstickDocument {
    /// The problem.
    pub problem: String,
    /// The subtask.
    pub subtask: String,
    /// The case.
    pub case: String,
    /// The smallest CPU time: what limits are multiples of.
    pub cpu_ms: Millis,
    /// The largest CPU time.
    pub largest_cpu_ms: Millis,
    /// The largest by the smallest; `null` where the smallest is too short to be told from nothing.
    pub spread: Option<Decimal>,
    /// Number of measurements.
    pub samples: u32,
    /// Whether it was kept from an earlier run on this machine, and found to hold still.
    pub kept: bool,
    /// How many times it was measured anew because the machine had become faster or slower.
    pub drifts: u32,
}

/// Runs alone on the machine of a program whose CPU time was near a limit, each beside a run of the reference.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ConfirmationDocument {
    /// CPU time of each run; the smallest counts.
    pub runs_ms: Vec<Millis>,
    /// CPU time of the reference beside each run, where the limit is a multiple of it; the smallest counts.
    pub yardsticks_ms: Vec<Millis>,
    /// Whether all runs, each held against the limit of its own moment, agree.
    pub resolved: bool,
}

/// The attempts of a program that draws random numbers, and the rule they are judged by.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AttemptsDocument {
    /// The most attempts.
    pub runs: u32,
    /// So many must be accepted; `null` where the points follow the rate.
    pub at_least: Option<u32>,
    /// The attempts that were made: no more when the outcome was certain.
    pub made: u32,
    /// The attempts that were accepted.
    pub accepted: u32,
    /// Number of different outputs of all attempts.
    pub outputs: u32,
    /// Number of different seconds of the clock in which they began.
    pub seconds: u32,
    /// Accepted by made; `null` where none was made.
    pub rate: Option<Decimal>,
    /// Lower end of the 95 % interval (Wilson) of the probability that an attempt is accepted; `null` where none was
    /// made.
    pub low: Option<Decimal>,
    /// Upper end of it.
    pub high: Option<Decimal>,
    /// The probability that a fresh grading by the same rule ends the same, by these attempts alone (beta-binomial,
    /// uniform prior): where it is below 0.9 luck may have decided. `null` where the points follow the rate, and where
    /// no attempt was made.
    pub same_again: Option<Decimal>,
}

/// How the CPU time of a program grows with the size of its input.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct GrowthDocument {
    /// The variable that is the size.
    pub over: String,
    /// The largest exponent that passes.
    pub at_most: Decimal,
    /// The start-up time that was subtracted.
    pub startup_ms: Millis,
    /// The runs, by growing size.
    pub points: Vec<GrowthPointDocument>,
    /// The line through the measured points; `null` where there are too few.
    pub fit: Option<GrowthFitDocument>,
    /// Where a run was stopped at its limit: the exponent between the run before it and this one is at least so
    /// much.
    pub stopped: Option<Decimal>,
    /// What it comes to.
    pub verdict: GrowthWord,
}

/// One run of a growth.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct GrowthPointDocument {
    /// The size.
    pub size: Decimal,
    /// CPU time, with the start-up.
    pub cpu_ms: Millis,
    /// What became of it.
    pub kind: GrowthPointWord,
}

/// What became of a run of a growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthPointWord {
    /// The line goes through it.
    Measured,
    /// It is too near to the start-up time to be measured.
    TooFast,
    /// It was stopped at its limit.
    Stopped,
}

/// A line through sizes and times, both as logarithms: time = factor · size^exponent.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct GrowthFitDocument {
    /// The slope.
    pub exponent: Decimal,
    /// Lower end of its 95 % confidence interval.
    pub low: Decimal,
    /// Upper end of it.
    pub high: Decimal,
    /// The time at size 1, in milliseconds: often far too short to be one.
    pub factor_ms: f64,
}

/// Whether a growth passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GrowthWord {
    /// It does not grow faster than it may.
    Within,
    /// It grows too fast: no points.
    TooFast,
    /// It cannot be told, and passes.
    Unresolved,
}

fn millis(time: CpuTime) -> Millis {
    Millis(time.as_millis_f64())
}

pub(super) fn time(info: &TimeInfo) -> TimeDocument {
    TimeDocument {
        factor: info.factor.map(Decimal),
        at_least_ms: millis(info.at_least),
        at_most_ms: info.at_most.map(millis),
        language_factors: info
            .languages
            .iter()
            .map(|(language, factor)| (language.to_string(), Decimal(*factor)))
            .collect(),
    }
}

pub(crate) fn yardstick(measured: &Yardstick) -> YardstickDocument {
    YardstickDocument {
        problem: measured.problem.to_string(),
        subtask: measured.subtask.to_string(),
        case: measured.case.to_string(),
        cpu_ms: millis(measured.cpu),
        largest_cpu_ms: millis(measured.largest),
        spread: Decimal::ratio(
            measured.largest.as_millis_f64(),
            measured.cpu.as_millis_f64(),
        ),
        samples: measured.samples,
        kept: measured.kept,
        drifts: measured.drifts,
    }
}

pub(super) fn confirmation(confirmation: &Confirmation) -> ConfirmationDocument {
    let all = |times: &[CpuTime]| times.iter().copied().map(millis).collect();
    ConfirmationDocument {
        runs_ms: all(&confirmation.runs),
        yardsticks_ms: all(&confirmation.yardsticks),
        resolved: confirmation.resolved,
    }
}

pub(super) fn attempts(attempts: &Attempts) -> AttemptsDocument {
    let (low, high) = attempts.interval();
    let told = |number| {
        (attempts.made > 0)
            .then_some(number)
            .and_then(Decimal::rounded)
    };
    AttemptsDocument {
        runs: attempts.runs,
        at_least: attempts.at_least,
        made: attempts.made,
        accepted: attempts.accepted,
        outputs: attempts.outputs,
        seconds: attempts.seconds,
        rate: told(attempts.rate()),
        low: told(low),
        high: told(high),
        same_again: attempts.same_again().and_then(Decimal::rounded),
    }
}

/// In percent.
pub(super) fn share(share: Share) -> Decimal {
    Decimal(f64::from(share.thousandths()) / 10.0)
}

pub(super) fn growth(growth: &Growth) -> GrowthDocument {
    GrowthDocument {
        over: growth.over.clone(),
        at_most: Decimal(growth.at_most),
        startup_ms: millis(growth.startup),
        points: growth.points.iter().map(point).collect(),
        fit: growth.fit.as_ref().and_then(fit),
        stopped: growth.stopped.and_then(Decimal::rounded),
        verdict: match growth.verdict {
            GrowthVerdict::Within => GrowthWord::Within,
            GrowthVerdict::TooFast => GrowthWord::TooFast,
            GrowthVerdict::Unresolved => GrowthWord::Unresolved,
        },
    }
}

fn point(point: &GrowthPoint) -> GrowthPointDocument {
    GrowthPointDocument {
        size: Decimal(point.size),
        cpu_ms: millis(point.cpu),
        kind: match point.kind {
            GrowthPointKind::Measured => GrowthPointWord::Measured,
            GrowthPointKind::TooFast => GrowthPointWord::TooFast,
            GrowthPointKind::Stopped => GrowthPointWord::Stopped,
        },
    }
}

/// A line with an end that is no number is none.
fn fit(fit: &GrowthFit) -> Option<GrowthFitDocument> {
    Some(GrowthFitDocument {
        exponent: Decimal::rounded(fit.exponent)?,
        low: Decimal::rounded(fit.low)?,
        high: Decimal::rounded(fit.high)?,
        factor_ms: Some(fit.factor * 1000.0).filter(|factor| factor.is_finite())?,
    })
}
