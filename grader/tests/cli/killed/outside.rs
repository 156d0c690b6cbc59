//! What can be seen without the grader: processes, and what programs logged.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A student and a problem.
pub(crate) type Job = (String, String);

/// How long to wait for what must happen.
const PATIENCE: Duration = Duration::from_secs(1200);
/// How long to wait before looking again, which takes CPU time from what is looked at.
const LOOK: Duration = Duration::from_millis(2);

/// The file in which programs log each run. It lies where level `basic` lets them write.
pub(crate) struct Log {
    mark: String,
    path: PathBuf,
}

impl Log {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("killed-{}-{number}", process::id());
        let path = Path::new("/tmp").join(format!("{mark}.log"));
        Self { mark, path }
    }

    /// A text that is on the command line of every program.
    pub(crate) fn mark(&self) -> &str {
        &self.mark
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Forgets all runs.
    pub(crate) fn clear(&self) {
        // Without a program that may write there is no file.
        let _ = fs::remove_file(&self.path);
    }

    /// How often programs of each job have run.
    pub(crate) fn runs(&self) -> BTreeMap<Job, usize> {
        let mut runs = BTreeMap::new();
        for line in fs::read_to_string(&self.path).unwrap_or_default().lines() {
            let (student, problem) = line.split_once(' ').unwrap();
            let job = (student.to_owned(), problem.to_owned());
            *runs.entry(job).or_default() += 1;
        }
        runs
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The processes with their program file or working folder below a folder, or a text on their command line, as
/// `id command line`.
pub(crate) fn processes(folder: &Path, mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let name = entry.file_name();
        let Some(id) = name.to_str().filter(|id| id.parse::<u32>().is_ok()) else {
            continue;
        };
        // A process may end while it is looked at.
        let leads = |link: &str| {
            let target = fs::read_link(entry.path().join(link)).unwrap_or_default();
            target.starts_with(folder)
        };
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let marked = line.windows(mark.len()).any(|part| part == mark.as_bytes());
        if marked || leads("exe") || leads("cwd") {
            found.push(format!("{id} {}", grader_model::escaped(&line)));
        }
    }
    found
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
        thread::sleep(LOOK);
    }
}
