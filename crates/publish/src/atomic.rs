//! Report files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, BufWriter, Seek as _, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use grader_model::{Text, escaped};
use tempfile::NamedTempFile;

/// How the names of temporary files begin and end.
const PREFIX: &str = ".bitcraft-";
const SUFFIX: &str = ".tmp";

/// A writer locks its temporary file in less time than this.
const LOCKED_WITHIN: Duration = Duration::from_secs(60);

/// Why a report file was not written. An older file of that name is still there, unchanged.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`", escaped(path.as_os_str().as_encoded_bytes()))]
pub struct WriteError {
    /// The file that should have been written.
    pub path: PathBuf,
    /// The cause.
    #[source]
    pub source: io::Error,
}

impl WriteError {
    /// A failure to write `path`.
    pub fn of(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self {
            path: path.clone(),
            source,
        }
    }

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
/// If a step fails; nothing is left behind. What a writer that was killed left in the folder is removed.
pub fn atomic_write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    if let Ok(Some(target)) = target(path) {
        sweep(folder(&target));
    }
    write_whole(path, write)
}

/// The same for a file that only its owner may read, whoever could read an earlier one.
///
/// # Errors
/// As [`atomic_write`].
pub fn atomic_write_private(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    if let Ok(Some(target)) = target(path) {
        sweep(folder(&target));
    }
    write_with(path, true, write)
}

/// The same for one of many files: temporary files that were left are not looked for.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    write_with(path, false, write)
}

fn write_with(
    path: &Path,
    is_private: bool,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    let replace = || -> io::Result<()> {
        let Some(target) = target(path)? else {
            let mut writer = BufWriter::new(File::options().write(true).open(path)?);
            return write(&mut writer).and_then(|()| writer.flush());
        };
        let file = temporary(&target)?;
        if is_private {
            file.as_file()
                .set_permissions(fs::Permissions::from_mode(0o600))?;
        }
        // Not the temporary file itself, whose errors name it.
        let mut writer = BufWriter::new(file.as_file());
        write(&mut writer)?;
        writer.flush()?;
        drop(writer);
        file.as_file().sync_all()?;
        file.persist(&target)?;
        // So that the new name survives a power cut. Not every file system can do it, and the content is safe under one
        // of its two names either way.
        if let Ok(folder) = File::open(folder(&target)) {
            let _ = folder.sync_all();
        }
        Ok(())
    };
    replace().map_err(WriteError::of(path))
}

/// The same for a file that can be made again: it is not flushed to disk, which takes most of the time of many small ones.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let replace = || {
        let file = temporary(path)?;
        file.as_file().write_all(bytes)?;
        file.persist(path)?;
        Ok(())
    };
    replace().map_err(WriteError::of(path))
}

/// The same for a file that is too large for memory. What is there stays if it has the same bytes, or if `write` says that what it
/// wrote is not to be kept. Returns what it said.
pub(crate) fn replace_in_pieces(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<bool>,
) -> Result<bool, WriteError> {
    let replace = || {
        let file = temporary(path)?;
        let mut writer = BufWriter::new(file.as_file());
        let is_kept = write(&mut writer)?;
        writer.flush()?;
        drop(writer);
        if is_kept && !has_bytes_of(path, file.as_file())? {
            file.persist(path)?;
        }
        Ok(is_kept)
    };
    replace().map_err(WriteError::of(path))
}

/// Whether there is a file with the bytes of another.
fn has_bytes_of(path: &Path, mut other: &File) -> io::Result<bool> {
    let size = other.metadata()?.len();
    // Opening a pipe would wait for a writer.
    let is_alike = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == size);
    let Some(file) = is_alike.then(|| File::open(path)).transpose()? else {
        return Ok(false);
    };
    other.rewind()?;
    let (mut one, mut other) = (BufReader::new(file), BufReader::new(other));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if length == 0 {
            return Ok(true);
        }
        if left[..length] != right[..length] {
            return Ok(false);
        }
        one.consume(length);
        other.consume(length);
    }
}

