//! Landlock: a wall around a program's files that needs no privilege and no mounts.
//!
//! At level `strict` it is the second wall, behind the mounts. One rule grants everything beneath the root of the
//! sandbox, except creating devices, and nothing anywhere else. The kernel finds the rule by walking up from a file to
//! the root, through mount points, so all mounts inside are covered, whenever and in whatever mount namespace they are
//! created. A host folder that a program has reached (by a forgotten descriptor, or a hole in the mounts) stays closed.
//! This wall does not restrict *writing* inside: read-only mounts do.
//!
//! At level `basic` it is the only one: a program may read and execute the system's folders and what the request names,
//! and write only beneath its own folders ([`Domain::closed`]).
//!
//! If the kernel supports it: no TCP, and no signals or abstract sockets to outside processes. Older kernels confine
//! less ([`abi`]).
//!
//! Not covered: open descriptors keep their rights. Pipes, sockets and memory files are not in the tree and can always
//! be reopened under `/proc/self/fd`. A host file that was passed as a descriptor cannot: if it is the standard input,
//! opening `/dev/stdin` fails. UDP is allowed here (the seccomp filter refuses it).
#![expect(unsafe_code, reason = "system calls that must not allocate")]

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::ptr;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, Scope,
};
use rustix::fs::{Mode, OFlags};

use crate::error::{StepError, StepExt, quoted};
use crate::findings::Findings;
use crate::system_paths::{DEVICES, FOLDERS, SETTINGS};
use crate::{Layer, LayerState, Request, if_there};

/// The newest ABI that we request; rights that the kernel does not support are omitted.
const ASKED: ABI = ABI::V9;

/// The user's terminal, a device available only in closed domains.
const TERMINAL: &str = "/dev/tty";

/// Further paths that every program of [`Domain::closed`] may read.
const MORE: [&str; 7] = [
    "/etc/passwd",
    "/etc/group",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/localtime",
    // Node ends if it may not read this file, and continues if it does not exist.
    "/etc/ssl/openssl.cnf",
    "/proc",
];

/// The version of Landlock that the kernel offers; 0 if it offers none.
///
/// 1 (Linux 5.13) confines file access, 4 (6.7) also TCP, and 6 (6.12) also signals and abstract sockets.
pub(crate) fn abi() -> u32 {
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
    u32::try_from(version).unwrap_or(0)
}

/// Reports what the kernel's Landlock confines.
pub(crate) fn find(findings: &mut Findings) {
    let (state, detail) = match abi() {
        0 => (LayerState::Missing, "this kernel offers no Landlock"),
        1..4 => (LayerState::Weaker, "files, but not TCP nor signals"),
        4 | 5 => (LayerState::Weaker, "files and TCP, but not signals"),
        6.. => (LayerState::Active, "files, TCP, signals"),
    };
    findings.say(Layer::Landlock, state, Some(detail.to_owned()));
}

/// A domain, built once; each program that enters it gets a separate instance.
#[derive(Debug)]
pub(crate) struct Domain(OwnedFd);

impl Domain {
    /// A domain that grants everything beneath this directory. The directory itself may be closed afterwards; its file
    /// system must live as long as the programs.
    pub(crate) fn new(root: BorrowedFd<'_>) -> Result<Self, StepError> {
        let rules = ruleset()?.add_rule(PathBeneath::new(root, inside()));
        Self::of(rules.map_err(refused)?)
    }

    /// A domain that closes the user's files: a program may read and execute the system's folders and the request's
    /// paths, use existing [`DEVICES`], and do anything in its working and temporary folders. It may not read `hidden`,
    /// the grader's own programs, unless it is one itself.
    pub(crate) fn closed(
        request: &Request,
        temporary: &Path,
        hidden: &[PathBuf],
    ) -> Result<Self, StepError> {
        let mut visible = Vec::new();
        for path in FOLDERS.iter().chain(&SETTINGS).chain(&MORE) {
            add_visible(Path::new(path), hidden, &mut visible)?;
        }
        for mount in &request.readable {
            let others = hidden.iter().filter(|it| **it != mount.host).cloned();
            add_visible(&mount.host, &others.collect::<Vec<_>>(), &mut visible)?;
        }
        let devices = DEVICES.iter().copied().chain([TERMINAL]).map(Path::new);
        let device = AccessFs::from_file(ASKED) & !AccessFs::Execute;
        let own = [&request.directory.host, temporary];
        let granted = visible
            .iter()
            .map(|path| (&**path, AccessFs::from_read(ASKED)))
            .chain(devices.map(|path| (path, device)))
            .chain(
                request
                    .stdin
                    .iter()
                    .map(|path| (&**path, AccessFs::ReadFile.into())),
            )
            .chain(own.map(|path| (path, inside())));
        let mut rules = ruleset()?;
        for (path, access) in granted {
            // The descriptor can neither read nor write. Not with `custom_flags`: for musl, std removes `O_PATH` from them, and
            // a terminal that is not there cannot be opened for reading.
            let place = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
            let place = place.map(File::from).map_err(io::Error::from);
            let Some(place) = if_there(place).map_err(at(path))? else {
                continue;
            };
            let is_folder = place.metadata().map_err(at(path))?.is_dir();
            let access = if is_folder {
                access
            } else {
                access & AccessFs::from_file(ASKED)
            };
            rules = rules
                .add_rule(PathBeneath::new(place, access))
                .map_err(refused)?;
        }
        Self::of(rules)
    }

