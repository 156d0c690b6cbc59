//! What a late submission is told.

use grader_model::{Deadline, Lateness, Points, Text};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// How late a submission was, and what became of its points.
pub(crate) fn message(
    deadline: &Deadline,
    (due, submitted): (Timestamp, Timestamp),
    lateness: Lateness,
    change: Option<(Points, Points)>,
) -> Text {
    let zone = TimeZone::get(&deadline.zone).unwrap_or(TimeZone::UTC);
    let local = |moment: Timestamp| {
        zone.to_datetime(moment)
            .strftime("%Y-%m-%d %H:%M")
            .to_string()
    };
    let (due, submitted, zone) = (local(due), local(submitted), &deadline.zone);
    let percent = lateness.percent;
    let change = change.filter(|_| percent > 0);
    let (en, zh) = match change {
        Some((from, to)) => (
            format!("−{percent}%, from {from} to {to} points"),
            format!("扣 {percent}%，{from} 分变为 {to} 分"),
        ),
        None => ("no points lost".to_owned(), "不扣分".to_owned()),
    };
    let [by_en, by_zh] = length(lateness.by);
    Text::new(
        format!("{by_en} late: submitted {submitted}, due {due} ({zone}); {en}"),
        format!("迟交 {by_zh}：提交于 {submitted}，截止 {due}（{zone}）；{zh}"),
    )
}

/// A length of time in its two largest units, in English and Chinese; less than a minute counts as one.
fn length(by: SignedDuration) -> [String; 2] {
    let minutes = by.as_secs().max(60) / 60;
    let (days, hours, minutes) = (minutes / 1440, minutes / 60 % 24, minutes % 60);
    let day = if days == 1 { "day" } else { "days" };
    let units = [
        (days, day, "天"),
        (hours, "h", "小时"),
        (minutes, "min", "分钟"),
    ];
    let units = units.into_iter().skip_while(|unit| unit.0 == 0).take(2);
    let units: Vec<_> = units.filter(|unit| unit.0 > 0).collect();
    [
        units
            .iter()
            .map(|(count, en, _)| format!("{count} {en}"))
            .collect::<Vec<_>>()
            .join(" "),
        units
            .iter()
            .map(|(count, _, zh)| format!("{count} {zh}"))
            .collect::<Vec<_>>()
            .join(" "),
    ]
}
