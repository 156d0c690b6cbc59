//! Annotations of GitHub Actions, and the summary of a step.

use std::env;
use std::fs::File;
use std::io::{self, Write as _};

use grader_report::{step_summary, write_annotations};
use grader_view::{Audience, ClassView, Visible};

use super::report::Report;
use crate::terminal::Terminal;

/// The file to which a step of GitHub Actions adds what its page shows.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";

/// Writes both. Unless the reader is named, the work of one student is shown as that student may see it: the log is that of
/// the student's repository.
pub(super) fn write(
    report: &Report<'_>,
    audience: Option<Audience>,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let usual = if report.is_of_one {
        Audience::Student
    } else {
        Audience::Staff
    };
    let visible = Visible::of(report.results, audience.unwrap_or(usual));
    let visible = visible.map_err(io::Error::from)?;
    Ok(write_view(&visible.view(), terminal)?)
}

/// Writes both for somebody who may see this view.
pub(crate) fn write_view(class: &ClassView<'_>, terminal: &Terminal) -> io::Result<()> {
    write_annotations(class, terminal.lang, &mut Terminal::pipe())?;
    add_step_summary(class, terminal);
    Ok(())
}

/// Adds the page of a step in GitHub Actions. The annotations are worth more: a failure is only a warning.
fn add_step_summary(class: &ClassView<'_>, terminal: &Terminal) {
    let Some(path) = env::var_os(STEP_SUMMARY).filter(|path| !path.is_empty()) else {
        return;
    };
    let add = || {
        let page = step_summary(class, terminal.lang);
        let mut file = File::options().append(true).create(true).open(path)?;
        file.write_all(page.as_bytes())
    };
    if let Err::<_, io::Error>(error) = add() {
        terminal.warn(
            format!("cannot write the step summary (`${STEP_SUMMARY}`): {error}"),
            format!("无法写入步骤摘要（`${STEP_SUMMARY}`）：{error}"),
        );
    }
}
