//! Searches for inputs on which programs fail, as commands ask for them.

use std::time::Duration;

use grader_judge::Fault;
use grader_problem::{Problem, SearchSpace};
use grader_search::SearchError;
use grader_session::{Failure, Location, SessionError};

use crate::terminal::Terminal;

/// How long a search takes, in seconds, unless `--time` says it.
pub(crate) const DEFAULT_SECONDS: u64 = 10;

/// The longest search.
pub(crate) const MAX_SECONDS: u64 = 86_400;

/// A search that explains why a program fails.
#[derive(Debug, clap::Args)]
pub(crate) struct WhyArgs {
    /// For a failing program, search for another input on which it fails.
    ///
    /// Students see this input and the right answer; it is in none of the cases. Programs that merely exceed a time limit are skipped.
    #[arg(long, conflicts_with = "case", hide_short_help = true)]
    why: bool,
    /// With `--why`: seconds to search for each program.
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_SECONDS, requires = "why", value_parser = seconds, hide_short_help = true)]
    time: u64,
}

impl WhyArgs {
    /// How long to search, if at all.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.why.then(|| Duration::from_secs(self.time))
    }
}

/// Reads how long a search may take: `60` or `60s`.
pub(crate) fn seconds(text: &str) -> Result<u64, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse();
    let allowed = number.ok().filter(|it| (1..=MAX_SECONDS).contains(it));
    allowed.ok_or_else(|| "expected a number of seconds, 1 to 86400".to_owned())
}

/// Where the inputs of a problem come from.
///
/// # Errors
/// If there are none, or its file has mistakes.
pub(crate) fn space(problem: &Problem, location: &Location) -> anyhow::Result<SearchSpace> {
    let space = grader_search::space(problem, location.library.as_ref());
    space.map_err(failure)
}

/// The same; if there are none, says why.
pub(crate) fn space_or_note(
    problem: &Problem,
    location: &Location,
    terminal: &Terminal,
) -> Option<SearchSpace> {
    let note = |error: &anyhow::Error| {
        terminal.note(format!("not searched: {error}"), format!("未搜索：{error}"));
    };
    space(problem, location).inspect_err(note).ok()
}

/// An error of a search, for whoever gave the command.
pub(crate) fn failure(error: SearchError) -> anyhow::Error {
    match error {
        SearchError::Mistakes(mistakes) => SessionError::Mistakes(mistakes).into(),
        SearchError::Refused(text) => Failure::mistake(text).into(),
        SearchError::Fault(fault) => fault.into(),
        SearchError::Unwritable(error) => error.into(),
        error @ (SearchError::Unreadable(..) | SearchError::Unshown(_)) => error.into(),
    }
}

/// Whether somebody asked to stop.
pub(crate) fn is_stop(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(Fault::Stopped))
}
