//! Exit statuses, and errors with a complete message.

use std::process::ExitCode;

use grader_model::Text;

/// How the grader ends. The numbers are part of its interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done. `grade` ends so if every student was graded, whatever their scores.
    Done = 0,
    /// A verdict is not the wanted one (`test`, `verify`).
    Unmet = 1,
    /// A mistake in the command line, in the files named on it, or in a problem file.
    Usage = 2,
    /// A fault of the grader or the machine: something could not be judged, or strict isolation is not available. Points that a
    /// person has still to give are no fault.
    Fault = 3,
    /// Stopped by Ctrl-C, or by the system (SIGTERM).
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error with a complete message.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}", text.en)]
pub struct Failure {
    /// What is wrong, and what to do.
    pub text: Text,
    /// How the grader ends.
    pub exit: Exit,
}

impl Failure {
    /// An error with this message.
    pub const fn new(exit: Exit, text: Text) -> Self {
        Self { text, exit }
    }

    /// A mistake of the user.
    pub const fn mistake(text: Text) -> Self {
        Self::new(Exit::Usage, text)
    }

    /// A mistake in the command line, in English only.
    pub fn usage(text: impl Into<String>) -> Self {
        Self::mistake(Text::plain(text))
    }
}
