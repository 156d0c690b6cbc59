//! Ctrl-C: the first finishes what runs, the second stops at once.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;
use grader_judge::Stop;
use grader_model::Lang;
use grader_report::AboveBar;

use crate::exit::Exit;

/// How often a folder is removed in which programs may still be writing.
const ATTEMPTS: usize = 5;

/// Who listens for Ctrl-C.
pub(crate) struct Listener {
    at_work: Arc<AtomicBool>,
    last_words: Arc<Mutex<Option<String>>>,
}

impl Listener {
    /// From now on programs run: the first Ctrl-C lets them end. The second ends this process with these words.
    pub(crate) fn programs_run(&self, last_words: Option<String>) {
        *lock(&self.last_words) = last_words;
        self.at_work.store(true, Ordering::SeqCst);
    }
}

/// Listens for Ctrl-C, and for the system's wish that this process ends (SIGTERM, SIGHUP), which counts alike.
/// Until programs run it ends this process at once.
///
/// What stops at once cannot clean up behind itself: `folder`, the judge's own, is removed here. The launchers
/// of the sandbox notice the end of this process and kill what they run.
pub(crate) fn listen(
    stop: &Stop,
    folder: &Path,
    above: Option<AboveBar>,
    lang: Lang,
) -> anyhow::Result<Listener> {
    let stop = stop.clone();
    let folder = folder.to_owned();
    let at_work = Arc::new(AtomicBool::new(false));
    let last_words = Arc::default();
    let listener = Listener {
        at_work: Arc::clone(&at_work),
        last_words: Arc::clone(&last_words),
    };
    ctrlc::set_handler(move || {
        if !at_work.load(Ordering::SeqCst) || stop.request() {
            remove(&folder);
            if let Some(words) = lock(&last_words).take() {
                // As below.
                let say = || {
                    let _ = writeln!(std::io::stderr(), "\n{words}");
                };
                above.as_ref().map_or_else(say, |above| above.suspend(say));
            }
            #[expect(clippy::exit, reason = "the second Ctrl-C means now")]
            std::process::exit(Exit::Interrupted.status().into());
        }
        let words = lang.pick(
            "stopping after the cases that run; Ctrl-C again stops at once",
            "正在运行的测试点结束后停止；再按一次 Ctrl-C 立即停止",
        );
        // Without a terminal there is nobody to tell.
        let say = || {
            let _ = writeln!(std::io::stderr(), "\n{words}");
        };
        match &above {
            Some(above) => above.suspend(say),
            None => say(),
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(listener)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is in it is whole, whoever panicked.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a folder as well as can be: there is no later at which to try again.
fn remove(folder: &Path) {
    for _ in 0..ATTEMPTS {
        if fs::remove_dir_all(folder).is_ok() || !folder.exists() {
            return;
        }
    }
}
