//! `grader diff`.

use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;
use grader_model::RunSummary;
use grader_report::diff;

use super::OutputFormat;
use crate::exit::{Exit, Failure};
use crate::stored::{StoredRuns, has_results};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  grader diff
  grader diff 3 5 --ledger submissions/")]
pub(crate) struct DiffArgs {
    /// Two runs, by their numbers in `grader history`, the earlier one first [default: the last two of one class].
    #[arg(value_name = "RUN", num_args = 2)]
    runs: Vec<u64>,
    /// A ledger, or the class that was graded [env: `GRADER_LEDGER`] [default: `.grader/ledger.db` in this folder or above it].
    #[arg(long, value_name = "SOURCE")]
    ledger: Option<PathBuf>,
    /// What the list looks like.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: OutputFormat,
}

pub(crate) fn run(args: &DiffArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let stored = StoredRuns::find(args.ledger.as_deref())?;
    let (before, after) = match args.runs.as_slice() {
        [before, after] => (*before, *after),
        _ => last_two(&stored.runs()?).ok_or_else(|| {
            Failure::usage(
                "the ledger has no two runs of one class: `grader history` lists its runs",
            )
        })?,
    };
    let results = |id| stored.results(&stored.run(Some(id))?);
    let difference = diff(&results(before)?, &results(after)?);
    match args.format {
        OutputFormat::Text => write!(terminal.stdout(), "{}", difference.text(&terminal.style()))?,
        OutputFormat::Json => difference.write_json(&mut Terminal::pipe())?,
    }
    Ok(Exit::Done)
}

/// The last run, and the one before it of the same class and assignment.
fn last_two(runs: &[RunSummary]) -> Option<(u64, u64)> {
    let mut latest = runs.iter().rev().filter(|run| has_results(run));
    let last = latest.next()?;
    let before = latest.find(|run| run.class == last.class && run.assignment == last.assignment)?;
    Some((before.id, last.id))
}
