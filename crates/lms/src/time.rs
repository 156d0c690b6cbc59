//! When something was submitted, as course systems write it.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// How systems write local times, by their source. Hours have no zero in front, or have one.
const LOCAL: [&str; 9] = [
    // Moodle, in English and Chinese.
    "%A, %d %B %Y, %I:%M %p",
    "%A, %d %B %Y, %H:%M",
    "%Y年%m月%d日 %H:%M",
    // Brightspace, by the language of the country.
    "%b %d, %Y %I:%M %p",
    "%b %d, %Y %H:%M",
    "%d %B, %Y %I:%M %p",
    "%d %B, %Y %H:%M",
    "%Y年%m月%d日 %I:%M %p",
    // Blackboard.
    "%Y-%m-%d-%H-%M-%S",
];

/// Reads a time of submission: ISO 8601 (`2026-11-20 23:10:05 +0800`; without an offset in this time zone), or as a
/// course system writes it. `None` if it is in none of these forms.
pub fn submission_time(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    // A blank may precede `Z`, `UTC` or an offset, and Chinese dates contain the day of the week.
    let words = text
        .split_whitespace()
        .filter(|word| !word.starts_with("星期"));
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    restore_colon(&mut words);
    let text = words.join(" ");
    let joined = text
        .replace(" UTC", "Z")
        .replace(" Z", "Z")
        .replace(" +", "+")
        .replace(" -", "-");
    if let Ok(moment) = joined.parse::<Timestamp>() {
        return Some(moment);
    }
    // A date without a time would be midnight.
    let iso = text.parse::<DateTime>().ok().filter(|_| text.contains(':'));
    let mut formats = LOCAL.iter();
    let listed = || formats.find_map(|format| DateTime::strptime(format, &text).ok());
    let local = iso.or_else(listed)?;
    Some(local.to_zoned(zone.clone()).ok()?.timestamp())
}

/// File names cannot hold colons: Brightspace writes `115 PM` there for 1:15 PM. Read digit by digit, that would be
/// 11:05 PM.
fn restore_colon(words: &mut [String]) {
    let is_half = |word: &String| ["AM", "PM"].contains(&word.to_uppercase().as_str());
    let before_half = words.iter().rposition(|word| !is_half(word));
    if let Some(time) = before_half.and_then(|place| words.get_mut(place))
        && matches!(time.len(), 3 | 4)
        && time.bytes().all(|byte| byte.is_ascii_digit())
    {
        time.insert(time.len() - 2, ':');
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use jiff::fmt::strtime;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn times_are_read_as_systems_write_them() {
        let zone = TimeZone::get("Asia/Shanghai").unwrap();
        let read = |text| submission_time(text, &zone).map(|moment| moment.to_string());
        for text in [
            "2026-11-20T15:10:00Z",
            "2026-11-20 15:10:00 Z",
            "2026-11-20 15:10:00 UTC",
            "2026-11-20 23:10:00 +0800",
            "2026-11-20 23:10",
            "2026-11-20T10:10:00-05:00",
            "Friday, 20 November 2026, 11:10 PM",
            "Friday, 20 November 2026, 23:10",
            "2026年11月20日 星期五 23:10",
            "2026年11月20日 2310",
            "Nov 20, 2026 1110 PM",
            "Nov 20, 2026 1110 pm",
            "20 November, 2026 11:10 PM",
            "2026-11-20-23-10-00",
        ] {
            assert_eq!(
                read(text).as_deref(),
                Some("2026-11-20T15:10:00Z"),
                "{text}"
            );
        }
        for (text, expected) in [
            ("Nov 20, 2026 115 PM", "2026-11-20T05:15:00Z"),
            ("Nov 20, 2026 939 PM", "2026-11-20T13:39:00Z"),
            ("Nov 20, 2026 1205 AM", "2026-11-19T16:05:00Z"),
            ("Nov 20, 2026 1205 PM", "2026-11-20T04:05:00Z"),
        ] {
            assert_eq!(read(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "-",
            "PM",
            "2026-11-20",
            "Nov 20, 2026",
            "Nov 20, 2026 2561 PM",
            "Freitag, 20. November 2026, 23:10",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    /// How each system writes a moment.
    const WRITTEN: [(&str, &str); 12] = [
        ("Moodle, English", "%A, %-d %B %Y, %-I:%M %p"),
        ("Moodle, English, 24 hours", "%A, %-d %B %Y, %H:%M"),
        ("Moodle, Chinese", "%Y年%m月%d日 星期五 %H:%M"),
        ("Brightspace, folder", "%b %-d, %Y %-I%M %p"),
        ("Brightspace, index", "%b %-d, %Y %-I:%M %p"),
        ("Brightspace, British", "%-d %B, %Y %-I%M %p"),
        ("Brightspace, 24 hours", "%-d %B, %Y %-H%M"),
        ("Brightspace, Chinese", "%Y年%-m月%-d日 %-H%M"),
        ("Brightspace, Chinese, 12 hours", "%Y年%-m月%-d日 %-I%M %p"),
        ("Blackboard", "%Y-%m-%d-%H-%M-00"),
        ("Canvas, Gradescope", "%Y-%m-%d %H:%M:00"),
        ("GitHub", "%Y-%m-%dT%H:%M:00"),
    ];

    proptest! {
        /// Each moment is read as the moment that it is, whatever system wrote it.
        #[test]
        fn what_a_system_writes_is_read_back(
            system in 0..WRITTEN.len(), day in 0..20_000_i64, hour in 0..24_i8, minute in 0..60_i8,
        ) {
            let (name, format) = WRITTEN[system];
            let day = date(2000, 1, 1).checked_add(jiff::Span::new().days(day)).unwrap();
            let moment = day.at(hour, minute, 0, 0);
            let text = strtime::format(format, moment).unwrap();
            let zone = TimeZone::fixed(jiff::tz::offset(8));
            let expected = moment.to_zoned(zone.clone()).unwrap().timestamp();
            prop_assert_eq!(submission_time(&text, &zone), Some(expected), "{}: {}", name, text);
        }

        /// What a student chose to be read as a date is read or left, and never a panic.
        #[test]
        fn any_text_can_be_asked(text in "\\PC*|[0-9APM ,:年月日-]{0,24}") {
            let _ = submission_time(&text, &TimeZone::UTC);
        }
    }
}
