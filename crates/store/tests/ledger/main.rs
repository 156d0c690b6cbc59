//! Opening a ledger, and what a run finds in it.
#![expect(clippy::unwrap_used, reason = "a panic in a test is its report")]

mod file;
mod runs;
#[path = "../sample/mod.rs"]
mod sample;

use std::path::Path;

use grader_judge::{JobName, ResultCache as _};
use grader_model::{ProblemId, ProblemResult, Sink as _, StudentId, Text, Verdict};
use grader_store::{Ledger, LedgerError, Reader, Run};

/// The error of what must fail.
fn refused(path: &Path) -> LedgerError {
    match Ledger::open(path, Path::new("/classes/a")) {
        Ok(_) => panic!("it was opened"),
        Err(error) => error,
    }
}

fn unreadable(path: &Path) -> LedgerError {
    match Reader::open(path) {
        Ok(_) => panic!("it was opened"),
        Err(error) => error,
    }
}

fn end(run: Run) {
    run.sink().event(&sample::finished(false)).unwrap();
    drop(run);
}

fn student(name: &str) -> StudentId {
    StudentId::new(name)
}

fn count() -> ProblemResult {
    sample::problem("count", Verdict::Accepted)
}

/// What a run finds of `count`: the run it was built in, whether it is this one, and its first hint.
fn recalled(run: &Run, who: &str, source: &str) -> Option<(u64, bool, String)> {
    let (student, problem) = (student(who), ProblemId::new("count"));
    let job = JobName {
        student: &student,
        problem: &problem,
    };
    let found = run.find(job, &sample::key(source)).unwrap()?;
    let hint = found.result.hints[0].en.clone();
    Some((found.run, found.is_this_run, hint))
}

fn keep(run: &Run, who: &str, source: &str, hint: &str) {
    let mut result = count();
    result.hints = vec![Text::plain(hint)];
    let done = sample::done(source, &result);
    sample::keep(run, &student(who), &done);
}
