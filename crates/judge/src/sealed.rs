//! A folder that stays as it is from the end of a build on.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::Fault;
use crate::workspace::files_in;

/// Makes a folder read-only, even for us; dropping the workspace makes it writable again.
pub(crate) fn seal(folder: &Path) -> Result<(), Fault> {
    for (path, meta) in files_in(folder).map_err(Fault::file("read", folder))? {
        // For any user: the program may run as a different one.
        let mode = match meta.permissions().mode() & 0o100 {
            0 => 0o444,
            _ => 0o555,
        };
        if !meta.is_symlink() {
            let sealed = fs::set_permissions(&path, Permissions::from_mode(mode));
            sealed.map_err(Fault::file("seal", &path))?;
        }
    }
    Ok(())
}

/// Identifies a version of a file: its inode, its size, and the time of its last change of state, which nobody can set.
pub(crate) type Stamp = BTreeMap<PathBuf, (u64, u64, i64, i64)>;

/// The versions of all files in a folder.
pub(crate) fn stamp(folder: &Path) -> io::Result<Stamp> {
    let files = files_in(folder)?.into_iter();
    let stamps = files.map(|(path, it)| (path, (it.ino(), it.len(), it.ctime(), it.ctime_nsec())));
    Ok(stamps.collect())
}

/// Whether a folder has this program, to which no link leads.
pub(crate) fn is_executable(folder: &Path, program: &Path) -> io::Result<bool> {
    let path = fs::canonicalize(folder)?.join(program);
    let meta = fs::symlink_metadata(&path)?;
    let is_program = meta.is_file() && meta.permissions().mode() & 0o111 != 0;
    Ok(is_program && fs::canonicalize(&path)? == path)
}
