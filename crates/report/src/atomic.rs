//! Report files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

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
    let fail = |step| {
        move |source| WriteError {
            path: path.to_owned(),
            step,
            source,
        }
    };
    let target = match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path).map_err(fail(WriteStep::Look))?,
        Ok(found) if found.is_dir() => {
            return Err(fail(WriteStep::Look)(io::ErrorKind::IsADirectory.into()));
        }
        Ok(_) => {
            let file = File::options()
                .write(true)
                .open(path)
                .map_err(fail(WriteStep::Create))?;
            let mut writer = BufWriter::new(file);
            return write(&mut writer)
                .and_then(|()| writer.flush())
                .map_err(fail(WriteStep::Write));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(fail(WriteStep::Look)(error)),
    };
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bitcraft-").suffix(".tmp");
    // A report is an ordinary file: who may read it is what the umask says, not only its owner.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder
        .tempfile_in(folder)
        .map_err(fail(WriteStep::Create))?;
    let mut writer = BufWriter::new(file);
    write(&mut writer).map_err(fail(WriteStep::Write))?;
    let file = writer
        .into_inner()
        .map_err(|error| fail(WriteStep::Write)(error.into_error()))?;
    file.as_file().sync_all().map_err(fail(WriteStep::Sync))?;
    file.persist(&target)
        .map_err(|error| fail(WriteStep::Rename)(error.error))?;
    // Without this the new name may be lost in a power cut. Not every file system can do it, and the content
    // is safe under one of its two names either way.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
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
