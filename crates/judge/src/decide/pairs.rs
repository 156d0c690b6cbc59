//! A time near a limit, decided by pairs of runs.
//!
//! Inside the [band](super::timing::BAND) around a threshold, reference and program alternate, alone on the machine.
//! Anything that slows both cancels out; anything that slows one can only add to its time, so the smallest time of each
//! counts. If the pairs disagree, the result is not settled and is listed for the instructor.
//!
//! The reference goes first in each pair, so that the program's limit follows from the machine's current speed.

#[cfg(test)]
mod tests;

use grader_model::{
    CaseResult, Confirmation, CpuTime, LanguageId, ReferenceCase, Text, Verdict, text,
};
use grader_problem::CaseRef;

use super::policy::{News, Next, Policy, failed};
use super::run::JudgedRun;
use super::timing::{Bounds, deciding_time};
use super::uncontended::{TimedRun, Uncontended};

/// One exclusive run.
#[derive(Clone, Debug, PartialEq)]
struct Pair {
    cpu: CpuTime,
    /// The reference's time right before; `None` if the bounds do not depend on it.
    reference: Option<CpuTime>,
    /// The bounds that follow from that time.
    bounds: Bounds,
    result: CaseResult,
}

/// The outcome of the pairs.
#[derive(Clone, Debug, PartialEq)]
struct Decision {
    /// The index of the pair with the program's smallest time.
    smallest: usize,
    /// The smallest time of the reference.
    reference: Option<CpuTime>,
    /// The bounds that follow from that.
    bounds: Bounds,
    /// Whether all pairs earn the same share.
    is_settled: bool,
}

/// Decides by pairs. `bounds` gives the bounds for a reference time. `None` without a pair.
fn decide(pairs: &[Pair], bounds: impl Fn(Option<CpuTime>) -> Bounds) -> Option<Decision> {
    let smallest = (0..pairs.len()).min_by_key(|&at| pairs[at].cpu)?;
    let reference = pairs.iter().filter_map(|pair| pair.reference).min();
    let share = |pair: &Pair| pair.bounds.share(pair.cpu);
    Some(Decision {
        smallest,
        reference,
        bounds: bounds(reference),
        is_settled: pairs.iter().all(|pair| share(pair) == share(&pairs[0])),
    })
}

/// Judges a case by one run, or by pairs of runs if its time is near a threshold.
pub(crate) struct Pairs<'a> {
    at: CaseRef<'a>,
    language: LanguageId,
    /// The current run; `None` until the times are known.
    timed: Option<TimedRun<'a>>,
    /// Set once a time is near a threshold.
    confirm: Option<Confirm>,
    done: Option<Box<CaseResult>>,
}

/// The pairs of runs.
struct Confirm {
    /// The result of the first run, and its bounds.
    first: CaseResult,
    first_bounds: Bounds,
    /// The case whose reference time the bounds depend on.
    follows: Option<ReferenceCase>,
    /// Whether the reference runs next.
    wants_reference: bool,
    /// The reference's time in the current pair.
    reference: Option<CpuTime>,
    made: Vec<Pair>,
    /// Number of pairs still to begin.
    left: u32,
}

impl<'a> Pairs<'a> {
    pub(crate) const fn new(at: CaseRef<'a>, language: LanguageId) -> Self {
        Self {
            at,
            language,
            timed: None,
            confirm: None,
            done: None,
        }
    }

    /// Records a run that counts.
    fn ran(&mut self, run: JudgedRun) {
        let Some(timed) = &mut self.timed else {
            return;
        };
        let Some(JudgedRun { mut result, .. }) = timed.ran(run) else {
            return;
        };
        let cpu = deciding_time(&result);
        if let Some(confirm) = &mut self.confirm {
            if result.verdict == Verdict::JudgeError {
                self.done = Some(Box::new(result));
                return;
            }
            // The time of a run that fails for another reason says nothing about the time of a right one.
            confirm.made.extend(cpu.map(|cpu| Pair {
                cpu,
                reference: confirm.reference,
                bounds: timed.bounds.clone(),
                result,
            }));
            return self.begin_pair();
        }
        result.near_limit = cpu.is_some_and(|cpu| timed.bounds.is_near(cpu));
        let left = self.at.problem.limits.confirm;
        if !result.near_limit || left == 0 {
            let bounds = timed.bounds.clone();
            return self.finish(result, &bounds);
        }
        self.confirm = Some(Confirm {
            first: result,
            first_bounds: timed.bounds.clone(),
            follows: timed.bounds.follows().cloned(),
            wants_reference: false,
            reference: None,
            made: Vec::new(),
            left,
        });
        self.begin_pair();
    }

