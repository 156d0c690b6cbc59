//! What the judge asks of a sandbox.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grader_model::{Bytes, Isolation, Limits, Outcome};
use serde::{Deserialize, Serialize};

use crate::{Core, SandboxError};

/// One command to run.
///
/// There is no shell anywhere: `program` is executed with exactly these arguments and exactly this
/// environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// Absolute path of the program, as it is inside the sandbox.
    pub program: PathBuf,
    /// Its arguments, without the name of the program.
    pub arguments: Vec<OsString>,
    /// Its whole environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The folder it starts in, its own and writable. What the host's folder holds is there.
    pub directory: BindMount,
    /// What of that folder is in the host's folder afterwards.
    pub returns: Returns,
    /// Files and folders besides `directory` and the system's own that it may read: the build, the toolchain.
    pub readable: Vec<BindMount>,
    /// What of the system it sees.
    pub system: System,
    /// Size of its scratch tmpfs: the files that it writes, those in `/tmp` among them.
    pub scratch: Bytes,
    /// Whether it reserves far more address space than the memory it uses (the Java machine), so that a limit of
    /// address space would only stop it from starting.
    pub reserves_memory: bool,
    /// The file or [`crate::NamedPipe`] it reads as standard input, opened read-only; `None` is an empty file.
    pub stdin: Option<PathBuf>,
    /// The file that becomes its standard output; created or emptied. Must not lie in `directory`. Or a
    /// [`crate::NamedPipe`].
    pub stdout: PathBuf,
    /// The file that becomes its standard error; created or emptied. Must not lie in `directory`.
    pub stderr: PathBuf,
    /// Size of the largest file that it may write; not less than `limits.output`, which is that of
    /// standard output and standard error.
    pub files: Bytes,
    /// What it may use.
    pub limits: Limits,
    /// The core that it and all that it starts run on, and no other: set before it is executed. One on which we may
    /// not run ourselves, or that is offline, is a [`SandboxError::Setup`]. `None` is any core of ours.
    pub core: Option<Core>,
}

/// A file or folder of the host, and where a program finds it, read-only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BindMount {
    /// Absolute path on the host.
    pub host: PathBuf,
    /// Absolute path for the program: see [`Runner::inside`].
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

/// Which system folders a program sees in strict isolation; otherwise it sees all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum System {
    /// All of them: for compilers, interpreters and commands of which nothing is known.
    Whole,
    /// Only the dynamic loader and common libraries, copied to memory, and the program itself. Files on disk would let
    /// runs signal each other through the page cache. A program that names another loader or a library path, or that is
    /// one of the system's, sees all of it.
    Runtime,
}

/// What a run brings back from the folder it worked in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Returns {
    /// Nothing.
    Nothing,
    /// Only the names of what is there, as empty files.
    Names,
    /// The regular file of this name, if there is one. Of anything else, and of everything else, only the names
    /// come back, as empty files.
    File(String),
    /// All regular files and folders; links and devices stay behind.
    Everything,
}

/// Where something of the host appears in the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MountPoint {
    /// The folder a program works in.
    Work,
    /// The folder in which a submission is built, and where it lies when it runs.
    Build,
    /// A program of ours: a reference that the grader carries.
    Program,
}

/// Decides when a prepared program starts. For example, programs on one core run one at a time: while one runs, the next is
/// prepared and waits at the gate.
pub trait StartGate {
    /// Waits until the program may start. False if it is cancelled; then it never starts, and [`Self::leave`] is not called.
    fn enter(&self) -> bool;

    /// Whether to end the program now. Asked some twenty times a second while it runs.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// The program and everything it started have ended. Called once for each [`Self::enter`] that returned true. `waited`
    /// is the time in which some process of the run was ready to run and none had a processor; `None` if the kernel does
    /// not count it.
    fn leave(&self, waited: Option<Duration>);
}

/// A gate that was entered; left when this is dropped.
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

/// The command that becomes a launcher: it must do nothing but call [`crate::launcher_main`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LauncherCommand {
    /// Absolute path of the binary, usually our own ([`std::env::current_exe`]).
    pub program: PathBuf,
    /// Its arguments: the hidden subcommand.
    pub arguments: Vec<OsString>,
}

/// Runs commands: the seam between the judge and the isolation that the host allows.
///
/// A runner is shared by all workers; each call blocks until the program and everything it started are gone.
pub trait Runner: Send + Sync {
    /// Runs one command to its end.
    ///
    /// # Errors
    /// Only when the sandbox itself fails: whatever the program does is an [`Outcome`].
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError>;

    /// The same behind a gate, which may also end the program, as by SIGKILL. Preparation and cleanup, which include up to
    /// 20 ms of waiting for the kernel, happen before the gate is entered and after it is left.
    ///
    /// # Errors
    /// As [`Runner::run`], and [`SandboxError::Cancelled`] if the gate cancels the program.
    fn run_gated(&self, gate: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        let _entered = EnteredGate::new(gate).ok_or(SandboxError::Cancelled)?;
        self.run(request)
    }

    /// The path by which a program finds this file or folder of the host.
    fn inside(&self, at: MountPoint, host: &Path) -> PathBuf;

    /// The bind mount to that path.
    fn mount(&self, at: MountPoint, host: &Path) -> BindMount {
        BindMount {
            host: host.to_owned(),
            inside: self.inside(at, host),
        }
    }

    /// Whether a path of the host cannot be shown at the same path inside, because a program has a folder of its own
    /// there: `/tmp`.
    fn hides(&self, _path: &Path) -> bool {
        false
    }

    /// A temporary folder of ours that is to be removed should we be killed. Without such a service it stays.
    fn guard(&self, _folder: &Path) {}

    /// The level and the layers in force.
    fn isolation(&self) -> Isolation;
}
