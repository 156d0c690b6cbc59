//! Landlock: a wall around a program's files that needs no privilege and no mounts.
//!
//! At level `strict` it is the second wall, behind the mounts. One rule grants everything beneath the root of the sandbox, except the making of devices, and nothing
//! anywhere else. The kernel finds the rule by walking up from a file to the root, through mount points: what
//! is mounted inside, before or after, is within, and in whatever mount namespace. A directory of the host
//! that a program came to hold (a forgotten descriptor, a hole in the mounts) stays closed. What may be
//! *written* inside is no matter of this wall: read-only mounts say that.
//!
//! At level `basic` it is the only one: a program may read and execute the system's folders and what the request names,
//! and write only beneath its own folders ([`Domain::closed`]).
//!
//! Where the kernel has them: no TCP, and no signals and no abstract sockets to processes outside. Older
//! kernels hold less ([`Held`]).
//!
//! What it does not hold: descriptors that are open already keep their rights. Pipes, sockets and memory
//! files have no place in the tree and can always be opened again under `/proc/self/fd`; a file of the host
//! that was handed over cannot, so that a program which opens `/dev/stdin` is refused if its input is one.
//! UDP goes through (the system call filter refuses it).
#![expect(unsafe_code, reason = "system calls that must not allocate")]

use std::fs::{self, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::ptr;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope,
};

use crate::Layer;
use crate::error::{Failure, Step};
use crate::system_paths::{DEVICES, FOLDERS, SETTINGS};

/// The newest rights that we ask for; those that the kernel does not know are left out.
const ASKED: ABI = ABI::V9;

/// The device that only programs of these domains have: their user's terminal.
const TERMINAL: &str = "/dev/tty";

/// What every program of [`Domain::closed`] may read besides the system's folders and settings.
const MORE: [&str; 6] = [
    "/etc/passwd",
    "/etc/group",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/localtime",
    "/proc",
];
/// What a program of [`Domain::closed`] gets besides the system's.
pub(crate) struct Grants<'a> {
    /// Folders in which it may do what it likes.
    pub(crate) folders: Vec<BorrowedFd<'a>>,
    /// A file that it may open anew by its name under `/proc/self/fd`, to read.
    pub(crate) input: Option<BorrowedFd<'a>>,
    /// Files and folders that it may read.
    pub(crate) readable: Vec<&'a Path>,
    /// Files that it may not read, although they lie in a folder of which it may read the rest.
    pub(crate) hidden: &'a [PathBuf],
}

/// What a domain holds on this kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    /// Files outside the root are out of reach: since Linux 5.13.
    pub(crate) files: bool,
    /// So is all TCP: since 6.7.
    pub(crate) tcp: bool,
    /// So are processes outside, by signals and by abstract sockets: since 6.12.
    pub(crate) scopes: bool,
}

impl Held {
    /// What any domain holds on this kernel; nothing where there are none.
    pub(crate) fn here() -> Option<Self> {
        Domain::abi().ok().map(Self::at)
    }

    fn at(abi: u32) -> Self {
        Self {
            files: abi >= 1,
            tcp: abi >= 4,
            scopes: abi >= 6,
        }
    }
}

/// A domain, built once; each program that enters it has one of its own.
#[derive(Debug)]
pub(crate) struct Domain(OwnedFd);

impl Domain {
    /// A domain that grants what is beneath this directory. The directory itself may be closed afterwards;
    /// its file system must live as long as the programs.
    pub(crate) fn new(root: BorrowedFd<'_>) -> Result<Self, Failure> {
        Self::build(|rules| {
            rules
                .add_rule(PathBeneath::new(root, inside()))
                .map_err(refused)
        })
    }

    /// A domain for a program to which its user's files are closed: it may read and execute the system's folders, use
    /// [`DEVICES`], as far as they exist, and what is granted.
    pub(crate) fn closed(grants: &Grants<'_>) -> Result<Self, Failure> {
        let device =
            AccessFs::WriteFile | AccessFs::Truncate | AccessFs::ReadFile | AccessFs::IoctlDev;
        let hidden = grants.hidden;
        Self::build(|mut rules| {
            for path in FOLDERS.iter().chain(&SETTINGS).chain(&MORE).map(Path::new) {
                rules = readable(rules, path, hidden)?;
            }
            for &path in &grants.readable {
                // A program of ours is hidden from all but those who are to run it.
                let others: Vec<PathBuf> =
                    hidden.iter().filter(|it| *it != path).cloned().collect();
                rules = readable(rules, path, &others)?;
            }
            for path in devices().map(Path::new) {
                if let Some(place) = open_if_there(path)? {
                    rules = rules
                        .add_rule(PathBeneath::new(place, device))
                        .map_err(refused)?;
                }
            }
            if let Some(input) = grants.input {
                rules = rules
                    .add_rule(PathBeneath::new(input, AccessFs::ReadFile))
                    .map_err(refused)?;
            }
            for folder in &grants.folders {
                rules = rules
                    .add_rule(PathBeneath::new(folder, inside()))
                    .map_err(refused)?;
            }
            Ok(rules)
        })
    }

