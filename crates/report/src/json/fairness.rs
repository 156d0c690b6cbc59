//! What stands behind verdicts on time and chance: its types in the document, and how they come from the results.

use grader_model::{
    Attempts, Confirmation, CpuTime, Growth, GrowthFit, GrowthPoint, GrowthPointKind,
    GrowthVerdict, LimitOrigin, ReferenceCase, Share, Yardstick,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Decimal, Millis};

/// Where a CPU time limit came from: `factor` × `reference-ms` × `language-factor` + 2 × `start-up-ms` + `slack-ms`, or
/// `seconds-ms` × `language-factor`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct LimitOriginDocument {
    /// The time in the problem file; `null` if the limit is a multiple of the reference's time.
    pub seconds_ms: Option<Millis>,
    /// The multiple; `null` if the limit is a time.
    pub factor: Option<Decimal>,
    /// CPU time of the reference; `null` if the limit is a time.
    pub reference_ms: Option<Millis>,
    /// The case that `at-least` names, if it decides.
    pub at_least: Option<String>,
    /// The case that `at-most` names, if it decides.
    pub at_most: Option<String>,
    /// The language's factor.
    pub language_factor: Decimal,
    /// CPU time of a minimal program in the language.
    pub start_up_ms: Option<Millis>,
    /// What is added to the multiple.
    pub slack_ms: Option<Millis>,
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
}

/// Runs alone on the machine of a program whose CPU time was near a limit, each beside a run of the reference.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ConfirmationDocument {
    /// CPU time of each run; the smallest counts.
    pub runs_ms: Vec<Millis>,
    /// CPU time of the reference beside each run, where the limit is a multiple of it; the smallest counts.
    pub yardsticks_ms: Vec<Millis>,
    /// The CPU time limit that each run was held against.
    pub limits_ms: Vec<Millis>,
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

pub(super) fn limit_origin(origin: &LimitOrigin) -> LimitOriginDocument {
    match origin {
        LimitOrigin::Seconds {
            seconds,
            language_factor,
        } => LimitOriginDocument {
            seconds_ms: Some(millis(*seconds)),
            factor: None,
            reference_ms: None,
            at_least: None,
            at_most: None,
            language_factor: Decimal(*language_factor),
            start_up_ms: None,
            slack_ms: None,
        },
        LimitOrigin::Reference {
            factor,
            reference,
            case,
            language_factor,
            start_up,
            slack,
        } => {
            let (at_least, at_most) = match case {
                ReferenceCase::Own => (None, None),
                ReferenceCase::AtLeast(case) => (Some(case.name.clone()), None),
                ReferenceCase::AtMost(case) => (None, Some(case.name.clone())),
            };
            LimitOriginDocument {
                seconds_ms: None,
                factor: Some(Decimal(*factor)),
                reference_ms: Some(millis(*reference)),
                at_least,
                at_most,
                language_factor: Decimal(*language_factor),
                start_up_ms: Some(millis(*start_up)),
                slack_ms: Some(millis(*slack)),
            }
        }
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
    }
}

pub(super) fn confirmation(confirmation: &Confirmation) -> ConfirmationDocument {
    let all = |times: &[CpuTime]| times.iter().copied().map(millis).collect();
    ConfirmationDocument {
        runs_ms: all(&confirmation.runs),
        yardsticks_ms: all(&confirmation.yardsticks),
        limits_ms: all(&confirmation.limits),
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
