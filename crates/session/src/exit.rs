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

/// What a command that did its work knows at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Somebody stopped it.
    pub is_interrupted: bool,
    /// Something could not be found out, through a fault of the grader, the machine or the author's files.
    pub has_faults: bool,
    /// Something is not as it should be.
    pub is_unmet: bool,
}

impl Ended {
    /// The end of a search: a failing input that was found is one, whatever else happens.
    #[must_use]
    pub const fn of_search(self) -> Self {
        Self {
            is_interrupted: self.is_interrupted && !self.is_unmet,
            has_faults: self.has_faults && !self.is_unmet,
            is_unmet: self.is_unmet,
        }
    }

    /// The only rule by which commands end: first who stopped it, then what is not known, then what is known to be wrong. An error
    /// that ended a command has its status from [`Failure::of`].
    pub const fn exit(self) -> Exit {
        match self {
            Self {
                is_interrupted: true,
                ..
            } => Exit::Interrupted,
            Self {
                has_faults: true, ..
            } => Exit::Fault,
            Self { is_unmet: true, .. } => Exit::Unmet,
            Self { .. } => Exit::Done,
        }
    }
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
