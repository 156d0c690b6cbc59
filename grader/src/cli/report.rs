//! The command line of what reads results again: `report`, `history`, `diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::class_report::ClassReportArgs;

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Where the results are: a ledger, or the class that was graded [env: `GRADER_LEDGER`] [default: `.grader/ledger.db`].
    #[arg(value_name = "SOURCE")]
    pub(crate) source: Option<PathBuf>,
    /// The run that is meant, by its number in `grader history` [default: the last].
    #[arg(long, value_name = "N")]
    pub(crate) run: Option<u64>,
    #[command(flatten)]
    pub(crate) report: ClassReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct HistoryArgs {
    /// A ledger, or the class that was graded [env: `GRADER_LEDGER`] [default: `.grader/ledger.db`].
    #[arg(value_name = "SOURCE")]
    pub(crate) source: Option<PathBuf>,
    /// What the list looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PastFormat,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// Two runs, by their numbers in `grader history`, the earlier one first [default: the last two of one class].
    #[arg(value_name = "RUN", num_args = 2)]
    pub(crate) runs: Vec<u64>,
    /// A ledger, or the class that was graded [env: `GRADER_LEDGER`] [default: `.grader/ledger.db`].
    #[arg(long, value_name = "SOURCE")]
    pub(crate) ledger: Option<PathBuf>,
    /// What the list looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: PastFormat,
}

/// Formats of `history` and `diff`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum PastFormat {
    /// A table for people.
    #[default]
    Text,
    /// One document for programs.
    Json,
}
