//! Ctrl-C: the first finishes what runs, the second stops at once.

use std::io::Write as _;

use anyhow::Context as _;
use grader_judge::Stop;
use grader_model::Lang;

/// Listens for Ctrl-C. The launchers of the sandbox notice the end of this process and kill what they run.
pub(crate) fn listen(stop: &Stop, lang: Lang) -> anyhow::Result<()> {
    let stop = stop.clone();
    ctrlc::set_handler(move || {
        if stop.request() {
            #[expect(clippy::exit, reason = "the second Ctrl-C means now")]
            std::process::exit(130);
        }
        let words = lang.pick(
            "stopping after the cases that run; Ctrl-C again stops at once",
            "正在运行的测试点结束后停止；再按一次 Ctrl-C 立即停止",
        );
        // Without a terminal there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "\n{words}");
    })
    .context("cannot listen for Ctrl-C")
}
