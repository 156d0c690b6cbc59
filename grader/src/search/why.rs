//! Inputs on which programs fail and that their authors may see.

use std::time::{Duration, Instant};

use grader_intake::Submission;
use grader_judge::{Judge, Withheld};
use grader_model::{CaseResult, Text};
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
    pub(crate) location: &'a Location,
    /// How long it searches.
    pub(crate) time: Duration,
}

/// What a search for inputs that a program's author may see found.
pub(crate) struct Explained {
    /// How the program fails on an input that no case has.
    pub(crate) found: Option<CaseResult>,
    /// Whether no input could be tried before the time was over.
    pub(crate) is_untried: bool,
    /// What is wrong with the problem itself.
    pub(crate) problem_fault: Option<Text>,
    /// An input on which the program failed, without enough time to repeat that.
    pub(crate) unconfirmed: Option<String>,
}

impl Explainer<'_> {
    /// Searches for an input that no case has; `None` if the program does not build.
    ///
    /// # Errors
    /// Our own failure, or a request to stop.
    pub(crate) fn explain(
        &self,
        submission: &Submission,
        terminal: &Terminal,
    ) -> anyhow::Result<Option<Explained>> {
        let (judge, location) = (self.judge, self.location);
        let Ok(compared) = judge.compare(self.entry, submission)? else {
            return Ok(None);
        };
        compared.withhold(Withheld::All)?;
        let until = (Instant::now() + self.time, self.time);
        let search = Search::new(self.space, SEED, &compared, location, terminal, until);
        let mut search = search.without_cases();
        while search.step()? {}
        Ok(Some(Explained {
            found: search.result(),
            is_untried: search.is_untried(),
            problem_fault: search.problem_fault(),
            unconfirmed: search.unconfirmed.take(),
        }))
    }
}
