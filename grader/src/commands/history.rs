//! `grader history`.

use std::io::Write as _;

use clap::Args;
use grader_report::{History, history, json};

use super::OutputFormat;
use crate::exit::Exit;
use crate::stored::{ClassArgs, StoredRuns};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  grader history
  grader history submissions/
  grader history --format json")]
pub(crate) struct HistoryArgs {
    #[command(flatten)]
    source: ClassArgs,
    /// Output format.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: OutputFormat,
}

pub(crate) fn run(args: &HistoryArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let stored = StoredRuns::find(&args.source)?;
    let (runs, upgrades) = (stored.runs()?, stored.upgrades()?);
    match args.format {
        OutputFormat::Text => {
            let text = history(&runs, &upgrades, &terminal.style());
            write!(terminal.stdout(), "{text}")?;
        }
        OutputFormat::Json => {
            json::write_value(&History::of(&runs, &upgrades), &mut Terminal::pipe())?;
        }
    }
    Ok(Exit::Done)
}
