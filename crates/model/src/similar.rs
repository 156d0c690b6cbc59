//! Submissions that are the same program.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ProblemId, StudentId};

/// Degree of sameness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Similarity {
    /// The same text; encoding, line ends, empty lines and trailing spaces may differ.
    Bytes,
    /// The same tokens; names, comments, quoted texts and layout may differ.
    Tokens,
}

/// Submissions for one problem that are the same program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct SimilarGroup {
    /// The problem.
    pub problem: ProblemId,
    /// Degree of sameness.
    pub kind: Similarity,
    /// Number of tokens: a short program may well be written twice.
    pub tokens: usize,
    /// The students.
    pub students: Vec<StudentId>,
    /// Files of the problem that are the same program, by their paths in its folder: samples, the reference, files that
    /// are built with every submission.
    pub given: Vec<String>,
}
