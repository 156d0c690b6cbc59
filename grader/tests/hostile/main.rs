//! Submissions that attack the judge: what they get, and what must not happen outside meanwhile.
//!
//! `rows.toml` lists them. The rows are graded by one run of the real command line, two at a time, so that each has
//! the others' mischief for a neighbour; [`outside`] then looks at the machine. The whole is done as the user who
//! runs the test, at level `strict` if `grader doctor` says that it is available, with one row of each number, and
//! without the search for undefined behaviour. `BITCRAFT_NIGHTLY=1` takes all rows, searches, and does it again, if that
//! user is root, as an ordinary user, as one of a stock Debian who has no task clock, and as one with control groups.
//!
//! `BITCRAFT_HOSTILE_ROUNDS=20` grades the table so many times, and `BITCRAFT_HOSTILE_ROWS=20,35` grades only
//! these rows (and the honest ones).
#![expect(
    clippy::unwrap_used,
    reason = "a panic in a test, and in what serves it, is its report"
)]
#![expect(clippy::print_stderr, reason = "skipped tests are reported")]

mod control;
mod deaths;
mod killed;
mod outside;
mod room;
mod rows;
mod station;
mod submissions;

use std::sync::{Mutex, MutexGuard, PoisonError};

use station::Station;

/// One test at a time: they measure time, and look at the whole machine.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    // A test that failed has left nothing behind this lock.
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints that something is not tested, and why.
fn skipped(what: &str, why: &str) {
    eprintln!("skipped: {what}: {why}");
}

/// Whether everything is tried, as in `.ci/nightly`.
fn is_nightly() -> bool {
    std::env::var_os("BITCRAFT_NIGHTLY").is_some()
}

/// A station that only `.ci/nightly` tries.
fn at_night(station: fn() -> Option<Station>) -> Option<Station> {
    if !is_nightly() {
        skipped("another user", "`BITCRAFT_NIGHTLY` is not set");
        return None;
    }
    station()
}
