//! What `grader check` and `grader doctor` found, for programs. In English only.

use grader_model::{AssignmentId, LanguageId, Points};
use schemars::JsonSchema;
use serde::Serialize;

use crate::findings::{Finding, FindingState};

/// What `grader check` found: `bitcraft-check/1`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct CheckDocument {
    /// Name and version of this format.
    #[schemars(extend("const" = CheckDocument::FORMAT))]
    pub format: &'static str,
    /// The assignments; none if there are mistakes.
    pub assignments: Vec<CheckedAssignment>,
    /// The mistakes in problem files.
    pub mistakes: Vec<Mistake>,
}

impl CheckDocument {
    /// Name and version of this format.
    pub const FORMAT: &'static str = "bitcraft-check/1";
}

/// An assignment without mistakes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct CheckedAssignment {
    /// The assignment.
    pub id: AssignmentId,
    /// How many problems it has.
    pub problems: usize,
    /// How many cases these have.
    pub cases: usize,
    /// Full points, without the bonus.
    pub points: Points,
    /// Full bonus points.
    pub bonus: Points,
    /// What is no mistake, but may be wrong, a sentence each: a picture that does not exist, a library that is not here.
    pub remarks: Vec<String>,
}

/// A mistake in a problem file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Mistake {
    /// The path of the file.
    pub file: String,
    /// The line, from 1; `null` if it is about the whole file.
    pub line: Option<usize>,
    /// The column, in characters from 1; `null` if it is about the whole file.
    pub column: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// How to put it right.
    pub help: Option<String>,
}

impl Mistake {
    /// The mistake, as `check` and `verify` report it.
    pub fn finding(&self) -> Finding {
        let lines = [&self.message].into_iter().chain(&self.help);
        Finding {
            group: "problem files".to_owned(),
            name: self.file.clone(),
            file: Some(self.file.clone()),
            line: self.line,
            column: self.column,
            state: FindingState::Wrong,
            messages: lines.cloned().collect(),
            ..Finding::default()
        }
    }
}

/// What `grader doctor` found: `bitcraft-doctor/3`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct DoctorDocument {
    /// Name and version of this format.
    #[schemars(extend("const" = DoctorDocument::FORMAT))]
    pub format: &'static str,
    /// Whether strict isolation is available.
    pub strict: bool,
    /// The layers of strict isolation.
    pub layers: Vec<TriedLayer>,
    /// Compilers and interpreters.
    pub toolchains: Vec<TriedLanguage>,
    /// Build tools, for problems with a `command` in `[build]`.
    pub tools: Vec<TriedTool>,
    /// Unit test frameworks that the templates of `grader init` need.
    pub frameworks: Vec<TriedFramework>,
    /// What else may be in the way, a sentence.
    pub warning: Option<String>,
}

impl DoctorDocument {
    /// Name and version of this format.
    pub const FORMAT: &'static str = "bitcraft-doctor/3";
}

/// A layer of strict isolation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TriedLayer {
    /// The layer, such as `user-namespace`.
    pub name: &'static str,
    /// Its purpose, in half a sentence.
    pub purpose: &'static str,
    /// Whether strict isolation requires it.
    pub required: bool,
    /// Whether it works: whole, by weaker means, or not at all.
    #[schemars(extend("enum" = ["active", "weaker", "missing"]))]
    pub state: String,
    /// How it works, or why it does not; `null` if it was not tried.
    pub detail: Option<String>,
    /// How to get it.
    pub fixes: Vec<Fix>,
}

/// How to get something that is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Fix {
    /// Why it is missing.
    pub cause: &'static str,
    /// The command that helps; `null` if no command does.
    pub command: Option<&'static str>,
}

/// The compiler or interpreter of a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TriedLanguage {
    /// The language.
    pub language: LanguageId,
    /// What was found.
    #[serde(flatten)]
    pub found: TriedProgram,
}

/// A build tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TriedTool {
    /// Its name.
    pub name: &'static str,
    /// What was found.
    #[serde(flatten)]
    pub found: TriedProgram,
}

/// What was found of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TriedProgram {
    /// What it says about itself; `null` if it does not work here.
    pub version: Option<String>,
    /// Why it does not work; `null` if it does.
    pub problem: Option<String>,
    /// The command that installs it; `null` if it works.
    pub install: Option<String>,
}

/// A unit test framework.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct TriedFramework {
    /// Its name.
    pub name: &'static str,
    /// Whether it is here.
    pub installed: bool,
    /// The command that installs it.
    pub install: String,
}
