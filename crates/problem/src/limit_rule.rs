//! Limits of runs, and the derivation of a CPU time limit from the reference's times.

use std::collections::BTreeMap;
use std::time::Duration;

use grader_model::{
    Bytes, CpuTime, LanguageId, LimitOrigin, Limits, NamedCase, ReferenceCase, WallTime,
};

/// Limits of runs, before language and reference times are known.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitRule {
    /// CPU time.
    pub time: TimeRule,
    /// Wall time. If `None`, three times the CPU time plus two seconds.
    pub wall: Option<WallTime>,
    /// Memory.
    pub memory: Bytes,
    /// Output size.
    pub output: Bytes,
    /// Number of processes.
    pub processes: u32,
    /// CPU time of building a submission.
    pub compile_time: CpuTime,
    /// Added to a limit that is a multiple of the reference's time.
    pub slack: CpuTime,
    /// How many times a result near a limit is confirmed by another run, alone; 0 to 10.
    pub confirm: u32,
    /// Limits of each language.
    pub languages: BTreeMap<LanguageId, LanguageLimits>,
}

/// A limit of CPU time.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeRule {
    /// The same on any machine.
    Absolute(CpuTime),
    /// A multiple of the reference's CPU time on this machine.
    Reference(ReferenceLimit),
}

/// A CPU time limit that is a multiple of the reference's time.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceLimit {
    /// The multiple.
    pub factor: f64,
    /// The case in which the reference is timed, if that is not the limited case itself.
    pub case: Option<NamedCase>,
    /// The limit is no smaller than this.
    pub at_least: Option<CaseMultiple>,
    /// The limit is no larger than this in languages with a factor above 1.
    pub at_most: Option<CaseMultiple>,
    /// Whether the reference is timed in its slowest case.
    pub slowest: bool,
    /// The limit is rounded up to a multiple of this.
    pub round_up: Option<CpuTime>,
}

impl ReferenceLimit {
    /// The cases that it names.
    pub fn named(&self) -> impl Iterator<Item = &NamedCase> {
        let bounds = self.at_least.iter().chain(&self.at_most);
        self.case.iter().chain(bounds.map(|bound| &bound.case))
    }
}

/// A multiple of the reference's CPU time in a named case.
#[derive(Clone, Debug, PartialEq)]
pub struct CaseMultiple {
    /// The multiple.
    pub factor: f64,
    /// The case.
    pub case: NamedCase,
}

/// The CPU times that limit a run, measured on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReferenceTimes {
    /// The reference's time in [`ReferenceLimit::case`], in its slowest case, or in the case itself.
    pub own: CpuTime,
    /// The reference's slowest case, if that sets the limit.
    pub slowest: Option<NamedCase>,
    /// The reference's time in the case that `at-least` names.
    pub at_least: Option<CpuTime>,
    /// The reference's time in the case that `at-most` names.
    pub at_most: Option<CpuTime>,
    /// A minimal program's time in the submission's language.
    pub start_up: CpuTime,
}

/// Limits of one language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LanguageLimits {
    /// Factor of the time limit.
    pub time_factor: f64,
    /// Memory, if it differs from [`LimitRule::memory`].
    pub memory: Option<Bytes>,
}

impl Default for LanguageLimits {
    fn default() -> Self {
        Self {
            time_factor: 1.0,
            memory: None,
        }
    }
}

/// Rounds a limit up to a multiple of `step`, as slack. Start-up time is not added: rounding leaves room for it.
fn rounded_up(mut limit: LimitOrigin, step: CpuTime) -> LimitOrigin {
    if let LimitOrigin::Reference {
        start_up, slack, ..
    } = &mut limit
    {
        (*start_up, *slack) = (CpuTime::default(), CpuTime::default());
    }
    let exact = limit.limit().0;
    let steps = exact.as_nanos().div_ceil(step.0.as_nanos()).max(1) as u32;
    if let LimitOrigin::Reference { slack, .. } = &mut limit {
        slack.0 = (step.0 * steps).saturating_sub(exact);
    }
    limit
}

