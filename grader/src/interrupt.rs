//! Ctrl-C: the first kills what runs and reports what is done, the second ends the process.

use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use anyhow::Context as _;
use grader_judge::Stop;
use grader_model::Lang;
use grader_report::AboveBar;
use grader_sandbox::remove_tree;
use grader_session::Exit;

/// Knows whether programs run, and the message of the second Ctrl-C, if there is one.
pub(crate) struct Listener(Arc<OnceLock<Option<String>>>);

impl Listener {
    /// From now on programs run, so the first Ctrl-C asks the judge to stop. The second prints this message.
    pub(crate) fn programs_run(&self, message: Option<String>) {
        self.0.get_or_init(|| message);
    }
}

/// Listens for Ctrl-C, SIGTERM and SIGHUP. Until programs run, the first ends this process.
///
/// Nothing is dropped when the process ends here, so `folder`, the judge's own, is removed. The launchers of the sandbox
/// notice the end of this process and kill what they run.
pub(crate) fn listen(
    stop: &Stop,
    folder: &Path,
    above: Option<AboveBar>,
    lang: Lang,
) -> anyhow::Result<Listener> {
    let (stop, folder) = (stop.clone(), folder.to_owned());
    let listener = Listener(Arc::default());
    let running = Arc::clone(&listener.0);
    ctrlc::set_handler(move || {
        let print = |message: &str| {
            let write = || {
                // If standard error is closed, nobody reads it.
                let _ = writeln!(std::io::stderr(), "\n{message}");
            };
            above
                .as_ref()
                .map_or_else(write, |above| above.suspend(write));
        };
        let message = running.get();
        if message.is_none() || stop.request() {
            // What cannot be removed, the next grader tries again.
            let _ = remove_tree(&folder);
            message.into_iter().flatten().for_each(|it| print(it));
            #[expect(clippy::exit, reason = "the second Ctrl-C ends the process")]
            std::process::exit(Exit::Interrupted as i32);
        }
        print(lang.pick(
            "stopping; Ctrl-C again ends without a report",
            "正在停止；再按一次 Ctrl-C 立即退出，不写报告",
        ));
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(listener)
}
