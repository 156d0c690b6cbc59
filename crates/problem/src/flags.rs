//! What raises a flag, beside the tests: rules on sources, and on times.

use std::collections::BTreeMap;

use grader_model::{LanguageId, Text};
use schemars::JsonSchema;
use serde::Deserialize;

/// Rules on the source code. A source that breaks a rule gets a flag or is rejected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceRule {
    /// Rules on tokens that should not be in a source.
    pub forbid: Vec<TokenRule>,
    /// Rules on tokens, one of which should be in a source.
    pub require: Vec<TokenRule>,
    /// How many different answers in one source raise a flag.
    pub answers: Option<AnswerRule>,
}

/// A rule on tokens: any one of them matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenRule {
    /// Tokens, or sequences of tokens, in any language.
    pub any: Vec<String>,
    /// Additional tokens for one language.
    pub languages: BTreeMap<LanguageId, Vec<String>>,
    /// The reason, for the instructor.
    pub because: Option<Text>,
    /// Whether a source that breaks the rule is rejected before it is built.
    pub refuses: bool,
}

impl TokenRule {
    /// The tokens and sequences to search for in `language`; empty if the rule does not apply to it.
    pub fn phrases(&self, language: LanguageId) -> impl Iterator<Item = &str> {
        let more = self.languages.get(&language).into_iter().flatten();
        self.any.iter().chain(more).map(String::as_str)
    }
}

/// The codes of all flags that a submission can raise, in order.
pub const FLAG_CODES: [&str; 9] = [
    "answers-in-source",
    "faster-than-known",
    "forbidden-token",
    "report-incomplete",
    "required-token-missing",
    "same-answer",
    "second-report",
    "test-missing",
    "time-does-not-grow",
];

/// CPU times that raise a flag for the instructor. Flags deduct no points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeFlags {
    /// Flags an accepted run that takes less than this fraction of the reference's time.
    pub faster_than: Option<f64>,
    /// Flags times of accepted runs that do not grow with a variable.
    pub flat: Option<FlatRule>,
    /// The reason, for the instructor.
    pub because: Option<Text>,
}

/// Flags a CPU time that grows too little between two values of a variable.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FlatRule {
    /// The variable.
    pub over: String,
    /// The smaller value.
    pub from: f64,
    /// The larger value.
    pub to: f64,
    /// The factor by which it must grow; above 1.
    pub at_least: f64,
}

/// Rule against answers in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRule {
    /// Number of different answers that raises the flag.
    pub at_least: u32,
    /// Divisors: the exact quotient of an answer counts as the answer.
    pub divided_by: Vec<u64>,
    /// Other numbers that count as answers.
    pub also: Vec<u64>,
}

impl AnswerRule {
    /// Only numbers above this are searched for: smaller ones occur by chance.
    pub const ABOVE: u64 = 1000;
}
