//! A case of a program that draws random numbers: run several times, judged by how often it is accepted.
//!
//! Many programs seed their generator from the clock in whole seconds (`srand(time(NULL))`). Two runs of one that begin
//! in the same second are one attempt made twice, and must not count as two. So an attempt that prints the same as an
//! earlier one, if both may have seen the same second, is made again in the next second.
//!
//! For a program that draws no numbers at all, waiting is in vain. But a few runs cannot tell: an honest program may
//! print `no solution` whenever it fails, and one that fails in 40 % of its attempts does so three times in a row in one
//! case of sixteen. So it takes [`REPETITIONS`] in other seconds (0.4⁸ is below 0.1 %), over all cases of a submission,
//! and no other output for the same case, before nobody waits any more.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use grader_model::{
    Attempts, CaseName, CaseResult, Flag, FlagEvidence, Share, SubtaskResult, Text, Verdict,
};
use grader_problem::{AttemptRule, Case, Problem};

use crate::case::{CaseJob, CaseRun, JudgedBy, Printed};
use crate::confirm::run_uncontended;
use crate::{Fault, Stop};

/// So often must a program have printed the same in another second than before.
const REPETITIONS: u32 = 7;
/// So often a case waits for another second: a program that prints `no solution` whenever it fails has the same output
/// often, however it draws its numbers.
const MAX_WAITS: u32 = 30;
/// So long after we took the time a program may look at the clock first: a sandbox is set up, and a virtual machine
/// begins.
const GRACE: Duration = Duration::from_millis(100);
/// How often a waiting job looks for a request to stop.
const POLL: Duration = Duration::from_millis(50);
/// The longest wait, which is only reached if the clock is set back meanwhile.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// So many accepted attempts of a case are enough to compare their outputs.
const COMPARED: u32 = 3;
/// In so many cases they must have begun in different seconds.
const COMPARED_CASES: usize = 2;

/// Runs a case as often as the rule asks, and judges it. `subtasks` and `cases` are the results before it.
pub(crate) fn judge_case(
    job: &CaseJob<'_>,
    rule: AttemptRule,
    subtasks: &[SubtaskResult],
    cases: &[CaseResult],
) -> Result<CaseResult, Fault> {
    let CaseJob {
        worker,
        references,
        at,
        ..
    } = *job;
    let answer = references.answer(worker, at)?;
    let times = references.times(worker, at, job.language())?;
    let by = JudgedBy {
        limits: at.problem.limits.resolve(job.language(), times.as_ref()),
        answer: answer.as_deref(),
        reference_time: times.map(|times| times.own),
    };
    let tally = Tally::new(rule, repetitions_before(at.problem, subtasks, cases));
    let mut result = until_certain(tally, &SystemClock, job.judge().stop(), || {
        run_uncontended(job, None, by)
    })?;
    if result.limits.is_some() {
        result.limit_origin = at.problem.limits.origin(job.language(), times.as_ref());
    }
    Ok(result)
}

/// Makes attempts until the outcome is certain.
fn until_certain(
    mut tally: Tally,
    clock: &dyn Clock,
    stop: &Stop,
    mut attempt: impl FnMut() -> Result<CaseRun, Fault>,
) -> Result<CaseResult, Fault> {
    let mut next = || {
        if stop.is_requested() {
            return Err(Fault::Stopped);
        }
        attempt()
    };
    loop {
        if let Some(result) = tally.result() {
            return Ok(result);
        }
        let mut made = next()?;
        if let Some(second) = tally.repeated(&made) {
            wait_for(second, clock, stop)?;
            made = next()?;
        }
        if made.result.verdict == Verdict::JudgeError {
            return Ok(made.result);
        }
        tally.add(made);
    }
}

/// What attempts come to, once that is certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// As many were accepted as must be.
    Met,
    /// So many failed that what is left cannot make up for it.
    Missed,
    /// All were made, and the points follow the rate.
    Counted,
}

/// What the attempts come to, if no further attempt can change it.
///
/// Stopping there changes nothing for the student: the outcome is that of making all attempts.
fn certain(rule: AttemptRule, accepted: u32, failed: u32) -> Option<Outcome> {
    match rule.at_least {
        Some(at_least) if accepted >= at_least => Some(Outcome::Met),
        Some(at_least) if failed > rule.runs.saturating_sub(at_least) => Some(Outcome::Missed),
        None if accepted + failed >= rule.runs => Some(Outcome::Counted),
        Some(_) | None => None,
    }
}

/// What attempts came to so far.
#[derive(Debug)]
struct Tally {
    rule: AttemptRule,
    earlier: Repetitions,
    /// How often another second was waited for.
    waits: u32,
    printed: Vec<Printed>,
    accepted: u32,
    failed: u32,
    /// Attempts near their time limit that were accepted, and that were not.
    near: (u32, u32),
    first_failure: Option<CaseResult>,
    slowest: Option<CaseResult>,
}

impl Tally {
    fn new(rule: AttemptRule, earlier: Repetitions) -> Self {
        Self {
            rule,
            earlier,
            waits: 0,
            printed: Vec::new(),
            accepted: 0,
            failed: 0,
            near: (0, 0),
            first_failure: None,
            slowest: None,
        }
    }

    /// If an attempt may be an earlier one once more (the same output, and perhaps the same second), the second in which
    /// it is to be made again.
    fn repeated(&mut self, run: &CaseRun) -> Option<u64> {
        let new = run.printed?;
        let is_again = |old: &Printed| old.answer == new.answer && may_share_a_second(*old, new);
        if !self.printed.iter().any(is_again)
            || self.waits >= MAX_WAITS
            || self.earlier.and(&self.attempts(), false).is_fixed()
        {
            return None;
        }
        self.waits += 1;
        // Later than every second that it or an earlier one may have seen.
        Some(last_second(new.began) + 1)
    }

