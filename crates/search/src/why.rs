//! Inputs on which programs fail and that their authors may see.

use std::time::Duration;

use grader_intake::Submission;
use grader_judge::{Judge, Withheld};
use grader_model::{CaseResult, Text};
use grader_problem::{Entry, Library, SearchSpace};

use crate::{Search, SearchError, SearchTime};

/// From which the order of the inputs follows.
const SEED: u64 = 1;

/// Searches for inputs on which programs for one problem fail.
pub struct Explainer<'a> {
    /// Judges the programs.
    pub judge: &'a Judge,
    /// The problem.
    pub entry: &'a Entry,
    /// Where its inputs come from.
    pub space: &'a SearchSpace,
    /// The files of the problem.
    pub library: &'a dyn Library,
    /// How long it searches.
    pub time: Duration,
}

/// What a search for inputs that a program's author may see found.
pub struct Explained {
    /// How the program fails on an input that no case has.
    pub found: Option<CaseResult>,
    /// Whether no input could be tried before the time was over.
    pub is_untried: bool,
    /// What is wrong with the problem itself.
    pub problem_fault: Option<Text>,
    /// An input on which the program failed, without enough time to repeat that.
    pub unconfirmed: Option<String>,
}

impl Explainer<'_> {
    /// Searches for an input that no case has; `None` if the program does not build.
    ///
    /// # Errors
    /// Our own failure, or a request to stop.
    pub fn explain(&self, submission: &Submission) -> Result<Option<Explained>, SearchError> {
        let Ok(compared) = self.judge.compare(self.entry, submission)? else {
            return Ok(None);
        };
        compared.withhold(Withheld::All)?;
        let time = SearchTime::of(self.time);
        let search = Search::new(self.space, SEED, &compared, self.library, time);
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
