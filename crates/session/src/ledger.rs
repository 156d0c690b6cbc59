//! The ledger of a class: where it is, the run that is made in it, and what is reported when it fails.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use grader_intake::Class;
use grader_judge::submission_name;
use grader_model::{LedgerUpgrade, Results, escaped, text};
use grader_report::{AboveBar, Fold};
use grader_store::{BeginRun, Ledger, LedgerError, Run, Submissions, Trouble};

use crate::console::Console;
use crate::error::{Result, SessionError};
use crate::exit::Failure;
use crate::path::{shortened, shown};

/// Where the ledger is in the folder that a class lies in.
pub const USUAL: &str = ".grader/ledger.db";

/// The ledger beside a class.
pub fn default_path(class: &Path) -> PathBuf {
    shortened(class.parent().unwrap_or(class).join(USUAL))
}

/// The ledgers in a folder and in those above it, the nearest first.
pub fn upwards(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let ledgers = folder.ancestors().map(|folder| folder.join(USUAL));
    // One that this user may not even look at is no reason to take another: it is reported.
    let is_there = |path: &PathBuf| match fs::metadata(path) {
        Ok(found) => found.is_file(),
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    };
    ledgers.filter(is_there).map(shortened)
}

/// Refuses a ledger that was named and is not there.
pub fn refuse_missing(ledger: &Path) -> Result<(), Failure> {
    let is_missing = |error: io::Error| error.kind() == io::ErrorKind::NotFound;
    if !fs::metadata(ledger).is_err_and(is_missing) {
        return Ok(());
    }
    let ledger = shown(ledger);
    Err(Failure::usage(format!(
        "nothing was graded here: there is no ledger `{ledger}`; `grader grade CLASS --ledger {ledger}` creates it"
    )))
}

/// Where the results of a class are stored.
pub fn path(named: Option<&Path>, class: &Path) -> PathBuf {
    named.map_or_else(|| default_path(class), Path::to_owned)
}

/// Begins a run of a class in its ledger, or resumes an unfinished one; `class` is what is in it. Failures to store are
/// reported above the bar.
pub fn begin(
    ledger: &Path,
    wanted: &BeginRun,
    class: &Class,
    above: AboveBar,
    console: &dyn Console,
) -> Result<Arc<Run>> {
    let ledger = open(ledger, &wanted.class, console)?;
    if let Some(other) = ledger.adopt_runs(wanted, || submissions(class))? {
        let (class, other) = (wanted.class.clone(), shown(&shortened(other)));
        let class = shown(&shortened(class));
        console.note(&text!(
            "`{class}` has the submissions of `{other}`, whose runs are now runs of `{class}`",
            "`{class}` 的提交与 `{other}` 相同，后者的评测记录归入 `{class}`"
        ));
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
    Ok(ledger.begin(wanted, Box::new(report))?)
}

/// Opens a ledger for writing, and says so if it is upgraded.
pub fn open(path: &Path, class: &Path, console: &dyn Console) -> Result<Ledger, LedgerError> {
    let ledger = Ledger::open(path, class)?;
    if let Some(LedgerUpgrade { from, to, copy, .. }) = ledger.upgrade() {
        let ledger = shown(path);
        console.note(&text!(
            "`{ledger}` was upgraded from format {from} to {to}; `{copy}` beside it is the file as it was before",
            "`{ledger}` 已从格式 {from} 升级到格式 {to}；升级前的文件保存为同一文件夹中的 `{copy}`"
        ));
    }
    Ok(ledger)
}

/// The names of the submissions of a class. What cannot be read has none.
pub fn submissions(class: &Class) -> Submissions {
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
pub fn results(events: Fold, run: Option<&Run>) -> Result<Results> {
    let whole = run.filter(|run| !run.has_failed(Trouble::Unwritten));
    if let Some(run) = whole.filter(|run| run.check_results().is_ok()) {
        // A large class is never in memory twice.
        drop(events);
        return Ok(run.results()?);
    }
    events.results().ok_or(SessionError::NoRun)
}

/// Whether something could not be stored or read.
pub fn has_failed(run: Option<&Run>) -> bool {
    let troubles = [Trouble::Unwritten, Trouble::Unread];
    run.is_some_and(|run| troubles.iter().any(|trouble| run.has_failed(*trouble)))
}
