//! Level `basic`: limits and tidiness on any Unix, on Linux with two walls, but not a sandbox.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use grader_model::{Isolation, IsolationLevel, Outcome};

use crate::link::Link;
use crate::protocol::{Answer, Order};
use crate::{Place, Request, Runner, SandboxError};

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
}

impl Runner for BasicRunner {
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError> {
        let mut link = Link::start(&self.launcher, None)?;
        let answer = link
            .tell(&Order::from(request))
            .and_then(|()| link.hear(request.limits.wall.0.saturating_add(GRACE)));
        match answer {
            Ok(answer) => {
                drop(link.end());
                outcome(answer, request)
            }
            Err(problem) => Err(link.failed(&problem, suspicion())),
        }
    }

    /// Programs see the host's own files.
    fn inside(&self, _place: Place, host: &Path) -> PathBuf {
        host.to_owned()
    }

    fn isolation(&self) -> Isolation {
        const NEVER: [&str; 7] = [
            "user-namespace",
            "pid-namespace",
            "mount-namespace",
            "network-namespace",
            "ipc-namespace",
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
            ("seccomp", has_filter()),
            ("landlock", has_domain()),
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

/// Whether a run has a Landlock domain.
#[cfg(target_os = "linux")]
fn has_domain() -> bool {
    crate::domain::Held::here().is_some()
}

#[cfg(not(target_os = "linux"))]
const fn has_domain() -> bool {
    false
}

/// Whether that keeps its signals in.
#[cfg(target_os = "linux")]
fn keeps_signals() -> bool {
    crate::domain::Held::here().is_some_and(|held| held.scopes)
}

#[cfg(not(target_os = "linux"))]
const fn keeps_signals() -> bool {
    false
}

/// Whether a run has a filter of system calls.
#[cfg(target_os = "linux")]
fn has_filter() -> bool {
    crate::seccomp::Filter::accepted().is_some()
}

#[cfg(not(target_os = "linux"))]
const fn has_filter() -> bool {
    false
}

/// What is said of a launcher that a signal has ended.
fn suspicion() -> &'static str {
    if keeps_signals() {
        ": something outside the run killed it"
    } else {
        ": something killed it, perhaps the program itself, which level `basic` cannot prevent here"
    }
}

/// What a launcher's answer means.
pub(crate) fn outcome(answer: Answer, request: &Request) -> Result<Outcome, SandboxError> {
    match answer {
        Answer::Done(outcome) => Ok(outcome),
        Answer::Setup { step, errno } => Err(SandboxError::Setup {
            step,
            source: io::Error::from_raw_os_error(errno),
        }),
        Answer::Execute { errno } => Err(SandboxError::Execute {
            program: request.program.clone(),
            source: io::Error::from_raw_os_error(errno),
        }),
    }
}
