//! `[deadline]` of an assignment.

use grader_model::{AttemptChoice, Deadline, Penalty, PenaltyStep};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use schemars::{JsonSchema, json_schema};
use serde::Deserialize;

use crate::diagnostic::Log;
use crate::suggest::quoted;
use crate::value::{At, Count, value};

/// The deadline, and the penalty for late work. It applies to points after judging: if you change it, nothing is judged
/// again.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct DeadlineFile {
    /// The last moment for full points, such as `2026-11-20T23:59:00`.
    due: At<Moment>,
    /// The time zone of the class by its name in the IANA database, such as `"Asia/Shanghai"`.
    zone: At<Zone>,
    /// Grace period after `due` that counts as on time. After it, lateness counts from `due`. Default: none.
    grace: Option<LengthOfTime>,
    /// The penalty for late work: `"10% per day"`, for each period that has begun, or a list of steps. A day ends at the
    /// same time of day, also where clocks change; `"10% per 24 h"` counts hours. Default: none.
    penalty: Option<At<PenaltyFile>>,
    /// Largest penalty until `last`, in percent. Default: 100.
    cap: Option<Count<0, 100>>,
    /// The last moment for any points. Default: none.
    last: Option<At<Moment>>,
    /// Which attempt counts: `"latest"`, or `"best"`: of all in the ledger, the one with the most points after late
    /// penalties. Default: `"latest"`.
    #[serde(default)]
    attempts: AttemptChoice,
    /// Most late days of the term (`late-days` in `course.toml`) that each student may use here: what is later than that loses
    /// points as without them. Default: all that are left.
    late_days_at_most: Option<Count<0, 1000>>,
    /// If neither the course system nor Git has a time of submission, use the time of the newest file. Copying or
    /// unpacking files may change it. Default: `false`.
    #[serde(default)]
    file_times: bool,
}

impl DeadlineFile {
    /// The deadline; mistakes are reported.
    pub(crate) fn validated(&self, log: &mut Log) -> Deadline {
        let zone = &self.zone.0;
        let due = self.due.timestamp(zone, log);
        let last = self.last.as_ref().map(|last| {
            let moment = last.timestamp(zone, log);
            if moment < due {
                log.report(&last.span, "`last` must not be before `due`");
            }
            moment
        });
        if let Some(At {
            value: PenaltyFile(Penalty::Steps(steps)),
            span,
        }) = &self.penalty
            && !steps.is_sorted_by(|a, b| a.after_s < b.after_s && a.percent <= b.percent)
        {
            let message = "each step must begin later than the one before, and take no less";
            log.report(span, message);
        }
        let penalty = self.penalty.as_ref().map(|penalty| penalty.0.clone());
        Deadline {
            due,
            zone: self.zone.1.clone(),
            grace_s: self.grace.map_or(0, |grace| grace.seconds),
            grace_days: self.grace.map_or(0, |grace| grace.days),
            penalty: penalty.unwrap_or_else(|| Penalty::Steps(Vec::new())),
            cap: self.cap.map_or(100, |cap| cap.get() as u8),
            last,
            attempts: self.attempts,
            late_days_at_most: self.late_days_at_most.map(Count::get),
            file_times: self.file_times,
        }
    }
}

/// A date and a time, in the class's time zone unless it has an offset of its own.
///
/// Its schema has no `format`: JSON's date-time requires an offset, and editors would mark every date without one.
#[derive(Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Moment(#[schemars(with = "String")] toml::value::Datetime);

impl At<Moment> {
    /// The moment. Reports a mistake if it lacks a date or a time.
    pub(crate) fn timestamp(&self, zone: &TimeZone, log: &mut Log) -> Timestamp {
        let text = self.0.to_string();
        // A date without a time would mean midnight at the start of that day, which is not what people expect.
        let is_whole = self.0.date.is_some() && self.0.time.is_some();
        let local: Option<DateTime> = text.parse().ok().filter(|_| is_whole);
        let moment = match (text.parse(), local) {
            (Ok(moment), _) => Ok(moment),
            (Err(_), None) => Err("expected a date and a time such as 2026-11-20T23:59:00"),
            // Clocks that go forward skip local times; clocks that go back repeat them.
            (Err(_), Some(local)) => zone.to_ambiguous_timestamp(local).unambiguous().map_err(|_| {
                "this local time is skipped or repeated when clocks change\ngive its offset, such as 2026-10-25T02:30:00+01:00"
            }),
        };
        moment.unwrap_or_else(|message| {
            log.report(&self.span, message);
            Timestamp::UNIX_EPOCH
        })
    }
}

