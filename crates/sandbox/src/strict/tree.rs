//! The file tree that programs see, made of detached mounts.
//!
//! The launcher can make and copy mounts, and the keeper can put them in their places, so nothing inside ever needs
//! a path of the host.

use std::ffi::{CString, OsStr};
use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, OpenTreeFlags, fsconfig_create, fsconfig_set_string,
    fsmount, fsopen, open_tree,
};

use super::job::{Failure, Step};
use super::kernel::{self, NO_DEV, NO_SUID, READ_ONLY};
use crate::Layer;

/// Room for the tree's own folders and files, of which most are empty.
const SIZE: u64 = 1 << 20;
const INODES: u64 = 4096;

/// Folders of the host that every program sees, where they are there: those of the system, read-only.
const SYSTEM: [&str; 9] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];
/// Settings of the host that the dynamic loader and compilers need.
const SETTINGS: [&str; 4] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
];
/// Devices that are not devices of this machine.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];
/// Places for what is fresh for each run.
const PLACES: [&str; 4] = ["/box", "/build", "/tmp", "/proc"];
/// Files for what is fresh for each run.
const FILE_PLACES: [&str; 2] = ["/program", STDIN];
/// Where a run's standard input can be opened again by its name.
pub(super) const STDIN: &str = "/dev/stdin";
/// Links that programs expect.
const LINKS: [(&str, &str); 4] = [
    ("/dev/fd", "/proc/self/fd"),
    ("/dev/stdout", "/proc/self/fd/1"),
    ("/dev/stderr", "/proc/self/fd/2"),
    ("/dev/shm", "/tmp"),
];
/// Settings that take the place of the host's.
const OWN_SETTINGS: [(&str, &str); 4] = [
    ("/etc/passwd", "box:x:1000:1000:box:/box:/bin/sh\n"),
    ("/etc/group", "box:x:1000:\n"),
    ("/etc/hosts", "127.0.0.1 localhost\n"),
    (
        "/etc/nsswitch.conf",
        "passwd: files\ngroup: files\nhosts: files\n",
    ),
];

/// The tree under construction, and later the place to make room for more mounts in it.
pub(super) struct Tree {
    /// The root, a small file system in memory.
    root: OwnedFd,
}

/// A detached mount, and its place.
pub(super) type Mount = (OwnedFd, CString);

impl Tree {
    /// An empty root.
    pub(super) fn new() -> Result<Self, Failure> {
        let root = memory_file_system(SIZE, INODES, 0o755, None)
            .step(Layer::MountNamespace, "make a file system in memory")?;
        Ok(Self { root })
    }

    /// The root folder.
    pub(super) const fn root(&self) -> &OwnedFd {
        &self.root
    }

    /// Fills the tree with what every program sees; the mounts that go into it. `hidden` are programs of the host
    /// that nobody may see: ours, which knows the answers.
    pub(super) fn furnish(&self, hidden: &[PathBuf]) -> Result<Vec<Mount>, Failure> {
        const LAYER: Layer = Layer::MountNamespace;
        let mut mounts = Vec::new();
        for path in SYSTEM.iter().chain(&SETTINGS).map(Path::new) {
            let Ok(kind) = fs::symlink_metadata(path) else {
                continue;
            };
            if kind.is_symlink() {
                let target =
                    fs::read_link(path).step(LAYER, format!("read `{}`", path.display()))?;
                self.link(path, &target)
                    .step(LAYER, format!("link `{}`", path.display()))?;
            } else {
                mounts.push(self.mount_at(path, path)?);
            }
        }
        for device in DEVICES.map(Path::new) {
            self.place(device, false)
                .step(LAYER, format!("make `{}`", device.display()))?;
            let mount = copy_of(device, READ_ONLY | NO_SUID)
                .step(LAYER, format!("mount `{}`", device.display()))?;
            mounts.push((mount, c_path(device)));
        }
        for (path, text) in OWN_SETTINGS {
            self.write(Path::new(path), text.as_bytes())
                .step(LAYER, format!("write `{path}`"))?;
        }
        for path in PLACES {
            self.place(Path::new(path), true)
                .step(LAYER, format!("make `{path}`"))?;
        }
        for path in FILE_PLACES {
            self.place(Path::new(path), false)
                .step(LAYER, format!("make `{path}`"))?;
        }
        for (path, target) in LINKS {
            self.link(Path::new(path), Path::new(target))
                .step(LAYER, format!("link `{path}`"))?;
        }
        for path in hidden.iter().filter(|path| is_seen(path)) {
            let nothing = copy_of(Path::new("/dev/null"), READ_ONLY | NO_SUID)
                .step(LAYER, format!("hide `{}`", path.display()))?;
            mounts.push((nothing, c_path(path)));
        }
        Ok(mounts)
    }

