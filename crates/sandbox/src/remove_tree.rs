//! Removes folders that hostile programs have written to.

use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirEntryExt as _, PermissionsExt as _};
use std::path::Path;

use crate::constants::MAX_REMOVAL_ATTEMPTS;

/// Removes a folder and everything in it, however deep and whatever its permissions, without following links. Succeeds
/// if the folder does not exist.
///
/// `std::fs::remove_dir_all` fails at the first folder of mode 000, and needs a descriptor for each level of a deep
/// tree.
///
/// # Errors
/// If a file or folder cannot be removed, for example because it belongs to another user.
pub fn remove_tree(top: &Path) -> io::Result<()> {
    let remove = || {
        clear(top)?;
        if_there(fs::remove_dir(top)).map(drop)
    };
    for _ in 1..MAX_REMOVAL_ATTEMPTS {
        match remove() {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
            done => return done,
        }
    }
    remove()
}

/// Empties a folder.
///
/// Uses neither recursion nor one descriptor per level, which a deep tree would exhaust: sub-folders are moved to the
/// top before they are emptied, so that paths do not grow. Entries that vanish meanwhile are being removed by somebody
/// else, such as the launcher of a killed grader.
fn clear(top: &Path) -> io::Result<()> {
    let unlock =
        |folder: &Path| if_there(fs::set_permissions(folder, Permissions::from_mode(0o700)));
    let mut waiting = vec![top.to_owned()];
    let mut emptied = Vec::new();
    while let Some(folder) = waiting.pop() {
        unlock(&folder)?;
        for entry in if_there(fs::read_dir(&folder))?.into_iter().flatten() {
            let Some(entry) = if_there(entry)? else {
                continue;
            };
            let path = entry.path();
            let is_folder = if_there(entry.file_type())?.is_some_and(|kind| kind.is_dir());
            if !is_folder {
                if_there(fs::remove_file(path))?;
            } else if folder == top {
                waiting.push(path);
            } else {
                // Moving a folder changes its `..`, which requires write permission on it.
                unlock(&path)?;
                // A folder keeps its inode number, so the name is free.
                let up = top.join(format!(".moved-{}", entry.ino()));
                if_there(fs::rename(&path, &up))?;
                waiting.push(up);
            }
        }
        if folder != top {
            emptied.push(folder);
        }
    }
    for folder in emptied {
        if_there(fs::remove_dir(folder))?;
    }
    Ok(())
}

/// `None` if the file or folder does not exist.
///
/// # Errors
/// Any other failure.
pub fn if_there<T>(done: io::Result<T>) -> io::Result<Option<T>> {
    match done {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        done => done.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use rustix::thread::{Gid, Uid};
    use tempfile::TempDir;

    use super::*;

    /// An ordinary user, for tests run as root.
    const USER: u32 = 1000;

    /// Runs this in a thread as an ordinary user, to whom file permissions apply.
    fn as_ordinary_user(work: impl FnOnce() + Send) {
        let body = || {
            if rustix::process::geteuid().is_root() {
                let (user, group) = (Uid::from_raw(USER), Gid::from_raw(USER));
                let changed = rustix::thread::set_thread_res_gid(group, group, group)
                    .and_then(|()| rustix::thread::set_thread_res_uid(user, user, user));
                if let Err(error) = changed {
                    eprintln!("as root, to whom permissions do not apply: {error}");
                }
            }
            work();
        };
        thread::scope(|scope| scope.spawn(body).join().unwrap());
    }

    #[test]
    fn folders_of_mode_000_are_removed() {
        let top = TempDir::new().unwrap();
        fs::set_permissions(top.path(), Permissions::from_mode(0o777)).unwrap();
        let tree = top.path().join("tree");
        as_ordinary_user(|| {
            for path in ["closed", "open/closed/inner", "open/closed/other/deep"] {
                fs::create_dir_all(tree.join(path)).unwrap();
                fs::write(tree.join(path).join("file"), "x").unwrap();
            }
            std::os::unix::fs::symlink("..", tree.join("open/closed/link")).unwrap();
            for path in ["open/closed/other", "open/closed", "closed", ""] {
                let closed = Permissions::from_mode(0o000);
                fs::set_permissions(tree.join(path), closed).unwrap();
            }
            remove_tree(&tree).unwrap();
            assert!(!tree.exists());
            remove_tree(&tree).unwrap();
        });
    }

    #[test]
    fn a_tree_of_any_depth_is_removed() {
        let top = TempDir::new().unwrap();
        let path = top.path().join("tree");
        let mut inner = path.join("box");
        fs::create_dir_all(&inner).unwrap();
        // Longer than a path may be: built from the bottom up, by moving the existing tree into a new folder.
        let name = "d".repeat(200);
        for _ in 0..40 {
            let outer = path.join("outer");
            fs::create_dir(&outer).unwrap();
            fs::rename(&inner, outer.join(&name)).unwrap();
            inner = path.join("box");
            fs::rename(&outer, &inner).unwrap();
        }
        fs::write(inner.join("file"), "x").unwrap();
        remove_tree(&path).unwrap();
        assert!(!path.exists());
    }
}
