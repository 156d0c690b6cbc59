//! Annotations of GitHub Actions, and the summary of a step.

use std::env;
use std::fs::File;
use std::io::{self, Write as _};

use grader_report::{step_summary, write_annotations};
use grader_view::ClassView;

use crate::terminal::Terminal;

/// The file to which a step of GitHub Actions adds what its page shows.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Writes both for somebody who may see this view.
pub(crate) fn write(class: &ClassView<'_>, terminal: &Terminal) -> io::Result<()> {
    write_annotations(class, terminal.lang, &mut Terminal::pipe())?;
    add_step_summary(|| step_summary(class, terminal.lang), terminal);
    Ok(())
}

/// Adds a page to that of a step in GitHub Actions. The annotations are worth more: a failure is only a warning.
pub(crate) fn add_step_summary(page: impl FnOnce() -> String, terminal: &Terminal) {
    let Some(path) = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) else {
        return;
    };
    let add = || {
        let mut file = File::options().append(true).create(true).open(path)?;
        file.write_all(page().as_bytes())
    };
    if let Err::<_, io::Error>(error) = add() {
        terminal.warn(
            format!("cannot write the step summary (`${STEP_SUMMARY}`): {error}"),
            format!("无法写入步骤摘要（`${STEP_SUMMARY}`）：{error}"),
        );
    }
}