    /// A copy of a file or folder of the host, read-only, with a place made for it.
    pub(super) fn mount_at(&self, host: &Path, inside: &Path) -> Result<Mount, Failure> {
        const LAYER: Layer = Layer::MountNamespace;
        let shown = || host.display();
        let kind = fs::metadata(host).step(LAYER, format!("find `{}`", shown()))?;
        self.place(inside, kind.is_dir())
            .step(LAYER, format!("make `{}` inside", inside.display()))?;
        let mount = copy_of(host, READ_ONLY | NO_SUID | NO_DEV)
            .step(LAYER, format!("mount `{}`", shown()))?;
        Ok((mount, c_path(inside)))
    }

    /// Makes a folder or an empty file in the root, with the folders above it, unless it is there.
    pub(super) fn place(&self, path: &Path, is_folder: bool) -> io::Result<()> {
        let (folder, name) = self.above(path)?;
        if is_folder {
            match rustix::fs::mkdirat(&folder, name, Mode::from_raw_mode(0o755)) {
                Err(rustix::io::Errno::EXIST) => {}
                made => made?,
            }
        } else {
            let flags = OFlags::CREATE | OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            rustix::fs::openat(&folder, name, flags, Mode::from_raw_mode(0o644))?;
        }
        Ok(())
    }

    fn link(&self, path: &Path, target: &Path) -> io::Result<()> {
        let (folder, name) = self.above(path)?;
        Ok(rustix::fs::symlinkat(target, folder, name)?)
    }

    fn write(&self, path: &Path, text: &[u8]) -> io::Result<()> {
        let (folder, name) = self.above(path)?;
        let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
        let file = rustix::fs::openat(folder, name, flags, Mode::from_raw_mode(0o644))?;
        fs::File::from(file).write_all(text)
    }

    /// The folder in which a path lies, made if need be, and the path's last name.
    fn above<'a>(&self, path: &'a Path) -> io::Result<(OwnedFd, &'a OsStr)> {
        let mut names: Vec<&OsStr> = Vec::new();
        for component in path.components() {
            match component {
                Component::RootDir | Component::CurDir => {}
                Component::Normal(name) => names.push(name),
                Component::ParentDir | Component::Prefix(_) => {
                    return Err(io::ErrorKind::InvalidInput.into());
                }
            }
        }
        let last = names.pop().ok_or(io::ErrorKind::InvalidInput)?;
        let mut folder = self.root.try_clone()?;
        for name in names {
            match rustix::fs::mkdirat(&folder, name, Mode::from_raw_mode(0o755)) {
                Err(rustix::io::Errno::EXIST) => {}
                made => made?,
            }
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            folder = rustix::fs::openat(&folder, name, flags, Mode::empty())?;
        }
        Ok((folder, last))
    }
}

/// Whether a path of the host is seen inside without a mount of its own, because it lies in a folder of the system.
pub(super) fn is_seen(path: &Path) -> bool {
    SYSTEM
        .iter()
        .chain(&SETTINGS)
        .any(|folder| path.starts_with(folder))
}

/// A path as the system takes it.
pub(super) fn c_path(path: &Path) -> CString {
    // A path that exists holds no NUL byte; one that does would be refused as empty.
    CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}

/// A detached copy of a part of the host's tree, with all that is mounted below it.
fn copy_of(path: &Path, attributes: u64) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    let mount = open_tree(CWD, path, flags)?;
    kernel::restrict_mount(mount.as_fd(), attributes, true)?;
    Ok(mount)
}

/// A detached file system in memory of so many bytes and files, whose root has these permissions and this owner.
pub(super) fn memory_file_system(
    size: u64,
    inodes: u64,
    mode: u32,
    owner: Option<u32>,
) -> io::Result<OwnedFd> {
    let context = fsopen(c"tmpfs", FsOpenFlags::FSOPEN_CLOEXEC)?;
    let set = |key: &str, value: String| fsconfig_set_string(context.as_fd(), key, value);
    set("size", size.to_string())?;
    set("nr_inodes", inodes.to_string())?;
    set("mode", format!("{mode:o}"))?;
    if let Some(owner) = owner {
        set("uid", owner.to_string())?;
        set("gid", owner.to_string())?;
    }
    fsconfig_create(context.as_fd())?;
    // What a program writes it need not execute; and a file that it may execute but not read would stop the
    // kernel's task clock.
    let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID
        | MountAttrFlags::MOUNT_ATTR_NODEV
        | MountAttrFlags::MOUNT_ATTR_NOEXEC;
    Ok(fsmount(
        context.as_fd(),
        FsMountFlags::FSMOUNT_CLOEXEC,
        attributes,
    )?)
}
