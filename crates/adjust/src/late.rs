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
        // Nor does work without points lose any.
        change if percent == 0 || change.is_some_and(|(from, to)| from == to) => {
            ("no points lost".to_owned(), "不扣分".to_owned())
        }
        Some((from, to)) => (
            format!("−{percent}%, from {from} to {to} points"),
            format!("扣 {percent}%，由 {from} 分变为 {to} 分"),
        ),
        None => (format!("−{percent}%"), format!("扣 {percent}%")),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_what_became_of_the_points_and_nothing_that_a_later_change_would_make_false() {
        let at = |seconds| Timestamp::from_second(seconds).unwrap();
        let points = Points::from_thousandths;
        let said = |percent, change| {
            let lateness = Lateness {
                days: 0,
                rest: SignedDuration::from_secs(90),
                percent,
            };
            let Text { en, zh } = message((at(0), at(90)), "UTC", lateness, change);
            let end = |text: &str, mark| text.rsplit(mark).next().unwrap().to_owned();
            (end(&en, "; "), end(&zh, "；"))
        };
        for (percent, change, en, zh) in [
            (
                20,
                Some((10_000, 8000)),
                "−20%, from 10 to 8 points",
                "扣 20%，由 10 分变为 8 分",
            ),
            (20, Some((0, 0)), "no points lost", "不扣分"),
            (0, Some((10_000, 10_000)), "no points lost", "不扣分"),
            // Not scored yet: perhaps a person gives other points.
            (20, None, "−20%", "扣 20%"),
        ] {
            let change = change.map(|(from, to)| (points(from), points(to)));
            assert_eq!(said(percent, change), (en.to_owned(), zh.to_owned()));
        }
    }
}
