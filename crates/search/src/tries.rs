//! What a search asks of the judge.

use std::sync::Arc;
use std::time::Instant;

use grader_judge::{Compared, Fault, Tried, Withheld};
use grader_problem::{Case, Problem};

/// A program that is tried on inputs, beside the one that it is compared with.
pub trait Tries {
    /// The problem.
    fn problem(&self) -> &Problem;

    /// How the program does on each of these inputs; `Late` for those that are not judged by `end`.
    ///
    /// # Errors
    /// Our own failure, or a request to stop.
    fn judge(&self, cases: &[Case], end: Instant) -> Result<Vec<Tried>, Fault>;

    /// The same for one input, again and again, until the program does not fail.
    ///
    /// # Errors
    /// Our own failure, or a request to stop.
    fn repeat(&self, case: &Case, times: usize, end: Instant) -> Result<Tried, Fault>;

    /// Whether the input is that of a case which must not be shown.
    ///
    /// # Errors
    /// The failure of a generator, or a request to stop.
    fn is_withheld(&self, case: &Case, withheld: Withheld) -> Result<bool, Fault>;

    /// The bytes of an input.
    ///
    /// # Errors
    /// The failure of a generator, or a request to stop.
    fn input(&self, case: &Case) -> Result<Arc<[u8]>, Fault>;
}

impl Tries for Compared<'_> {
    fn problem(&self) -> &Problem {
        self.problem()
    }

    fn judge(&self, cases: &[Case], end: Instant) -> Result<Vec<Tried>, Fault> {
        self.judge(cases, end)
    }

    fn repeat(&self, case: &Case, times: usize, end: Instant) -> Result<Tried, Fault> {
        self.repeat(case, times, end)
    }

    fn is_withheld(&self, case: &Case, withheld: Withheld) -> Result<bool, Fault> {
        self.is_withheld(case, withheld)
    }

    fn input(&self, case: &Case) -> Result<Arc<[u8]>, Fault> {
        self.input(case)
    }
}
