//! Waiting for files to change.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

/// How often files are looked at: faster than anybody can switch to another window.
const PAUSE: Duration = Duration::from_millis(200);
/// Most files that are looked at: a folder may hold a whole course.
const MAX_FILES: usize = 1000;

/// What files look like: enough to see that one was written again or replaced.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Seen(Vec<(PathBuf, Option<SystemTime>, u64)>);

impl Seen {
    pub(super) fn of(paths: &[PathBuf]) -> Self {
        let mut seen = Self(Vec::new());
        seen.add(paths);
        seen
    }

    pub(super) fn add(&mut self, paths: &[PathBuf]) {
        for path in paths {
            look(path, &mut self.0);
        }
    }

    /// Waits until the files are others than these, and nobody writes to them any more.
    pub(super) fn wait_for_change(self, paths: &[PathBuf]) {
        let mut last = Self::of(paths);
        loop {
            thread::sleep(PAUSE);
            let now = Self::of(paths);
            // Editors replace a file in two steps: for a moment it is gone.
            if now != self && now == last && now.0.iter().any(|(_, time, _)| time.is_some()) {
                return;
            }
            last = now;
        }
    }
}

fn look(path: &Path, seen: &mut Vec<(PathBuf, Option<SystemTime>, u64)>) {
    if seen.len() >= MAX_FILES {
        return;
    }
    let Ok(data) = fs::metadata(path) else {
        return seen.push((path.to_owned(), None, 0));
    };
    if !data.is_dir() {
        return seen.push((path.to_owned(), data.modified().ok(), data.len()));
    }
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        look(&path, seen);
    }
}
