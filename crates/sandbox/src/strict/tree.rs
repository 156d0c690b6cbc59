//! The file tree that programs see, made of detached mounts.
//!
//! The launcher can make and copy mounts, and the namespace holder can put them in their places, so nothing inside ever needs
//! a path of the host.

use std::ffi::{CString, OsStr};
use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::mount::{MountAttrFlags, OpenTreeFlags, open_tree};

use super::runtime::{OTHERS, Runtime};
use super::tmpfs::{memory_file_system, usual_mode};
use crate::Layer;
use crate::error::{Failure, Step};
use crate::kernel::{self, NO_DEV, NO_SUID, READ_ONLY};
use crate::system_paths::{DEVICES, FOLDERS, OWN_FOLDERS, SETTINGS};

/// Room for the tree's own folders and files: most are empty, and the run time of compiled programs takes some 6 MiB, with
/// other libraries for one program up to [`OTHERS`] more.
const SIZE: u64 = (64 << 20) + OTHERS;
const INODES: u64 = 4096;

/// Files for what is fresh for each run.
const FILE_PLACES: [&str; 2] = ["/program", STDIN];
/// Where a run's standard input can be opened again by its name.
pub(crate) const STDIN: &str = "/dev/stdin";
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
pub(crate) struct Tree {
    /// The root, a small file system in memory.
    root: OwnedFd,
    /// The folders of [`FOLDERS`] that this host has, but for links.
    system: Vec<PathBuf>,
    /// Programs of the host in these folders that nobody may see.
    hidden: Vec<PathBuf>,
    /// What programs find without these folders.
    runtime: Runtime,
    /// Places that were made for the present run, folders before what is in them.
    made: Vec<PathBuf>,
}

/// A detached mount, and its place.
pub(crate) type Mount = (OwnedFd, CString);

impl Tree {
    /// An empty root.
    pub(crate) fn new() -> Result<Self, Failure> {
        // It is read-only inside, and holds what programs execute.
        let root = memory_file_system(SIZE, INODES, MountAttrFlags::empty())
            .step(Layer::MountNamespace, "make a file system in memory")?;
        Ok(Self {
            root,
            system: Vec::new(),
            hidden: Vec::new(),
            runtime: Runtime::default(),
            made: Vec::new(),
        })
    }

    /// The root folder.
    pub(crate) const fn root(&self) -> &OwnedFd {
        &self.root
    }

