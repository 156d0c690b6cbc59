//! Folders that a group shares: two teaching assistants who grade one class on a server.
//!
//! A folder that has the set-group-ID bit and that its group may write, and not everybody, is that group's. What a member
//! creates in it for its own use, the group may write, whatever the umask. Everywhere else it is the user's alone.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::process::{getegid, geteuid, getgroups};

/// The group that shares a folder, to which this user belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharing {
    group: u32,
}

impl Sharing {
    /// Who shares a folder; `None` if nobody does, or this user is not one of them.
    pub fn of(folder: &Path) -> Option<Self> {
        let found = fs::metadata(folder).ok()?;
        let sharing = Self { group: found.gid() };
        (found.is_dir() && found.mode() & 0o2022 == 0o2020 && sharing.is_ours()).then_some(sharing)
    }

    fn is_ours(self) -> bool {
        let others = getgroups().unwrap_or_default();
        let mut groups = others.into_iter().chain([getegid()]);
        groups.any(|it| it.as_raw() == self.group)
    }

    /// Whether a file or folder in it is the group's, whoever of it made that. What is made in a folder belongs to the group
    /// only if that has the bit, too.
    pub fn has(self, found: &Metadata) -> bool {
        let is_followed = !found.is_dir() || found.mode() & 0o2000 != 0;
        found.gid() == self.group && found.mode() & 0o002 == 0 && is_followed
    }
}

/// Whether only this user can write a file or a folder.
pub(crate) fn is_private(found: &Metadata) -> bool {
    found.uid() == geteuid().as_raw() && found.mode() & 0o022 == 0
}

/// Opens a file that is made for this user alone, or for the group that shares its folder. A link is not followed: in such a
/// folder, others can make one.
///
/// # Errors
/// If it cannot be opened, or is a link.
pub fn create(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    let is_new = fs::symlink_metadata(path).is_err();
    let flags = OFlags::NOFOLLOW.bits().cast_signed();
    let file = how.mode(0o600).custom_flags(flags).open(path)?;
    if is_new && path.parent().and_then(Sharing::of).is_some() {
        file.set_permissions(Permissions::from_mode(0o660))?;
    }
    Ok(file)
}

/// Creates a folder and those above it that are missing, for this user alone or, in a folder that a group shares, for that
/// group.
///
/// # Errors
/// If it cannot be created.
pub fn create_private_folder(folder: &Path) -> io::Result<()> {
    let is_missing = |it: &&Path| !it.as_os_str().is_empty() && !it.exists();
    let missing: Vec<_> = folder.ancestors().take_while(is_missing).collect();
    for folder in missing.into_iter().rev() {
        match create_folder(folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => made?,
        }
    }
    // Something else at its place is an error.
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Creates a folder that is not there.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(folder)?;
    if folder.parent().and_then(Sharing::of).is_some() {
        fs::set_permissions(folder, Permissions::from_mode(0o2770))?;
    }
    Ok(())
}
