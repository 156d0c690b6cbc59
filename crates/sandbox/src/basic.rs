//! Level `basic`: limits and tidiness on any Unix, but not a sandbox.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use grader_model::{Isolation, IsolationLevel, Outcome};

use crate::protocol::{Answer, Order};
use crate::{Place, Request, Runner, SandboxError, system};

/// How much longer than the run's wall limit the launcher may take to answer. It is only ever used up by
/// a launcher that was stopped from outside.
const GRACE: Duration = Duration::from_secs(60);

/// The command that becomes a launcher: it must do nothing but call [`crate::launcher_main`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LauncherCommand {
    /// Absolute path of the binary, usually our own ([`std::env::current_exe`]).
    pub program: PathBuf,
    /// Its arguments: the hidden subcommand.
    pub arguments: Vec<OsString>,
}

/// Runs commands at level `basic`, one launcher a run.
///
/// The crate's documentation says how, and what is not held. Values are cheap; calls from many threads at
/// the same time do not disturb each other.
#[derive(Clone, Debug)]
pub struct BasicRunner {
    launcher: LauncherCommand,
}

impl BasicRunner {
    /// A runner that spawns this launcher.
    pub const fn new(launcher: LauncherCommand) -> Self {
        Self { launcher }
    }

    fn spawn(&self) -> Result<Child, SandboxError> {
        // No `pre_exec` and no relative program: either would cost the standard library its posix_spawn.
        Command::new(&self.launcher.program)
            .args(&self.launcher.arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| SandboxError::Launcher {
                program: self.launcher.program.clone(),
                source,
            })
    }
}

impl Runner for BasicRunner {
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError> {
        let order = serde_json::to_vec(&Order::from(request)).map_err(|error| {
            SandboxError::Protocol(format!("cannot write the request: {error}"))
        })?;
        let mut launcher = Launcher::new(self.spawn()?);
        let answered = launcher.ask(order, request.limits.wall.0.saturating_add(GRACE));
        let (status, complaint) = launcher.end();
        let line = match answered {
            Ok(line) => line,
            Err(problem) => return Err(protocol(&problem, status, &complaint)),
        };
        match serde_json::from_slice(&line) {
            Ok(Answer::Done(outcome)) => Ok(outcome),
            Ok(Answer::Setup { step, errno }) => Err(SandboxError::Setup {
                step,
                source: io::Error::from_raw_os_error(errno),
            }),
            Ok(Answer::Execute { errno }) => Err(SandboxError::Execute {
                program: request.program.clone(),
                source: io::Error::from_raw_os_error(errno),
            }),
            Err(_) if line.is_empty() => Err(protocol("it did not answer", status, &complaint)),
            Err(error) => Err(protocol(
                &format!("its answer is not understood: {error}"),
                status,
                &complaint,
            )),
        }
    }

    /// Programs see the host's own files.
    fn inside(&self, _place: Place, host: &Path) -> PathBuf {
        host.to_owned()
    }

    fn isolation(&self) -> Isolation {
        const NEVER: [&str; 9] = [
            "user-namespace",
            "pid-namespace",
            "mount-namespace",
            "network-namespace",
            "ipc-namespace",
            "seccomp",
            "landlock",
            "process-count",
            "memory-cgroup",
        ];
        let linux = cfg!(target_os = "linux");
        let sees_tree = linux && Path::new("/proc/self/stat").exists();
        let (layers, missing): (Vec<_>, Vec<_>) = [
            ("process-group", true),
            ("own-directory", true),
            ("empty-environment", true),
            ("resource-limits", true),
            ("output-cap", true),
            ("no-new-privileges", linux),
            ("time-watch", sees_tree),
            ("memory-watch", sees_tree),
            ("kills-descendants", sees_tree),
        ]
        .into_iter()
        .partition(|&(_, holds)| holds);
        let words = |part: Vec<(&'static str, bool)>| part.into_iter().map(|(word, _)| word);
        Isolation {
            level: IsolationLevel::Basic,
            layers: words(layers).map(str::to_owned).collect(),
            missing: words(missing).chain(NEVER).map(str::to_owned).collect(),
        }
    }
}

/// A launcher that runs. Dropping its standard input makes it kill everything and end.
struct Launcher {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
}

impl Launcher {
    fn new(mut child: Child) -> Self {
        Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            child,
        }
    }

    /// Sends the order and reads the answer; nothing was said if the launcher ends without a word.
    fn ask(&mut self, mut order: Vec<u8>, patience: Duration) -> Result<Vec<u8>, String> {
        order.push(b'\n');
        let stdin = self
            .stdin
            .as_mut()
            .ok_or("its standard input is not open")?;
        match stdin.write_all(&order) {
            // It is gone; that it did not answer is the message, with its status.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(Vec::new()),
            written => written.map_err(|error| format!("cannot send the request: {error}"))?,
        }
        let stdout = self
            .stdout
            .as_mut()
            .ok_or("its standard output is not open")?;
        let started = Instant::now();
        let mut line = Vec::new();
        let mut chunk = [0; 4096];
        loop {
            let left = patience.saturating_sub(started.elapsed());
            if left.is_zero() {
                // It would sleep for ever if it was stopped by a signal; this one still reaches it.
                drop(self.child.kill());
                return Err(format!("it did not answer within {} s", patience.as_secs()));
            }
            let [ready] = system::wait_readable([stdout.as_fd()], left)
                .map_err(|error| format!("cannot wait for the answer: {error}"))?;
            if !ready {
                continue;
            }
            match stdout.read(&mut chunk) {
                Ok(0) => return Ok(line),
                Ok(count) => line.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(format!("cannot read the answer: {error}")),
            }
            if line.ends_with(b"\n") {
                return Ok(line);
            }
        }
    }

    /// Waits for its end; its status and what it complained of.
    fn end(mut self) -> (io::Result<ExitStatus>, String) {
        drop(self.stdin.take());
        let mut complaint = Vec::new();
        if let Some(stderr) = self.child.stderr.take()
            && let Err(error) = stderr.take(64 * 1024).read_to_end(&mut complaint)
        {
            complaint = error.to_string().into_bytes();
        }
        let status = self.child.wait();
        (status, grader_model::escaped(complaint.trim_ascii()))
    }
}

fn protocol(problem: &str, status: io::Result<ExitStatus>, complaint: &str) -> SandboxError {
    use std::os::unix::process::ExitStatusExt;

    let fate = match status {
        Ok(status) if status.signal().is_some() => format!(
            " ({status}): something killed it, perhaps the program itself, \
             which level `basic` cannot prevent"
        ),
        Ok(status) if !status.success() => format!(" ({status})"),
        Ok(_) => String::new(),
        Err(error) => format!(" (its status is unknown: {error})"),
    };
    let mut message = problem.to_owned() + &fate;
    if !complaint.is_empty() {
        message += ": ";
        message += complaint;
    }
    SandboxError::Protocol(message)
}
