//! `grader diff`.

use std::io::Write as _;

use clap::Args;
use grader_report::diff;
use grader_session::{Exit, IfSeveral, StoredRuns};
use grader_view::{Compared, Comparison};

use crate::args::ClassArgs;
use crate::documents::JsonArgs;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The comparison is of what was judged, without corrections by hand.

Examples:
  grader diff
  grader diff submissions/ --run 5 --against 3")]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    source: ClassArgs,
    /// Run, by its number in `grader history` [default: the last].
    #[arg(long, value_name = "N")]
    run: Option<u64>,
    /// Run to compare with [default: the one before, of the same class].
    #[arg(long, value_name = "N")]
    against: Option<u64>,
    #[command(flatten)]
    json: JsonArgs,
}

pub(crate) fn run(args: &DiffArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let terminal = &args.json.prepare("bitcraft-diff/2", terminal)?;
    let stored = StoredRuns::find(&args.source.asked())?;
    let after = stored.choose(args.run, IfSeveral::TakeLast)?;
    let before = match args.against {
        Some(id) => stored.run_against(id, &after)?,
        None => stored.run_before(&after)?,
    };
    stored.say_choice(&after, terminal)?;
    let (before, after) = (stored.results(&before)?, stored.results(&after)?);
    let comparison = Comparison::of(&before, &after, Compared::Judged);
    let text = diff(&comparison, &terminal.style());
    write!(terminal.stdout(), "{text}")?;
    args.json.write(&comparison, terminal)?;
    Ok(Exit::Done)
}
