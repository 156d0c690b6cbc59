//! A sample submission, and what it must get.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use grader_model::{Points, SourceFile, SubtaskName, Verdict};
use serde::{Serialize, Serializer};

/// A sample submission.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// Its path below `submissions/`: `wrong-answer/off-by-one.c`.
    pub path: String,
    /// Its folder's verdict.
    pub verdict: Verdict,
    /// What it must get.
    pub expectation: Expectation,
    /// Its files.
    pub sources: Vec<SourceFile>,
}

impl Sample {
    /// A sample that must be accepted, without a path and files.
    pub fn right() -> Self {
        Self {
            path: String::new(),
            verdict: Verdict::Accepted,
            expectation: vec![Verdict::Accepted].into(),
            sources: Vec::new(),
        }
    }

    /// Whether it must be accepted in every case and earn full points.
    pub fn must_earn_all(&self) -> bool {
        let it = &self.expectation;
        it.verdicts == [Verdict::Accepted] && it.points.is_none() && it.subtasks.is_empty()
    }
}

/// What a sample submission must get. It is written as an entry of `expected.toml`, for a sample in the folder of its only verdict.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Expectation {
    /// The allowed verdicts of its cases, besides accepted: by default, its folder's. Never empty in a sample.
    #[serde(
        rename = "expected",
        serialize_with = "codes",
        skip_serializing_if = "is_of_folder"
    )]
    pub verdicts: Vec<Verdict>,
    /// Whether only the first case that fails must get an expected verdict.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub first_failure: bool,
    /// Its fewest and its most points, if specified.
    #[serde(serialize_with = "one_or_two", skip_serializing_if = "Option::is_none")]
    pub points: Option<RangeInclusive<Points>>,
    /// The verdicts of which at least one case must get one. Empty: any of `verdicts`.
    #[serde(serialize_with = "codes", skip_serializing_if = "Vec::is_empty")]
    pub required: Vec<Verdict>,
    /// Expected verdicts of subtasks, if specified.
    #[serde(
        serialize_with = "codes_of_each",
        skip_serializing_if = "BTreeMap::is_empty"
    )]
    pub subtasks: BTreeMap<SubtaskName, Vec<Verdict>>,
    /// The codes of all flags that it must raise, and no others, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// The author's reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

impl From<Vec<Verdict>> for Expectation {
    fn from(verdicts: Vec<Verdict>) -> Self {
        Self {
            verdicts,
            ..Self::default()
        }
    }
}

impl Expectation {
    /// The verdicts of which at least one case must get one.
    pub fn required(&self) -> &[Verdict] {
        if self.required.is_empty() {
            &self.verdicts
        } else {
            &self.required
        }
    }
}

fn is_of_folder(verdicts: &[Verdict]) -> bool {
    verdicts.len() < 2
}

fn sorted(verdicts: &[Verdict]) -> BTreeSet<&str> {
    verdicts.iter().map(|verdict| verdict.code()).collect()
}

fn codes<S: Serializer>(verdicts: &[Verdict], serializer: S) -> Result<S::Ok, S::Error> {
    sorted(verdicts).serialize(serializer)
}

fn codes_of_each<S: Serializer>(
    subtasks: &BTreeMap<SubtaskName, Vec<Verdict>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(subtasks.iter().map(|(name, it)| (name, sorted(it))))
}

/// Points as a number, or the fewest and the most.
#[expect(clippy::ref_option, reason = "`serde` passes a field by reference")]
fn one_or_two<S: Serializer>(
    points: &Option<RangeInclusive<Points>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let ends = points
        .as_ref()
        .map(|points| [*points.start(), *points.end()]);
    match ends {
        Some([fewest, most]) if fewest < most => [fewest, most].serialize(serializer),
        ends => ends.map(|[points, _]| points).serialize(serializer),
    }
}
