//! The file tree of programs, built from detached mounts.
//!
//! The launcher creates and copies mounts, and the namespace holder attaches them, so nothing inside ever needs a host
//! path.

use std::ffi::{CStr, CString, OsStr};
use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;
use rustix::mount::{MountAttrFlags, MoveMountFlags, OpenTreeFlags, open_tree};

use super::runtime;
use super::tmpfs::{copy, make_file, make_folder, memory_file_system};
use crate::Layer;
use crate::constants::{ROOT_BYTES, ROOT_INODES};
use crate::error::{StepError, StepExt, quoted};
use crate::kernel::{self, NO_DEV, NO_SUID, READ_ONLY};
use crate::system_paths::{DEVICES, FOLDERS, OWN_FOLDERS, SETTINGS};

/// Mount points for files of a run.
const FILE_PLACES: [&str; 2] = ["/program", STDIN];
/// Path at which a run's standard input can be reopened.
pub(crate) const STDIN: &str = "/dev/stdin";
/// Links that programs expect.
const LINKS: [(&str, &str); 4] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
    ("/dev/shm", "/tmp"),
];
/// Settings that replace the host's.
const OWN_SETTINGS: [(&str, &str); 4] = [
    ("/etc/passwd", "box:x:1000:1000:box:/box:/bin/sh\n"),
    ("/etc/group", "box:x:1000:\n"),
    ("/etc/hosts", "127.0.0.1 localhost\n"),
    (
        "/etc/nsswitch.conf",
        "passwd: files\ngroup: files\nhosts: files\n",
    ),
];

/// The programs' root folder, in which mount points are created for each run.
pub(crate) struct Tree {
    /// The root, a small file system in memory with the runtime; read-only inside.
    pub(crate) root: OwnedFd,
    /// The folders of [`FOLDERS`] that this host has, except links.
    system: Vec<PathBuf>,
    /// Host programs in these folders that no run may see.
    hidden: Vec<PathBuf>,
    /// Mount points created for the current run, parents first.
    made: Vec<PathBuf>,
}

/// A detached mount, and its mount point.
pub(crate) type Mount = (OwnedFd, CString);

const LAYER: Layer = Layer::MountNamespace;

impl Tree {
    /// The tree of all programs, and the mounts to attach to it. `hidden` are host programs that no run may see: our
    /// own, which contains the answers.
    pub(crate) fn new(hidden: &[PathBuf]) -> Result<(Self, Vec<Mount>), StepError> {
        let root = memory_file_system(ROOT_BYTES, ROOT_INODES, MountAttrFlags::empty())
            .step(LAYER, "make a file system in memory")?;
        let mut tree = Self {
            root,
            system: Vec::new(),
            hidden: hidden.iter().filter(|it| is_seen(it)).cloned().collect(),
            made: Vec::new(),
        };
        let mounts = tree.furnish()?;
        // These are for every run.
        tree.made.clear();
        Ok((tree, mounts))
    }

    fn furnish(&mut self) -> Result<Vec<Mount>, StepError> {
        for path in FOLDERS.map(Path::new) {
            match fs::symlink_metadata(path) {
                Ok(kind) if kind.is_symlink() => {
                    fs::read_link(path).and_then(|target| self.link(path, &target))
                }
                Ok(_) => {
                    self.system.push(path.to_owned());
                    self.place(path, true)
                }
                Err(_) => Ok(()),
            }
            .step(LAYER, at("make", path))?;
        }
        // Copied, because they are small and a mount for each would cost every run.
        let settings = SETTINGS
            .map(PathBuf::from)
            .into_iter()
            .filter(|it| it.exists())
            .map(|it| (it.clone(), it));
        for (host, inside) in settings.chain(runtime::files()) {
            // Except files that not everybody may read.
            let is_wanted = |kind: &fs::Metadata| kind.mode() & 0o004 != 0;
            self.above(&inside)
                .and_then(|(above, name)| copy(&host, &above, name, None, is_wanted))
                .step(LAYER, at("copy", &host))?;
        }
        for (path, text) in OWN_SETTINGS {
            self.above(Path::new(path))
                .and_then(|(above, name)| Ok(make_file(&above, name, 0o644)?))
                .and_then(|mut file| file.write_all(text.as_bytes()))
                .step(LAYER, at("make", path))?;
        }
        for (path, target) in LINKS {
            self.link(Path::new(path), Path::new(target))
                .step(LAYER, at("make", path))?;
        }
        for path in OWN_FOLDERS.into_iter().chain(["/proc"]) {
            self.place(Path::new(path), true)
                .step(LAYER, at("make", path))?;
        }
        for path in FILE_PLACES.into_iter().chain(DEVICES) {
            self.place(Path::new(path), false)
                .step(LAYER, at("make", path))?;
        }
        let devices = DEVICES.map(Path::new).into_iter().map(|device| {
            let mount = copy_of(device, READ_ONLY | NO_SUID).step(LAYER, at("mount", device))?;
            // Relative to the root.
            Ok((mount, c_path(device.strip_prefix("/").unwrap_or(device))))
        });
        devices.collect()
    }

