//! Submissions that are the same program.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{ProblemId, StudentId};

/// How far submissions are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Similarity {
    /// The same text; encoding, line ends, empty lines and trailing blanks may differ.
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
    /// How far they are the same.
    pub kind: Similarity,
    /// How many tokens the program has: a short one may well be written twice.
    pub tokens: usize,
    /// Who submitted it.
    pub students: Vec<StudentId>,
    /// The files of the problem that are the same program, by their paths in its folder: samples, the reference, files
    /// that are built with every submission.
    pub given: Vec<String>,
}