/// Checks that [`atomic_write`] can begin to write there, before a report that takes hours. Leaves nothing behind.
///
/// A pipe or a device is not opened: its reader would take the end of the check for the end of the report.
///
/// # Errors
/// If `atomic_write` would fail before it writes.
pub fn probe_write(path: &Path) -> Result<(), WriteError> {
    let probe = || -> io::Result<()> {
        if let Some(target) = target(path)? {
            temporary(&target)?;
        }
        Ok(())
    };
    probe().map_err(WriteError::of(path))
}

/// The file of this path, which need not be there yet. `None` if it is a pipe or a device.
fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => fs::canonicalize(path).map(Some),
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // A file of this name could be made, and not be renamed.
            if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            Ok(Some(end_of_links(path)))
        }
        Err(error) => Err(error),
    }
}

/// Where a path leads that is not there: to itself, or to what a link names.
fn end_of_links(path: &Path) -> PathBuf {
    /// As often as the system follows links.
    const MAX_LINKS: usize = 40;
    let next = |path: &PathBuf| Some(folder(path).join(fs::read_link(path).ok()?));
    let all = std::iter::successors(Some(path.to_owned()), next);
    all.take(MAX_LINKS)
        .last()
        .unwrap_or_else(|| path.to_owned())
}

/// An error of the system without the temporary file that it names: people look for the one that they named.
pub fn unnamed(error: io::Error) -> io::Error {
    // `tempfile` has no other way to tell the two apart.
    match error.to_string().rsplit_once(" at path \"") {
        Some((reason, _)) => io::Error::new(error.kind(), reason),
        None => error,
    }
}

