//! How far a long count is, in one line of a terminal.

use std::time::Duration;

/// How long a count may take before the line is shown: nobody reads it in less.
const PATIENCE: Duration = Duration::from_secs(1);
/// The least time between two changes of the line: faster ones cannot be read.
const PAUSE: Duration = Duration::from_millis(250);
/// The columns that the line fills: 80 less the last, where some terminals begin a new line.
pub(crate) const WIDTH: usize = 79;

/// One line that is written again and again over itself.
///
/// It only makes the texts to write, so that it need not know the terminal nor the time. They use
/// the carriage return alone, which every terminal knows.
#[derive(Debug)]
pub struct ProgressLine {
    parts: usize,
    /// The parts that were counted before, which say nothing about the speed.
    before: usize,
    shown: Option<Duration>,
}

impl ProgressLine {
    /// The line for a count in `parts` parts, `before` of which were counted before.
    pub fn new(parts: usize, before: usize) -> Self {
        Self {
            parts,
            before,
            shown: None,
        }
    }

    /// What to write at `now`, the time since the count began, when `counted` parts of it are done;
    /// `None` if it is too early for a change.
    pub fn update(&mut self, now: Duration, counted: usize) -> Option<String> {
        if now < self.shown.map_or(PATIENCE, |shown| shown + PAUSE) {
            return None;
        }
        self.shown = Some(now);
        let parts = self.parts;
        // Rounded down: 100 % is said when all is done.
        let percent = counted * 100 / parts;
        let speed = counted.saturating_sub(self.before) as f64 / now.as_secs_f64();
        let mut text = format!("{percent} % of {parts} parts");
        if speed > 0.0 {
            let left = (parts - counted) as f64 / speed;
            text = format!("{text}, {}, {} left", rate(speed), duration(left));
        }
        Some(format!("\r{text:<WIDTH$}"))
    }

    /// What to write to leave an empty line behind; `None` if there is nothing to remove.
    pub fn clear(&mut self) -> Option<String> {
        self.shown.take().map(|_| format!("\r{:WIDTH$}\r", ""))
    }
}

/// A number of parts a second in the unit that gives at least one.
fn rate(a_second: f64) -> String {
    let (number, unit) = if a_second >= 1.0 {
        (a_second, "a second")
    } else if a_second * 60.0 >= 1.0 {
        (a_second * 60.0, "a minute")
    } else {
        (a_second * 3600.0, "an hour")
    };
    format!("{number:.1} {unit}")
}

/// A time in its two largest units.
fn duration(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    if days > 0 {
        format!("{days} d {} h", hours % 24)
    } else if hours > 0 {
        format!("{hours} h {} min", minutes % 60)
    } else if minutes > 0 {
        format!("{minutes} min {} s", seconds % 60)
    } else {
        format!("{seconds} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> String {
        format!("\r{text:<79}")
    }

    #[test]
    fn a_short_count_shows_nothing() {
        let mut progress = ProgressLine::new(10, 0);
        assert_eq!(progress.update(Duration::from_millis(999), 9), None);
        assert_eq!(progress.clear(), None);
    }

    #[test]
    fn a_long_count_shows_its_share_speed_and_time_left() {
        let mut progress = ProgressLine::new(3300, 300);
        assert_eq!(
            progress.update(Duration::from_secs(2), 319),
            Some(line("9 % of 3300 parts, 9.5 a second, 5 min 14 s left"))
        );
        assert_eq!(progress.update(Duration::from_millis(2249), 320), None);
        assert_eq!(
            progress.update(Duration::from_millis(2250), 327),
            Some(line("9 % of 3300 parts, 12.0 a second, 4 min 8 s left"))
        );
        assert_eq!(progress.clear(), Some(format!("\r{}\r", " ".repeat(79))));
        assert_eq!(progress.clear(), None);
    }

    #[test]
    fn slow_parts_are_counted_by_the_minute_and_the_hour() {
        let mut progress = ProgressLine::new(1000, 0);
        assert_eq!(
            progress.update(Duration::from_secs(120), 3),
            Some(line("0 % of 1000 parts, 1.5 a minute, 11 h 4 min left"))
        );
        assert_eq!(
            progress.update(Duration::from_secs(3600), 5),
            Some(line("0 % of 1000 parts, 5.0 an hour, 8 d 7 h left"))
        );
    }

    #[test]
    fn without_a_part_of_this_run_there_is_no_speed() {
        let mut progress = ProgressLine::new(8, 4);
        assert_eq!(
            progress.update(Duration::from_secs(1), 4),
            Some(line("50 % of 8 parts"))
        );
        assert_eq!(
            progress.update(Duration::from_secs(3), 7),
            Some(line("87 % of 8 parts, 1.0 a second, 1 s left"))
        );
    }
}
