//! `grader schema`.

use std::io::Write as _;

use crate::cli::{SchemaArgs, SchemaFile};
use crate::exit::Exit;
use crate::terminal::Terminal;

pub(crate) fn run(args: &SchemaArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let schema = match args.file {
        SchemaFile::Assignment => grader_problem::schema::assignment(),
        SchemaFile::Problem => grader_problem::schema::problem(),
        SchemaFile::Results => serde_json::to_string_pretty(&grader_report::json::schema())?,
        SchemaFile::History => serde_json::to_string_pretty(&grader_report::history_schema())?,
        SchemaFile::Diff => serde_json::to_string_pretty(&grader_report::Diff::schema())?,
        SchemaFile::Verification => {
            serde_json::to_string_pretty(&grader_report::verification_schema())?
        }
        SchemaFile::Doctor => {
            serde_json::to_string_pretty(&grader_report::doctor::doctor_schema())?
        }
        SchemaFile::Run => serde_json::to_string_pretty(&grader_report::run_schema())?,
    };
    writeln!(terminal.pipe(), "{}", schema.trim_end())?;
    Ok(Exit::Done)
}
