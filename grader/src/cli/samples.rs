//! The command line of `test` and `verify`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::assignment_help;
use super::running::{IsolationArgs, WorkerArgs};

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
    /// What the report looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: VerifyFormat,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// Formats of the report of `verify`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerifyFormat {
    /// A table of samples for people.
    #[default]
    Text,
    /// One document for programs.
    Json,
}
