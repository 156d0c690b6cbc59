//! The two-sided rule of time limits: what must pass leaves a margin below the limit, what must fail one above it.
//!
//! A limit is `min(max(yardstick × x, at-least) × time-factor, at-most)`, and `x` is what is looked for. A time `t`
//! that must be within the limit asks for an `x` of at least `t / (yardstick × time-factor)`, unless `at-least` is
//! enough for it already; a time that must be beyond the limit asks for an `x` of at most that, unless `at-most`
//! stops it anyway. An absolute limit is the same with a yardstick of one second and neither floor nor ceiling.
//!
//! A sample does not always say which of its cases must fail. What it says is a [`Claim`] over a group of cases: so
//! many of them must pass and so many must fail. The `k` fastest pass when the `k`-th smallest bound is kept, and the
//! `k` slowest fail when the `k`-th largest is.

use grader_model::{CpuTime, FactorAdvice, LanguageId, LimitUnit, LimitWindow, WindowEnd, Witness};
use grader_problem::TimeRule;

/// Relative difference of times that are the same: durations are whole nanoseconds.
const SAME: f64 = 1e-6;

/// Floor and ceiling of a limit, in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub(crate) at_least: f64,
    pub(crate) at_most: f64,
}

impl Scale {
    pub(crate) fn of(rule: &TimeRule) -> Self {
        match rule {
            TimeRule::Absolute(_) => Self {
                at_least: 0.0,
                at_most: f64::INFINITY,
            },
            TimeRule::Reference {
                at_least, at_most, ..
            } => Self {
                at_least: at_least.0.as_secs_f64(),
                at_most: at_most.0.as_secs_f64(),
            },
        }
    }

    /// The limit in seconds.
    fn limit(self, x: f64, yardstick: f64, time_factor: f64) -> f64 {
        ((yardstick * x).max(self.at_least) * time_factor).min(self.at_most)
    }

    /// How long a run that must fail is watched, in seconds: to `margin` times the limit of `x`.
    pub(crate) fn watched(self, x: f64, yardstick: f64, time_factor: f64, margin: f64) -> f64 {
        self.limit(x, yardstick, time_factor) * margin
    }

    /// The smallest value whose limit is not below a time.
    fn needed(self, time: f64, yardstick: f64, time_factor: f64) -> f64 {
        if time > self.at_most * (1.0 + SAME) {
            f64::INFINITY
        } else if time <= self.at_least * time_factor * (1.0 + SAME) {
            0.0
        } else {
            time / (yardstick * time_factor)
        }
    }

    /// The largest value whose limit is not above a time.
    fn allowed(self, time: f64, yardstick: f64, time_factor: f64) -> f64 {
        if time >= self.at_most * (1.0 - SAME) {
            f64::INFINITY
        } else if time < self.at_least * time_factor * (1.0 - SAME) {
            0.0
        } else {
            time / (yardstick * time_factor)
        }
    }
}

/// What was measured of one case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Taken {
    /// `subtask/case`.
    pub(crate) case: String,
    /// The CPU time, or the time within which it did not end.
    pub(crate) cpu: CpuTime,
    /// Whether it did not end.
    pub(crate) cut: bool,
    pub(crate) yardstick: Option<CpuTime>,
}

impl Taken {
    /// In seconds; one second where the limit is no multiple. Never 0: a clock that did not move is no measure.
    fn yardstick(&self) -> f64 {
        self.yardstick
            .map_or(1.0, |time| time.0.as_secs_f64().max(SAME))
    }
}

/// So many of these cases of a sample must pass, and so many must fail.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Claim {
    pub(crate) sample: String,
    pub(crate) language: LanguageId,
    pub(crate) time_factor: f64,
    pub(crate) cases: Vec<Taken>,
    pub(crate) pass: usize,
    pub(crate) fail: usize,
}

/// What is to be left below and above the limit: two factors of at least 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Margins {
    pub(crate) pass: f64,
    pub(crate) fail: f64,
}

impl Margins {
    pub(crate) const NONE: Self = Self {
        pass: 1.0,
        fail: 1.0,
    };
}

/// Where a bound comes from: a value, the index of a claim and of one of its cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) value: f64,
    pub(crate) claim: usize,
    pub(crate) case: usize,
}

/// The ends of the window; none where no sample asks for one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Ends {
    pub(crate) lower: Option<Place>,
    pub(crate) upper: Option<Place>,
}

/// Finds the window that claims leave, by one bound for each run that must pass and one for each that must fail.
fn ends_by(
    claims: &[Claim],
    passing: impl Fn(&Claim, &Taken) -> f64,
    failing: impl Fn(&Claim, &Taken) -> f64,
) -> Ends {
    let mut ends = Ends::default();
    for (index, claim) in claims.iter().enumerate() {
        let ranked = |bound: &dyn Fn(&Claim, &Taken) -> f64| {
            let mut places: Vec<Place> = claim
                .cases
                .iter()
                .enumerate()
                .map(|(case, taken)| Place {
                    value: bound(claim, taken),
                    claim: index,
                    case,
                })
                .collect();
            places.sort_by(|a, b| a.value.total_cmp(&b.value));
            places
        };
        if let Some(&place) = claim
            .pass
            .checked_sub(1)
            .and_then(|k| ranked(&passing).get(k).copied())
            .as_ref()
            && place.value > ends.lower.map_or(0.0, |lower| lower.value)
        {
            ends.lower = Some(place);
        }
        let slowest = ranked(&failing);
        if let Some(&place) = slowest
            .len()
            .checked_sub(claim.fail)
            .filter(|_| claim.fail > 0)
            .and_then(|k| slowest.get(k))
            && place.value < ends.upper.map_or(f64::INFINITY, |upper| upper.value)
        {
            ends.upper = Some(place);
        }
    }
    ends
}

