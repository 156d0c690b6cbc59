//! `grader replay`.

use std::io::Write as _;

use clap::Args;
use grader_judge::Stop;
use grader_model::{Results, Sink};
use grader_problem::Assignment;
use grader_report::{Fold, Progress};
use grader_session::{Ended, Exit, IfSeveral, Rejudged, StoredRuns};

use crate::args::ClassArgs;
use crate::assignment;
use crate::documents::JsonArgs;
use crate::isolation::{self, IsolationArgs, Programs};
use crate::judge::{self, WorkerArgs};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_long_help = "\
The programs in the ledger are judged again here, and nothing is stored. The comparison is of what was judged, without corrections. Beside \
a verdict that differs stands what may explain it: times near a limit, random numbers, another compiler, grader, machine or version of \
the problem. The output ends with a receipt. Two receipts with the same hash of results have the same verdicts and points.

Exit status: 0 if all verdicts and points are the same, 1 if not.

Examples:
  grader replay
  grader replay --ledger class.db --run 3")]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    source: ClassArgs,
    /// Run, by its number in `grader history` [default: the last].
    #[arg(long, value_name = "N")]
    run: Option<u64>,
    #[arg(long, short, value_name = "ID|PATH", help = assignment::help("nearest to the class"), long_help = assignment::long_help("the one nearest to the class"))]
    assignment: Option<String>,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    workers: WorkerArgs,
    #[command(flatten)]
    isolation: IsolationArgs,
}

pub(crate) fn run(args: &ReplayArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let terminal = &args.json.prepare("bitcraft-replay/1", terminal)?;
    let stored = StoredRuns::find(&args.source.asked())?;
    let run = stored.choose(args.run, IfSeveral::TakeLast)?;
    stored.say_choice(&run, terminal)?;
    let last = || Some(stored.results(&run).ok()?.assignment);
    let name = args.assignment.as_deref();
    let location = assignment::assignments().of_class(name, &run.class, last)?;
    let assignment = location.load(terminal)?;
    let replayed = Rejudged::of(&stored, &run, &assignment)?;
    let Some(after) = judged(args, &assignment, &replayed, terminal)? else {
        return Ok(Exit::Interrupted);
    };
    let has_faults = after.has_faults();
    let replayed = replayed.compare(after, env!("CARGO_PKG_VERSION"));
    write!(terminal.stdout(), "{}", replayed.text(&terminal.style()))?;
    args.json.write(&replayed, terminal)?;
    let ended = Ended {
        is_interrupted: false,
        has_faults,
        is_unmet: !replayed.is_same(),
    };
    Ok(ended.exit())
}

/// Judges the class and stores nothing. `None` if somebody stopped it.
fn judged(
    args: &ReplayArgs,
    assignment: &Assignment,
    replayed: &Rejudged,
    terminal: &Terminal,
) -> anyhow::Result<Option<Results>> {
    let stop = Stop::new();
    let mut progress = Progress::new(&terminal.error_style(), terminal.has_progress());
    let above = Some(progress.above());
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;
    let mut settings = judge::settings(runner, args.workers.jobs, &stop, terminal)?;
    judge::use_cache(&mut settings, replayed.cache())?;
    let judge = judge::stoppable(settings, above, terminal)?;
    let mut fold = Fold::new();
    let sinks: &mut [&mut dyn Sink] = &mut [&mut fold, &mut progress];
    // A progress bar that cannot be drawn must not cost the comparison.
    let _ = judge.grade(assignment, &replayed.class, sinks).sink_errors;
    let results = fold.results();
    Ok(results.filter(|it| !it.interrupted))
}
