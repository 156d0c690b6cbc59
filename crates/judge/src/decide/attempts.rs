//! Cases of randomised programs: each is run several times and judged by how often it is accepted.
//!
//! Many programs seed their generator from the clock in whole seconds (`srand(time(NULL))`). Two runs of such a program
//! in the same second are the same attempt and must not count twice. So an attempt whose output equals an earlier one's
//! is repeated in the next second if both may have seen the same second.
//!
//! Waiting is useless for a program that uses no random numbers. But a few runs do not prove that: an honest program
//! may print `no solution` whenever it fails, and one that fails in 40% of its attempts does so three times in a row
//! in one case of sixteen. So we stop waiting only after [`REPETITIONS`] identical outputs in different seconds (0.4⁸
//! is below 0.1%), counted over all cases of a submission, without a different output for the same case.
//!
//! The attempts at all cases are [`Interleaved`], and a job that waits gives its worker to another job.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use grader_model::{
    Attempts, CaseName, CaseResult, Flag, LanguageId, Share, SubtaskResult, Text, Verdict, text,
};
use grader_problem::{AttemptRule, CaseKey, CaseRef, Problem};

use super::flags::{self, plain};
use super::policy::{News, Next, Policy};
use super::run::{JudgedRun, Printed};
use super::uncontended::TimedRun;

/// How often a program must repeat its output in a different second before it counts as deterministic.
const REPETITIONS: u32 = 7;
/// Limit on how often a case waits for another second: a randomised program that prints `no solution` whenever it fails
/// often repeats its output.
const MAX_WAITS: u32 = 30;
/// A program may first read the clock this much later than we do: the sandbox, and perhaps a language VM, starts first.
const GRACE: Duration = Duration::from_millis(100);
/// Accepted attempts of a case that are needed to compare their outputs.
const COMPARED: u32 = 3;
/// Cases in which the attempts must have begun in different seconds.
const COMPARED_CASES: usize = 2;

/// A case that is judged by attempts, with its rule.
#[derive(Clone, Copy)]
pub(crate) struct Ruled<'a> {
    pub(crate) at: CaseRef<'a>,
    pub(crate) rule: AttemptRule,
}

/// The attempts at one case.
#[derive(Debug)]
struct Plan {
    count: AttemptCount,
    /// If there is only one right answer, equal outputs prove nothing.
    has_many_answers: bool,
    /// The second in which to repeat the last attempt.
    again: Option<u64>,
    done: Option<CaseResult>,
}

impl Plan {
    fn new(Ruled { at, rule }: Ruled<'_>) -> Self {
        Self {
            count: AttemptCount::new(rule),
            has_many_answers: !at.case.checker.needs_answer(),
            again: None,
            done: None,
        }
    }

    /// Records an attempt. If the program is known to be deterministic, the attempt is not repeated.
    fn made(&mut self, run: JudgedRun, is_fixed: bool) {
        if run.result.verdict == Verdict::JudgeError {
            self.done = Some(run.result);
            return;
        }
        if self.again.take().is_none() && !(is_fixed && self.has_many_answers) {
            self.again = self.count.repeated(&run);
            if self.again.is_some() {
                return;
            }
        }
        self.count.add(run);
        self.done = self.count.result();
    }
}

/// The attempts at all cases of one submission.
///
/// While a case waits for another second, the next case that need not wait is attempted. So for a program that seeds
/// its generator from the clock, all cases together wait only as long as one. Attempts at later cases are kept until
/// those are judged.
#[derive(Debug, Default)]
pub(crate) struct Interleaved(BTreeMap<CaseKey, Plan>);

impl Interleaved {
    fn plan(&mut self, case: Ruled<'_>) -> &mut Plan {
        let plan = self.0.entry(case.at.key());
        plan.or_insert_with(|| Plan::new(case))
    }

    /// Whether the program has repeated its output often enough to count as deterministic.
    fn is_fixed(&self) -> bool {
        let plans = self.0.values().filter(|plan| plan.has_many_answers);
        repetitions(plans.map(|plan| plan.count.attempts())).is_some_and(|it| it >= REPETITIONS)
    }
}

