//! The ledger of a class: where it is, the run that is made in it, and what is reported when it fails.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};

use anyhow::Context as _;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use grader_intake::Class;
use grader_judge::submission_name;
use grader_model::{LedgerUpgrade, Results, escaped};
use grader_report::{AboveBar, Fold};
use grader_store::{BeginRun, Ledger, LedgerError, Run, Submissions, Trouble};

use crate::terminal::{Terminal, shown};

/// Where the ledger is in the folder that a class lies in.
pub(crate) const USUAL: &str = ".grader/ledger.db";

/// The file that holds results.
#[derive(Debug, Args)]
pub(crate) struct LedgerArg {
    /// File that holds the results.
    ///
    /// Commands that only read it use the nearest `.grader/ledger.db` above the class or, without a class, in the current
    /// folder or above it. `grade` writes to `.grader/ledger.db` beside the class, or to no ledger for one student's work.
    #[arg(
        long,
        env = "GRADER_LEDGER",
        hide_env_values = true,
        value_name = "FILE",
        value_parser = OsStringValueParser::new().map(PathBuf::from),
        help_heading = "Ledger",
        hide_short_help = true
    )]
    ledger: Option<PathBuf>,
}

impl LedgerArg {
    /// The ledger that the option names, or else the environment.
    pub(crate) fn named(&self) -> Option<&Path> {
        let named = self.ledger.as_deref();
        named.filter(|path| !path.as_os_str().is_empty())
    }
}

/// Where `grade` stores results.
#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    #[command(flatten)]
    pub(crate) ledger: LedgerArg,
    /// Store nothing, and reuse nothing.
    #[arg(
        long,
        conflicts_with = "fresh",
        help_heading = "Ledger",
        hide_short_help = true
    )]
    pub(crate) no_ledger: bool,
    /// Write no web pages beside the ledger.
    #[arg(long, help_heading = "Ledger", hide_short_help = true)]
    pub(crate) no_pages: bool,
}

/// The ledger beside a class.
pub(crate) fn default_path(class: &Path) -> PathBuf {
    shortened(class.parent().unwrap_or(class).join(USUAL))
}

/// The ledgers in a folder and in those above it, the nearest first.
pub(crate) fn upwards(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let ledgers = folder.ancestors().map(|folder| folder.join(USUAL));
    // One that this user may not even look at is no reason to take another: it is reported.
    let is_there = |path: &PathBuf| match fs::metadata(path) {
        Ok(found) => found.is_file(),
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    };
    ledgers.filter(is_there).map(shortened)
}

/// Where the results of a class are stored.
pub(crate) fn path(args: &StoreArgs, class: &Path) -> PathBuf {
    let named = args.ledger.named();
    named.map_or_else(|| default_path(class), Path::to_owned)
}

/// The path from the current folder if that is it or is above it: it is shorter to read.
pub(crate) fn shortened(path: PathBuf) -> PathBuf {
    let here = env::current_dir().and_then(fs::canonicalize);
    let below = here.ok().and_then(|here| path.strip_prefix(here).ok());
    match below {
        Some(below) if below.as_os_str().is_empty() => PathBuf::from("."),
        Some(below) => below.to_owned(),
        None => path,
    }
}

/// Begins a run of a class in its ledger, or resumes an unfinished one; `class` is what is in it. Failures to store are
/// reported above the bar. `None` if nothing is to be stored.
pub(crate) fn begin(
    args: &StoreArgs,
    wanted: &BeginRun,
    class: &Class,
    above: AboveBar,
    terminal: &Terminal,
) -> anyhow::Result<Option<Arc<Run>>> {
    if args.no_ledger {
        return Ok(None);
    }
    let ledger = open(&path(args, &wanted.class), &wanted.class, terminal)?;
    if let Some(other) = ledger.adopt_runs(wanted, || submissions(class))? {
        let (class, other) = (wanted.class.clone(), shown(&shortened(other)));
        let class = shown(&shortened(class));
        terminal.note(
            format!(
                "`{class}` has the submissions of `{other}`, whose runs are now runs of `{class}`"
            ),
            format!("`{class}` 的提交与 `{other}` 相同，后者的评测记录归入 `{class}`"),
        );
    }
    let report = move |trouble, error: &LedgerError| {
        let what = match trouble {
            Trouble::Unwritten => "some results cannot be stored; grading continues",
            Trouble::Unread => "some stored results cannot be read and are judged again",
        };
        let message = format!("{what}: {error}");
        above.suspend(|| {
            // If standard error is closed, nobody reads it.
            let _ = writeln!(io::stderr(), "{}", escaped(message.as_bytes()));
        });
    };
    Ok(Some(ledger.begin(wanted, Box::new(report))?))
}

/// Opens a ledger for writing, and says so if it is upgraded.
pub(crate) fn open(path: &Path, class: &Path, terminal: &Terminal) -> Result<Ledger, LedgerError> {
    let ledger = Ledger::open(path, class)?;
    if let Some(LedgerUpgrade { from, to, copy, .. }) = ledger.upgrade() {
        let ledger = shown(path);
        terminal.note(
            format!(
                "`{ledger}` was upgraded from format {from} to {to}; `{copy}` beside it is the file as it was before"
            ),
            format!(
                "`{ledger}` 已从格式 {from} 升级到格式 {to}；升级前的文件保存为同一文件夹中的 `{copy}`"
            ),
        );
    }
    Ok(ledger)
}

/// The names of the submissions of a class. What cannot be read has none.
pub(crate) fn submissions(class: &Class) -> Submissions {
    let jobs = class.students.iter().flat_map(|student| {
        let submissions = student.submissions.iter();
        submissions.filter_map(|(problem, submission)| {
            let name = submission_name(&submission.sources().ok()?);
            Some(((student.id.clone(), problem.clone()), name))
        })
    });
    jobs.collect()
}

/// The results of a run that has ended. They are read from the ledger, which also knows what was found before the run was
/// resumed, unless it lacks something: then they are what the events of this process fold to.
pub(crate) fn results(events: Fold, run: Option<&Run>) -> anyhow::Result<Results> {
    let whole = run.filter(|run| !run.has_failed(Trouble::Unwritten));
    if let Some(run) = whole.filter(|run| run.check_results().is_ok()) {
        // A large class is never in memory twice.
        drop(events);
        return Ok(run.results()?);
    }
    events.results().context("the judge reported no run")
}

/// Whether something could not be stored or read.
pub(crate) fn has_failed(run: Option<&Run>) -> bool {
    let troubles = [Trouble::Unwritten, Trouble::Unread];
    run.is_some_and(|run| troubles.iter().any(|trouble| run.has_failed(*trouble)))
}
