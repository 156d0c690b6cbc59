//! The ledger: opening it, its runs, and what it gives back.
#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

mod file;
mod results;
mod runs;
mod sample;
mod upgrade;

use std::path::Path;
use std::sync::{Arc, Mutex};

use grader_judge::{JobName, ResultCache as _};
use grader_model::{Event, EventKind, ProblemId, Sink as _, StudentId, Text, Verdict};
use grader_store::{BeginRun, Ledger, LedgerError, Reader, Run, Trouble};
use tempfile::TempDir;

use sample::{done, job, problem};

/// A folder with the path of a ledger in it, not yet created.
fn folder() -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join(".grader/ledger.db");
    (folder, ledger)
}

fn begin(ledger: &Path) -> Arc<Run> {
    begin_as(ledger, &sample::wanted())
}

fn begin_as(ledger: &Path, wanted: &BeginRun) -> Arc<Run> {
    begin_watched(ledger, wanted).0
}

/// A run, and what it reports.
fn begin_watched(ledger: &Path, wanted: &BeginRun) -> (Arc<Run>, Arc<Mutex<Vec<String>>>) {
    let reports = Arc::<Mutex<Vec<String>>>::default();
    let log = Arc::clone(&reports);
    let opened = Ledger::open(ledger, &wanted.class).unwrap();
    let report = move |trouble, error: &LedgerError| {
        let line = format!("{trouble:?}: {}", error.why);
        log.lock().unwrap().push(line);
    };
    let run = opened.begin(wanted, Box::new(report)).unwrap();
    (run, reports)
}

fn send(mut run: &Run, kind: EventKind) {
    run.event(&Event { at_ms: 0, kind }).unwrap();
}

fn finish(run: Arc<Run>) {
    send(&run, EventKind::RunFinished { interrupted: false });
    drop(run);
}

/// Stores a job for `count` with this hint.
fn store(run: &Run, student: &str, source: &str, hint: &str) {
    let mut result = problem("count", Verdict::Accepted);
    result.hints = vec![Text::plain(hint)];
    let student = StudentId::new(student);
    run.store(job(&student, &result.id), &done(source, &result))
        .unwrap();
}

/// What a run finds for `count`: the run in which it was judged, whether that is this one, and its hint.
fn find(run: &Run, student: &str, source: &str) -> Option<(u64, bool, String)> {
    let (student, problem) = (StudentId::new(student), ProblemId::new("count"));
    let name = JobName {
        student: &student,
        problem: &problem,
    };
    let found = run.find(name, &sample::key(source)).unwrap()?;
    let hint = found.result.hints[0].en.clone();
    Some((found.run, found.is_this_run, hint))
}

fn open_error(ledger: &Path) -> LedgerError {
    Ledger::open(ledger, Path::new("/classes/a")).err().unwrap()
}

fn read_error(ledger: &Path) -> LedgerError {
    Reader::open(ledger).err().unwrap()
}
