//! Deadlines, and penalties for late work.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Points;

/// A moment in the time zone with this name: `2026-11-20 23:59`.
pub fn local_time(moment: Timestamp, zone: &str) -> String {
    let zone = TimeZone::get(zone).unwrap_or(TimeZone::UTC);
    let local = zone.to_datetime(moment);
    local.strftime("%Y-%m-%d %H:%M").to_string()
}

/// The deadline of an assignment, and the penalty for late work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Deadline {
    /// The last moment for full points.
    #[schemars(with = "String")]
    pub due: Timestamp,
    /// The time zone of the class, by its name in the IANA database: times are shown in it.
    pub zone: String,
    /// Seconds after `due` that still count as on time.
    pub grace_s: u64,
    /// The same in calendar days of the zone, which count instead of the seconds unless they are 0.
    #[serde(default)]
    pub grace_days: u32,
    /// Penalty for late work.
    pub penalty: Penalty,
    /// Largest penalty before `last`, in percent.
    pub cap: u8,
    /// The last moment for any points.
    #[schemars(with = "Option<String>")]
    pub last: Option<Timestamp>,
    /// The attempt that counts.
    pub attempts: AttemptChoice,
    /// Most late days of the term that each student may use for the assignment; `None` for all.
    #[serde(default)]
    pub late_days_at_most: Option<u32>,
    /// Whether the time of a file counts as the time of submission if no other is known.
    pub file_times: bool,
}

/// Penalty for late work, in percent of the points that it earned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Penalty {
    /// A rate for each period that has begun.
    Rate {
        /// Percent for each period.
        percent: u8,
        /// Length of a period in seconds, at least 1.
        every_s: u64,
        /// The same in calendar days of the zone, which count instead of the seconds unless they are 0.
        #[serde(default)]
        every_days: u32,
    },
    /// The percentage of the last step that has begun.
    Steps(Vec<PenaltyStep>),
}

/// One step of a [`Penalty`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PenaltyStep {
    /// Lateness in seconds above which it applies.
    pub after_s: u64,
    /// The same in calendar days of the zone, which count instead of the seconds unless they are 0.
    #[serde(default)]
    pub after_days: u32,
    /// Total percent.
    pub percent: u8,
}

/// The attempt that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum AttemptChoice {
    /// The latest one, whatever it earns.
    #[default]
    Latest,
    /// The one with the most points after late penalties; the latest of equal ones.
    Best,
}

/// Lateness of a submission, with its penalty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lateness {
    /// Whole calendar days between the deadline and the submission: each ends at the same wall time.
    pub days: u32,
    /// The time beyond these.
    pub rest: SignedDuration,
    /// Penalty in percent.
    pub percent: u8,
}