fn temporary(target: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // A report is an ordinary file: who may read it is what the umask says, not only its owner. A file that was kept from
    // others stays so.
    let mode = fs::metadata(target).map_or(0o666, |it| it.permissions().mode() & 0o777);
    builder.permissions(PermissionsExt::from_mode(mode));
    let file = builder.tempfile_in(folder(target)).map_err(unnamed)?;
    if mode & 0o060 != 0 && is_shared(folder(target)) {
        let mode = file.as_file().metadata()?.permissions().mode() | 0o060;
        file.as_file()
            .set_permissions(PermissionsExt::from_mode(mode))?;
    }
    // Held as long as the file is open: what is not locked has no writer left. Where nothing can be locked, nothing is
    // swept either.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// Removes the temporary files of writers that were killed. What cannot be removed is left to the next writer.
pub(crate) fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes()) {
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(path: &Path) -> io::Result<()> {
    let found = fs::symlink_metadata(path)?;
    let age = SystemTime::now().duration_since(found.modified()?);
    // Opening a pipe would wait for a writer.
    if found.is_file() && age.is_ok_and(|age| age > LOCKED_WITHIN) {
        let file = File::open(path)?;
        if file.try_lock().is_ok() {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// Whether a folder is its group's: it has the set-group-ID bit, and the group may write it, but not everybody. What is made
/// in it follows it, whatever the umask.
fn is_shared(folder: &Path) -> bool {
    let found = fs::metadata(folder);
    found.is_ok_and(|it| it.is_dir() && it.permissions().mode() & 0o2022 == 0o2020)
}

/// Makes a folder and those above it that are missing, and returns these, the outer ones first. In a folder that a group
/// shares, they are that group's.
///
/// # Errors
/// If it cannot be made.
pub fn create_folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_missing = |it: &&Path| !it.as_os_str().is_empty() && !it.exists();
    let missing: Vec<_> = folder.ancestors().take_while(is_missing).collect();
    let missing: Vec<PathBuf> = missing.into_iter().rev().map(Path::to_owned).collect();
    fs::create_dir_all(folder)?;
    for made in &missing {
        if is_shared(self::folder(made)) {
            let mode = fs::metadata(made)?.permissions().mode() | 0o2070;
            fs::set_permissions(made, PermissionsExt::from_mode(mode))?;
        }
    }
    Ok(missing)
}

/// The folder in which a file lies.
fn folder(file: &Path) -> &Path {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt as _;

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
    fn a_writer_that_fails_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.json");
        fs::write(&path, "old").unwrap();
        let error = atomic_write(&path, |out| {
            out.write_all(b"half of the n")?;
            Err(io::Error::other("no more"))
        })
        .unwrap_err();
        let text = format!("cannot write `{}`: no more", path.display());
        assert_eq!(error.text(), Text::plain(text));
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(names(folder.path()), ["results.json"]);
    }

    #[test]
    fn what_a_killed_writer_left_is_removed_and_a_living_one_keeps_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        let living = temporary(&path).unwrap();
        let hour_ago = SystemTime::now() - Duration::from_secs(3600);
        living.as_file().set_modified(hour_ago).unwrap();
        for (name, modified) in [
            (".bitcraft-dead.tmp", hour_ago),
            (".bitcraft-new.tmp", SystemTime::now()),
            (".bitcraft-other", hour_ago),
            ("other.tmp", hour_ago),
        ] {
            let file = File::create(folder.path().join(name)).unwrap();
            file.set_modified(modified).unwrap();
        }
        atomic_write(&path, |out| out.write_all(b"new")).unwrap();
        let name = living.path().file_name().unwrap().to_str().unwrap();
        let mut expected = [
            ".bitcraft-new.tmp",
            ".bitcraft-other",
            name,
            "other.tmp",
            "report",
        ];
        expected.sort_unstable();
        assert_eq!(names(folder.path()), expected);
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
        let missing = new.join("report.json");
        for path in [folder.path(), &missing, &folder.path().join("none/")] {
            let errors = [
                probe_write(path).unwrap_err(),
                atomic_write(path, |_| panic!("nothing can be written")).unwrap_err(),
            ];
            // They name the file that was asked for, and no temporary one.
            let begin = format!("cannot write `{}`: ", path.display());
            for error in errors {
                let text = error.text().en;
                assert!(text.starts_with(&begin) && !text.contains(PREFIX), "{text}");
            }
        }
    }

    #[test]
    fn what_is_written_in_pieces_replaces_only_what_differs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page");
        let write = |pieces: &[&str], is_kept| {
            let kept = replace_in_pieces(&path, |out| {
                for piece in pieces {
                    out.write_all(piece.as_bytes())?;
                }
                Ok(is_kept)
            });
            assert_eq!(kept.unwrap(), is_kept);
            assert_eq!(names(folder.path()), ["page"]);
            let inode = fs::metadata(&path).unwrap().ino();
            (fs::read_to_string(&path).unwrap(), inode)
        };
        let large = "x".repeat(20_000);
        let first = write(&[&large, "old"], true);
        assert_eq!(write(&[&large, "o", "ld"], true), first);
        assert_eq!(write(&["too large"], false), first);
        let other = write(&[&large, "new"], true);
        assert_eq!(other.0, large + "new");
        assert_ne!(other.1, first.1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_a_device_stays_a_device() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        probe_write(&link).unwrap();
        atomic_write(&link, |out| out.write_all(b"new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        // Also if what it names is not there yet.
        fs::remove_file(&path).unwrap();
        let (inner, other) = (folder.path().join("inner"), folder.path().join("other"));
        fs::create_dir(&inner).unwrap();
        std::os::unix::fs::symlink("inner/real", &other).unwrap();
        for (link, path) in [(&link, &path), (&other, &inner.join("real"))] {
            probe_write(link).unwrap();
            atomic_write(link, |out| out.write_all(b"first")).unwrap();
            assert!(fs::symlink_metadata(link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(path).unwrap(), "first");
        }
        atomic_write(Path::new("/dev/null"), |out| out.write_all(b"gone")).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