    fn add(&mut self, run: CaseRun) {
        let CaseRun {
            result, printed, ..
        } = run;
        self.printed.extend(printed);
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
        let answers: BTreeSet<_> = self.printed.iter().map(|it| it.answer).collect();
        let seconds = self.printed.iter().map(|it| second(it.began));
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

    /// The result of the case; `None` while another attempt may change it.
    fn result(&self) -> Option<CaseResult> {
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

fn may_share_a_second(old: Printed, new: Printed) -> bool {
    second(old.began) <= last_second(new.began) && second(new.began) <= last_second(old.began)
}

fn cpu(result: &CaseResult) -> Option<Duration> {
    result.outcome.as_ref().map(|outcome| outcome.cpu.0)
}

/// The wall clock, and waiting for it.
trait Clock {
    /// The time.
    fn now(&self) -> SystemTime;
    /// Waits so long.
    fn sleep(&self, time: Duration);
}

/// The machine's.
struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// The second of a time, as `time(NULL)` gives it; 0 before 1970.
fn second(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// The last second that a program begun then may take for the present one.
fn last_second(began: SystemTime) -> u64 {
    second(began + GRACE)
}

/// Waits until a second begins. Nothing is locked meanwhile.
fn wait_for(begins: u64, clock: &dyn Clock, stop: &Stop) -> Result<(), Fault> {
    let mut waited = Duration::ZERO;
    while second(clock.now()) < begins && waited < MAX_WAIT {
        if stop.is_requested() {
            return Err(Fault::Stopped);
        }
        let left = (UNIX_EPOCH + Duration::from_secs(begins))
            .duration_since(clock.now())
            .unwrap_or(Duration::ZERO);
        let slice = left.clamp(Duration::from_millis(1), POLL);
        clock.sleep(slice);
        waited += slice;
    }
    Ok(())
}

/// How often a submission printed the same in its earlier cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Repetitions {
    /// How often it printed the same as before, in another second.
    repetitions: u32,
    /// Whether it ever printed something else for the same case.
    varies: bool,
}

impl Repetitions {
    /// Whether it is no use to wait for another second.
    fn is_fixed(self) -> bool {
        !self.varies && self.repetitions >= REPETITIONS
    }

    /// What the attempts of a case say. An accepted answer that is the only right one says nothing.
    fn and(self, attempts: &Attempts, one_answer: bool) -> Self {
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

/// What the cases before this one say: of the subtasks that are done, and of the open one.
fn repetitions_before(
    problem: &Problem,
    subtasks: &[SubtaskResult],
    cases: &[CaseResult],
) -> Repetitions {
    let open = problem.subtasks.get(subtasks.len());
    let open = open.into_iter().flat_map(|subtask| &subtask.cases);
    judged(problem, subtasks)
        .chain(open.zip(cases))
        .filter_map(|(case, result)| Some((case, result.attempts.as_ref()?)))
        .fold(Repetitions::default(), |before, (case, attempts)| {
            before.and(attempts, case.checker.needs_answer())
        })
}

/// The cases of a problem with their results.
fn judged<'a>(
    problem: &'a Problem,
    results: &'a [SubtaskResult],
) -> impl Iterator<Item = (&'a Case, &'a CaseResult)> {
    problem
        .subtasks
        .iter()
        .zip(results)
        .flat_map(|(subtask, result)| subtask.cases.iter().zip(&result.cases))
}

/// The flag for a submission whose attempts all printed the same, case by case.
///
/// Only cases with many right answers count: if there is one, everybody prints it.
pub(crate) fn same_answer(problem: &Problem, results: &[SubtaskResult]) -> Option<Flag> {
    let cases: Vec<(&CaseName, &Attempts)> = judged(problem, results)
        .filter(|(case, _)| !case.checker.needs_answer())
        .filter_map(|(case, result)| Some((&case.name, result.attempts.as_ref()?)))
        .collect();
    flag(&cases)
}

fn flag(cases: &[(&CaseName, &Attempts)]) -> Option<Flag> {
    let compared: Vec<_> = cases
        .iter()
        .filter(|(_, attempts)| attempts.accepted >= COMPARED)
        .collect();
    let apart = compared.iter().filter(|(_, it)| it.seconds >= 2).count();
    if apart < COMPARED_CASES || compared.iter().any(|(_, it)| it.outputs != 1) {
        return None;
    }
    let evidence = compared
        .iter()
        .map(|(name, attempts)| evidence(name, attempts))
        .collect();
    Some(Flag {
        code: "same-answer".to_owned(),
        message: Text::new(
            "the same output in every attempt: likely a closed form or a fixed seed",
            "每次运行的输出完全相同：很可能是构造公式，或固定了随机种子",
        ),
        evidence,
    })
}

fn evidence(name: &CaseName, attempts: &Attempts) -> FlagEvidence {
    let Attempts { made, seconds, .. } = attempts;
    let (en, zh) = if *seconds > 1 {
        (
            format!("in {seconds} different seconds"),
            format!("分布在 {seconds} 个不同的秒内"),
        )
    } else {
        (
            "all in the same second".to_owned(),
            "都在同一秒内".to_owned(),
        )
    };
    FlagEvidence {
        message: Text::new(
            format!("{name}: {made} attempts, {en}, 1 output"),
            format!("{name}：运行 {made} 次，{zh}，只有 1 种输出"),
        ),
        place: None,
        excerpt: None,
    }
}
