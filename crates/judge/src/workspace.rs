//! Temporary folders that are removed, whatever a student's program did to them.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::ops::Deref;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use grader_sandbox::{BindMount, MountPoint, Runner, if_there, remove_tree};
use tempfile::TempDir;

use crate::Fault;
use crate::constants::DISK_TEST_BYTES;
use crate::lock::locked;

/// Prefix of our temporary folders' names.
const PREFIX: &str = "bitcraft-";
/// Names in the folder of a run.
const WORK: &str = "box";
const STDIN: &str = "stdin";

/// The temporary folder of one grading run. It is removed when dropped or, if this process is killed, by the next
/// process that creates one.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// The folder itself, locked while we run: an unlocked folder is abandoned.
    _lock: File,
}

impl Scratch {
    /// Creates one in the system's temporary folder.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn new() -> Result<Self, Fault> {
        let folder = std::env::temp_dir();
        Self::new_in(&folder).map_err(Fault::file("create a temporary folder in", folder))
    }

    /// Creates one in a folder, and removes those of killed processes.
    fn new_in(folder: &Path) -> io::Result<Self> {
        loop {
            let fresh = new_folder(folder, PREFIX)?;
            // Until it is locked, another process may consider it abandoned.
            let Some(lock) = if_there(File::open(fresh.path()))? else {
                continue;
            };
            lock.lock()?;
            if let Some(found) = if_there(fs::symlink_metadata(fresh.path()))? {
                let path = fresh.keep();
                sweep(folder, found.uid());
                return Ok(Self { path, _lock: lock });
            }
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The next process tries again.
        let _ = remove_tree(&self.path);
    }
}

/// Removes abandoned folders. Failures are ignored: the folder is another user's, or the next sweep tries again.
fn sweep(folder: &Path, user: u32) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.as_encoded_bytes().starts_with(PREFIX.as_bytes()) {
            let _ = remove_if_abandoned(&entry.path(), user);
        }
    }
}

/// Removes an abandoned folder, if only our user can have created and filled it.
fn remove_if_abandoned(path: &Path, user: u32) -> io::Result<()> {
    let meta = fs::symlink_metadata(path)?;
    // 0o711: the mode if programs run as another user.
    let is_ours_alone = meta.is_dir()
        && meta.uid() == user
        && [0o700, 0o711].contains(&(meta.permissions().mode() & 0o777));
    if !is_ours_alone {
        return Ok(());
    }
    // Locked while the folder is removed, so that only one of two sweeps removes it.
    let lock = File::open(path)?;
    if lock.try_lock().is_ok() {
        remove_tree(path)?;
    }
    Ok(())
}

/// Creates a folder with a new name that only we can read.
fn new_folder(parent: &Path, prefix: &str) -> io::Result<TempDir> {
    tempfile::Builder::new()
        .prefix(prefix)
        .permissions(Permissions::from_mode(0o700))
        .tempdir_in(parent)
}

/// A temporary folder, removed when dropped.
#[derive(Debug)]
pub(crate) struct Workspace {
    folder: TempDir,
}

impl Workspace {
    /// Creates a folder with a new name in `parent` that only we can read.
    pub(crate) fn new(parent: &Path, prefix: &str) -> Result<Self, Fault> {
        let folder =
            new_folder(parent, prefix).map_err(Fault::file("create a folder in", parent))?;
        Ok(Self { folder })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Makes a folder inside.
    pub(crate) fn folder(&self, name: &str) -> Result<PathBuf, Fault> {
        let path = self.path().join(name);
        fs::create_dir(&path).map_err(Fault::file("create", &path))?;
        Ok(path)
    }

    /// Writes a file inside.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> Result<PathBuf, Fault> {
        let path = self.path().join(name);
        write(&path, bytes)?;
        Ok(path)
    }

    /// Fails if the disk is full: then an earlier failure was ours, not the program's.
    pub(crate) fn check_room(&self) -> Result<(), Fault> {
        self.file("room", &vec![0; DISK_TEST_BYTES]).map(drop)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // Removing the enclosing temporary folder tries again.
        let _ = remove_tree(self.folder.path());
    }
}

/// Folders of runs that have ended, for further runs. Making and removing files can take longer than the run of a small
/// program: ext4 passes over each inode that was freed in the last seconds.
#[derive(Default)]
pub(crate) struct SpareFolders(Mutex<Vec<Workspace>>);

/// A folder for one run.
pub(crate) struct RunFolder<'a> {
    /// `None` only while it is dropped.
    workspace: Option<Workspace>,
    /// The program's working folder, empty.
    pub(crate) directory: BindMount,
    spare: &'a SpareFolders,
}

impl SpareFolders {
    /// A folder for a run of this runner, new in `parent` if there is no spare one.
    pub(crate) fn take(&self, parent: &Path, runner: &dyn Runner) -> Result<RunFolder<'_>, Fault> {
        let spare = locked(&self.0).pop();
        let new = || {
            let new = Workspace::new(parent, "run-")?;
            new.folder(WORK).map(|_| new)
        };
        let workspace = spare.map_or_else(new, Ok)?;
        let directory = runner.mount(MountPoint::Work, &workspace.path().join(WORK));
        Ok(RunFolder {
            workspace: Some(workspace),
            directory,
            spare: self,
        })
    }
}

