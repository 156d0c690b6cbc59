//! Whether a program draws random numbers at all.
//!
//! For one that does not, waiting for the next second is in vain: it prints the same then too. But that cannot be
//! told from a few runs. An honest program may print `no solution` whenever it fails, and one that fails in 40 % of
//! its attempts does so three times in a row in one case of sixteen. If it was called fixed then, and no longer waited
//! for, all that is left would be one failure counted many times. So it takes [`ENOUGH`] repetitions in other
//! seconds (0.4⁸ is below 0.1 %), over all cases of a submission, and none that printed anything else. Results are
//! never taken over from one attempt to the next: each is run and judged.

use grader_model::{Attempts, CaseResult, SubtaskResult};
use grader_problem::{Case, Problem};

use super::Before;

/// So often a program must have printed the same in another second than before.
pub(super) const ENOUGH: u32 = 7;

/// What is known of a submission from its earlier cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Evidence {
    /// How often it printed the same as before, in another second.
    pub(super) repetitions: u32,
    /// Whether it ever printed something else for the same case.
    pub(super) varies: bool,
}

impl Evidence {
    /// Whether it is no use to wait for another second.
    pub(super) fn is_fixed(self) -> bool {
        !self.varies && self.repetitions >= ENOUGH
    }

    /// What the attempts of a case say. An accepted answer that is the only right one says nothing.
    pub(super) fn and(self, attempts: &Attempts, one_answer: bool) -> Self {
        let says_something = !one_answer || attempts.accepted < attempts.made;
        Self {
            repetitions: if says_something && attempts.outputs == 1 {
                self.repetitions + attempts.seconds.saturating_sub(1)
            } else {
                self.repetitions
            },
            varies: self.varies || attempts.outputs > 1,
        }
    }
}

/// What the earlier cases of a submission say.
pub(super) fn evidence(problem: &Problem, before: Before<'_>) -> Evidence {
    let open = problem.subtasks.get(before.subtasks.len());
    let open = open.into_iter().flat_map(|subtask| &subtask.cases);
    judged(problem, before.subtasks)
        .chain(open.zip(before.cases))
        .filter_map(|(case, result)| Some((case, result.attempts.as_ref()?)))
        .fold(Evidence::default(), |evidence, (case, attempts)| {
            evidence.and(attempts, case.checker.needs_answer())
        })
}

/// The cases of a problem with their results.
pub(super) fn judged<'a>(
    problem: &'a Problem,
    results: &'a [SubtaskResult],
) -> impl Iterator<Item = (&'a Case, &'a CaseResult)> {
    problem
        .subtasks
        .iter()
        .zip(results)
        .flat_map(|(subtask, result)| subtask.cases.iter().zip(&result.cases))
}
