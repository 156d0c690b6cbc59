//! Programs that a problem's author wrote: checkers, interactors, generators, validators.

use std::sync::Arc;

use grader_language::Language;
use grader_model::{Bytes, CpuTime, ProblemId, SourceFile};
use schemars::JsonSchema;
use serde::Deserialize;
use strum::IntoStaticStr;

/// An author's program with its arguments for one case.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorCall {
    /// The program, shared by all cases that use it.
    pub program: Arc<AuthorProgram>,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// Identity of an author's program: the problem's id, and the program's number in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProgramId {
    problem: ProblemId,
    number: usize,
}

impl ProgramId {
    pub(crate) const fn new(problem: ProblemId, number: usize) -> Self {
        Self { problem, number }
    }
}

/// A program that the problem's author wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorProgram {
    /// Its identity; no two programs of an assignment share one.
    pub id: ProgramId,
    /// Its role.
    pub role: Role,
    /// Its language, if it is recognised.
    pub language: Option<Arc<Language>>,
    /// Its source files.
    pub sources: Vec<SourceFile>,
    /// How it is started and how it answers.
    pub protocol: CheckerProtocol,
    /// Its CPU time limit for one case.
    pub cpu: CpuTime,
    /// Its memory limit.
    pub memory: Bytes,
    /// Its limit on processes and threads.
    pub processes: u32,
}

impl AuthorProgram {
    /// Whether role, protocol and limits are the same.
    pub(crate) fn has_options_of(&self, other: &Self) -> bool {
        self.role == other.role
            && self.protocol == other.protocol
            && self.cpu == other.cpu
            && self.memory == other.memory
            && self.processes == other.processes
    }

    /// Its name in messages: the first source that is not a header.
    pub fn name(&self) -> &str {
        let is_header = |source: &&SourceFile| matches!(&*source.extension(), "h" | "hpp" | "hh");
        let program = self.sources.iter().find(|source| !is_header(source));
        let source = program.or(self.sources.first());
        source.map_or("", |source| source.name())
    }
}

/// Role of an author's program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Role {
    /// Judges outputs.
    Checker,
    /// Runs beside the submission; each reads the other's output, and it judges.
    Interactor,
    /// Prints the input of a case.
    Generator,
    /// Validates the input of a case.
    Validator,
}

impl Role {
    /// Its name in messages.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// How a checker program is started and how it answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CheckerProtocol {
    /// As an output validator of the Kattis problem package format.
    #[default]
    Kattis,
    /// As a checker or interactor of testlib.
    Testlib,
    /// As an interactor with unit tests. It writes their report, as [`ReportFormat::Junit`], to its feedback folder.
    Junit,
}