impl RunFolder<'_> {
    /// Writes its standard input.
    pub(crate) fn stdin(&self, bytes: &[u8]) -> Result<PathBuf, Fault> {
        let path = self.path().join(STDIN);
        // Overwritten, then cut to length: a file that was truncated first is written to disk by ext4 when it is closed.
        let mut how = File::options();
        let opened = how.write(true).create(true).truncate(false).open(&path);
        let written = opened.and_then(|mut file| {
            file.write_all(bytes)?;
            file.set_len(bytes.len() as u64)
        });
        written.map_err(Fault::file("write", &path))?;
        Ok(path)
    }
}

impl Deref for RunFolder<'_> {
    type Target = Workspace;

    fn deref(&self) -> &Workspace {
        self.workspace.as_ref().expect("it is not being dropped")
    }
}

impl Drop for RunFolder<'_> {
    fn drop(&mut self) {
        let BindMount { host, inside } = &self.directory;
        // Otherwise the program had the folder itself, not a copy.
        let is_private = host != inside;
        let is_empty = fs::read_dir(host).is_ok_and(|mut it| it.next().is_none());
        // If `/proc` is missing, a program may change the mode of its standard input. Some open `/dev/stdin` as another user.
        let stdin = fs::set_permissions(self.path().join(STDIN), Permissions::from_mode(0o644));
        if is_private && is_empty && if_there(stdin).is_ok() {
            locked(&self.spare.0).extend(self.workspace.take());
        }
    }
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(Fault::file("create", parent))?;
    }
    fs::write(path, bytes).map_err(Fault::file("write", path))
}

/// A folder and everything below it.
pub(crate) fn files_in(folder: &Path) -> io::Result<Vec<(PathBuf, Metadata)>> {
    let mut files = vec![(folder.to_owned(), fs::symlink_metadata(folder)?)];
    let mut next = 0;
    while let Some((path, meta)) = files.get(next) {
        if meta.is_dir() {
            for entry in fs::read_dir(path)?.collect::<Result<Vec<_>, _>>()? {
                files.push((entry.path(), entry.metadata()?));
            }
        }
        next += 1;
    }
    Ok(files)
}

/// Reads the beginning of a file, at most `max_bytes`.
pub(crate) fn read_start(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Fault> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(max_bytes).read_to_end(&mut bytes))
        .map_err(Fault::file("read", path))?;
    Ok(bytes)
}

/// Reads a program's output file. `None` if there is none, or the program made it unreadable.
///
/// Only a regular file counts: a link or a pipe could make us read another file, or block.
pub(crate) fn output_file(path: &Path, max: u64) -> Result<Option<Vec<u8>>, Fault> {
    if !fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
        return Ok(None);
    }
    match read_start(path, max) {
        Err(Fault::File { source, .. }) if source.kind() == ErrorKind::PermissionDenied => Ok(None),
        read => read.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder as a judge leaves it, containing a file in a folder without permissions.
    fn left(top: &TempDir, name: &str, mode: u32) -> PathBuf {
        let path = top.path().join(name);
        let inner = path.join("job-1/build");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("file"), "x").unwrap();
        fs::set_permissions(&inner, Permissions::from_mode(0o000)).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        path
    }

    #[test]
    fn what_a_killed_judge_left_is_removed_and_a_living_one_keeps_its_folder() {
        let top = TempDir::new().unwrap();
        let living = Scratch::new_in(top.path()).unwrap();
        let mut folders = [
            ("bitcraft-dead", 0o700, false),
            ("bitcraft-dead-and-searched", 0o711, false),
            // A folder that others can write to may be a trap, and one with another name is not ours.
            ("bitcraft-open", 0o777, true),
            ("other", 0o700, true),
        ]
        .map(|(name, mode, stays)| (left(&top, name, mode), stays))
        .to_vec();
        let link = top.path().join("bitcraft-link");
        std::os::unix::fs::symlink(top.path().join("other"), &link).unwrap();
        let new = Scratch::new_in(top.path()).unwrap();
        for path in [&link, &living.path().to_owned(), &new.path().to_owned()] {
            folders.push((path.clone(), true));
        }
        for (path, stays) in folders {
            assert_eq!(path.exists(), stays, "{}", path.display());
        }
        // Otherwise it would not be removed, and others could read submissions.
        let mode = fs::metadata(new.path()).unwrap().mode();
        assert_eq!(mode & 0o777, 0o700);
        let path = new.path().to_owned();
        drop(new);
        assert!(!path.exists());
    }

    #[test]
    fn what_was_killed_while_it_emptied_a_folder_does_not_keep_the_next_one_from_it() {
        let top = TempDir::new().unwrap();
        let path = left(&top, "bitcraft-half-emptied", 0o700);
        for number in 0..16 {
            fs::create_dir_all(path.join(format!("job-{number}/build"))).unwrap();
            let built = path.join(format!("job-{number}/build"));
            let inode = fs::metadata(&built).unwrap().ino();
            fs::rename(built, path.join(format!(".moved-{inode}"))).unwrap();
        }
        drop(Scratch::new_in(top.path()).unwrap());
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
    }

    #[test]
    fn many_that_begin_and_end_at_a_time_sweep_nothing_that_lives() {
        let top = TempDir::new().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let scratch = Scratch::new_in(top.path()).unwrap();
                        fs::write(scratch.path().join("mine"), "x").unwrap();
                        drop(Scratch::new_in(top.path()).unwrap());
                        assert!(scratch.path().join("mine").exists());
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
    }
}
