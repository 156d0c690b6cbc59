//! The command line of `test`, `verify` and `limits`.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::assignment_help;
use super::running::{CalibrationArgs, IsolationArgs, WorkerArgs};

#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Source files, or one folder that holds them.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The problem [default: the one that the file's name fits].
    #[arg(long, short, value_name = "ID")]
    pub(crate) problem: Option<String>,
    #[arg(long, short, value_name = "ID|PATH", help = assignment_help("all bundled ones"))]
    pub(crate) assignment: Option<String>,
    #[command(flatten)]
    pub(crate) calibration: CalibrationArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Folders of assignments, of one assignment or of one problem [default: `problems` if it is here, else
    /// the bundled assignments].
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) workers: WorkerArgs,
    /// Also say why each sample got its verdict, and name every place that is not as expected.
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Also draw the table of the tests: which wrong program fails which case, cases that fail none, and programs
    /// that no case tells apart.
    #[arg(long)]
    pub(crate) table: bool,
    /// What the report looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: VerifyFormat,
    #[command(flatten)]
    pub(crate) calibration: CalibrationArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// Formats of the report of `verify`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerifyFormat {
    /// A table of samples for people.
    #[default]
    Text,
    /// One document for programs; `grader schema verification` describes it.
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct LimitsArgs {
    /// The folder of a problem, or `assignment/problem`: one in `problems` if that is here, else a bundled one.
    pub(crate) problem: String,
    /// So many times the time of what must pass is the limit at least.
    #[arg(long, value_name = "FACTOR", default_value = "2", value_parser = margin)]
    pub(crate) pass_margin: f64,
    /// So many times the limit is the time of what must fail at least.
    #[arg(long, value_name = "FACTOR", default_value = "1.5", value_parser = margin)]
    pub(crate) fail_margin: f64,
    /// Runs of the reference and of the samples that decide; the smallest time counts.
    #[arg(long, value_name = "N", default_value = "3")]
    pub(crate) runs: NonZeroU32,
    /// Where the present value is outside the window, write the suggested one into the problem file; no other byte
    /// of it changes.
    #[arg(long)]
    pub(crate) write: bool,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

fn margin(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|margin| (1.0..=100.0).contains(margin))
        .ok_or_else(|| "expected a number from 1 to 100".to_owned())
}
