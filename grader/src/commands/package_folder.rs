//! Writes the folder that `import` and `bundle` make.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use grader_model::{counted, escaped};
use grader_publish::unnamed;
use grader_session::{Exit, shown};

use crate::targets::MadeFolders;
use crate::terminal::Terminal;

/// Writes a folder, and says what it does not have. If a file fails, nothing is left under the folder's name.
pub(crate) fn write_package<'a>(
    output: &Path,
    files: impl Iterator<Item = anyhow::Result<(&'a str, Vec<u8>)>>,
    heading: &str,
    notes: impl IntoIterator<Item = &'a String>,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    write_checked(output, files, |_| Ok(()), heading, notes, terminal)
}

/// Writes a folder as [`write_package`] does, if it passes a check.
pub(crate) fn write_checked<'a>(
    output: &Path,
    files: impl Iterator<Item = anyhow::Result<(&'a str, Vec<u8>)>>,
    check: impl FnOnce(&Path) -> anyhow::Result<()>,
    heading: &str,
    notes: impl IntoIterator<Item = &'a String>,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let parent = output.parent();
    let parent = parent.filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    // If nothing comes of it, neither do the folders above.
    let mut made = MadeFolders::default();
    made.make(parent)?;
    let cannot_write = || format!("cannot write `{}`", shown(output));
    let written = tempfile::Builder::new()
        .prefix(".grader-")
        .tempdir_in(parent)
        .map_err(unnamed)
        .with_context(cannot_write)?;
    let mut count = 0;
    for file in files {
        let (path, bytes) = file?;
        let target = written.path().join(path);
        let folder = target.parent().unwrap_or(&target);
        let made = fs::create_dir_all(folder).and_then(|()| fs::write(&target, bytes));
        made.with_context(|| format!("cannot write `{}`", shown(&output.join(path))))?;
        count += 1;
    }
    check(written.path())?;
    fs::rename(written.path(), output).with_context(cannot_write)?;
    // It has moved: there is nothing to remove.
    let _ = written.keep();
    let files = counted(count, "file", "files");
    let mut page = Vec::new();
    if !terminal.is_quiet {
        page.push(format!("wrote {files} to {}\n", shown(output)));
    }
    let notes = notes.into_iter();
    let notes: Vec<String> = notes
        .map(|note| format!("  {}\n", escaped(note.as_bytes())))
        .collect();
    if !notes.is_empty() {
        page.push(format!("\n{heading}:\n"));
    }
    page.extend(notes);
    terminal.stdout().write_all(page.concat().as_bytes())?;
    Ok(Exit::Done)
}
