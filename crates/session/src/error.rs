//! Why a session cannot go on, and how a command ends because of it.

use std::error::Error;
use std::{io, iter};

use grader_intake::IntakeError;
use grader_judge::Fault;
use grader_model::Text;
use grader_problem::Diagnostic;
use grader_publish::WriteError;
use grader_store::LedgerError;

use crate::exit::{Exit, Failure};

/// What a session returns.
pub(crate) type Result<T, E = SessionError> = std::result::Result<T, E>;

/// Why a session cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// A complete message, and the exit status.
    #[error(transparent)]
    Failure(#[from] Failure),
    /// Files of the author have mistakes, which are shown with their lines.
    #[error("the files have mistakes")]
    Mistakes(Vec<Diagnostic>),
    /// The ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// What was named cannot be read.
    #[error(transparent)]
    Intake(#[from] IntakeError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Our own failure.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The judge began no run.
    #[error("the judge reported no run")]
    NoRun,
}

impl SessionError {
    /// The error that this one only passes on.
    fn cause(&self) -> Option<&(dyn Error + 'static)> {
        Some(match self {
            Self::Failure(error) => error,
            Self::Ledger(error) => error,
            Self::Intake(error) => error,
            Self::Write(error) => error,
            Self::Io(error) => error,
            Self::Mistakes(_) | Self::NoRun => return None,
        })
    }
}

impl From<Vec<Diagnostic>> for SessionError {
    fn from(mistakes: Vec<Diagnostic>) -> Self {
        Self::Mistakes(mistakes)
    }
}

impl Failure {
    /// Any error that ended a command. Those of the system and of parts without Chinese are in English.
    pub fn of(error: &(dyn Error + 'static)) -> Self {
        let causes = || iter::successors(Some(error), |&it| it.source());
        causes().find_map(Self::known).unwrap_or_else(|| {
            let texts: Vec<String> = causes().map(ToString::to_string).collect();
            Self::new(Exit::Fault, Text::plain(texts.join(": ")))
        })
    }

    /// An error that says by its type how the grader ends, or has a text in both languages.
    fn known(error: &(dyn Error + 'static)) -> Option<Self> {
        match error.downcast_ref() {
            Some(SessionError::Mistakes(_)) => return Some(Self::usage(error.to_string())),
            Some(session) => return session.cause().and_then(Self::known),
            None => {}
        }
        let failure = error.downcast_ref::<Self>().cloned();
        let intake = error.downcast_ref().map(IntakeError::text);
        let ledger = error
            .downcast_ref()
            .filter(|it: &&LedgerError| it.is_mistake());
        let ledger = ledger.map(|it| Text::plain(it.to_string()));
        let stopped = error
            .downcast_ref()
            .filter(|it| matches!(it, Fault::Stopped));
        let unwritten = error.downcast_ref().map(WriteError::text);
        failure
            .or_else(|| intake.or(ledger).map(Self::mistake))
            .or_else(|| stopped.map(|it| Self::new(Exit::Interrupted, it.text())))
            .or_else(|| unwritten.map(|it| Self::new(Exit::Fault, it)))
    }
}
