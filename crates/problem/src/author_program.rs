//! Programs that a problem's author wrote: checkers, interactors, generators, validators.

use std::sync::Arc;

use grader_language::Language;
use grader_model::{Bytes, CpuTime, SourceFile};
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

/// The second run of a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecondRun {
    /// Command-line arguments.
    pub arguments: Vec<String>,
    /// The most that the first run may print.
    pub at_most: Option<Bytes>,
    /// Program that reads what the first run printed and prints the input.
    pub change: Option<AuthorCall>,
}

/// A wrong program that submitted tests have to find: a test that the right program passes fails with it.
#[derive(Clone, Debug, PartialEq)]
pub enum Mutant {
    /// A program, which runs on the submitted inputs.
    Program(AuthorCall),
    /// Files in place of the included ones of their names, for submissions that a harness runs.
    Files(Vec<SourceFile>),
}

/// What validates the input of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum InputValidator {
    /// A program of the author.
    Program(AuthorCall),
    /// A program in the language checktestdata, which is run without a sandbox.
    Checktestdata(Arc<Checktestdata>),
}

/// A program in the language checktestdata.
#[derive(Clone, Debug, PartialEq)]
pub struct Checktestdata {
    /// Its file.
    pub source: SourceFile,
    /// What the file says.
    pub program: grader_checktestdata::Program,
}

impl InputValidator {
    /// The program that runs in the sandbox, if it is one.
    pub fn program(&self) -> Option<&AuthorCall> {
        match self {
            Self::Program(call) => Some(call),
            Self::Checktestdata(_) => None,
        }
    }

    /// The name of its file in messages.
    pub fn name(&self) -> &str {
        match self {
            Self::Program(call) => call.program.name(),
            Self::Checktestdata(file) => file.source.name(),
        }
    }
}

/// Identity of an author's program: a hash of all that it is, so that whoever loads the same program gets the same
/// identity, and no two programs share one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProgramId([u8; 32]);

impl ProgramId {
    /// The hash.
    pub const fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A program that the problem's author wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthorProgram {
    /// Its identity, which follows from everything below.
    pub id: ProgramId,
    /// Its role.
    pub role: Role,
    /// Its source file, or the folder of its source files, in the problem's folder.
    pub path: String,
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
    /// The identity that follows from its role, its protocol, its limits, its language and its sources.
    pub(crate) fn content_id(&self) -> ProgramId {
        let language = self.language.as_ref().map(|it| (it.id, &it.definition));
        let limits = (self.cpu, self.memory, self.processes);
        let options = format!("{:?}", (self.role, self.protocol, limits, language));
        let mut hasher = blake3::Hasher::new();
        let files = self.sources.iter();
        let parts = files.flat_map(|file| [file.path.as_bytes(), &file.bytes[..]]);
        for part in [options.as_bytes()].into_iter().chain(parts) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        ProgramId(*hasher.finalize().as_bytes())
    }

    /// Whether role, protocol and limits are the same.
    pub(crate) fn has_options_of(&self, other: &Self) -> bool {
        self.role == other.role
            && self.protocol == other.protocol
            && self.cpu == other.cpu
            && self.memory == other.memory
            && self.processes == other.processes
    }

    /// It and its role in messages.
    pub fn described(&self) -> String {
        let (role, name) = (self.role.name(), self.name());
        match self.role {
            Role::Change => format!("the {role}, `{name}`,"),
            _ => format!("the problem's {role} `{name}`"),
        }
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
    /// Prints the input of a second run.
    #[strum(serialize = "program in `change`")]
    Change,
    /// A wrong program that submitted tests have to find.
    #[strum(serialize = "wrong program")]
    Mutant,
}

impl Role {
    /// Whether it looks at what a submission prints.
    pub const fn reads_outputs(self) -> bool {
        matches!(self, Self::Checker | Self::Interactor | Self::Change)
    }

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
    /// As a special judge of HUSTOJ: called with input, answer and output; exit status 0 accepts.
    /// <https://github.com/zhblue/hustoj/blob/master/wiki/SPJ.md>
    Hustoj,
    /// As a checker of CMS: called with input, answer and output; prints a score from 0 to 1.
    /// <https://cms.readthedocs.io/en/latest/Task%20types.html#checker>
    Cms,
    /// As an interactor with unit tests. It writes their report, as [`crate::ReportFormat::Junit`], to its feedback folder.
    Junit,
}
