//! Arguments that several commands have: the class, its ledger and run, and the part of it.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use grader_session::{AskedClass, AskedPart, AskedRun};

/// The file that holds results.
#[derive(Debug, Args)]
pub(crate) struct LedgerArg {
    /// File that holds the results.
    ///
    /// Commands that only read it use the nearest `.grader/ledger.db` above the class or, without a class, in the current
    /// folder or above it. `grade` writes to `.grader/ledger.db` beside the class, or to no ledger for one student's work.
    #[arg(
        long,
        env = "GRADER_LEDGER",
        hide_env_values = true,
        value_name = "FILE",
        value_parser = OsStringValueParser::new().map(PathBuf::from),
        help_heading = "Ledger",
        hide_short_help = true
    )]
    ledger: Option<PathBuf>,
}

impl LedgerArg {
    /// The ledger that the option names, or else the environment.
    pub(crate) fn named(&self) -> Option<&Path> {
        let named = self.ledger.as_deref();
        named.filter(|path| !path.as_os_str().is_empty())
    }
}

/// Where `grade` stores results.
#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    #[command(flatten)]
    pub(crate) ledger: LedgerArg,
    /// Store nothing, and reuse nothing.
    #[arg(
        long,
        conflicts_with = "fresh",
        help_heading = "Ledger",
        hide_short_help = true
    )]
    pub(crate) no_ledger: bool,
    /// Write no web pages beside the ledger.
    #[arg(long, help_heading = "Ledger", hide_short_help = true)]
    pub(crate) no_pages: bool,
}

/// A class that was graded.
#[derive(Debug, Args)]
pub(crate) struct ClassArgs {
    /// Class that was graded [default: that of the last run].
    ///
    /// A path, or the end of one that `grader history` shows. Earlier paths of the class work, too, even if its folder is gone.
    /// If the ledger has several classes, commands that change points or hand them out need CLASS.
    class: Option<PathBuf>,
    #[command(flatten)]
    ledger: LedgerArg,
}

impl ClassArgs {
    pub(crate) fn asked(&self) -> AskedClass {
        AskedClass {
            class: self.class.clone(),
            ledger: self.ledger.named().map(Path::to_owned),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct CorrectionsArgs {
    /// Corrections by hand [default: `corrections.toml` beside the class, if it exists; for one student's work, none].
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) corrections: Option<PathBuf>,
}

/// A run of a class, and the corrections that apply to it.
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    class: ClassArgs,
    /// Run, by its number in `grader history` [default: the last].
    #[arg(long, value_name = "N", hide_short_help = true)]
    run: Option<u64>,
    #[command(flatten)]
    corrections: CorrectionsArgs,
}

impl RunArgs {
    pub(crate) fn asked(&self) -> AskedRun {
        AskedRun {
            class: self.class.asked(),
            run: self.run,
            corrections: self.corrections.corrections.clone(),
        }
    }
}

/// Which part of a class.
#[derive(Debug, Args)]
pub(crate) struct PartArgs {
    /// Only this student, by id or name (repeatable).
    #[arg(long, value_name = "ID")]
    student: Vec<String>,
    /// Only this problem (repeatable).
    #[arg(long, short, value_name = "ID")]
    problem: Vec<String>,
    /// Only this case, `n=6` or `small/n=6`: verdicts without points (repeatable).
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    case: Vec<String>,
}

impl PartArgs {
    pub(crate) fn asked(&self) -> AskedPart {
        AskedPart {
            students: self.student.clone(),
            problems: self.problem.clone(),
            cases: self.case.clone(),
        }
    }
}
