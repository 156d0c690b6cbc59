//! Deadlines of an assignment, and what becomes of the points of late work.

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Points;

/// Until when work counts in full, and what late work loses.
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
    /// What late work loses.
    pub penalty: Penalty,
    /// The most that it loses, in percent, before `last`.
    pub cap: u8,
    /// The last moment for any points.
    #[schemars(with = "Option<String>")]
    pub last: Option<Timestamp>,
    /// Which of several attempts counts.
    pub attempts: AttemptChoice,
    /// Whether the time of a file counts as the time of submission where no other is known.
    pub file_times: bool,
}

/// What late work loses, in percent of the points that it earned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Penalty {
    /// The same for each period that has begun.
    Rate {
        /// Percent for each period.
        percent: u8,
        /// Length of a period in seconds, at least 1.
        every_s: u64,
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
    /// Percent in all.
    pub percent: u8,
}

/// Which of several attempts counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum AttemptChoice {
    /// The latest one, whatever it earns.
    #[default]
    Latest,
    /// The one with the most points after lateness; of equal ones the latest.
    Best,
}

/// How late work is, and what that costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lateness {
    /// How long after the deadline it was submitted.
    pub by: SignedDuration,
    /// What it loses, in percent.
    pub percent: u8,
}

impl Deadline {
    /// How late work is that was submitted at this moment; `None` if it is on time. An `extended` deadline replaces `due`,
    /// and `last` if that is earlier.
    pub fn lateness(&self, submitted: Timestamp, extended: Option<Timestamp>) -> Option<Lateness> {
        let by = submitted.duration_since(extended.unwrap_or(self.due));
        let grace = SignedDuration::from_secs(i64::try_from(self.grace_s).unwrap_or(i64::MAX));
        if by <= grace {
            return None;
        }
        let last = self
            .last
            .map(|last| extended.map_or(last, |extended| last.max(extended)));
        let percent = if last.is_some_and(|last| submitted > last) {
            100
        } else {
            self.penalty.percent(by).min(self.cap)
        };
        Some(Lateness { by, percent })
    }
}

impl Penalty {
    fn percent(&self, late: SignedDuration) -> u8 {
        let nanos = late.as_nanos().unsigned_abs();
        let nano = |seconds: u64| u128::from(seconds) * 1_000_000_000;
        match self {
            Self::Rate { percent, every_s } => {
                let periods = nanos.div_ceil(nano(*every_s).max(1));
                let percent = periods.saturating_mul(u128::from(*percent));
                u8::try_from(percent).unwrap_or(100).min(100)
            }
            Self::Steps(steps) => {
                let mut steps = steps.iter();
                let begun = steps.rfind(|step| nanos > nano(step.after_s));
                begun.map_or(0, |step| step.percent.min(100))
            }
        }
    }
}

impl Lateness {
    /// What is left of points: the exact product, rounded up to a thousandth of a point.
    ///
    /// ```
    /// use grader_model::{Lateness, Points};
    /// let late = Lateness { by: jiff::SignedDuration::from_hours(30), percent: 20 };
    /// assert_eq!(late.left_of(Points::whole(35)).to_string(), "28");
    /// ```
    pub fn left_of(&self, points: Points) -> Points {
        let left = u64::from(100 - self.percent.min(100));
        let exact = u128::from(points.thousandths()) * u128::from(left);
        // Never more than the points were.
        Points::from_thousandths(u64::try_from(exact.div_ceil(100)).unwrap_or(u64::MAX))
    }
}
