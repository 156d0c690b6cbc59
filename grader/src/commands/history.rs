//! `grader history`.

use std::io::Write as _;

use clap::Args;
use grader_report::{History, history};
use grader_session::{Exit, StoredRuns};

use crate::args::ClassArgs;
use crate::documents::JsonArgs;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  grader history
  grader history submissions/
  grader history --json runs.json")]
pub(crate) struct HistoryArgs {
    #[command(flatten)]
    source: ClassArgs,
    #[command(flatten)]
    json: JsonArgs,
}

pub(crate) fn run(args: &HistoryArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let terminal = &args.json.prepare("bitcraft-history/1", terminal)?;
    let stored = StoredRuns::find(&args.source.asked())?;
    let (runs, upgrades) = (stored.runs()?, stored.upgrades()?);
    let text = history(&runs, &upgrades, &terminal.style());
    write!(terminal.stdout(), "{text}")?;
    args.json.write(&History::of(&runs, &upgrades), terminal)?;
    Ok(Exit::Done)
}
