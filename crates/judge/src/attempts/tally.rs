//! The attempts of one case, counted.

use std::collections::BTreeSet;

use grader_model::{Attempts, CaseResult, Share, Verdict};
use grader_problem::AttemptRule;

use super::draws::Evidence;
use super::rule::{Outcome, certain};
use super::second::{last_second, second};
use super::{Attempt, Print};

/// So often a case waits for another second: a program that prints `no solution` whenever it fails has the same output
/// often, however it draws its numbers.
const MOST_WAITS: u32 = 30;

/// What attempts came to so far.
#[derive(Debug)]
pub(super) struct Tally {
    rule: AttemptRule,
    earlier: Evidence,
    /// How often another second was waited for.
    waits: u32,
    prints: Vec<Print>,
    accepted: u32,
    failed: u32,
    /// Attempts near their time limit that were accepted, and that were not.
    near: (u32, u32),
    first_failure: Option<CaseResult>,
    slowest: Option<CaseResult>,
}

impl Tally {
    pub(super) fn new(rule: AttemptRule, earlier: Evidence) -> Self {
        Self {
            rule,
            earlier,
            waits: 0,
            prints: Vec::new(),
            accepted: 0,
            failed: 0,
            near: (0, 0),
            first_failure: None,
            slowest: None,
        }
    }

    /// Whether an attempt may be an earlier one once more: the same output, and the clock may have shown the same
    /// second. Then the second in which it is to be made again.
    pub(super) fn repeated(&mut self, attempt: &Attempt) -> Option<u64> {
        let new = attempt.print?;
        let is_again = |old: &Print| old.answer == new.answer && may_share_a_second(*old, new);
        if !self.prints.iter().any(is_again)
            || self.waits >= MOST_WAITS
            || self.earlier.and(&self.attempts(), false).is_fixed()
        {
            return None;
        }
        self.waits += 1;
        // Later than every second that it or an earlier one may have seen.
        Some(last_second(new.began) + 1)
    }

    pub(super) fn add(&mut self, attempt: Attempt) {
        let Attempt { result, print } = attempt;
        self.prints.extend(print);
        let accepted = result.verdict == Verdict::Accepted;
        if result.near_limit {
            let (passing, failing) = &mut self.near;
            *if accepted { passing } else { failing } += 1;
        }
        if accepted {
            self.accepted += 1;
            if self
                .slowest
                .as_ref()
                .is_none_or(|slowest| cpu(slowest) < cpu(&result))
            {
                self.slowest = Some(result);
            }
        } else {
            self.failed += 1;
            self.first_failure.get_or_insert(result);
        }
    }

    fn attempts(&self) -> Attempts {
        let answers: BTreeSet<_> = self.prints.iter().map(|print| print.answer).collect();
        let seconds = self.prints.iter().map(|print| second(print.began));
        let seconds: BTreeSet<_> = seconds.collect();
        Attempts {
            runs: self.rule.runs,
            at_least: self.rule.at_least,
            made: self.accepted + self.failed,
            accepted: self.accepted,
            outputs: answers.len() as u32,
            seconds: seconds.len() as u32,
        }
    }

    /// Whether attempts near the time limit, had they been a little faster or slower, might have changed the outcome.
    fn near_limit(&self) -> bool {
        let (passing, failing) = self.near;
        match self.rule.at_least {
            Some(at_least) if self.accepted >= at_least => self.accepted - passing < at_least,
            Some(at_least) => failing > 0 && self.accepted + failing >= at_least,
            None => passing + failing > 0,
        }
    }

    /// The result of the case; nothing while another attempt may change it.
    pub(super) fn result(&self) -> Option<CaseResult> {
        let attempts = self.attempts();
        let near_limit = self.near_limit();
        let outcome = certain(self.rule, self.accepted, self.failed)?;
        let (slowest, failure) = (self.slowest.clone(), self.first_failure.clone());
        let (mut result, share) = match outcome {
            Outcome::Met => (slowest?, None),
            Outcome::Missed => (failure?, None),
            Outcome::Counted => match (slowest, failure) {
                (Some(slowest), None) => (slowest, None),
                (None, failure) => (failure?, None),
                (Some(_), Some(failure)) => {
                    let share = attempts.accepted * 1000 / attempts.made;
                    let partial = CaseResult {
                        verdict: Verdict::PartiallyCorrect,
                        ..failure
                    };
                    (partial, Some(Share::from_thousandths(share)))
                }
            },
        };
        result.attempts = Some(attempts);
        result.near_limit = near_limit;
        result.share = share;
        Some(result)
    }
}

fn may_share_a_second(old: Print, new: Print) -> bool {
    second(old.began) <= last_second(new.began) && second(new.began) <= last_second(old.began)
}

fn cpu(result: &CaseResult) -> Option<std::time::Duration> {
    result.outcome.as_ref().map(|outcome| outcome.cpu.0)
}