/// The window that claims leave for the value of a limit.
pub(crate) fn ends(scale: Scale, claims: &[Claim], margins: Margins) -> Ends {
    ends_by(
        claims,
        |claim, taken| {
            if taken.cut {
                return f64::INFINITY;
            }
            let time = taken.cpu.0.as_secs_f64() * margins.pass;
            scale.needed(time, taken.yardstick(), claim.time_factor)
        },
        |claim, taken| {
            let time = taken.cpu.0.as_secs_f64() / margins.fail;
            scale.allowed(time, taken.yardstick(), claim.time_factor)
        },
    )
}

/// The ends with their witnesses.
pub(crate) fn window(ends: Ends, claims: &[Claim]) -> LimitWindow {
    let end = |place: Place| {
        let claim = claims.get(place.claim)?;
        let taken = claim.cases.get(place.case)?;
        Some(WindowEnd {
            value: place.value,
            witness: Witness {
                sample: claim.sample.clone(),
                language: claim.language,
                time_factor: claim.time_factor,
                case: taken.case.clone(),
                cpu: taken.cpu,
                cut: taken.cut,
                yardstick: taken.yardstick,
            },
        })
    };
    LimitWindow {
        lower: ends.lower.and_then(end),
        upper: ends.upper.and_then(end),
    }
}

/// A round value inside a window: the roundest of those nearest to its middle, which is the geometric mean. Nothing
/// where no value is inside; `present` where it is inside a window that has one end at most.
pub(crate) fn suggestion(window: &LimitWindow, present: f64, unit: LimitUnit) -> Option<f64> {
    if !window.is_open() {
        return None;
    }
    // What a problem file may say.
    let (least, most) = match unit {
        LimitUnit::Factor => (f64::MIN_POSITIVE, grader_problem::MOST_FACTOR),
        LimitUnit::Seconds => (0.001, 86_400.0),
    };
    let (from, to) = (window.from().max(least), window.to().min(most));
    // Between one end and nothing there is no middle.
    let one_sided = window.lower.is_none() || window.upper.is_none();
    if one_sided && window.contains(present) {
        return Some(present);
    }
    let middle = match (window.from() > 0.0, window.to().is_finite()) {
        (false, false) => present,
        (true, false) => from * 1.25,
        (false, true) => to / 1.25,
        (true, true) => (from * to).sqrt(),
    };
    let mut step = 10f64.powf(middle.log10().floor());
    for _ in 0..4 {
        for step in [step, step / 2.0] {
            // Divided by a whole number where that can be, so that 0.3 is 0.3.
            let value = if step < 1.0 {
                let parts = (1.0 / step).round();
                (middle * parts).round() / parts
            } else {
                (middle / step).round() * step
            };
            if (from..=to).contains(&value) {
                return Some(value);
            }
        }
        step /= 10.0;
    }
    (from..=to).contains(&middle).then_some(middle)
}

/// The languages without whose samples there would be a window, and the time factors that would open it.
pub(crate) fn advice(
    scale: Scale,
    claims: &[Claim],
    margins: Margins,
    present: f64,
    unit: LimitUnit,
) -> Vec<FactorAdvice> {
    if window(ends(scale, claims, margins), claims).is_open() {
        return Vec::new();
    }
    let mut languages: Vec<LanguageId> = claims.iter().map(|claim| claim.language).collect();
    languages.sort_unstable();
    languages.dedup();
    if languages.len() < 2 {
        return Vec::new();
    }
    let mut advice = Vec::new();
    for language in languages {
        let (own, others): (Vec<Claim>, Vec<Claim>) = claims
            .iter()
            .cloned()
            .partition(|claim| claim.language == language);
        let without = window(ends(scale, &others, margins), &others);
        let (Some(limit), Some(first)) = (suggestion(&without, present, unit), own.first()) else {
            continue;
        };
        let base = |taken: &Taken| (taken.yardstick() * limit).max(scale.at_least);
        let factors = ends_by(
            &own,
            |_, taken| {
                let time = taken.cpu.0.as_secs_f64() * margins.pass;
                if taken.cut || time > scale.at_most * (1.0 + SAME) {
                    f64::INFINITY
                } else {
                    time / base(taken)
                }
            },
            |_, taken| {
                let time = taken.cpu.0.as_secs_f64() / margins.fail;
                if time >= scale.at_most * (1.0 - SAME) {
                    f64::INFINITY
                } else {
                    time / base(taken)
                }
            },
        );
        let from = factors.lower.map_or(0.0, |place| place.value);
        let to = factors.upper.map(|place| place.value);
        let suits = from.is_finite() && to.is_none_or(|to| from <= to);
        advice.push(FactorAdvice {
            language,
            present: first.time_factor,
            limit,
            factors: suits.then_some((from, to)),
        });
    }
    advice
}

#[cfg(test)]
#[path = "window_tests.rs"]
mod tests;
