//! The command line, from outside: what is written, where, and with which exit status.
#![expect(
    clippy::unwrap_used,
    reason = "a panic in a test, and in what serves it, is its report"
)]
#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

mod broken;
mod bundled;
mod class;
mod harness;
mod hostile;
mod language;
mod mischief;
mod options;
mod streams;
mod testing;
mod verdicts;
mod verification;
