//! Exit statuses, and what is said of the error that ended a command.

use std::process::ExitCode;

use grader_intake::IntakeError;
use grader_model::{Excerpt, Lang, Text};
use grader_report::WriteError;
use grader_store::LedgerError;

/// How the grader ends. The numbers are part of its interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done. `grade` ends so when every student was graded, whatever their scores.
    Done,
    /// 1: a verdict is not what was asked (`test`, `verify`, `run`).
    Unmet,
    /// 2: a mistake in the command line, in the files named on it, or in a problem file.
    Usage,
    /// 3: a fault of ours: some points are open, or strict isolation cannot be had.
    Fault,
    /// 130: stopped by Ctrl-C, or by the system (SIGTERM).
    Interrupted,
}

impl Exit {
    /// The number.
    pub(crate) const fn status(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Unmet => 1,
            Self::Usage => 2,
            Self::Fault => 3,
            Self::Interrupted => 130,
        }
    }

    /// The status for an error that ended a command.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        let asked_wrongly = error.chain().any(|cause| {
            cause.is::<Mistake>()
                || cause.is::<Diagnosed>()
                || cause.is::<IntakeError>()
                || cause.is::<clap::Error>()
                || cause
                    .downcast_ref::<LedgerError>()
                    .is_some_and(LedgerError::is_mistake)
        });
        if asked_wrongly {
            Self::Usage
        } else {
            Self::Fault
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}

/// Mistakes in problem files, drawn as they are to be shown: exit status 2.
#[derive(Debug)]
pub(crate) struct Diagnosed(pub(crate) String);

impl std::fmt::Display for Diagnosed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Diagnosed {}

/// Strict isolation is asked for and cannot be had; drawn as it is to be shown: exit status 3.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// Points that would go into another system stay here, because some are open: exit status 3.
#[derive(Debug)]
pub(crate) struct Withheld(pub(crate) Text);

impl std::fmt::Display for Withheld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.en)
    }
}

impl std::error::Error for Withheld {}

/// What the user asked for cannot be: exit status 2.
#[derive(Debug)]
pub(crate) struct Mistake(pub(crate) Text);

impl Mistake {
    /// A mistake in both languages.
    pub(crate) fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self(Text::new(en, zh))
    }
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.en)
    }
}

impl std::error::Error for Mistake {}

/// What is said of an error, safe to show. What only the system or a part without Chinese has to say is
/// English.
pub(crate) fn said(error: &anyhow::Error, lang: Lang) -> String {
    let text = if let Some(Mistake(text)) = error.downcast_ref() {
        text.clone()
    } else if let Some(Withheld(text)) = error.downcast_ref() {
        text.clone()
    } else if let Some(error) = error.downcast_ref::<WriteError>() {
        error.text()
    } else {
        chain(error.as_ref())
    };
    Excerpt::block(text.get(lang).as_bytes(), 16 * 1024).text
}

/// An error with its causes.
pub(crate) fn chain(error: &dyn std::error::Error) -> Text {
    let causes = std::iter::successors(Some(error), |error| error.source());
    let causes: Vec<String> = causes.map(ToString::to_string).collect();
    Text::plain(causes.join(": "))
}
