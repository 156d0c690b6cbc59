//! `grader schema`.

use std::io::{self, Write as _};

use crate::cli::{SchemaArgs, SchemaFile};
use crate::exit::Exit;

pub(crate) fn run(args: &SchemaArgs) -> anyhow::Result<Exit> {
    let schema = match args.file {
        SchemaFile::Assignment => grader_problem::schema::assignment(),
        SchemaFile::Problem => grader_problem::schema::problem(),
        SchemaFile::Results => serde_json::to_string_pretty(&grader_report::json::schema())?,
    };
    writeln!(io::stdout(), "{}", schema.trim_end())?;
    Ok(Exit::Done)
}