    fn of(rules: RulesetCreated) -> Result<Self, StepError> {
        let rules = Option::<OwnedFd>::from(rules).ok_or(rustix::io::Errno::OPNOTSUPP);
        let step = "use Landlock, which this kernel does not offer";
        rules.map(Self).step(Layer::Landlock, step)
    }

    /// Puts the calling thread and all its descendants into the domain for good; -1, with `errno`, if that fails.
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

/// A ruleset that denies everything that Landlock can deny. Rules add exceptions.
fn ruleset() -> Result<RulesetCreated, StepError> {
    Ruleset::default()
        .handle_access(AccessFs::from_all(ASKED))
        .and_then(|rules| rules.handle_access(AccessNet::from_all(ASKED)))
        .and_then(|rules| rules.scope(Scope::from_all(ASKED)))
        .and_then(Ruleset::create)
        .map_err(refused)
}

/// Adds a path if it exists, or its entries, except hidden programs.
fn add_visible(path: &Path, hidden: &[PathBuf], list: &mut Vec<PathBuf>) -> Result<(), StepError> {
    let Some(real) = if_there(fs::canonicalize(path)).map_err(at(path))? else {
        return Ok(());
    };
    if hidden.contains(&real) {
        return Ok(());
    }
    if !hidden.iter().any(|it| it.starts_with(&real)) {
        list.push(real);
        return Ok(());
    }
    // Landlock rules only add rights, so list the siblings of a hidden file one by one.
    for entry in fs::read_dir(&real).map_err(at(path))? {
        let entry = entry.map_err(at(path))?.path();
        // Following a link needs a right to its target, not to the link.
        if !entry.is_symlink() {
            add_visible(&entry, hidden, list)?;
        }
    }
    Ok(())
}

fn at(path: &Path) -> impl Fn(io::Error) -> StepError {
    move |source| {
        let step = format!("open {} for a Landlock rule", quoted(path));
        StepError::new(Layer::Landlock, step, &source)
    }
}

fn refused(error: RulesetError) -> StepError {
    let error = io::Error::other(error);
    StepError::new(Layer::Landlock, "make a Landlock domain", &error)
}

/// All file rights except creating devices.
fn inside() -> BitFlags<AccessFs> {
    AccessFs::from_all(ASKED) & !(AccessFs::MakeChar | AccessFs::MakeBlock)
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::AsFd;
    use std::os::linux::net::SocketAddrExt;
    use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
    use std::thread;

    use rustix::fs::openat;
    use rustix::process::{getppid, test_kill_process};

    use super::*;

    /// The error number of a refused operation.
    fn refusal<T, E: Into<io::Error>>(result: Result<T, E>) -> Option<i32> {
        result.err().and_then(|error| error.into().raw_os_error())
    }

    #[test]
    fn only_paths_beneath_the_root_can_be_reached() {
        if abi() < 6 {
            eprintln!("skipped: this kernel's Landlock confines less");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("inner")).unwrap();
        fs::write(root.join("inner/input"), "1").unwrap();
        fs::write(folder.path().join("secret"), "42").unwrap();
        let outside = File::open(folder.path()).unwrap();
        let open_at = |path, flags| openat(&outside, path, flags, Mode::RUSR | Mode::WUSR);
        let service = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = service.local_addr().unwrap();
        let name = format!("grader-domain-{}", std::process::id());
        let name = SocketAddr::from_abstract_name(name).unwrap();
        let _local = UnixListener::bind_addr(&name).unwrap();
        let reach = || {
            [
                refusal(File::open(folder.path().join("secret"))),
                refusal(open_at("secret", OFlags::RDONLY)),
                refusal(open_at("new", OFlags::WRONLY | OFlags::CREATE)),
                refusal(fs::read_dir(folder.path())),
                refusal(fs::rename(root.join("output"), folder.path().join("taken"))),
                refusal(TcpStream::connect(address)),
                refusal(TcpListener::bind("127.0.0.1:0")),
                refusal(UnixStream::connect_addr(&name)),
                refusal(test_kill_process(getppid().unwrap())),
            ]
        };
        let domain = Domain::new(File::open(&root).unwrap().as_fd()).unwrap();
        let inside = || {
            rustix::thread::set_no_new_privs(true).unwrap();
            assert_eq!(domain.enter(), 0);
            assert_eq!(fs::read(root.join("inner/input")).unwrap(), b"1");
            fs::write(root.join("inner/output"), "2").unwrap();
            fs::rename(root.join("inner/output"), root.join("output")).unwrap();
            reach()
        };
        let refused = thread::scope(|scope| scope.spawn(inside).join().unwrap());
        let mut expected = [Some(libc::EACCES); 9];
        expected[7..].fill(Some(libc::EPERM));
        assert_eq!(refused, expected);
        assert_eq!(reach(), [None; 9]);
    }
}
