//! The command line of `grade`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::assignment_help;
use super::running::{IsolationArgs, WorkerArgs};
use crate::assignment::USUAL;
use crate::class_report::ClassReportArgs;

#[derive(Debug, Args)]
pub(crate) struct GradeArgs {
    /// What the class handed in: a folder, or one archive such as a course system lets you download.
    pub(crate) class: PathBuf,
    #[arg(long, short, value_name = "ID|PATH", help = assignment_help(USUAL))]
    pub(crate) assignment: Option<String>,
    #[command(flatten)]
    pub(crate) workers: WorkerArgs,
    #[command(flatten)]
    pub(crate) intake: IntakeArgs,
    #[command(flatten)]
    pub(crate) report: ClassReportArgs,
    #[command(flatten)]
    pub(crate) ledger: LedgerArgs,
    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,
}

/// How the class is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "The class")]
pub(crate) struct IntakeArgs {
    /// How the class lies in its folder [default: found out, and said].
    #[arg(long, value_enum, value_name = "LAYOUT")]
    pub(crate) layout: Option<Layout>,
    /// A table of all students, comma-separated, with a line of titles: names them, and finds who is missing and
    /// who is unknown.
    #[arg(long, value_name = "FILE")]
    pub(crate) roster: Option<PathBuf>,
}

/// How a class lies in its folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layout {
    /// One folder for each student.
    Folders,
    /// One archive for each student.
    Archives,
    /// Moodle's "Download all submissions", in folders or flat.
    Moodle,
    /// Canvas' "Download submissions".
    Canvas,
    /// Gradescope's "Export submissions".
    Gradescope,
    /// One repository for each student, as GitHub Classroom clones them.
    Github,
    /// Blackboard's "Assignment File Download".
    Blackboard,
    /// Brightspace's download of submissions, in folders or flat.
    Brightspace,
    /// The work of one student, such as in Gradescope's container.
    One,
}

/// Where results are kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "The ledger")]
pub(crate) struct LedgerArgs {
    /// Keep every finished submission in this file, and take from it what has not changed since an earlier run
    /// [env: `GRADER_LEDGER`] [default: `.grader/ledger.db` beside the class].
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    /// Keep nothing, and take nothing from earlier runs.
    #[arg(long, conflicts_with_all = ["ledger", "fresh"])]
    pub(crate) no_ledger: bool,
    /// Begin a new run in which nothing is taken from earlier ones. They stay in the ledger. Needed where a library of
    /// the system was installed since, of which the ledger knows nothing.
    #[arg(long)]
    pub(crate) fresh: bool,
}
