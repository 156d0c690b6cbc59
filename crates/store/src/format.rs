//! The formats of ledgers.

/// The earliest format that can be read.
pub(crate) const OLDEST: i64 = 5;

/// The format of `schema.sql` and of the JSON in it. Whoever changes these counts on, adds a step to `upgrade.rs`, and a ledger
/// that the grader of the format before wrote to the fixtures.
pub(crate) const FORMAT: i64 = 7;

/// The version of this grader.
pub(crate) const GRADER: &str = env!("CARGO_PKG_VERSION");
