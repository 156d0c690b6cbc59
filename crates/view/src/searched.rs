//! What searches for inputs outside the cases found out. For staff: inputs may be those of hidden cases.

use std::collections::BTreeMap;

use grader_model::{CaseResult, Lang, ProblemId, StudentId, Text};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// An input on which a program fails.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct FoundInput {
    /// How the program fails, as in `bitcraft-results`. Its name is the values of the variables, or the beginning of the input.
    #[serde(serialize_with = "case_in_english")]
    #[schemars(with = "CaseResult")]
    pub case: CaseResult,
    /// The values of the variables from which the input was made; none if an earlier audit found it.
    pub variables: BTreeMap<String, String>,
    /// The input, if it was made smaller; `null` if it follows from the variables.
    pub input: Option<String>,
}

impl FoundInput {
    /// Whether this audit found it.
    pub fn is_new(&self) -> bool {
        !self.variables.is_empty()
    }
}

/// An accepted program.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AuditedProgram {
    /// The problem.
    pub problem: ProblemId,
    /// Everybody who submitted it.
    pub students: Vec<StudentId>,
    /// Its files.
    pub files: Vec<String>,
    /// The name of the submission.
    #[serde(skip)]
    pub submission: String,
    /// What was found out.
    pub outcome: AuditOutcome,
    /// How many inputs it is right on; `null` unless it is `right`.
    pub inputs: Option<usize>,
    /// The smallest input that was found on which it fails.
    pub found: Option<FoundInput>,
    /// An input on which it failed, without enough time to repeat that.
    pub unconfirmed: Option<String>,
}

/// What is found out about an accepted program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AuditOutcome {
    /// It fails on an input.
    Wrong,
    /// It is right on all inputs that were tried.
    Right,
    /// It failed on an input, without enough time to repeat that.
    InDoubt,
    /// It was tried on no input.
    NotTried,
    /// The search was stopped before it was done with this program.
    NotFinished,
}

/// A problem that is wrong itself, or is not searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct AuditedProblem {
    /// The problem.
    pub problem: ProblemId,
    /// What is wrong with it, or why it is not searched.
    #[serde(serialize_with = "in_english")]
    #[schemars(with = "String")]
    pub message: Text,
}

fn case_in_english<S: Serializer>(case: &CaseResult, serializer: S) -> Result<S::Ok, S::Error> {
    case.clone().in_language(Lang::En).serialize(serializer)
}

fn in_english<S: Serializer>(text: &Text, serializer: S) -> Result<S::Ok, S::Error> {
    text.en.serialize(serializer)
}