    /// Fills the tree with what every program sees; the mounts that go into it. `hidden` are programs of the host
    /// that nobody may see: ours, which knows the answers.
    pub(crate) fn furnish(&mut self, hidden: &[PathBuf]) -> Result<Vec<Mount>, Failure> {
        const LAYER: Layer = Layer::MountNamespace;
        for path in FOLDERS.map(Path::new) {
            let Ok(kind) = fs::symlink_metadata(path) else {
                continue;
            };
            if kind.is_symlink() {
                let target =
                    fs::read_link(path).step(LAYER, format!("read `{}`", path.display()))?;
                self.link(path, &target)
                    .step(LAYER, format!("link `{}`", path.display()))?;
            } else {
                self.place(path, true)
                    .step(LAYER, format!("make `{}` inside", path.display()))?;
                self.system.push(path.to_owned());
            }
        }
        // They are small, and a mount for each would cost every run.
        for path in SETTINGS.map(Path::new).into_iter().filter(|it| it.exists()) {
            self.copy(path, path)
                .step(LAYER, format!("copy `{}`", path.display()))?;
        }
        let runtime = Runtime::find();
        for (host, inside) in runtime.files() {
            self.copy(host, inside)
                .step(LAYER, format!("copy `{}`", host.display()))?;
        }
        self.runtime = runtime;
        let mut mounts = Vec::new();
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
        for path in OWN_FOLDERS.into_iter().chain(["/proc"]) {
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
        self.hidden = hidden.iter().filter(|it| is_seen(it)).cloned().collect();
        // These places are for every run.
        self.made.clear();
        Ok(mounts)
    }

    /// Completes the run time for a program, given by its path on the host, until the next [`Self::clear`]; false if it
    /// needs the system's folders.
    pub(crate) fn complete_for(&mut self, program: &Path) -> Result<bool, Failure> {
        let Some(others) = self.runtime.others_for(program) else {
            return Ok(false);
        };
        for (host, inside) in others {
            self.copy(&host, &inside)
                .step(Layer::MountNamespace, format!("copy `{}`", host.display()))?;
        }
        Ok(true)
    }

    /// The system's folders, over what the tree has in their places.
    pub(crate) fn system(&self) -> Result<Vec<Mount>, Failure> {
        const LAYER: Layer = Layer::MountNamespace;
        let folders = self.system.iter().map(|path| {
            let mount = copy_of(path, READ_ONLY | NO_SUID | NO_DEV)
                .step(LAYER, format!("mount `{}`", path.display()))?;
            Ok((mount, c_path(path)))
        });
        let covers = self.hidden.iter().map(|path| {
            let nothing = copy_of(Path::new("/dev/null"), READ_ONLY | NO_SUID)
                .step(LAYER, format!("hide `{}`", path.display()))?;
            Ok((nothing, c_path(path)))
        });
        folders.chain(covers).collect()
    }

    /// Removes mount points of the previous run: they would reveal its language.
    pub(crate) fn clear(&mut self) -> io::Result<()> {
        while let Some(path) = self.made.last().cloned() {
            let (folder, name) = self.above(&path)?;
            match rustix::fs::unlinkat(&folder, name, AtFlags::REMOVEDIR) {
                Err(rustix::io::Errno::NOTDIR) => {
                    rustix::fs::unlinkat(&folder, name, AtFlags::empty())?;
                }
                removed => removed?,
            }
            self.made.pop();
        }
        Ok(())
    }

    /// A copy of a file or folder of the host, read-only, with a place made for it.
    pub(crate) fn mount_at(&mut self, host: &Path, inside: &Path) -> Result<Mount, Failure> {
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
    fn place(&mut self, path: &Path, is_folder: bool) -> io::Result<()> {
        let (folder, name) = self.above(path)?;
        let made = if is_folder {
            make_folder(&folder, name)
        } else {
            make_file(&folder, name, 0o644).map(drop)
        };
        match made {
            Ok(()) => self.made.push(path.to_owned()),
            Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn link(&mut self, path: &Path, target: &Path) -> io::Result<()> {
        let (folder, name) = self.above(path)?;
        Ok(rustix::fs::symlinkat(target, folder, name)?)
    }

    fn write(&mut self, path: &Path, text: &[u8]) -> io::Result<()> {
        let (folder, name) = self.above(path)?;
        make_file(&folder, name, 0o644)?.write_all(text)
    }

    /// Copies a file, or a folder with all that is in it, to a place in the tree, but for what not everybody may read.
    fn copy(&mut self, host: &Path, inside: &Path) -> io::Result<()> {
        let mut waiting = vec![(host.to_owned(), inside.to_owned())];
        while let Some((host, inside)) = waiting.pop() {
            let kind = fs::symlink_metadata(&host)?;
            let mode = kind.permissions().mode();
            if kind.is_symlink() {
                self.link(&inside, &fs::read_link(&host)?)?;
                continue;
            }
            if mode & 0o004 == 0 {
                continue;
            }
            if kind.is_dir() {
                self.place(&inside, true)?;
                for entry in fs::read_dir(&host)? {
                    let entry = entry?;
                    waiting.push((entry.path(), inside.join(entry.file_name())));
                }
            } else if kind.is_file() {
                let (folder, name) = self.above(&inside)?;
                let mut copy = make_file(&folder, name, usual_mode(mode))?;
                self.made.push(inside.clone());
                io::copy(&mut fs::File::open(&host)?, &mut copy)?;
            }
        }
        Ok(())
    }

    /// The folder in which a path lies, made if need be, and the path's last name.
    fn above<'a>(&mut self, path: &'a Path) -> io::Result<(OwnedFd, &'a OsStr)> {
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
        let mut so_far = PathBuf::from("/");
        for name in names {
            so_far.push(name);
            match make_folder(&folder, name) {
                Ok(()) => self.made.push(so_far.clone()),
                Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
            folder = rustix::fs::openat(&folder, name, flags, Mode::empty())?;
        }
        Ok((folder, last))
    }
}

/// Makes a folder that is open to all, whatever our own mask takes away.
fn make_folder(above: &OwnedFd, name: &OsStr) -> rustix::io::Result<()> {
    let mode = Mode::from_raw_mode(0o755);
    rustix::fs::mkdirat(above, name, mode)?;
    rustix::fs::chmodat(above, name, mode, AtFlags::empty())
}

/// Makes a file with exactly these permissions.
fn make_file(above: &OwnedFd, name: &OsStr, mode: u32) -> rustix::io::Result<fs::File> {
    let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
    let mode = Mode::from_raw_mode(mode);
    let file = rustix::fs::openat(above, name, flags, mode)?;
    rustix::fs::fchmod(&file, mode)?;
    Ok(file.into())
}

/// Whether a path of the host is seen inside without a mount of its own, because it lies in a folder of the system.
pub(crate) fn is_seen(path: &Path) -> bool {
    FOLDERS
        .iter()
        .chain(&SETTINGS)
        .any(|folder| path.starts_with(folder))
}

/// A path as the system takes it.
pub(crate) fn c_path(path: &Path) -> CString {
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
