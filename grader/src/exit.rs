//! Exit statuses, and the errors that end a command.

use std::fmt;
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
    /// 1: a verdict is not the wanted one (`test`, `verify`).
    Unmet,
    /// 2: a mistake in the command line, in the files named on it, or in a problem file.
    Usage,
    /// 3: our fault: some points are open, or strict isolation is not available.
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
        let is_usage = |cause: &(dyn std::error::Error + 'static)| {
            let ledger = cause.downcast_ref::<LedgerError>();
            cause.is::<Mistake>()
                || cause.is::<IntakeError>()
                || ledger.is_some_and(LedgerError::is_mistake)
        };
        match error.downcast_ref::<Report>() {
            Some(report) => report.exit,
            None if error.chain().any(is_usage) => Self::Usage,
            None => Self::Fault,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.status())
    }
}

/// An error whose text is complete, such as mistakes in problem files with their places.
#[derive(Debug)]
pub(crate) struct Report {
    pub(crate) text: String,
    pub(crate) exit: Exit,
}

/// Points that would go into another system are not written, because some are open: exit status 3.
#[derive(Debug)]
pub(crate) struct Withheld(pub(crate) Text);

/// What the user asked for cannot be: exit status 2.
#[derive(Debug)]
pub(crate) struct Mistake(pub(crate) Text);

impl Mistake {
    /// A mistake in both languages.
    pub(crate) fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self(Text::new(en, zh))
    }

    /// A mistake in the command line, which is in English only.
    pub(crate) fn plain(text: impl Into<String>) -> Self {
        Self(Text::plain(text))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Display for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.en)
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.en)
    }
}

impl std::error::Error for Report {}
impl std::error::Error for Withheld {}
impl std::error::Error for Mistake {}

/// The message of an error, safe to show. Errors of the system and of parts without Chinese are in English.
pub(crate) fn message(error: &anyhow::Error, lang: Lang) -> String {
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
