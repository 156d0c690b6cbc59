//! Temporary folders that vanish, whatever a student's program did to them.

use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use tempfile::TempDir;

use crate::{Fault, JudgeError};

/// So many bytes can be written where the disk is not full.
const ROOM: usize = 1 << 20;
/// How the names of our temporary folders begin.
const PREFIX: &str = "bitcraft-";
/// How the names of those begin that may not be locked yet.
const YOUNG_PREFIX: &str = "bitcraft-new-";
/// The file in each that its owner holds locked.
const LOCK: &str = "lock";
/// A folder that has no lock, or whose lock nobody has taken yet, is abandoned when it is older than this.
const YOUNG: Duration = Duration::from_secs(60);

/// A temporary folder for everything that one grading needs: removed when dropped, and, when this process is killed,
/// by the next that makes one.
///
/// It is made under another name than it has, and gets that once its lock is held: so a folder of that name whose lock
/// is free has lost its owner, however young it is.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
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
        Self::new_in(&folder).map_err(|source| JudgeError::Workspace { folder, source })
    }

    /// A fresh one in a folder. What earlier ones left there because their owners were killed is removed first.
    fn new_in(folder: &Path) -> io::Result<Self> {
        let young = tempfile::Builder::new()
            .prefix(YOUNG_PREFIX)
            .permissions(fs::Permissions::from_mode(0o700))
            .tempdir_in(folder)?;
        sweep(folder, fs::metadata(young.path())?.uid());
        let lock = File::create(young.path().join(LOCK))?;
        lock.lock()?;
        let name = young.path().file_name().unwrap_or_default();
        let name = name.to_string_lossy().replacen(YOUNG_PREFIX, PREFIX, 1);
        let path = folder.join(name);
        fs::rename(young.path(), &path)?;
        // There is nothing of that name any more.
        let _ = young.keep();
        Ok(Self { path, _lock: lock })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed now, the next one tries again.
        let _ = remove(&self.path);
    }
}

/// Removes the folders of judges that are gone. What cannot be removed is another user's, or will be tried again.
fn sweep(folder: &Path, user: u32) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let begins = |prefix: &str| name.as_encoded_bytes().starts_with(prefix.as_bytes());
        if begins(PREFIX) {
            let _ = remove_if_abandoned(&entry.path(), user, begins(YOUNG_PREFIX));
        }
    }
}

/// Removes a folder of ours, which nobody else can have made or filled, if its judge is gone.
fn remove_if_abandoned(path: &Path, user: u32, is_young: bool) -> io::Result<()> {
    let meta = fs::symlink_metadata(path)?;
    // 0o711: the mode if programs ran as another user.
    let is_ours_alone = meta.is_dir()
        && meta.uid() == user
        && [0o700, 0o711].contains(&(meta.permissions().mode() & 0o777));
    if !is_ours_alone {
        return Ok(());
    }
    let is_old = meta.modified()?.elapsed().is_ok_and(|age| age > YOUNG);
    // Held while the folder is removed: of two that sweep at a time one does.
    let lock = match File::open(path.join(LOCK)) {
        Ok(lock) => Some(lock),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let is_abandoned = match &lock {
        Some(lock) => (is_old || !is_young) && lock.try_lock().is_ok(),
        None => is_old,
    };
    if is_abandoned { remove(path) } else { Ok(()) }
}

/// Removes a folder with a lock: that last, so that one that is killed meanwhile leaves what the next one removes.
fn remove(path: &Path) -> io::Result<()> {
    clear(path, Some(LOCK))?;
    match fs::remove_file(path.join(LOCK)) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::remove_dir(path)
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
            .permissions(fs::Permissions::from_mode(0o700))
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

    /// Whether the disk is not full: what failed while it is tells of our machine.
    pub(crate) fn has_room(&self) -> Result<(), Fault> {
        self.file("room", &vec![0; ROOM]).map(drop)
    }
}

impl Drop for Workspace {
    /// A program may have taken away our right to its folders, or put thousands of them into each other: empty
    /// the folder first, so that nothing is left.
    fn drop(&mut self) {
        // What cannot be removed now, the removal of the temporary folder above will try again.
        let _ = clear(self.folder.path(), None);
    }
}

/// Removes what is in a folder, however deep and whatever its permissions, without following links; but not what has
/// the name `but` at its top.
///
/// Neither recursion nor one descriptor for each level, which a deep tree exhausts: sub-folders are moved up to
/// the top before they are emptied, so that no path grows. What vanishes meanwhile somebody else removes, such as the
/// launcher of a grader that was killed.
fn clear(top: &Path, but: Option<&str>) -> io::Result<()> {
    let mut waiting = vec![top.to_owned()];
    let mut emptied = Vec::new();
    let mut moved = 0_u64;
    while let Some(folder) = waiting.pop() {
        if gone(fs::set_permissions(
            &folder,
            fs::Permissions::from_mode(0o700),
        ))?
        .is_none()
        {
            continue;
        }
        for entry in gone(fs::read_dir(&folder))?.into_iter().flatten() {
            let Some(entry) = gone(entry)? else { continue };
            let Some(kind) = gone(entry.file_type())? else {
                continue;
            };
            if folder == top && but.is_some_and(|but| entry.file_name() == but) {
                continue;
            }
            if !kind.is_dir() {
                gone(fs::remove_file(entry.path()))?;
            } else if folder == top {
                waiting.push(entry.path());
            } else {
                // Moving a folder changes its `..`, for which it must be ours to write.
                gone(fs::set_permissions(
                    entry.path(),
                    fs::Permissions::from_mode(0o700),
                ))?;
                let up = loop {
                    let up = top.join(format!(".moved-{moved}"));
                    moved += 1;
                    // One that was killed in the middle of this has left some of them, and they are not empty.
                    if gone(fs::symlink_metadata(&up))?.is_none() {
                        break up;
                    }
                };
                if gone(fs::rename(entry.path(), &up))?.is_some() {
                    waiting.push(up);
                }
            }
        }
        if folder != top {
            emptied.push(folder);
        }
    }
    for folder in emptied {
        gone(fs::remove_dir(folder))?;
    }
    Ok(())
}

/// What was done; nothing where what it was to be done to is not there any more.
fn gone<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Ok(done) => Ok(Some(done)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(Fault::file("create", parent))?;
    }
    fs::write(path, bytes).map_err(Fault::file("write", path))
}

