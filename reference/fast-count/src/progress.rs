//! One line on a terminal that tells how far a long count is.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// How long a count may take before the line appears.
const DELAY: Duration = Duration::from_secs(1);
/// The least time between two updates.
const INTERVAL: Duration = Duration::from_millis(250);
/// Columns of the line: 80 less the last, where some terminals wrap.
const WIDTH: usize = 79;

/// The line. Writes nothing unless standard error is a terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    parts: usize,
    /// Parts that an earlier run counted: they say nothing about the speed.
    known: usize,
    counted: usize,
    begun: Instant,
    next: Duration,
}

impl Progress {
    pub(crate) fn new(parts: usize, known: usize) -> Self {
        Self {
            parts,
            known,
            counted: 0,
            begun: Instant::now(),
            next: DELAY,
        }
    }

    /// Counts one more part, and updates the line if it is time.
    pub(crate) fn add(&mut self) {
        self.counted += 1;
        let elapsed = self.begun.elapsed();
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + INTERVAL;
        let (done, parts) = (self.known + self.counted, self.parts);
        let seconds = elapsed.as_secs() * (parts - done) as u64 / self.counted as u64;
        let left = match seconds {
            0..60 => format!("{seconds} s"),
            60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
            _ => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
        };
        write(&format!(
            "{} % of {parts} parts, {left} left",
            done * 100 / parts
        ));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.next > DELAY {
            write("");
            _ = write!(io::stderr(), "\r");
        }
    }
}

fn write(text: &str) {
    let mut stderr = io::stderr();
    if stderr.is_terminal() {
        // The count does not depend on anyone reading this.
        _ = write!(stderr, "\r{text:<WIDTH$}");
    }
}
