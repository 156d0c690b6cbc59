//! When something was submitted, as course systems write it.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// How systems write local times, by their source.
const LOCAL: [&str; 7] = [
    // Moodle, in English and Chinese.
    "%A, %d %B %Y, %I:%M %p",
    "%A, %d %B %Y, %H:%M",
    "%Y年%m月%d日 %H:%M",
    // Brightspace, by the language of the country.
    "%b %d, %Y %I%M %p",
    "%b %d, %Y %I:%M %p",
    "%d %B, %Y %I:%M %p",
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
    let text = words.collect::<Vec<_>>().join(" ");
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

#[cfg(test)]
mod tests {
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
            "Nov 20, 2026 1110 PM",
            "20 November, 2026 11:10 PM",
            "2026-11-20-23-10-00",
        ] {
            assert_eq!(
                read(text).as_deref(),
                Some("2026-11-20T15:10:00Z"),
                "{text}"
            );
        }
        for text in ["", "-", "2026-11-20", "Freitag, 20. November 2026, 23:10"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
