//! The processes of the machine, as `/proc` shows them.

use std::fs;
use std::time::{Duration, Instant};

/// So long a thing that must happen may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// The processes whose command line or environment holds a text, as `id command line`.
pub(crate) fn marked(mark: &str) -> Vec<String> {
    let own = std::process::id().to_string();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let name = entry.file_name();
        let Some(id) = name.to_str().filter(|id| id.parse::<u32>().is_ok()) else {
            continue;
        };
        // A process may end while it is looked at.
        let read = |file: &str| fs::read(entry.path().join(file)).unwrap_or_default();
        let line = read("cmdline");
        if id != own && (holds(&line, mark) || holds(&read("environ"), mark)) {
            found.push(format!("{id} {}", grader_model::escaped(&line)));
        }
    }
    found
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .windows(text.len())
        .any(|window| window == text.as_bytes())
}

/// Looks again and again; whether it became true.
pub(crate) fn until(mut condition: impl FnMut() -> bool) -> bool {
    let started = Instant::now();
    loop {
        if condition() {
            return true;
        }
        if started.elapsed() > PATIENCE {
            return false;
        }
        std::thread::yield_now();
    }
}
