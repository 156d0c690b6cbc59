//! Temporary folders that vanish, whatever a student's program did to them.

use std::fs::File;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use tempfile::TempDir;

use crate::{Fault, JudgeError};

/// How the names of our temporary folders begin.
const PREFIX: &str = "bitcraft-";
/// The file in each that its owner holds locked.
const LOCK: &str = "lock";
/// A folder younger than this may not be locked yet.
const YOUNG: Duration = Duration::from_secs(60);

/// A temporary folder for everything that one grading needs: removed when dropped, and, when this process is killed,
/// by the next that makes one.
#[derive(Debug)]
pub struct Scratch {
    root: TempDir,
    /// Locked as long as we live.
    _lock: File,
}

impl Scratch {
    /// A fresh one in the system's folder for temporary files.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new() -> Result<Self, JudgeError> {
        let folder = std::env::temp_dir();
        match root_in(&folder) {
            Ok((root, lock)) => Ok(Self { root, _lock: lock }),
            Err(source) => Err(JudgeError::Workspace { folder, source }),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.root.path()
    }
}

/// A temporary folder for one judge, and the lock that says that it lives. What earlier judges left because they
/// were killed is removed first.
pub(crate) fn root_in(folder: &Path) -> io::Result<(TempDir, File)> {
    let root = tempfile::Builder::new().prefix(PREFIX).tempdir_in(folder)?;
    sweep(folder, fs::metadata(root.path())?.uid());
    let lock = File::create(root.path().join(LOCK))?;
    lock.lock()?;
    Ok((root, lock))
}

/// Removes the folders of judges that are gone. What cannot be removed is another user's, or will be tried again.
fn sweep(folder: &Path, user: u32) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for path in entries.map(|entry| entry.path()) {
        let is_ours = path
            .file_name()
            .is_some_and(|name| name.as_encoded_bytes().starts_with(PREFIX.as_bytes()));
        if is_ours && is_abandoned(&path, user) && clear(&path).is_ok() {
            let _ = fs::remove_dir(&path);
        }
    }
}

/// Whether this is a folder of ours, which nobody else can have made or filled, and its judge is gone.
fn is_abandoned(path: &Path, user: u32) -> bool {
    let is_ours_alone = |meta: &fs::Metadata| {
        meta.is_dir() && meta.uid() == user && meta.permissions().mode() & 0o777 == 0o700
    };
    let is_old = fs::symlink_metadata(path)
        .ok()
        .filter(is_ours_alone)
        .and_then(|meta| meta.modified().ok())
        .is_some_and(|at| at.elapsed().is_ok_and(|age| age > YOUNG));
    is_old && File::open(path.join(LOCK)).is_ok_and(|lock| lock.try_lock().is_ok())
}

/// A temporary folder, removed when dropped.
#[derive(Debug)]
pub(crate) struct Workspace {
    folder: TempDir,
}

impl Workspace {
    /// A folder of a fresh name in `parent`, readable by us alone.
    pub(crate) fn new(parent: &Path, prefix: &str) -> Result<Self, Fault> {
        tempfile::Builder::new()
            .prefix(prefix)
            .tempdir_in(parent)
            .map(|folder| Self { folder })
            .map_err(Fault::file("create a folder in", parent))
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
}

impl Drop for Workspace {
    /// A program may have taken away our right to its folders, or put thousands of them into each other: empty
    /// the folder first, so that nothing is left.
    fn drop(&mut self) {
        // What cannot be removed now, the removal of the temporary folder above will try again.
        let _ = clear(self.folder.path());
    }
}

/// Removes what is in a folder, however deep and whatever its permissions, without following links.
///
/// Neither recursion nor one descriptor for each level, which a deep tree exhausts: sub-folders are moved up to
/// the top before they are emptied, so that no path grows.
fn clear(top: &Path) -> io::Result<()> {
    let mut waiting = vec![top.to_owned()];
    let mut emptied = Vec::new();
    let mut moved = 0_u64;
    while let Some(folder) = waiting.pop() {
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if !entry.file_type()?.is_dir() {
                fs::remove_file(entry.path())?;
            } else if folder == top {
                waiting.push(entry.path());
            } else {
                // Moving a folder changes its `..`, for which it must be ours to write.
                fs::set_permissions(entry.path(), fs::Permissions::from_mode(0o700))?;
                let up = top.join(format!(".moved-{moved}"));
                moved += 1;
                fs::rename(entry.path(), &up)?;
                waiting.push(up);
            }
        }
        if folder != top {
            emptied.push(folder);
        }
    }
    emptied.into_iter().try_for_each(fs::remove_dir)
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(Fault::file("create", parent))?;
    }
    fs::write(path, bytes).map_err(Fault::file("write", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_permissions_is_removed_all_the_same() {
        let workspace = Workspace::new(&std::env::temp_dir(), "bitcraft-test-").unwrap();
        let path = workspace.path().to_owned();
        let inner = workspace.folder("locked").unwrap();
        fs::write(inner.join("file"), "x").unwrap();
        fs::set_permissions(&inner, fs::Permissions::from_mode(0o000)).unwrap();
        drop(workspace);
        assert!(!path.exists());
    }

    /// As if it had been made two minutes ago.
    fn age(path: &Path) {
        let then = std::time::SystemTime::now() - Duration::from_secs(120);
        File::open(path).unwrap().set_modified(then).unwrap();
    }

    #[test]
    fn what_a_killed_judge_left_is_removed_and_a_living_one_keeps_its_folder() {
        let top = TempDir::new().unwrap();
        let (living, _lock) = root_in(top.path()).unwrap();
        age(living.path());
        let dead = top.path().join("bitcraft-dead");
        fs::create_dir_all(dead.join("job-1/build")).unwrap();
        fs::write(dead.join(LOCK), "").unwrap();
        let private = fs::Permissions::from_mode(0o700);
        fs::set_permissions(&dead, private.clone()).unwrap();
        age(&dead);
        // What others can write to, or what is not there but elsewhere, may be a trap.
        let open = top.path().join("bitcraft-open");
        fs::create_dir(&open).unwrap();
        fs::write(open.join(LOCK), "").unwrap();
        fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
        age(&open);
        let young = top.path().join("bitcraft-young");
        fs::create_dir(&young).unwrap();
        fs::write(young.join(LOCK), "").unwrap();
        let other = top.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join(LOCK), "").unwrap();
        fs::set_permissions(&other, private).unwrap();
        age(&other);
        let link = top.path().join("bitcraft-link");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        let (new, _new_lock) = root_in(top.path()).unwrap();
        for (path, stays) in [
            (living.path(), true),
            (&dead, false),
            (&young, true),
            (&other, true),
            (&other.join(LOCK), true),
            (&open, true),
            (&link, true),
            (new.path(), true),
        ] {
            assert_eq!(path.exists(), stays, "{}", path.display());
        }
    }

    #[test]
    fn a_tree_of_any_depth_is_removed() {
        let workspace = Workspace::new(&std::env::temp_dir(), "bitcraft-test-").unwrap();
        let path = workspace.path().to_owned();
        let mut top = workspace.folder("box").unwrap();
        // Deeper than a path may be long: built from the bottom up, by moving what is there into a new folder.
        let name = "d".repeat(200);
        for _ in 0..40 {
            let outer = path.join("outer");
            fs::create_dir(&outer).unwrap();
            fs::rename(&top, outer.join(&name)).unwrap();
            top = path.join("box");
            fs::rename(&outer, &top).unwrap();
        }
        fs::write(top.join("file"), "x").unwrap();
        drop(workspace);
        assert!(!path.exists());
    }
}