    /// A domain that refuses all that Landlock can, but for what these rules grant.
    fn build(
        grant: impl FnOnce(RulesetCreated) -> Result<RulesetCreated, Failure>,
    ) -> Result<Self, Failure> {
        const MISSING: &str = "use Landlock, which this kernel does not offer";
        Self::abi().step(Layer::Landlock, MISSING)?;
        let rules = Ruleset::default()
            .handle_access(AccessFs::from_all(ASKED))
            .and_then(|rules| rules.handle_access(AccessNet::from_all(ASKED)))
            .and_then(|rules| rules.scope(Scope::from_all(ASKED)))
            .and_then(Ruleset::create)
            .map_err(refused)?;
        let rules = Option::<OwnedFd>::from(grant(rules)?);
        let missing = || Failure::with_errno(Layer::Landlock, MISSING, libc::EOPNOTSUPP);
        rules.map(Self).ok_or_else(missing)
    }

    /// The version of Landlock that the kernel offers, at least 1.
    pub(crate) fn abi() -> io::Result<u32> {
        const VERSION: u32 = 1;
        // SAFETY: with this flag there is no attribute to read; the result is a number, not a descriptor.
        let version = unsafe {
            libc::syscall(
                libc::SYS_landlock_create_ruleset,
                ptr::null::<libc::c_void>(),
                0_usize,
                VERSION,
            )
        };
        u32::try_from(version).map_err(|_| io::Error::last_os_error())
    }

    /// Puts the calling thread, and all that it will start, into the domain for good. Returns -1, with
    /// `errno`, when that failed.
    ///
    /// Safe between fork and exec: one system call, no allocation. `PR_SET_NO_NEW_PRIVS` must be set before.
    pub(crate) fn enter(&self) -> libc::c_int {
        // SAFETY: plain numbers.
        unsafe {
            libc::syscall(libc::SYS_landlock_restrict_self, self.0.as_raw_fd(), 0_u32)
                as libc::c_int
        }
    }
}

/// Lets programs read and execute what is there under this path, but for what is hidden.
fn readable(
    mut rules: RulesetCreated,
    path: &Path,
    hidden: &[PathBuf],
) -> Result<RulesetCreated, Failure> {
    let Some(place) = open_if_there(path)? else {
        return Ok(rules);
    };
    let real = fs::canonicalize(path).map_err(at(path))?;
    if hidden.contains(&real) {
        return Ok(rules);
    }
    if hidden.iter().any(|it| it.starts_with(&real)) {
        // Landlock rules only add rights, so grant the siblings of a hidden file one by one.
        for entry in fs::read_dir(&real).map_err(at(path))? {
            let entry = entry.map_err(at(path))?.path();
            // Who follows a link needs a right to what it points to.
            if !entry.is_symlink() {
                rules = readable(rules, &entry, hidden)?;
            }
        }
        return Ok(rules);
    }
    let access = if real.is_dir() {
        AccessFs::from_read(ASKED)
    } else {
        AccessFs::ReadFile | AccessFs::Execute
    };
    rules
        .add_rule(PathBeneath::new(place, access))
        .map_err(refused)
}

