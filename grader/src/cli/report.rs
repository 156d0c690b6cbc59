//! The command line of what reads results again: `report`, `history`, `diff`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::assignment_help;
use super::class_report::ClassReportArgs;

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Where the results are: a ledger, the class that was graded, or a file that `grader grade --record FILE` wrote
    /// [env: `GRADER_LEDGER`] [default: `.grader/ledger.db`].
    #[arg(value_name = "SOURCE")]
    pub(crate) source: Option<PathBuf>,
    /// The run that is meant, by its number in `grader history` [default: the last].
    #[arg(long, value_name = "N")]
    pub(crate) run: Option<u64>,
    #[command(flatten)]
    pub(crate) report: ClassReportArgs,
    #[command(flatten)]
    pub(crate) again: AgainArgs,
}

/// Judging again.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judging again")]
pub(crate) struct AgainArgs {
    /// Judge again: where a limit is a multiple of the reference's time, let it be this multiple.
    #[arg(long, value_name = "FACTOR", value_parser = time_factor)]
    pub(crate) time_factor: Option<f64>,
    /// Judge only this problem again.
    #[arg(long, short, value_name = "ID", requires = "time_factor")]
    pub(crate) problem: Option<String>,
    #[arg(long, short, value_name = "ID|PATH", requires = "time_factor", help = assignment_help("the bundled one that was graded"))]
    pub(crate) assignment: Option<String>,
}

fn time_factor(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|factor: &f64| factor.is_finite() && *factor > 0.0)
        .ok_or_else(|| "expected a number above 0".to_owned())
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
