//! The interface of the sandbox: requests, and runners that execute them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grader_model::{Bytes, Isolation, Limits, Outcome};
use serde::{Deserialize, Serialize};

use crate::{Core, SandboxError};

/// One command to run.
///
/// No shell is involved: `program` is executed with exactly these arguments and exactly this environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Absolute path of the program inside the sandbox.
    pub program: PathBuf,
    /// Its arguments, without the program's name.
    pub arguments: Vec<OsString>,
    /// Its whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// Working folder, private and writable. It starts with the contents of the host's folder.
    pub directory: BindMount,
    /// The files that are copied back to the host's folder.
    pub returns: Returns,
    /// Further files and folders that it may read: the build, the toolchain.
    pub readable: Vec<BindMount>,
    /// System folders visible to it.
    pub system: SystemFolders,
    /// Size of its scratch tmpfs, for all files that it writes, `/tmp` included.
    pub scratch: Bytes,
    /// Whether it reserves far more address space than it uses (the JVM), so that a limit on address space would keep
    /// it from starting.
    pub reserves_memory: bool,
    /// Standard input: a file or a [`crate::NamedPipe`], opened read-only. `None` is an empty file.
    pub stdin: Option<PathBuf>,
    /// Standard output: a file outside `directory`, created or truncated, or a [`crate::NamedPipe`].
    pub stdout: PathBuf,
    /// Standard error: likewise.
    pub stderr: PathBuf,
    /// Maximum size of a file that it writes; at least `limits.output`, the maximum of standard output and standard
    /// error.
    pub files: Bytes,
    /// Limits of time, memory, output and processes.
    pub limits: Limits,
    /// The only core for the program and its descendants, set before `execve`. A core that is offline or not allowed to
    /// us causes a [`SandboxError::Setup`]. `None` means any core allowed to us.
    pub core: Option<Core>,
}

/// A file or folder of the host, and its path inside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BindMount {
    /// Absolute path on the host.
    pub host: PathBuf,
    /// Absolute path inside: see [`Runner::inside`].
    pub inside: PathBuf,
}

impl BindMount {
    /// Mounted at its path on the host.
    pub fn same(path: impl Into<PathBuf>) -> Self {
        let host = path.into();
        Self {
            inside: host.clone(),
            host,
        }
    }
}

/// The system folders that a program sees in strict isolation; without it, a program sees all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SystemFolders {
    /// All: for compilers, interpreters and unknown commands.
    Whole,
    /// Only the dynamic loader and common libraries, copied to memory. Files on disk would let runs signal each other
    /// through the page cache. A program that names a different loader or a library path sees all system folders; so
    /// does a system program.
    Runtime,
}

/// The files that are copied back from a run's working folder to the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Returns {
    /// Nothing.
    Nothing,
    /// The names of its entries, as empty files.
    Names,
    /// The regular file of this name. If there is none, the names of the other entries, as empty files.
    File(String),
    /// The file of this name that the folder starts with, as if the program had the host's own file: what it wrote, even
    /// after it deleted or replaced the name, is in that file, and what it did to the name is done to the host's. Also
    /// the names of the other entries, as empty files.
    Kept(String),
    /// All regular files and folders, but no links or devices.
    Everything,
}

/// The place at which a host path is mounted in the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MountPoint {
    /// The working folder.
    Work,
    /// The folder in which a submission is built and from which it runs.
    Build,
    /// The grader's own program: a bundled reference.
    Program,
    /// A folder for compilers: scripts that start them with more flags, or a precompiled header.
    Compilers,
}

/// Decides when a prepared program starts. For example, programs on one core run one at a time: while one runs, the
/// next is prepared and waits at the gate.
pub trait StartGate {
    /// Waits until the program may start. False if it is cancelled; then it never starts, and [`Self::leave`] is not
    /// called.
    fn enter(&self) -> bool;

    /// Whether to end the program now. Called some twenty times a second while it runs, until it is true.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// The program and everything it started have ended. Called once for each [`Self::enter`] that returned true.
    /// `waited` is the time in which some process of the run was ready to run but none had a processor; `None` if the
    /// kernel does not count it.
    fn leave(&self, waited: Option<Duration>);
}

/// A gate that is always open.
impl StartGate for () {
    fn enter(&self) -> bool {
        true
    }

    fn leave(&self, _waited: Option<Duration>) {}
}

/// An entered gate; dropping this leaves the gate.
pub(crate) struct EnteredGate<'a> {
    gate: &'a dyn StartGate,
    /// For [`StartGate::leave`].
    pub(crate) waited: Option<Duration>,
}

impl<'a> EnteredGate<'a> {
    /// Waits at the gate; `None` if the program is cancelled.
    pub(crate) fn new(gate: &'a dyn StartGate) -> Option<Self> {
        // Lazily: dropping it leaves the gate.
        gate.enter().then(|| Self { gate, waited: None })
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.gate.is_cancelled()
    }
}

impl Drop for EnteredGate<'_> {
    fn drop(&mut self) {
        self.gate.leave(self.waited);
    }
}

/// The command that starts a launcher: it only calls [`crate::launcher_main`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LauncherCommand {
    /// Absolute path of the binary, usually our own ([`std::env::current_exe`]).
    pub program: PathBuf,
    /// Its arguments: the hidden subcommand.
    pub arguments: Vec<OsString>,
}

/// Runs commands: the interface between the judge and the isolation that the host allows.
///
/// All workers share a runner. Each call blocks until the program and all its descendants have ended.
pub trait Runner: Send + Sync {
    /// Runs one command to its end, behind a gate, which may also kill it. Preparation and cleanup, which include up to
    /// 20 ms of waiting for the kernel, happen before the gate is entered and after it is left.
    ///
    /// # Errors
    /// [`SandboxError::Cancelled`] if the gate cancels the program; otherwise, if the sandbox itself fails. A program's
    /// failure is an [`Outcome`].
    fn run(&self, gate: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError>;

    /// The path inside of this host file or folder.
    fn inside(&self, at: MountPoint, host: &Path) -> PathBuf;

    /// The bind mount at that path.
    fn mount(&self, at: MountPoint, host: &Path) -> BindMount {
        BindMount {
            host: host.to_owned(),
            inside: self.inside(at, host),
        }
    }

    /// Whether a host path cannot be mounted at the same path inside, because each run has a private folder there, such
    /// as `/tmp`.
    fn hides(&self, _path: &Path) -> bool {
        false
    }

    /// Registers a temporary folder of ours to be removed if we are killed. Some runners cannot do that.
    fn guard(&self, _folder: &Path) {}

    /// The level and the layers in force.
    fn isolation(&self) -> Isolation;
}
