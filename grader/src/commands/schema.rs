//! `grader schema`.

use std::io::Write as _;

use clap::{Args, ValueEnum};
use grader_model::Results;
use grader_report::{
    AuditDocument, CheckDocument, DoctorDocument, History, Replay, StressDocument,
    VerificationDocument, json,
};
use grader_session::Exit;
use grader_view::Comparison;

use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Editors with Taplo or Even Better TOML read the schema that the first line of a file names, as in files from \
`grader init`:
  #:schema ../problem.schema.json

Example:
  grader schema problem > problem.schema.json")]
pub(crate) struct SchemaArgs {
    /// File format.
    #[arg(value_enum)]
    file: SchemaFile,
}

/// A file format with a schema.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum SchemaFile {
    /// `assignment.toml`.
    Assignment,
    /// `problem.toml`.
    Problem,
    /// `corrections.toml`.
    Corrections,
    /// `course.toml`.
    Course,
    /// The report of `grade --json` and `test --json`.
    Results,
    /// What `history --json` writes.
    History,
    /// What `diff --json` writes.
    Diff,
    /// What `replay --json` writes.
    Replay,
    /// What `check --json` writes.
    Check,
    /// What `verify --json` writes.
    Verification,
    /// What `stress --json` writes.
    Stress,
    /// What `audit --json` writes.
    Audit,
    /// What `doctor --json` writes.
    Doctor,
}

pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let text = |schema| serde_json::to_string_pretty(&schema);
    let schema = match args.file {
        SchemaFile::Assignment => grader_problem::schema::assignment(),
        SchemaFile::Problem => grader_problem::schema::problem(),
        SchemaFile::Corrections => grader_problem::schema::corrections(),
        SchemaFile::Course => grader_problem::schema::course(),
        SchemaFile::Results => text(json::schema::<Results>())?,
        SchemaFile::History => text(json::schema::<History>())?,
        SchemaFile::Diff => text(json::schema::<Comparison>())?,
        SchemaFile::Replay => text(json::schema::<Replay>())?,
        SchemaFile::Check => text(json::schema::<CheckDocument>())?,
        SchemaFile::Verification => text(json::schema::<VerificationDocument>())?,
        SchemaFile::Stress => text(json::schema::<StressDocument>())?,
        SchemaFile::Audit => text(json::schema::<AuditDocument>())?,
        SchemaFile::Doctor => text(json::schema::<DoctorDocument>())?,
    };
    writeln!(Terminal::pipe(), "{}", schema.trim_end())?;
    Ok(Exit::Done)
}