/// Judges a case by attempts. While it waits, attempts are made at later cases.
pub(crate) struct AttemptsAt<'a, 's> {
    all: &'s mut Interleaved,
    case: Ruled<'a>,
    later: Vec<Ruled<'a>>,
    language: LanguageId,
    /// The current attempt: its case, and its run once the case's times are known.
    under_way: Option<(Ruled<'a>, Option<Box<TimedRun<'a>>>)>,
}

impl<'a, 's> AttemptsAt<'a, 's> {
    pub(crate) const fn new(
        all: &'s mut Interleaved,
        case: Ruled<'a>,
        later: Vec<Ruled<'a>>,
        language: LanguageId,
    ) -> Self {
        Self {
            all,
            case,
            later,
            language,
            under_way: None,
        }
    }

    /// The attempt that is due first, and when: at the first case that need not wait, else at the one with the shortest
    /// wait.
    fn due(&mut self, now: u64) -> (u64, Ruled<'a>) {
        let again = self.all.plan(self.case).again;
        let mut due = (again.unwrap_or_default(), self.case);
        for &case in &self.later {
            let plan = self.all.plan(case);
            let second = plan.again.unwrap_or_default();
            if plan.done.is_none() && second.max(now) < due.0.max(now) {
                due = (second, case);
            }
        }
        due
    }
}

impl<'a> Policy<'a> for AttemptsAt<'a, '_> {
    fn next(&mut self, now: u64) -> Next<'a> {
        match &self.under_way {
            Some((case, None)) => return Next::Times(case.at),
            Some((_, Some(timed))) => return timed.run.next(),
            None => {}
        }
        if let Some(result) = &self.all.plan(self.case).done {
            return Next::Done(Box::new(result.clone()));
        }
        let (second, case) = self.due(now);
        if second > now {
            return Next::Wait(second);
        }
        self.under_way = Some((case, None));
        Next::Times(case.at)
    }

    fn told(&mut self, news: News) {
        let Some((case, run)) = &mut self.under_way else {
            return;
        };
        let (case, at) = (*case, case.at);
        let made = match (news, run) {
            (News::Times(times), run) => {
                *run = Some(Box::new(TimedRun::new(at, self.language, times)));
                return;
            }
            (News::Ran(ran), Some(run)) => run.ran(*ran),
            (News::Failed(why), _) => Some(JudgedRun::not_started(
                &at.case.name,
                Verdict::JudgeError,
                why,
            )),
            (News::Ran(_) | News::Reference(_), _) => None,
        };
        if let Some(made) = made {
            self.under_way = None;
            let is_fixed = self.all.is_fixed();
            self.all.plan(case).made(made, is_fixed);
        }
    }
}

/// Whether the outcome is certain: no further attempt can change it, or all were made.
///
/// Stopping early makes no difference to the student: the outcome is the same as with all attempts.
fn is_certain(rule: AttemptRule, accepted: u32, failed: u32) -> bool {
    match rule.at_least {
        Some(at_least) => accepted >= at_least || failed > rule.runs.saturating_sub(at_least),
        None => accepted + failed >= rule.runs,
    }
}

/// How often a program repeated its output for a case in a different second; `None` if its output ever differed.
fn repetitions(mut attempts: impl Iterator<Item = Attempts>) -> Option<u32> {
    attempts.try_fold(0, |sum, of| {
        (of.outputs <= 1).then(|| sum + of.seconds.saturating_sub(1))
    })
}

/// Running totals of the attempts at a case.
#[derive(Debug)]
struct AttemptCount {
    rule: AttemptRule,
    /// How often the case waited for another second.
    waits: u32,
    printed: Vec<Printed>,
    accepted: u32,
    failed: u32,
    /// Whether an attempt near its time limit was not accepted.
    near_failure: bool,
    first_failure: Option<CaseResult>,
    slowest: Option<CaseResult>,
}

impl AttemptCount {
    const fn new(rule: AttemptRule) -> Self {
        Self {
            rule,
            waits: 0,
            printed: Vec::new(),
            accepted: 0,
            failed: 0,
            near_failure: false,
            first_failure: None,
            slowest: None,
        }
    }

    /// If an attempt may duplicate an earlier one (same output, possibly the same second), the second in which to
    /// repeat it.
    fn repeated(&mut self, run: &JudgedRun) -> Option<u64> {
        let new = run.printed?;
        let is_again = |old: &Printed| {
            old.answer == new.answer
                && second(old.began) <= last_second(new.began)
                && second(new.began) <= last_second(old.began)
        };
        if !self.printed.iter().any(is_again) || self.waits >= MAX_WAITS {
            return None;
        }
        self.waits += 1;
        // Later than any second that this or an earlier attempt may have seen.
        Some(last_second(new.began) + 1)
    }

