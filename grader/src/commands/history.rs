//! `grader history`.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use grader_report::{history, history_json};

use super::OutputFormat;
use crate::exit::Exit;
use crate::stored::StoredRuns;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grader history
  grader history submissions/
  grader history --format json")]
pub(crate) struct HistoryArgs {
    /// A ledger, or the class that was graded [env: `GRADER_LEDGER`] [default: `.grader/ledger.db` in this folder or above it].
    #[arg(value_name = "SOURCE")]
    source: Option<PathBuf>,
    /// What the list looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: OutputFormat,
}

pub(crate) fn run(args: &HistoryArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let runs = StoredRuns::find(args.source.as_deref())?.runs()?;
    match args.format {
        OutputFormat::Text => write!(terminal.stdout(), "{}", history(&runs, &terminal.style()))?,
        OutputFormat::Json => history_json(&runs, &mut Terminal::pipe())?,
    }
    Ok(Exit::Done)
}