/// An `O_PATH` descriptor; `None` if the path does not exist.
fn open_if_there(path: &Path) -> Result<Option<OwnedFd>, Failure> {
    match open_path(path) {
        Ok(place) => Ok(Some(place)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(at(path)(error)),
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> Failure {
    move |source| {
        let path = grader_model::escaped(path.as_os_str().as_encoded_bytes());
        Failure::new(
            Layer::Landlock,
            format!("open `{path}` for a Landlock rule"),
            &source,
        )
    }
}

fn refused(error: RulesetError) -> Failure {
    let error = io::Error::other(error);
    Failure::new(Layer::Landlock, "make a Landlock domain", &error)
}

fn devices() -> impl Iterator<Item = &'static str> {
    DEVICES.into_iter().chain([TERMINAL])
}

/// All that can be done to files, except the making of devices.
fn inside() -> BitFlags<AccessFs> {
    AccessFs::from_all(ASKED) & !(AccessFs::MakeChar | AccessFs::MakeBlock)
}

/// A descriptor that stands for a place and can do nothing to it.
pub(crate) fn open_path(path: &Path) -> io::Result<OwnedFd> {
    OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_PATH)
        .open(path)
        .map(OwnedFd::from)
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::AsFd;
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
    use std::process::{Command, Stdio};
    use std::thread;

    use rustix::fs::{Mode, OFlags, openat};

    use super::*;

    /// The error of something that was refused.
    fn refusal<T, E: Into<io::Error>>(result: Result<T, E>) -> Option<i32> {
        result.err().and_then(|error| error.into().raw_os_error())
    }

    /// Gives up new privileges and enters, as a launcher does between fork and exec.
    fn enter(domain: &Domain) {
        // SAFETY: plain numbers.
        let result = unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) };
        assert_eq!((result, domain.enter()), (0, 0));
    }

    /// A domain around a directory, unless the kernel has none.
    fn domain(root: impl AsFd) -> Option<Domain> {
        match Domain::new(root.as_fd()) {
            Ok(domain) => Some(domain),
            Err(error) if Held::here().is_none() => {
                eprintln!("skipped: {error}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn what_is_held_grows_with_the_kernel() {
        let held = |abi| {
            let Held { files, tcp, scopes } = Held::at(abi);
            [files, tcp, scopes]
        };
        assert_eq!(held(1), [true, false, false]);
        assert_eq!(held(3), [true, false, false]);
        assert_eq!(held(4), [true, true, false]);
        assert_eq!(held(5), [true, true, false]);
        assert_eq!(held(6), [true, true, true]);
        assert_eq!(held(9), [true, true, true]);
    }

    #[test]
    fn only_what_is_beneath_the_root_can_be_reached() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("inner")).unwrap();
        fs::write(root.join("inner/input"), "1").unwrap();
        fs::write(folder.path().join("secret"), "42").unwrap();
        let Some(domain) = domain(File::open(&root).unwrap()) else {
            return;
        };
        let outside = open_path(folder.path()).unwrap();
        let inside = || {
            enter(&domain);
            assert_eq!(fs::read(root.join("inner/input")).unwrap(), b"1");
            fs::write(root.join("inner/output"), "2").unwrap();
            fs::rename(root.join("inner/output"), root.join("output")).unwrap();
            [
                refusal(File::open(folder.path().join("secret"))),
                refusal(open_at(&outside, "secret", OFlags::RDONLY)),
                refusal(open_at(&outside, "new", OFlags::WRONLY | OFlags::CREATE)),
                refusal(fs::read_dir(folder.path())),
                refusal(fs::rename(root.join("output"), folder.path().join("taken"))),
            ]
        };
        let refused = thread::scope(|scope| scope.spawn(inside).join().unwrap());
        let expected = [libc::EACCES; 5].map(Some);
        assert_eq!(refused, expected);
        assert_eq!(fs::read(root.join("output")).unwrap(), b"2");
    }

    fn open_at(directory: &OwnedFd, path: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        let mode = Mode::RUSR | Mode::WUSR;
        openat(directory, path, flags | OFlags::CLOEXEC, mode)
    }

    #[test]
    fn processes_and_services_outside_are_out_of_reach() {
        let folder = tempfile::tempdir().unwrap();
        let Some(domain) = domain(File::open(folder.path()).unwrap()) else {
            return;
        };
        if Held::here().is_none_or(|held| !held.scopes) {
            eprintln!("skipped: this kernel's Landlock holds less");
            return;
        }
        let service = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = service.local_addr().unwrap();
        let name = format!("grader-domain-{}", std::process::id());
        let name = SocketAddr::from_abstract_name(name).unwrap();
        let _local = UnixListener::bind_addr(&name).unwrap();
        // A process of ours that waits for its input.
        let mut other = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let reach = || {
            // SAFETY: signal 0 only asks whether one could be sent.
            let signalled = match unsafe { libc::kill(other.id() as libc::pid_t, 0) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            };
            [
                refusal(signalled),
                refusal(UnixStream::connect_addr(&name)),
                refusal(TcpStream::connect(address)),
                refusal(TcpListener::bind("127.0.0.1:0")),
            ]
        };
        assert_eq!(reach(), [None; 4]);
        let inside = || {
            enter(&domain);
            reach()
        };
        let refused = thread::scope(|scope| scope.spawn(inside).join().unwrap());
        // `cat` reaches the end of its input.
        assert!(other.wait().unwrap().success());
        let expected = [libc::EPERM, libc::EPERM, libc::EACCES, libc::EACCES].map(Some);
        assert_eq!(refused, expected);
    }
}