/// Until when students see only the verdicts of a subtask's cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum HiddenUntil {
    /// The deadline with its grace period, or a student's own deadline.
    Due,
    /// A moment.
    Moment(#[schemars(with = "String")] Timestamp),
    /// A local time in the time zone of the class; without a deadline, in UTC.
    Local(#[schemars(with = "String")] DateTime),
}

impl HiddenUntil {
    /// Whether this time is past. `extended` is the student's own deadline.
    pub fn is_past(
        self,
        now: Timestamp,
        deadline: Option<&Deadline>,
        extended: Option<Timestamp>,
    ) -> bool {
        match self {
            Self::Due => deadline.is_some_and(|it| now > it.end(extended.unwrap_or(it.due))),
            Self::Moment(until) => now > until,
            Self::Local(until) => {
                let zone = deadline.and_then(|it| TimeZone::get(&it.zone).ok());
                let until = until.to_zoned(zone.unwrap_or(TimeZone::UTC));
                until.is_ok_and(|until| now > until.timestamp())
            }
        }
    }
}

impl Deadline {
    /// The end of the grace period after a deadline.
    fn end(&self, due: Timestamp) -> Timestamp {
        if self.grace_days > 0 {
            return self.days_after(due, self.grace_days);
        }
        let grace = SignedDuration::from_secs(i64::try_from(self.grace_s).unwrap_or(i64::MAX));
        due.saturating_add(grace).unwrap_or(Timestamp::MAX)
    }

    /// The same wall time so many calendar days later, in the zone of the deadline. Where clocks change, a day has 23 or
    /// 25 hours.
    pub fn days_after(&self, moment: Timestamp, days: u32) -> Timestamp {
        let zone = TimeZone::get(&self.zone).unwrap_or(TimeZone::UTC);
        let days = Span::new().try_days(days).ok();
        let later = days.and_then(|days| moment.to_zoned(zone).checked_add(days).ok());
        later.map_or(Timestamp::MAX, |it| it.timestamp())
    }

    /// The calendar days that have begun between two moments.
    fn days_begun(&self, from: Timestamp, to: Timestamp) -> u32 {
        let about = to.duration_since(from).as_hours() / 24;
        // Changes of the clocks move the end of a day by less than a day.
        let mut days = u32::try_from(about.saturating_sub(2)).unwrap_or_default();
        while self.days_after(from, days) < to {
            days += 1;
        }
        days
    }

    /// The days by which a deadline must move so that work submitted at this moment is on time.
    pub fn days_late(&self, submitted: Timestamp, extended: Option<Timestamp>) -> u32 {
        let due = extended.unwrap_or(self.due);
        if self.grace_days > 0 {
            let begun = self.days_begun(due, submitted);
            return begun.saturating_sub(self.grace_days);
        }
        let grace = self.end(due).duration_since(due);
        let counted = submitted.saturating_sub(grace).unwrap_or(submitted);
        self.days_begun(due, counted)
    }

    /// The lateness of work submitted at this moment; `None` if it is on time. An `extended` deadline replaces `due`,
    /// and
    /// `last` if that is earlier.
    pub fn lateness(&self, submitted: Timestamp, extended: Option<Timestamp>) -> Option<Lateness> {
        let due = extended.unwrap_or(self.due);
        if submitted <= self.end(due) {
            return None;
        }
        let by = submitted.duration_since(due);
        let begun = self.days_begun(due, submitted);
        let last = self
            .last
            .map(|last| extended.map_or(last, |extended| last.max(extended)));
        let percent = if last.is_some_and(|last| submitted > last) {
            100
        } else {
            let late_s = by.as_nanos().unsigned_abs().div_ceil(1_000_000_000);
            self.penalty.percent(late_s, begun).min(self.cap)
        };
        let is_whole = self.days_after(due, begun) == submitted;
        let days = begun.saturating_sub(u32::from(!is_whole));
        Some(Lateness {
            days,
            rest: submitted.duration_since(self.days_after(due, days)),
            percent,
        })
    }
}

impl Penalty {
    /// Penalty in percent for lateness in seconds, rounded up, and in calendar days that have begun.
    fn percent(&self, late_s: u128, days_begun: u32) -> u8 {
        match self {
            Self::Rate {
                percent,
                every_s,
                every_days,
            } => {
                let periods = match every_days {
                    0 => late_s.div_ceil(u128::from(*every_s).max(1)),
                    days => u128::from(days_begun.div_ceil(*days)),
                };
                let percent = periods.saturating_mul(u128::from(*percent));
                percent.min(100) as u8
            }
            Self::Steps(steps) => {
                let mut steps = steps.iter();
                let begun = steps.rfind(|step| match step.after_days {
                    0 => late_s > u128::from(step.after_s),
                    days => days_begun > days,
                });
                begun.map_or(0, |step| step.percent)
            }
        }
    }
}

impl Lateness {
    /// Points after the penalty, rounded up to a thousandth of a point.
    ///
    /// ```
    /// use grader_model::{Lateness, Points};
    /// let late = Lateness { days: 1, rest: jiff::SignedDuration::from_hours(6), percent: 20 };
    /// assert_eq!(late.left_of(Points::whole(35)).to_string(), "28");
    /// ```
    pub fn left_of(&self, points: Points) -> Points {
        points.portion(u64::from(100_u8.saturating_sub(self.percent)), 100)
    }
}
