//! Report files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use grader_model::{Text, escaped};
use tempfile::NamedTempFile;

/// Why a report file was not written. An older file of that name is still there, unchanged.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`: {step} failed", path.display())]
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
    /// Finding out what stands at the path.
    Look,
    /// Making the temporary file in the same folder.
    Create,
    /// Writing the content.
    Write,
    /// Making sure that it is on the disk.
    Sync,
    /// Giving it its name.
    Rename,
}

impl WriteStep {
    /// English and Chinese.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Look => ("looking at the path", "查看路径"),
            Self::Create => (
                "creating a temporary file in its folder",
                "在其文件夹中创建临时文件",
            ),
            Self::Write => ("writing the content", "写入内容"),
            Self::Sync => ("flushing to disk", "同步到磁盘"),
            Self::Rename => ("renaming the temporary file", "重命名临时文件"),
        }
    }
}

impl std::fmt::Display for WriteStep {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.words().0)
    }
}

impl WriteError {
    /// The failure with its cause, for people.
    pub fn text(&self) -> Text {
        let path = escaped(self.path.as_os_str().as_encoded_bytes());
        let (step, step_zh) = self.step.words();
        let cause = &self.source;
        Text::new(
            format!("cannot write `{path}`: {step} failed: {cause}"),
            format!("无法写入 `{path}`：{step_zh}失败：{cause}"),
        )
    }
}

/// Writes a file under a temporary name in the same folder, flushes it to disk and renames it.
///
/// Readers see the old file or the new one, never a part. A symbolic link is followed, so that it stays one. A
/// pipe or a device (`/dev/stdout`) cannot be replaced and is written directly.
///
/// # Errors
/// When a step fails; the error says which, and nothing is left behind.
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
    // Without this the new name may be lost in a power cut. Not every file system can do it, and the content
    // is safe under one of its two names either way.
    if let Ok(folder) = File::open(folder(&target)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Tries whether [`atomic_write`] can begin to write there, and leaves nothing behind.
///
/// For a report that takes hours to make. A pipe or a device is not opened: whoever reads it would take the
/// end of the trial for the end of the report.
///
/// # Errors
/// When `atomic_write` would fail before it writes.
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
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("absent").join("results.json");
        let error = atomic_write(&path, |_| Ok(())).unwrap_err();
        assert_eq!(error.step, WriteStep::Create);
        assert_eq!(error.path, path);
    }

    #[test]
    fn a_trial_finds_what_would_fail_and_leaves_nothing() {
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
        let error = WriteError {
            path: "r.json".into(),
            step: WriteStep::Write,
            source: io::Error::other("no more"),
        };
        assert_eq!(
            error.text(),
            Text::new(
                "cannot write `r.json`: writing the content failed: no more",
                "无法写入 `r.json`：写入内容失败：no more"
            )
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_trial_does_not_open_a_pipe() {
        // Where the trial opened it, it would wait for a reader for ever.
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
