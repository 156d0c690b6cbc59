//! The scratch tmpfs of a run, with all folders that a program may write to.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::{self, Read as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, fchown};
use std::path::Path;

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags};
use rustix::mount::MountAttrFlags;

use super::tmpfs::{copy, memory_file_system, open_folder, usual_mode};
use crate::Returns;
use crate::constants::{MAX_RETURNED_DEPTH, MAX_RETURNED_NAMES, SCRATCH_INODES};

/// A run's tmpfs, which contains its working folder and its `/tmp`.
pub(crate) struct RunTmpfs {
    /// The root folder, detached until init mounts it.
    whole: OwnedFd,
    /// The working folder.
    work: OwnedFd,
    /// The file of [`Returns::Kept`].
    kept: Option<File>,
    owner: Option<u32>,
    /// Its size in bytes.
    size: u64,
}

/// Names of the two folders.
pub(crate) const WORK: &str = "box";
pub(crate) const TMP: &str = "tmp";

impl RunTmpfs {
    /// Creates one of `size` bytes. `owner` is its owner; `None` is ourselves.
    pub(crate) fn new(size: u64, owner: Option<u32>) -> io::Result<Self> {
        // No program needs to execute what it writes, and executing a file that it may not read would stop the kernel's
        // task clock.
        let whole = memory_file_system(size, SCRATCH_INODES, MountAttrFlags::MOUNT_ATTR_NOEXEC)?;
        for (name, mode) in [(WORK, 0o700), (TMP, 0o1777)] {
            rustix::fs::mkdirat(&whole, name, Mode::RWXU)?;
            let folder = open_folder(&whole, name.as_ref())?;
            fchown(&folder, owner, owner)?;
            // Not by `mkdirat`, which our umask affects.
            rustix::fs::fchmod(&folder, Mode::from_raw_mode(mode))?;
        }
        let work = open_folder(&whole, WORK.as_ref())?;
        Ok(Self {
            whole,
            work,
            kept: None,
            owner,
            size,
        })
    }

    /// The root folder, to be mounted.
    pub(crate) fn whole(&self) -> BorrowedFd<'_> {
        self.whole.as_fd()
    }

    /// Copies the contents of a host folder into the program's working folder.
    pub(crate) fn fill(&mut self, host: &Path, returns: &Returns) -> io::Result<()> {
        fs::read_dir(host)?.try_for_each(|entry| {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name());
            copy(&path, &self.work, &name, self.owner, |kind| {
                !kind.is_symlink()
            })
        })?;
        if let Returns::Kept(name) = returns {
            let file = open_beneath(&self.work, OsStr::new(name), OFlags::RDONLY)?;
            self.kept = Some(file.into());
        }
        Ok(())
    }

    /// Copies the run's working folder to the host, at most `max` bytes of each file. Its processes have ended, but a
    /// hostile program created everything in it.
    pub(crate) fn bring_back(&self, returns: &Returns, host: &Path, max: u64) -> io::Result<()> {
        match returns {
            Returns::Nothing => Ok(()),
            Returns::Names => self.name(host, None),
            Returns::File(name) => {
                let name = OsStr::new(name);
                if take(&self.work, name, &host.join(name), max)?.is_some() {
                    return Ok(());
                }
                // An entry of this name is of the wrong kind.
                self.name(host, Some(name))
            }
            Returns::Kept(name) => {
                let path = host.join(name);
                let kept = self.kept.as_ref().ok_or(io::ErrorKind::NotFound)?;
                let mut copy = File::options().write(true).truncate(true).open(&path)?;
                io::copy(&mut kept.take(max), &mut copy)?;
                let inode = kept.metadata()?.ino();
                let found = rustix::fs::statat(&self.work, name, AtFlags::SYMLINK_NOFOLLOW);
                if !found.is_ok_and(|found| found.st_ino == inode) {
                    fs::remove_file(&path)?;
                }
                self.name(host, None)
            }
            Returns::Everything => {
                // Sparse files can be larger than the file system.
                let mut left = self.size;
                let mut waiting = vec![(self.work.try_clone()?, host.to_owned(), 0)];
                while let Some((from, to, depth)) = waiting.pop() {
                    fs::set_permissions(&to, Permissions::from_mode(0o755))?;
                    for (name, kind) in entries(&from)? {
                        let to = to.join(&name);
                        if kind == FileType::RegularFile {
                            let taken = take(&from, &name, &to, max.min(left))?;
                            left -= taken.unwrap_or_default();
                        } else if kind == FileType::Directory && depth < MAX_RETURNED_DEPTH {
                            let flags = OFlags::RDONLY | OFlags::DIRECTORY;
                            let folder = open_beneath(&from, &name, flags)?;
                            match fs::create_dir(&to) {
                                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                                Err(error) if is_no_name_here(&error) => continue,
                                made => made?,
                            }
                            if fs::symlink_metadata(&to)?.is_dir() {
                                waiting.push((folder, to, depth + 1));
                            }
                        }
                    }
                }
                Ok(())
            }
        }
    }

    /// Creates an empty file on the host for each name in the folder except `but`.
    fn name(&self, host: &Path, but: Option<&OsStr>) -> io::Result<()> {
        for (left, _) in entries(&self.work)?.into_iter().take(MAX_RETURNED_NAMES) {
            if Some(left.as_os_str()) != but && !host.join(&left).exists() {
                // Which names the host's file system refuses is unknown.
                let _ = File::create(host.join(&left));
            }
        }
        Ok(())
    }
}

/// Opens an entry of a folder that is not a link.
fn open_beneath(folder: &OwnedFd, name: &OsStr, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    rustix::fs::openat2(
        folder,
        name,
        flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC,
        Mode::empty(),
        ResolveFlags::BENEATH
            | ResolveFlags::NO_SYMLINKS
            | ResolveFlags::NO_MAGICLINKS
            | ResolveFlags::NO_XDEV,
    )
}

/// Copies a regular file to the host. Returns the number of copied bytes; `None` if it is not a regular file.
fn take(folder: &OwnedFd, name: &OsStr, to: &Path, max: u64) -> io::Result<Option<u64>> {
    // If it cannot be opened, it is not a regular file.
    let Ok(file) = open_beneath(folder, name, OFlags::RDONLY) else {
        return Ok(None);
    };
    let file = File::from(file);
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Ok(None);
    }
    let mode = usual_mode(meta.permissions().mode());
    if fs::symlink_metadata(to).is_ok_and(|there| !there.is_file()) {
        // Never replace one of our folders with a file.
        return Ok(None);
    }
    let copy = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(mode)
        .custom_flags(libc::O_NOFOLLOW)
        .open(to);
    let mut copy = match copy {
        Err(error) if is_no_name_here(&error) => return Ok(None),
        opened => opened?,
    };
    copy.set_permissions(Permissions::from_mode(mode))?;
    io::copy(&mut file.take(max), &mut copy).map(Some)
}

/// Whether a name is valid inside but not on the host: the path is too long, or the file system refuses it.
fn is_no_name_here(error: &io::Error) -> bool {
    matches!(
        error.raw_os_error(),
        Some(libc::ENAMETOOLONG | libc::EILSEQ | libc::EINVAL)
    )
}

/// Names and kinds of a folder's entries.
fn entries(folder: &OwnedFd) -> io::Result<Vec<(OsString, FileType)>> {
    let mut list = Vec::new();
    for entry in Dir::new(open_folder(folder, OsStr::new("."))?)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            list.push((OsStr::from_bytes(name).to_owned(), entry.file_type()));
        }
    }
    Ok(list)
}