    /// Begins the next pair, or concludes.
    fn begin_pair(&mut self) {
        let Some(confirm) = &mut self.confirm else {
            return;
        };
        if confirm.left == 0 {
            return self.conclude();
        }
        confirm.left -= 1;
        confirm.wants_reference = confirm.follows.is_some();
        if !confirm.wants_reference {
            self.begin_run(None);
        }
    }

    /// Begins the program's run of a pair.
    fn begin_run(&mut self, reference: Option<CpuTime>) {
        if let (Some(timed), Some(confirm)) = (&mut self.timed, &mut self.confirm) {
            confirm.wants_reference = false;
            confirm.reference = reference;
            timed.bounds = timed.timing.bounds(confirm.follows.as_ref(), reference);
            timed.run = Uncontended::new(self.at, timed.bounds.limits, true);
        }
    }

    /// Decides by the pairs.
    fn conclude(&mut self) {
        let (Some(timed), Some(confirm)) = (&self.timed, self.confirm.take()) else {
            return;
        };
        let follows = confirm.follows.as_ref();
        let bounds_by = |reference| timed.timing.bounds(follows, reference);
        let Some(decision) = decide(&confirm.made, bounds_by) else {
            return self.finish(confirm.first, &confirm.first_bounds);
        };
        let smallest = &confirm.made[decision.smallest];
        let (cpu, limits) = (smallest.cpu, decision.bounds.limits);
        let mut result = smallest.result.clone();
        if cpu > limits.cpu && result.verdict != Verdict::TimeLimit {
            // It kept to the limit of its own pair.
            result.verdict = Verdict::TimeLimit;
            result.evidence.clear();
            result.hints.clear();
        }
        if result.verdict == Verdict::TimeLimit || !decision.is_settled {
            result.message = Some(Box::new(near_message(cpu, limits.cpu, decision.is_settled)));
        }
        if follows == Some(&ReferenceCase::Own) {
            result.reference_time = decision.reference;
        }
        result.limits = Some(limits);
        result.near_limit = true;
        let made = confirm.made.iter();
        result.confirmation = Some(Box::new(Confirmation {
            runs: made.clone().map(|pair| pair.cpu).collect(),
            limits: made.clone().map(|pair| pair.bounds.limits.cpu).collect(),
            reference_times: made.filter_map(|pair| pair.reference).collect(),
            resolved: decision.is_settled,
        }));
        self.finish(result, &decision.bounds);
    }

    fn finish(&mut self, mut result: CaseResult, bounds: &Bounds) {
        if result.limits.is_some() {
            result.limit_origin.clone_from(&bounds.origin);
        }
        let timed = self.timed.as_ref();
        let result = timed.map(|it| it.timing.with_share(result, bounds));
        self.done = result.map(Box::new);
    }
}

impl<'a> Policy<'a> for Pairs<'a> {
    fn next(&mut self, _: u64) -> Next<'a> {
        if let Some(result) = self.done.take() {
            return Next::Done(result);
        }
        match (&self.timed, &self.confirm) {
            (None, _) => Next::Times(self.at),
            (Some(timed), Some(confirm)) if confirm.wants_reference => {
                let case = confirm.follows.as_ref();
                Next::Reference(case.map_or(self.at, |case| timed.timing.reference_case(case)))
            }
            (Some(timed), _) => timed.run.next(),
        }
    }

    fn told(&mut self, news: News) {
        match news {
            News::Times(times) => self.timed = Some(TimedRun::new(self.at, self.language, times)),
            News::Ran(run) => self.ran(*run),
            News::Reference(cpu) => self.begin_run(cpu),
            News::Failed(why) => self.done = Some(failed(self.at, why)),
        }
    }
}

/// `its fastest run, with nothing else running, used 2.05 s of CPU time; the limit is 2 s`, and whether that is
/// settled.
fn near_message(cpu: CpuTime, limit: CpuTime, is_settled: bool) -> Text {
    let unsettled = if is_settled {
        Text::default()
    } else {
        Text::new(
            "; not settled: the runs disagree",
            "；尚无定论：各次运行的结果不一致",
        )
    };
    text!(
        "its fastest run, with nothing else running, used {cpu} of CPU time; the limit is {limit}{unsettled}",
        "单独运行时最快的一次用了 {cpu} 的 CPU 时间；限制为 {limit}{unsettled}",
        unsettled
    )
}
