//! Runs commands, each in a new folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use grader_model::{Bytes, CpuTime, Limits, Outcome, WallTime};
use grader_sandbox::{
    LauncherCommand, MountPoint, Request, Returns, Runner, SandboxError, SystemFolders,
};
use tempfile::TempDir;

/// A folder for one run, and its request.
pub(crate) struct Bench {
    folder: TempDir,
    pub(crate) request: Request,
}

/// A run's outcome and output.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) outcome: Outcome,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

pub(crate) fn launcher() -> LauncherCommand {
    LauncherCommand {
        program: env!("CARGO_BIN_EXE_grader-launcher").into(),
        arguments: Vec::new(),
    }
}

/// The runner of the tested level.
pub(crate) fn runner() -> &'static dyn Runner {
    static RUNNER: OnceLock<Box<dyn Runner>> = OnceLock::new();
    &**RUNNER.get_or_init(crate::runner)
}

/// Whether a layer is in force here; prints if not.
pub(crate) fn is_active(layer: &str) -> bool {
    let isolation = runner().isolation();
    let is_active = isolation.layers.iter().any(|name| name == layer);
    if !is_active {
        eprintln!("skipped: there is no {layer} here");
    }
    is_active
}

/// Whether a control group counts memory here.
pub(crate) fn counts_memory() -> bool {
    is_active("memory-cgroup")
}

/// Limits far above the needs of test programs, except those that are meant to exceed them.
pub(crate) fn lax() -> Limits {
    Limits {
        cpu: CpuTime::from_millis(20_000),
        wall: WallTime::from_millis(60_000),
        memory: Bytes(512 << 20),
        output: Bytes(1 << 20),
        processes: 64,
    }
}

impl Bench {
    pub(crate) fn new(program: impl Into<PathBuf>) -> Self {
        let folder = TempDir::new().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("box")).unwrap();
        let request = Request {
            program: program.into(),
            arguments: Vec::new(),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
            directory: runner().mount(MountPoint::Work, &path("box")),
            returns: Returns::Nothing,
            readable: Vec::new(),
            system: SystemFolders::Whole,
            scratch: Bytes(16 << 20),
            reserves_memory: false,
            stdin: None,
            stdout: path("stdout"),
            stderr: path("stderr"),
            files: lax().output,
            limits: lax(),
            core: None,
        };
        Self { folder, request }
    }

    pub(crate) fn shell(script: &str) -> Self {
        Self::new("/bin/sh").arguments(["-c", script])
    }

    /// A C program; `None`, and a message, if there is no compiler.
    pub(crate) fn c(source: &str) -> Option<Self> {
        Self::linked_c(source, &[])
    }

    /// The same, with more arguments for the compiler.
    pub(crate) fn linked_c(source: &str, more: &[&str]) -> Option<Self> {
        let mut bench = Self::new("");
        let (code, program) = (bench.path("program.c"), bench.path("program"));
        fs::write(&code, source).unwrap();
        let compiled = Command::new("cc")
            .args(["-O1", "-pthread", "-o"])
            .args([&program, &code])
            .args(more)
            .status();
        if let Ok(status) = compiled {
            assert!(status.success(), "the test program does not compile");
            bench.program(&program);
            bench.request.system = SystemFolders::Runtime;
            Some(bench)
        } else {
            eprintln!("skipped: no C compiler");
            None
        }
    }

    /// Runs a host program outside the system folders.
    pub(crate) fn program(&mut self, host: &Path) {
        let seen = runner().mount(MountPoint::Program, host);
        self.request.program.clone_from(&seen.inside);
        self.request.readable.push(seen);
    }

    pub(crate) fn arguments<A: Into<OsString>>(
        mut self,
        list: impl IntoIterator<Item = A>,
    ) -> Self {
        self.request.arguments = list.into_iter().map(Into::into).collect();
        self
    }

    pub(crate) fn stdin(mut self, input: &[u8]) -> Self {
        let path = self.path("stdin");
        fs::write(&path, input).unwrap();
        self.request.stdin = Some(path);
        self
    }

    pub(crate) fn limits(mut self, change: impl FnOnce(&mut Limits)) -> Self {
        change(&mut self.request.limits);
        self.request.files = self.request.limits.output;
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn inside(&self, name: &str) -> PathBuf {
        self.request.directory.host.join(name)
    }

    pub(crate) fn try_run(&self) -> Result<Done, SandboxError> {
        let outcome = runner().run(&(), &self.request)?;
        let read = |path: &Path| fs::read(path).unwrap();
        Ok(Done {
            outcome,
            stdout: read(&self.request.stdout),
            stderr: read(&self.request.stderr),
        })
    }

    pub(crate) fn run(&self) -> Done {
        self.try_run().unwrap()
    }
}

impl Done {
    pub(crate) fn text(&self) -> &str {
        str::from_utf8(&self.stdout).unwrap()
    }
}