/// Reads at most so many bytes of the beginning of a file.
pub(crate) fn read_start(path: &Path, max_bytes: u64) -> Result<Vec<u8>, Fault> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    fs::File::open(path)
        .and_then(|file| file.take(max_bytes).read_to_end(&mut bytes))
        .map_err(Fault::file("read", path))?;
    Ok(bytes)
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

    /// A folder such as a judge makes, with these permissions; old, or with a lock, or both.
    fn left(top: &TempDir, name: &str, mode: u32, old: bool, locked: bool) -> PathBuf {
        let path = top.path().join(name);
        fs::create_dir_all(path.join("job-1/build")).unwrap();
        if locked {
            fs::write(path.join(LOCK), "").unwrap();
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        if old {
            age(&path);
        }
        path
    }

    #[test]
    fn what_a_killed_judge_left_is_removed_at_once_and_a_living_one_keeps_its_folder() {
        let top = TempDir::new().unwrap();
        let living = Scratch::new_in(top.path()).unwrap();
        age(living.path());
        let mut folders: Vec<(PathBuf, bool)> = [
            // Killed while it graded, or while it removed its folder.
            ("bitcraft-dead", 0o700, false, true, false),
            ("bitcraft-dead-and-searched", 0o711, false, true, false),
            ("bitcraft-emptied", 0o700, true, false, false),
            ("bitcraft-being-emptied", 0o700, false, false, true),
            // Killed before it had its name, or about to get it.
            ("bitcraft-new-dead", 0o700, true, true, false),
            ("bitcraft-new-unlocked", 0o700, true, false, false),
            ("bitcraft-new-young", 0o700, false, true, true),
            ("bitcraft-new-younger", 0o700, false, false, true),
            // What others can write to may be a trap, and what has another name is none of ours.
            ("bitcraft-open", 0o777, true, true, true),
            ("other", 0o700, true, true, true),
        ]
        .map(|(name, mode, old, locked, stays)| (left(&top, name, mode, old, locked), stays))
        .to_vec();
        let other = top.path().join("other");
        let link = top.path().join("bitcraft-link");
        std::os::unix::fs::symlink(&other, &link).unwrap();
        folders.push((link, true));
        folders.push((other.join(LOCK), true));
        let new = Scratch::new_in(top.path()).unwrap();
        folders.push((living.path().to_owned(), true));
        folders.push((new.path().to_owned(), true));
        for (path, stays) in folders {
            assert_eq!(path.exists(), stays, "{}", path.display());
        }
        // Else it would not be removed, and others could read submissions.
        let mode = fs::metadata(new.path()).unwrap().mode();
        assert_eq!(mode & 0o777, 0o700);
        let name = new.path().file_name().unwrap().to_str().unwrap();
        assert!(
            name.starts_with(PREFIX) && !name.starts_with(YOUNG_PREFIX),
            "{name}"
        );
    }

    #[test]
    fn a_folder_that_its_judge_drops_leaves_nothing() {
        let top = TempDir::new().unwrap();
        let scratch = Scratch::new_in(top.path()).unwrap();
        let locked = scratch.path().join("run-1");
        fs::create_dir_all(locked.join("box")).unwrap();
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
        drop(scratch);
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_was_killed_while_it_emptied_a_folder_does_not_keep_the_next_one_from_it() {
        let top = TempDir::new().unwrap();
        let path = left(&top, "bitcraft-half-emptied", 0o700, false, true);
        // So many that in whatever order they come, one would be moved to where another is.
        for number in 0..16 {
            fs::create_dir_all(path.join(format!("job-{number}/build"))).unwrap();
            let moved = path.join(format!(".moved-{number}"));
            fs::create_dir(&moved).unwrap();
            fs::write(moved.join("program"), "").unwrap();
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
