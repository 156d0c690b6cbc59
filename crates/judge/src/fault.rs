//! What can fail on our side.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::path::PathBuf;

use grader_check::CheckError;
use grader_language::NotInstalled;
use grader_model::{Text, WallTime};
use grader_sandbox::SandboxError;

/// A failure of ours while a submission was judged: the verdict is `JE`, and the points stay open.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The sandbox failed.
    #[error("the sandbox failed")]
    Sandbox(#[from] SandboxError),
    /// A checker failed.
    #[error("the checker failed")]
    Check(#[from] CheckError),
    /// A checker or interactor that is a program did not end in time.
    #[error("the problem's {role} `{name}` did not end within {wall}")]
    CheckerWall {
        /// `checker` or `interactor`.
        role: &'static str,
        /// The name of its first source file.
        name: String,
        /// The limit.
        wall: WallTime,
    },
    /// A compiler is not on this machine.
    #[error(transparent)]
    NotInstalled(#[from] NotInstalled),
    /// A compiler lies where programs in the sandbox have a folder of their own.
    #[error(
        "`{}` cannot be used: programs in the sandbox have a `/tmp` of their own and do not see the host's; install it \
         elsewhere, or put another one before it in `PATH`",
        .0.display()
    )]
    HiddenToolchain(PathBuf),
    /// A file or folder of ours could not be written or read.
    #[error("cannot {step} `{path}`")]
    File {
        /// What was tried: `write`.
        step: &'static str,
        /// Where.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Somebody asked to stop before a case had its result. Never recorded as a result.
    #[error("the run was stopped")]
    Stopped,
    /// The reference failed in a case.
    #[error("the reference failed: case `{case}`: {why}")]
    Reference {
        /// The case.
        case: String,
        /// How it failed, in one line.
        why: String,
        /// What it wrote to standard error, in lines.
        stderr: String,
    },
    /// Something else failed: a reference that does not build, a compiler for reasons of this machine, a checker program, the judge itself.
    #[error("{0}")]
    Other(String),
}

impl Fault {
    /// A failure to do something with a file of ours.
    pub(crate) fn file(
        step: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { step, path, source }
    }

    /// The same failure, for the next one who asks. Of most kinds only the words are kept.
    pub(crate) fn copy(&self) -> Self {
        match self {
            Self::Reference { case, why, stderr } => Self::Reference {
                case: case.clone(),
                why: why.clone(),
                stderr: stderr.clone(),
            },
            _ => Self::Other(self.chain()),
        }
    }

    /// The failure with its causes, one after the other.
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
            Self::Stopped => Text::new("the run was stopped", "评测被中断"),
            _ => {
                let chain = self.chain();
                Text::new(chain.clone(), format!("评测系统故障：{chain}"))
            }
        }
    }
}
