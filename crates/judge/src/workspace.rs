//! Temporary folders that vanish, whatever a student's program did to them.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Fault;

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
    /// A program may have taken away our right to its folders; give it back first, so that nothing is left.
    fn drop(&mut self) {
        open_up(self.folder.path());
    }
}

/// Writes a file and the folders above it.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).map_err(Fault::file("create", parent))?;
    }
    fs::write(path, bytes).map_err(Fault::file("write", path))
}

/// Makes every folder below `folder` writable for its owner, without following links.
fn open_up(folder: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let Ok(meta) = fs::symlink_metadata(folder) else {
        return;
    };
    if !meta.is_dir() {
        return;
    }
    if meta.permissions().mode() & 0o700 != 0o700 {
        // When this fails the removal fails too, and a folder is left in the temporary directory.
        let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        open_up(&entry.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_without_permissions_is_removed_all_the_same() {
        use std::os::unix::fs::PermissionsExt as _;
        let workspace = Workspace::new(&std::env::temp_dir(), "bitcraft-test-").unwrap();
        let path = workspace.path().to_owned();
        let inner = workspace.folder("locked").unwrap();
        fs::write(inner.join("file"), "x").unwrap();
        fs::set_permissions(&inner, fs::Permissions::from_mode(0o000)).unwrap();
        drop(workspace);
        assert!(!path.exists());
    }
}