    fn add(&mut self, run: JudgedRun) {
        let result = run.result;
        self.printed.extend(run.printed);
        if result.verdict == Verdict::Accepted {
            self.accepted += 1;
            if self
                .slowest
                .as_ref()
                .is_none_or(|it| cpu(it) < cpu(&result))
            {
                self.slowest = Some(result);
            }
        } else {
            self.failed += 1;
            self.near_failure |= result.near_limit;
            self.first_failure.get_or_insert(result);
        }
    }

    fn attempts(&self) -> Attempts {
        let printed = self.printed.iter();
        let answers: BTreeSet<_> = printed.clone().map(|it| it.answer).collect();
        let seconds: BTreeSet<_> = printed.map(|it| second(it.began)).collect();
        Attempts {
            runs: self.rule.runs,
            at_least: self.rule.at_least,
            made: self.accepted + self.failed,
            accepted: self.accepted,
            outputs: answers.len() as u32,
            seconds: seconds.len() as u32,
        }
    }

    /// The result of the case; `None` while another attempt may change it.
    fn result(&self) -> Option<CaseResult> {
        if !is_certain(self.rule, self.accepted, self.failed) {
            return None;
        }
        let attempts = self.attempts();
        let is_met = self.accepted >= self.rule.at_least.unwrap_or(self.rule.runs);
        let mut result = if is_met {
            self.slowest.clone()?
        } else {
            self.first_failure.clone()?
        };
        result.share = None;
        if self.rule.at_least.is_none() && !is_met && self.accepted > 0 {
            result.verdict = Verdict::PartiallyCorrect;
            let thousandths = attempts.accepted * 1000 / attempts.made;
            result.share = Some(Share::of(thousandths.into(), 1000.0));
        }
        result.attempts = Some(attempts);
        // Had it been slightly faster, the outcome might differ.
        result.near_limit = self.near_failure && !is_met;
        Some(result)
    }
}

fn cpu(result: &CaseResult) -> Option<Duration> {
    result.outcome.as_ref().map(|outcome| outcome.cpu.0)
}

/// The second of a time, as `time(NULL)` gives it; 0 before 1970.
pub(crate) fn second(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// The latest second that a program started at this time may read from the clock.
fn last_second(began: SystemTime) -> u64 {
    second(began + GRACE)
}

/// The flag for a submission that repeated its output in all attempts at each case.
///
/// Only cases with many right answers count: if there is one, everybody prints it.
pub(crate) fn same_answer(problem: &Problem, results: &[SubtaskResult]) -> Option<Flag> {
    let results = results.iter().flat_map(|result| &*result.cases);
    let cases = problem.subtasks.iter().flat_map(|subtask| &subtask.cases);
    let cases: Vec<(&CaseName, Attempts)> = cases
        .zip(results)
        .filter(|(case, _)| !case.checker.needs_answer())
        .filter_map(|(case, result)| Some((&case.name, result.attempts?)))
        .collect();
    flag(&cases)
}

fn flag(cases: &[(&CaseName, Attempts)]) -> Option<Flag> {
    let mut compared = cases.to_vec();
    compared.retain(|(_, attempts)| attempts.accepted >= COMPARED);
    if compared.iter().any(|(_, attempts)| attempts.outputs != 1) {
        return None;
    }
    compared.retain(|(_, attempts)| attempts.seconds >= 2);
    let evidence = |(name, attempts): &(&CaseName, Attempts)| {
        let Attempts { made, seconds, .. } = attempts;
        plain(text!(
            "{name}: {made} attempts, in {seconds} different seconds, 1 output",
            "{name}：在 {seconds} 个不同的秒内运行了 {made} 次，只有 1 种输出"
        ))
    };
    let message = Text::new(
        "the same output every time it was run: probably a closed form or a fixed random seed",
        "每次运行的输出完全相同，很可能是用公式直接构造出解，或者固定了随机种子",
    );
    (compared.len() >= COMPARED_CASES).then(|| {
        flags::flag(
            "same-answer",
            message,
            compared.iter().map(evidence).collect(),
        )
    })
}
