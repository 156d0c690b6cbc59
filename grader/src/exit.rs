//! Exit statuses, and the errors that end a command.

use std::process::ExitCode;

use grader_intake::IntakeError;
use grader_judge::Fault;
use grader_model::Text;
use grader_publish::WriteError;
use grader_store::LedgerError;

/// How the grader ends. The numbers are part of its interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
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
#[derive(Debug, thiserror::Error)]
#[error("{}", text.en)]
pub(crate) struct Failure {
    pub(crate) text: Text,
    pub(crate) exit: Exit,
    /// Whether the text has its own heading and colours, as mistakes in problem files have.
    pub(crate) is_drawn: bool,
}

impl Failure {
    pub(crate) const fn new(exit: Exit, text: Text) -> Self {
        Self {
            text,
            exit,
            is_drawn: false,
        }
    }

    /// A mistake of the user.
    pub(crate) const fn mistake(text: Text) -> Self {
        Self::new(Exit::Usage, text)
    }

    /// A mistake in the command line, in English only.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self::mistake(Text::plain(text))
    }

    /// Any error that ended a command. Those of the system and of parts without Chinese are in English.
    pub(crate) fn of(error: anyhow::Error) -> Self {
        let error = match error.downcast::<Self>() {
            Ok(failure) => return failure,
            Err(error) => error,
        };
        let is_mistake = error.chain().any(|cause| {
            let ledger = cause.downcast_ref::<LedgerError>();
            cause.is::<IntakeError>() || ledger.is_some_and(LedgerError::is_mistake)
        });
        if let Some(stopped @ Fault::Stopped) = error.downcast_ref() {
            return Self::new(Exit::Interrupted, stopped.text());
        }
        let text = error.downcast_ref::<IntakeError>().map(IntakeError::text);
        let text = text.or_else(|| error.downcast_ref().map(WriteError::text));
        let text = text.unwrap_or_else(|| Text::plain(format!("{error:#}")));
        Self::new(if is_mistake { Exit::Usage } else { Exit::Fault }, text)
    }
}