impl LimitRule {
    /// The limits of a language.
    pub fn for_language(&self, language: LanguageId) -> LanguageLimits {
        self.languages.get(&language).copied().unwrap_or_default()
    }

    /// Default slack. If the reference takes a millisecond, process start-up varies by more than the multiple of its
    /// time.
    pub const SLACK: CpuTime = CpuTime::from_millis(50);

    /// Whether the reference must be measured to know the limit.
    pub const fn needs_reference_time(&self) -> bool {
        matches!(self.time, TimeRule::Reference(_))
    }

    /// The multiple that limits a run; `case` is the case's own limit. `None` if the limit is the same on any machine.
    pub fn reference<'a>(&'a self, case: Option<&'a ReferenceLimit>) -> Option<&'a ReferenceLimit> {
        match (case, &self.time) {
            (Some(limit), _) | (None, TimeRule::Reference(limit)) => Some(limit),
            (None, TimeRule::Absolute(_)) => None,
        }
    }

    /// Derivation of the CPU time limit of a run in `language`; `case` is the case's own limit. `None` if the limit is
    /// a multiple of a reference time that was not measured.
    pub fn origin(
        &self,
        case: Option<&ReferenceLimit>,
        language: LanguageId,
        times: Option<&ReferenceTimes>,
    ) -> Option<LimitOrigin> {
        let language_factor = self.for_language(language).time_factor;
        let rule = match (case, &self.time) {
            (Some(rule), _) | (None, TimeRule::Reference(rule)) => rule,
            (None, &TimeRule::Absolute(seconds)) => {
                return Some(LimitOrigin::Seconds {
                    seconds,
                    language_factor,
                });
            }
        };
        let times = times?;
        let multiple = |factor, reference, case| LimitOrigin::Reference {
            factor,
            reference,
            case,
            language_factor,
            start_up: times.start_up,
            slack: self.slack,
        };
        let case = rule.case.clone().or_else(|| times.slowest.clone());
        let case = case.map_or(ReferenceCase::Own, ReferenceCase::Other);
        let own = multiple(rule.factor, times.own, case);
        let lower = rule.at_least.as_ref().zip(times.at_least);
        let lower = lower.map(|(bound, time)| {
            multiple(
                bound.factor,
                time,
                ReferenceCase::AtLeast(bound.case.clone()),
            )
        });
        let upper = rule.at_most.as_ref().zip(times.at_most);
        let upper = upper.filter(|_| language_factor > 1.0);
        let upper = upper.map(|(bound, reference)| LimitOrigin::Reference {
            factor: bound.factor,
            reference,
            case: ReferenceCase::AtMost(bound.case.clone()),
            language_factor: 1.0,
            start_up: CpuTime::default(),
            slack: self.slack,
        });
        let limit = match lower {
            Some(lower) if lower.limit() > own.limit() => lower,
            _ => own,
        };
        let limit = match upper {
            Some(upper) if upper.limit() < limit.limit() => upper,
            _ => limit,
        };
        Some(match rule.round_up {
            Some(step) => rounded_up(limit, step),
            None => limit,
        })
    }

    /// The limits of a run in `language`; `case` is the case's own limit.
    ///
    /// If the limit is a multiple of a time that was not measured, it is ten minutes, so that no submission fails
    /// because of that.
    pub fn resolve(
        &self,
        case: Option<&ReferenceLimit>,
        language: LanguageId,
        times: Option<&ReferenceTimes>,
    ) -> Limits {
        const UNKNOWN: CpuTime = CpuTime(Duration::from_secs(600));
        let special = self.for_language(language);
        let cpu = self
            .origin(case, language, times)
            .map_or(UNKNOWN, |origin| origin.limit());
        // Long enough to use up the CPU time, including the measured band above the limit.
        let wall = self.wall.map_or_else(
            || WallTime(cpu.0 * 3 + Duration::from_secs(2)),
            |wall| wall.max(WallTime(cpu.0.mul_f64(1.5))),
        );
        Limits {
            cpu,
            wall,
            memory: special.memory.unwrap_or(self.memory),
            output: self.output,
            processes: self.processes,
        }
    }
}
