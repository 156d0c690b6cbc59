//! Exit statuses.

use std::process::ExitCode;

/// How the grader ends. The numbers are part of its interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// 0: done. `grade` ends so when every student was graded, whatever their scores.
    Done,
    /// 1: a verdict is not what was asked (`test`, `verify`).
    Unmet,
    /// 2: a mistake in the command line, in the files named on it, or in a problem file.
    Usage,
    /// 3: a fault of ours; some points are open.
    Fault,
    /// 130: stopped by Ctrl-C.
    Interrupted,
}

impl Exit {
    const fn status(self) -> u8 {
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
                || cause.is::<grader_intake::IntakeError>()
                || cause.is::<clap::Error>()
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

/// What the user asked for cannot be: exit status 2.
#[derive(Debug)]
pub(crate) struct Mistake(pub(crate) String);

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mistake {}