/// A time zone and its name.
pub(crate) struct Zone(TimeZone, String);

impl TryFrom<&str> for Zone {
    type Error = String;

    fn try_from(name: &str) -> Result<Self, String> {
        match TimeZone::get(name) {
            Ok(zone) => Ok(Self(zone, name.to_owned())),
            Err(_) => Err(format!(
                "unknown time zone {}\nwrite it like \"Europe/Berlin\" or \"UTC\"",
                quoted(name)
            )),
        }
    }
}

value! { Zone, "the name of a time zone", { "type": "string" }, string: &str }

/// A length of time.
#[derive(Clone, Copy)]
pub(crate) struct LengthOfTime {
    /// In seconds; of days, if each has 24 hours.
    seconds: u64,
    /// In calendar days, which end at the same wall time; 0 if it is written in another unit.
    days: u32,
}

impl TryFrom<&str> for LengthOfTime {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        const UNITS: [(&str, u64); 5] = [
            ("s", 1),
            ("min", 60),
            ("h", 3600),
            ("day", 86_400),
            ("days", 86_400),
        ];
        let unit = text.trim().trim_start_matches(|c: char| c.is_ascii_digit());
        let number = match text.trim().strip_suffix(unit) {
            None | Some("") => Ok(1),
            Some(number) => number.parse::<u32>(),
        };
        let size = UNITS.iter().find(|(name, _)| *name == unit.trim());
        match (number, size) {
            (Ok(number), Some((name, size))) => Ok(Self {
                seconds: u64::from(number) * size,
                days: if name.starts_with("day") { number } else { 0 },
            }),
            _ => Err(format!(
                "{} is not a length of time\nwrite it like \"15 min\", \"12 h\" or \"2 days\"",
                quoted(text)
            )),
        }
    }
}

value! {
    LengthOfTime, "a length of time such as \"15 min\", \"12 h\" or \"2 days\"",
    { "type": "string", "pattern": r"^\s*[0-9]*\s*(s|min|h|day|days)\s*$" },
    string: &str
}

/// The penalty for late work.
struct PenaltyFile(Penalty);

/// One step of a penalty.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StepFile {
    /// It applies to work submitted more than this long after `due`.
    after: LengthOfTime,
    /// Total penalty for that work, in percent.
    percent: Count<0, 100>,
}

impl TryFrom<&str> for PenaltyFile {
    type Error = String;

    fn try_from(text: &str) -> Result<Self, String> {
        let parts = text.split_once('%').and_then(|(percent, rest)| {
            let percent = percent.trim().parse::<u8>().ok()?;
            Some((percent, rest.trim().strip_prefix("per ")?))
        });
        let Some((percent @ 0..=100, every)) = parts else {
            return Err(format!(
                "{} is not a penalty\nwrite it like \"10% per day\"",
                quoted(text)
            ));
        };
        match LengthOfTime::try_from(every)? {
            LengthOfTime { seconds: 0, .. } => {
                Err("the period of a penalty must not be empty".to_owned())
            }
            LengthOfTime { seconds, days } => Ok(Self(Penalty::Rate {
                percent,
                every_s: seconds,
                every_days: days,
            })),
        }
    }
}

impl From<Vec<StepFile>> for PenaltyFile {
    fn from(steps: Vec<StepFile>) -> Self {
        let steps = steps.into_iter().map(|step| PenaltyStep {
            after_s: step.after.seconds,
            after_days: step.after.days,
            percent: step.percent.get() as u8,
        });
        Self(Penalty::Steps(steps.collect()))
    }
}

value!(
    PenaltyFile,
    "a penalty such as \"10% per day\", or a list of steps such as { after = \"1 h\", percent = 10 }",
    |generator| json_schema!({
        "anyOf": [
            { "type": "string", "pattern": r"^\s*[0-9]+\s*%\s*per\s" },
            { "type": "array", "items": generator.subschema_for::<StepFile>() }
        ]
    }),
    string: &str,
    list: StepFile
);
