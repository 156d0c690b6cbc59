//! How a standing is written in JSON.

use schemars::JsonSchema;
use serde::Serialize;

use crate::Points;

/// A standing in JSON.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct StandingKeys {
    /// Whether the points are known.
    pub(crate) standing: StandingWord,
    /// Why they are not known yet; else `null`.
    pub(crate) why_open: Option<WhyOpenWord>,
    /// The points, or while only points by hand are missing, those without them; `null` if they are not known.
    pub(crate) so_far: Option<Points>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum StandingWord {
    /// The points are known.
    Scored,
    /// They are not known yet.
    Open,
    /// The student is excused: there are none, and none are missing.
    Excused,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum WhyOpenWord {
    /// The grader failed, or the machine that it runs on.
    Fault,
    /// The submission cannot be read, so a person must look at it.
    Unreadable,
    /// A correction by hand does not say for which class it is.
    Unclear,
    /// It was not judged in this run.
    NotJudged,
    /// A person has not given the points yet.
    ByHand,
    /// Only some cases were run.
    SomeCases,
}
