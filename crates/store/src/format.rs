//! The formats of ledgers, and the steps from one to the next.

/// The earliest format that can be read.
pub(crate) const OLDEST: i64 = 5;

/// The steps from [`OLDEST`] on, each to the next format. Whoever changes `schema.sql` adds one, and a ledger that the grader
/// of the format before wrote to the fixtures.
pub(crate) const STEPS: [&str; 1] = [include_str!("upgrade/6.sql")];

/// The format of `schema.sql`.
pub(crate) const FORMAT: i64 = OLDEST + STEPS.len() as i64;

/// The version of this grader.
pub(crate) const GRADER: &str = env!("CARGO_PKG_VERSION");
