//! `grader report`.

use std::path::PathBuf;

use clap::Args;
use grader_model::{RunState, escaped};

use crate::class_report::ClassReportArgs;
use crate::corrections::CorrectionsArgs;
use crate::exit::Exit;
use crate::ledger::shortened;
use crate::part::{PartArgs, People};
use crate::stored::{StoredRuns, is_whole_class};
use crate::terminal::Terminal;

#[derive(Debug, Args)]
#[command(after_help = "\
Exit status: 0; 3 if some submissions are not scored yet.

Examples:
  grader report submissions/ --explain s07
  grader report --run 3 --format students -o feedback/
  grader report submissions/ --format html -o report/
  grader report submissions/ --format dolos -o similar/")]
pub(crate) struct ReportArgs {
    /// Where the results are: a ledger, or the class that was graded [env: `GRADER_LEDGER`] [default: `.grader/ledger.db` in this folder or above it].
    #[arg(value_name = "SOURCE")]
    source: Option<PathBuf>,
    /// The run to report, by its number in `grader history` [default: the last].
    #[arg(long, value_name = "N")]
    run: Option<u64>,
    /// Compare with this run: `html` shows whose points have changed.
    #[arg(long, value_name = "N")]
    against: Option<u64>,
    #[command(flatten)]
    part: PartArgs,
    #[command(flatten)]
    corrections: CorrectionsArgs,
    #[command(flatten)]
    report: ClassReportArgs,
}

pub(crate) fn run(mut args: ReportArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    args.report.check(&args.part, true)?;
    let stored = StoredRuns::find(args.source.as_deref())?;
    let run = stored.run(args.run)?;
    let mut results = stored.results(&run)?;
    let one_student = stored.is_of_one_student(&run)?;
    let corrections =
        args.corrections
            .load(&run.class, one_student, &results.assignment, terminal)?;
    corrections.apply(&mut results, Some(&stored), terminal)?;
    if is_whole_class(&run) {
        args.report.refuse_if_nobody_has_anything(&results)?;
    }
    let people = People::of_results(&results, &stored.path);
    args.report.resolve(&people)?;
    let part = args.part.resolve(&people, &results.assignment)?;
    args.part.check_cases(&results)?;
    // Nobody else enters the report, nor its summary.
    results.students.retain(|it| args.report.includes(&it.id));
    args.part.keep(&part, &mut results);
    let report = args.report.prepare(&results.assignment, &args.part)?;
    if !stored.is_named {
        let shown = |path: PathBuf| escaped(shortened(path).as_os_str().as_encoded_bytes());
        let (class, ledger, id) = (shown(run.class.clone()), shown(stored.ledger()), run.id);
        terminal.note(
            format!("run {id} of `{class}`, from `{ledger}`"),
            format!("`{ledger}` 中 `{class}` 的第 {id} 次评测"),
        );
    }
    if run.state == RunState::Running {
        terminal.note(
            "this run is being graded now: these are the results so far",
            "这次评测正在进行：以下是目前的结果",
        );
    }
    let mut against = args
        .against
        .map(|run| stored.results(&stored.run(Some(run))?))
        .transpose()?;
    if let Some(against) = &mut against {
        corrections.apply(against, Some(&stored), terminal)?;
    }
    report.give(&results, Some(&stored), against.as_ref(), terminal)?;
    if results.interrupted || results.is_open() {
        Ok(Exit::Fault)
    } else {
        Ok(Exit::Done)
    }
}
