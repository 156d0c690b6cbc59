//! Failures on our side.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::path::PathBuf;

use grader_check::CheckError;
use grader_language::{NotInstalled, first_error_line};
use grader_model::{Excerpt, Text, WallTime};
use grader_sandbox::SandboxError;

use crate::constants::MAX_FAULT_BYTES;

/// A failure on our side while a submission is judged: the verdict is `JE`, and the points stay open.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The sandbox failed.
    #[error("the sandbox failed")]
    Sandbox(#[from] SandboxError),
    /// A checker failed.
    #[error("the checker failed")]
    Check(#[from] CheckError),
    /// A checker or interactor program exceeded its wall time limit.
    #[error("{program} did not end within {wall}")]
    CheckerWall {
        /// It and its role.
        program: String,
        /// The limit.
        wall: WallTime,
    },
    /// A compiler is not installed on this machine.
    #[error(transparent)]
    NotInstalled(#[from] NotInstalled),
    /// A compiler is in a folder that the sandbox replaces with its own.
    #[error(
        "`{}` cannot be used: programs in the sandbox have a `/tmp` of their own and do not see the host's; install it \
         elsewhere, or put another one before it in `PATH`",
        .0.display()
    )]
    HiddenToolchain(PathBuf),
    /// A build starts a program that it has made.
    #[error(
        "the build starts `{0}`, but in the sandbox a build cannot start what it has made: leave that out of the `Makefile`"
    )]
    StartedInBuild(String),
    /// One of our files or folders could not be read or written.
    #[error("cannot {step} `{path}`")]
    File {
        /// The failed operation: `write`.
        step: &'static str,
        /// The path.
        path: PathBuf,
        /// The error.
        #[source]
        source: io::Error,
    },
    /// No thread could be started.
    #[error(
        "no thread can be started: this user or this container may have no more processes and threads"
    )]
    Thread(#[source] io::Error),
    /// A request to stop came before the case had its result. Never recorded as a result.
    #[error("the run was stopped")]
    Stopped,
    /// The reference failed in a case.
    #[error("the reference failed: case `{case}`: {why}")]
    Reference {
        /// The case.
        case: String,
        /// How it failed, in one line.
        why: String,
        /// Its standard error.
        stderr: String,
    },
    /// The reference or another program of the problem's author does not build.
    #[error("{why}")]
    Build {
        /// What does not build, and the first error.
        why: String,
        /// All messages of the compiler.
        messages: String,
    },
    /// What the problem's author gave for this language fails here with a program that is right.
    #[error("{}", .0.en)]
    AuthorsPart(Box<Text>),
    /// Any other failure: this machine makes a compiler fail, a checker program or the
    /// judge itself fails.
    #[error("{0}")]
    Other(String),
}

impl Fault {
    /// What does not build, with the first error among the compiler's messages, and a hint.
    pub(crate) fn build(what: &str, messages: &str, hint: &str) -> Self {
        let error = first_error_line(messages);
        let error = Excerpt::first(error.as_bytes(), MAX_FAULT_BYTES);
        Self::Build {
            why: format!("{what}: {error}{hint}"),
            messages: messages.to_owned(),
        }
    }

    /// A failed operation on one of our files.
    pub(crate) fn file(
        step: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { step, path, source }
    }

    /// A copy, for the next caller. For most kinds, only the message is kept.
    pub(crate) fn copy(&self) -> Self {
        match self {
            Self::Reference { case, why, stderr } => Self::Reference {
                case: case.clone(),
                why: why.clone(),
                stderr: stderr.clone(),
            },
            Self::Build { why, messages } => Self::Build {
                why: why.clone(),
                messages: messages.clone(),
            },
            Self::AuthorsPart(text) => Self::AuthorsPart(text.clone()),
            _ => Self::Other(self.chain()),
        }
    }

    /// The failure followed by its causes.
    pub fn chain(&self) -> String {
        let errors = successors(Some(self as &dyn Error), |&error| error.source());
        let texts: Vec<String> = errors.map(ToString::to_string).collect();
        grader_model::escaped(texts.join(": ").as_bytes())
    }

    /// The failure for people.
    pub fn text(&self) -> Text {
        match self {
            Self::NotInstalled(missing) => missing.text(),
            Self::HiddenToolchain(path) => Text::new(
                self.chain(),
                format!(
                    "无法使用 `{}`：沙箱里的程序有自己的 `/tmp`，看不到本机的；请装到别处，或在 `PATH` 中把另一个排在它前面",
                    grader_model::escaped(path.as_os_str().as_encoded_bytes())
                ),
            ),
            Self::AuthorsPart(text) => Text::clone(text),
            Self::StartedInBuild(program) => Text::new(
                self.chain(),
                format!(
                    "构建时要运行 `{}`，但在沙箱里，构建过程不能运行它自己生成的程序：请从 `Makefile` 中去掉这一步",
                    grader_model::escaped(program.as_bytes())
                ),
            ),
            Self::Stopped => Text::new("the run was stopped", "评测被中断"),
            _ => {
                let chain = self.chain();
                Text::new(chain.clone(), format!("评测系统故障：{chain}"))
            }
        }
    }
}
