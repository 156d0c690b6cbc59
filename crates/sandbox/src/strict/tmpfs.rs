//! File systems in memory, and copies of files in them.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, fchown};
use std::path::Path;

use rustix::fs::{AtFlags, Mode, OFlags};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsconfig_set_string, fsmount,
    fsopen,
};

/// A mode readable for all, and executable for all if the owner may execute the file.
pub(super) const fn usual_mode(mode: u32) -> u32 {
    if mode & 0o100 == 0 { 0o644 } else { 0o755 }
}

/// A detached file system in memory of `size` bytes and `inodes` files, mounted with these attributes, without devices
/// and set-id programs.
pub(super) fn memory_file_system(
    size: u64,
    inodes: u64,
    attributes: MountAttrFlags,
) -> io::Result<OwnedFd> {
    let context = fsopen(c"tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
    let set = |key: &str, value: String| fsconfig_set_string(context.as_fd(), key, value);
    set("size", size.to_string())?;
    set("nr_inodes", inodes.to_string())?;
    set("mode", "755".to_owned())?;
    fsconfig_create(context.as_fd())?;
    let always = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
    Ok(fsmount(
        context.as_fd(),
        FsMountFlags::FSMOUNT_CLOEXEC,
        always | attributes,
    )?)
}

/// Creates a folder open to all, whatever our umask.
pub(super) fn make_folder(above: &OwnedFd, name: &OsStr) -> rustix::io::Result<()> {
    let mode = Mode::from_raw_mode(0o755);
    rustix::fs::mkdirat(above, name, mode)?;
    rustix::fs::chmodat(above, name, mode, AtFlags::empty())
}

/// Creates a file with exactly these permissions.
pub(super) fn make_file(above: &OwnedFd, name: &OsStr, mode: u32) -> rustix::io::Result<File> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(mode);
    let file = rustix::fs::openat(above, name, flags, mode)?;
    rustix::fs::fchmod(&file, mode)?;
    Ok(file.into())
}

/// Opens a folder that was just created.
pub(super) fn open_folder(above: &OwnedFd, name: &OsStr) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::openat(above, name, flags, Mode::empty())
}

/// Copies a file, a link, or a folder with its contents, except unwanted entries. `owner` is their new owner; `None` is
/// ourselves.
pub(super) fn copy(
    host: &Path,
    above: &OwnedFd,
    name: &OsStr,
    owner: Option<u32>,
    is_wanted: fn(&Metadata) -> bool,
) -> io::Result<()> {
    let kind = fs::symlink_metadata(host)?;
    if !is_wanted(&kind) {
        return Ok(());
    }
    if kind.is_symlink() {
        rustix::fs::symlinkat(fs::read_link(host)?, above, name)?;
    } else if kind.is_dir() {
        make_folder(above, name)?;
        let folder = open_folder(above, name)?;
        fchown(&folder, owner, owner)?;
        for entry in fs::read_dir(host)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            copy(&path, &folder, &name, owner, is_wanted)?;
        }
    } else if kind.is_file() {
        let mut copy = make_file(above, name, usual_mode(kind.mode()))?;
        fchown(&copy, owner, owner)?;
        io::copy(&mut File::open(host)?, &mut copy)?;
    }
    Ok(())
}
