//! Inputs on which programs fail and that their authors may see.

use std::time::{Duration, Instant};

use grader_intake::Submission;
use grader_judge::{Judge, KnownAnswers};
use grader_model::CaseResult;
use grader_problem::{Entry, SearchSpace};

use super::Search;
use crate::assignment::Location;
use crate::terminal::Terminal;

/// From which the order of the inputs follows.
const SEED: u64 = 1;

/// Searches for inputs on which programs for one problem fail.
pub(crate) struct Explainer<'a> {
    pub(crate) judge: &'a Judge,
    pub(crate) entry: &'a Entry,
    pub(crate) space: &'a SearchSpace,
    pub(crate) answers: &'a KnownAnswers,
    pub(crate) location: &'a Location,
    /// How long it searches.
    pub(crate) time: Duration,
}

impl Explainer<'_> {
    /// How a program fails on an input that no case has; `None` if no such input was found, or if it does not build.
    ///
    /// # Errors
    /// Our own failure, or a request to stop.
    pub(crate) fn explain(
        &self,
        submission: &Submission,
        terminal: &Terminal,
    ) -> anyhow::Result<Option<CaseResult>> {
        let (judge, location) = (self.judge, self.location);
        let Ok(compared) = judge.compare(self.entry, submission, self.answers)? else {
            return Ok(None);
        };
        let until = (Instant::now() + self.time, self.time);
        let search = Search::new(self.space, SEED, &compared, location, terminal, until);
        let mut search = search.without_cases()?;
        while search.step()? {}
        Ok(search.result())
    }
}
