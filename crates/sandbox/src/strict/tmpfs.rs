//! File systems in memory, and the modes of files that are copied to them.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, fsconfig_create, fsconfig_set_string, fsmount,
    fsopen,
};

/// Readable for all, and executable for all if it is for its owner.
pub(super) const fn usual_mode(mode: u32) -> u32 {
    if mode & 0o100 == 0 { 0o644 } else { 0o755 }
}

/// A detached file system in memory of so many bytes and files, mounted with these attributes, without devices and
/// set-id programs.
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
