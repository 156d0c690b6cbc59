//! The message about a late submission.

use grader_model::{Lateness, Points, Text, counted, local_time};
use jiff::{SignedDuration, Timestamp};

/// How late a submission is, and what became of its points. Times are shown in the time zone with this name.
pub(crate) fn message(
    (due, submitted): (Timestamp, Timestamp),
    zone: &str,
    Lateness {
        days,
        rest,
        percent,
    }: Lateness,
    change: Option<(Points, Points)>,
) -> Text {
    let (due, submitted) = (local_time(due, zone), local_time(submitted, zone));
    let (en, zh) = match change {
        _ if percent == 0 => ("no points lost".to_owned(), "不扣分".to_owned()),
        Some((from, to)) => (
            format!("−{percent}%, from {from} to {to} points"),
            format!("扣 {percent}%，由 {from} 分变为 {to} 分"),
        ),
        None => (
            format!("−{percent}% once it is scored"),
            format!("评分后扣 {percent}%"),
        ),
    };
    let late = length(days, rest);
    Text::new(
        format!(
            "{} late: submitted {submitted}, due {due} ({zone}); {en}",
            late.en
        ),
        format!(
            "迟交 {}：提交于 {submitted}，截止 {due}（{zone}）；{zh}",
            late.zh
        ),
    )
}

/// Days and the time beyond them, in the two largest units; a minute that has begun counts as a whole one. Where clocks change,
/// a day may have 25 hours.
fn length(days: u32, rest: SignedDuration) -> Text {
    let minutes = rest.as_nanos().unsigned_abs().div_ceil(60_000_000_000);
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let units = [
        (u128::from(days), ["day", "days"], "天"),
        (hours, ["h", "h"], "小时"),
        (minutes, ["min", "min"], "分钟"),
    ];
    let units = units.into_iter().filter(|unit| unit.0 > 0).take(2);
    let (en, zh): (Vec<_>, Vec<_>) = units
        .map(|(count, [one, many], zh)| (counted(count, one, many), format!("{count} {zh}")))
        .unzip();
    Text::new(en.join(" "), zh.join(" "))
}