    /// Mounts of the system's folders, which cover those of the tree.
    pub(crate) fn system(&self) -> Result<Vec<Mount>, StepError> {
        let folders = self.system.iter().map(|path| {
            let mount = copy_of(path, READ_ONLY | NO_SUID | NO_DEV);
            Ok((mount.step(LAYER, at("mount", path))?, c_path(path)))
        });
        let covers = self.hidden.iter().map(|path| {
            let nothing = copy_of(Path::new("/dev/null"), READ_ONLY | NO_SUID);
            Ok((nothing.step(LAYER, at("hide", path))?, c_path(path)))
        });
        folders.chain(covers).collect()
    }

    /// Removes the previous run's mount points, which would reveal its language.
    pub(crate) fn clear(&mut self) -> Result<(), StepError> {
        while let Some(path) = self.made.pop() {
            let removed = self.above(&path).and_then(|(folder, name)| {
                match rustix::fs::unlinkat(&folder, name, AtFlags::REMOVEDIR) {
                    Err(Errno::NOTDIR) => rustix::fs::unlinkat(&folder, name, AtFlags::empty()),
                    removed => removed,
                }
                .map_err(io::Error::from)
            });
            removed.step(LAYER, at("remove", &path))?;
        }
        Ok(())
    }

    /// A read-only mount of a host file or folder, with its mount point created.
    pub(crate) fn mount_at(&mut self, host: &Path, inside: &Path) -> Result<Mount, StepError> {
        let kind = fs::metadata(host).step(LAYER, at("find", host))?;
        self.place(inside, kind.is_dir())
            .step(LAYER, at("make a place for", host))?;
        let mount = copy_of(host, READ_ONLY | NO_SUID | NO_DEV).step(LAYER, at("mount", host))?;
        Ok((mount, c_path(inside)))
    }

    /// Creates a folder or an empty file in the root, with its parents, unless it exists.
    fn place(&mut self, path: &Path, is_folder: bool) -> io::Result<()> {
        let (folder, name) = self.above(path)?;
        let made = if is_folder {
            make_folder(&folder, name)
        } else {
            make_file(&folder, name, 0o644).map(drop)
        };
        match made {
            Ok(()) => self.made.push(path.to_owned()),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn link(&mut self, path: &Path, target: &Path) -> io::Result<()> {
        let (folder, name) = self.above(path)?;
        Ok(rustix::fs::symlinkat(target, folder, name)?)
    }

    /// The parent folder of a path, created if necessary, and the path's last component.
    fn above<'a>(&mut self, path: &'a Path) -> io::Result<(OwnedFd, &'a OsStr)> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        // Not through a link, which would lead to the host.
        let opened = rustix::fs::openat2(
            &self.root,
            Path::new(".").join(parent.strip_prefix("/").unwrap_or(parent)),
            OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
            Mode::empty(),
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS,
        );
        match opened {
            Err(Errno::NOENT) => {
                self.place(parent, true)?;
                self.above(path)
            }
            opened => Ok((opened?, name)),
        }
    }
}

/// Description of a step on a path, for an error.
fn at(step: &str, path: impl AsRef<Path>) -> String {
    format!("{step} {}", quoted(path.as_ref()))
}

/// Whether a host path is visible inside without its own mount, because it is in a system folder.
pub(crate) fn is_seen(path: &Path) -> bool {
    FOLDERS
        .iter()
        .chain(&SETTINGS)
        .any(|folder| path.starts_with(folder))
}

/// A path as a C string.
pub(crate) fn c_path(path: &Path) -> CString {
    // A path that exists contains no NUL byte; the kernel refuses the empty path.
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}

/// Attaches a detached mount.
pub(super) fn attach(mount: &OwnedFd, target: &CStr) -> rustix::io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    rustix::mount::move_mount(mount, c"", CWD, target, flags)
}

pub(super) fn mount_step(target: &CStr) -> String {
    format!("mount `{}`", grader_model::escaped(target.to_bytes()))
}

/// A detached copy of a subtree of the host, with all mounts below it.
fn copy_of(path: &Path, attributes: u64) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let mount = open_tree(CWD, path, flags)?;
    kernel::restrict_mount(mount.as_fd(), attributes, true)?;
    Ok(mount)
}
