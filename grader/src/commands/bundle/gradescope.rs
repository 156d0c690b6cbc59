//! The zip that grades an assignment on Gradescope.

use std::env;
use std::fs;
use std::path::Path;

use anyhow::Context as _;
use grader_kit::gradescope_zip;
use grader_lms::open_regular;
use grader_publish::{atomic_write, probe_write};
use grader_session::owned::refuse_foreign;
use grader_session::{Exit, Failure, shown};
use zip::ZipArchive;

use crate::assignment::assignments;
use crate::terminal::Terminal;

/// Writes the zip.
pub(super) fn write(
    output: &Path,
    assignment: Option<&str>,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let place = assignments().find_or_nearest(assignment)?;
    let loaded = place.load(terminal)?;
    refuse_foreign(output, |_| is_bundle(output))?;
    probe_write(output).map_err(|error| Failure::mistake(error.text()))?;
    let program = env::current_exe().and_then(fs::read);
    let program = program.context("cannot read the grader's own program file")?;
    let zip = gradescope_zip(&program, place.library.as_ref(), &place.folder, &loaded)?;
    atomic_write(output, |out| out.write_all(&zip))?;
    let path = shown(output);
    terminal.note(
        format!(
            "bundle written to `{path}`: upload it as the autograder of a programming assignment"
        ),
        format!("自动评测包已写入 `{path}`：在 Gradescope 编程作业中作为 autograder 上传"),
    );
    Ok(Exit::Done)
}

/// Whether a file is an earlier bundle.
fn is_bundle(path: &Path) -> bool {
    let zip = open_regular(path)
        .ok()
        .and_then(|file| ZipArchive::new(file).ok());
    zip.is_some_and(|mut zip| zip.by_name("run_autograder").is_ok())
}
