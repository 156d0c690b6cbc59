//! `grader diff`.

use std::io::Write as _;

use clap::Args;
use grader_model::RunSummary;
use grader_report::diff;
use grader_session::{Exit, Failure, IfSeveral, StoredRuns, has_results, shortened, shown};
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
        Some(id) => stored.run(Some(id))?,
        None => match run_before(stored.runs()?, &after) {
            Some(run) => run,
            None => return Err(no_run_before(stored.history()?, &after).into()),
        },
    };
    stored.say_choice(&after, terminal)?;
    let (before, after) = (stored.results(&before)?, stored.results(&after)?);
    let comparison = Comparison::of(&before, &after, Compared::Judged);
    let text = diff(&comparison, &terminal.style());
    write!(terminal.stdout(), "{text}")?;
    args.json.write(&comparison, terminal)?;
    Ok(Exit::Done)
}

/// The last run before this one of the same class and assignment.
fn run_before(runs: Vec<RunSummary>, after: &RunSummary) -> Option<RunSummary> {
    let is_before = |run: &RunSummary| {
        run.id < after.id && run.class == after.class && run.assignment == after.assignment
    };
    let mut runs = runs.into_iter().filter(has_results);
    runs.rfind(is_before)
}

/// That there is no such run, and which run of another class could be meant.
fn no_run_before(runs: Vec<RunSummary>, after: &RunSummary) -> Failure {
    let is_similar = |run: &RunSummary| run.id < after.id && run.assignment == after.assignment;
    let mut runs = runs.into_iter().filter(has_results);
    let message = match runs.rfind(is_similar) {
        Some(before) => {
            let (first, last) = (before.id, after.id);
            let [before, after] =
                [before.class, after.class.clone()].map(|it| shown(&shortened(it)));
            format!(
                "runs {first} and {last} are of two classes, `{before}` and `{after}`: \
                 `grader diff --run {last} --against {first}` compares them"
            )
        }
        None => {
            "the ledger has no two runs of one class: `grader history` lists its runs".to_owned()
        }
    };
    Failure::usage(message)
}
