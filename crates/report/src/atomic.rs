//! Report files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use grader_model::{Text, escaped};
use tempfile::NamedTempFile;

/// Why a report file was not written. An older file of that name is still there, unchanged.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {step} failed", escaped(path.as_os_str().as_encoded_bytes()))]
pub struct WriteError {
    /// The file that should have been written.
    pub path: PathBuf,
    /// What was being done.
    pub step: WriteStep,
    /// The cause.
    #[source]
    pub source: io::Error,
}

/// A step of [`atomic_write`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteStep {
    /// Looking at the path.
    Look,
    /// Creating the temporary file in the same folder.
    Create,
    /// Writing the content.
    Write,
    /// Flushing it to disk.
    Sync,
    /// Renaming the temporary file.
    Rename,
}

impl std::fmt::Display for WriteStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Look => "looking at the path",
            Self::Create => "creating a temporary file in its folder",
            Self::Write => "writing the content",
            Self::Sync => "flushing to disk",
            Self::Rename => "renaming the temporary file",
        })
    }
}

impl WriteError {
    /// The failure with its cause, for people.
    pub fn text(&self) -> Text {
        Text::plain(format!("{self}: {}", self.source))
    }
}

/// Writes a file under a temporary name in the same folder, flushes it to disk and renames it.
///
/// Readers see the old file or the new one, never a part. A symbolic link is followed, so that it stays one. A
/// pipe or a device (`/dev/stdout`) cannot be replaced and is written directly.
///
/// # Errors
/// If a step fails; nothing is left behind.
pub fn atomic_write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let fail = |step| failure(path, step);
    let target = match target(path)? {
        Target::File(target) => target,
        Target::Direct => {
            let file = File::options()
                .write(true)
                .open(path)
                .map_err(fail(WriteStep::Create))?;
            let mut writer = BufWriter::new(file);
            return write(&mut writer)
                .and_then(|()| writer.flush())
                .map_err(fail(WriteStep::Write));
        }
    };
    let mut writer = BufWriter::new(temporary(&target).map_err(fail(WriteStep::Create))?);
    write(&mut writer).map_err(fail(WriteStep::Write))?;
    let file = writer
        .into_inner()
        .map_err(|error| fail(WriteStep::Write)(error.into_error()))?;
    file.as_file().sync_all().map_err(fail(WriteStep::Sync))?;
    file.persist(&target)
        .map_err(|error| fail(WriteStep::Rename)(error.error))?;
    // So that the new name survives a power cut. Not every file system can do it, and the content is safe under one of
    // its two names either way.
    if let Ok(folder) = File::open(folder(&target)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Checks that [`atomic_write`] can begin to write there, before a report that takes hours. Leaves nothing behind.
///
/// A pipe or a device is not opened: its reader would take the end of the check for the end of the report.
///
/// # Errors
/// If `atomic_write` would fail before it writes.
pub fn probe_write(path: &Path) -> Result<(), WriteError> {
    match target(path)? {
        Target::File(target) => temporary(&target)
            .map(drop)
            .map_err(failure(path, WriteStep::Create)),
        Target::Direct => Ok(()),
    }
}

/// How a path is written.
enum Target {
    /// As a file of this path, which need not be there yet.
    File(PathBuf),
    /// As it is: a pipe or a device.
    Direct,
}

fn target(path: &Path) -> Result<Target, WriteError> {
    let fail = failure(path, WriteStep::Look);
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path).map(Target::File).map_err(fail),
        Ok(found) if found.is_dir() => Err(fail(io::ErrorKind::IsADirectory.into())),
        Ok(_) => Ok(Target::Direct),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Target::File(path.to_owned())),
        Err(error) => Err(fail(error)),
    }
}

fn temporary(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bitcraft-").suffix(".tmp");
    // A report is an ordinary file: who may read it is what the umask says, not only its owner.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder(target))
}

/// The folder in which a file lies.
fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

fn failure(path: &Path, step: WriteStep) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    move |source| WriteError { path, step, source }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.json");
        for content in ["a longer first version", "second"] {
            atomic_write(&path, |out| out.write_all(content.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        assert_eq!(names(folder.path()), ["results.json"]);
    }

    #[test]
    fn a_writer_that_fails_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.json");
        fs::write(&path, "old").unwrap();
        let error = atomic_write(&path, |out| {
            out.write_all(b"half of the n")?;
            Err(io::Error::other("no more"))
        })
        .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "cannot write `{}`: writing the content failed",
                path.display()
            )
        );
        assert_eq!(error.source().unwrap().to_string(), "no more");
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["results.json"]);
    }

    #[test]
    fn a_check_finds_what_would_fail_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "old").unwrap();
        probe_write(&old).unwrap();
        probe_write(&new).unwrap();
        assert_eq!(fs::read_to_string(&old).unwrap(), "old");
        assert_eq!(names(folder.path()), ["old"]);
        let step = |path: &Path| probe_write(path).unwrap_err().step;
        assert_eq!(step(folder.path()), WriteStep::Look);
        assert_eq!(step(&new.join("report.json")), WriteStep::Create);
        let written = atomic_write(&new.join("report.json"), |_| Ok(()));
        assert_eq!(written.unwrap_err().step, WriteStep::Create);
    }

    #[cfg(unix)]
    #[test]
    fn a_check_does_not_open_a_pipe() {
        // That would wait for a reader for ever.
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            probe_write(&pipe).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_stays_a_device() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        atomic_write(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        atomic_write(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
