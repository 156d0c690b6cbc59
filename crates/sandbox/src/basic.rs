//! Level `basic`: limits and tidiness on any Unix, on Linux with two walls, but not a sandbox.
//!
//! # Theory of operation
//!
//! ```text
//! grader (many threads, large)
//!   |  stdin pipe: the request; afterwards silent, its end means that the grader is gone
//!   |  stdout pipe: the answer, one line
//!   `-- launcher (one a run; one thread, small)
//!         |  report pipe: closed by a successful execve, or an errno
//!         `-- the program (own session and process group)
//!               `-- whatever it starts; orphans become the launcher's children
//! ```
//!
//! **Processes.** [`BasicRunner::run`] spawns one launcher, which is our own binary under a hidden
//! subcommand ([`launcher_main`]). Nothing runs between fork and exec in the grader, so the standard
//! library may use `posix_spawn`, whose cost does not grow with the grader: `fork` from a process of 1 GiB
//! takes 40 ms. The launcher is small and single-threaded; it forks the program itself. A large parent
//! would also show up in the program's peak memory, because Linux carries `ru_maxrss` across `execve`; the
//! little that the launcher itself contributes is left out.
//!
//! **Pipes.** The launcher reads one [`Request`] as JSON from its standard input and writes one answer as
//! JSON to its standard output. The program never sees these pipes: its three standard descriptors are
//! files, and all others are closed when it is executed. What it writes can therefore never be taken for an
//! outcome. Failures on the way to `execve` come back on the report pipe and are [`SandboxError`]s, never
//! outcomes.
//!
//! **Who kills whom.** The launcher blocks every signal, so that Ctrl-C on the terminal reaches only the
//! grader. The program dies when the launcher stops it for a limit, when the launcher sees the end of its
//! standard input (the grader died), or, by `PR_SET_PDEATHSIG`, when the launcher dies. When the program
//! itself has ended, everything it left is killed: first its process group, at one stroke, while its
//! process id is still held as a zombie; then, until `wait4` knows no more children, every descendant that
//! can be found. The launcher is a *child subreaper*, so daemons that forked twice and left the session
//! come back to it as children. A call of [`BasicRunner::run`] returns only after that.
//!
//! **Clocks.** CPU time is what the kernel charged (`getrusage` of all that was reaped, in microseconds);
//! while the program runs it is that plus the times of the living descendants in `/proc`, in ticks of
//! 10 ms, rounded down. Processes whose parent ignores `SIGCHLD` are charged to nobody by the kernel; for
//! those the last reading counts. Wall time is the monotonic clock from before the fork to the end of the
//! program. Peak memory is the larger of `ru_maxrss` and the resident memory of all processes together as
//! seen by the looks at the tree. Looks come after 1, 2, 4 ms, then every 5 ms, after a second every
//! 10 ms, and never take more than a tenth of the time; the end of a process wakes the launcher at once.
//!
//! **Walls.** On Linux a program at level `basic` enters a Landlock domain and gets the filter of system calls of
//! level `strict`, as far as the kernel has them: it may read and execute what its user may, but writes only beneath
//! its own folder, in `/tmp` and in `/dev/shm`; it has no network; and from Linux 6.12 on it reaches nobody outside
//! by signals or abstract sockets. [`Runner::isolation`] names the two layers by the same questions to the kernel by
//! which the launcher decides; one that is named and then cannot be had is an error.
//!
//! **Closed.** [`BasicRunner::closed`] is what there is where no namespaces can be had, for programs that nobody
//! trusts: reading is confined by Landlock as well, `/tmp` is closed and there is a temporary folder for each run, and
//! root makes each run a user of its own (`launcher::user`) and takes all powers from it.
//!
//! # What level `basic` does not hold
//!
//! What follows is about [`BasicRunner::new`]; `docs/sandbox.md` says what is left when it is closed.
//!
//! It is not a sandbox. The program runs as the same user, reads that user's files, sees that user's processes, and
//! writes to `/tmp`, where other programs, the grader among them, keep things. Without Landlock it writes wherever
//! the user may, and before Linux 6.12 it may signal the user's processes. Were it then to kill its launcher, the
//! run would be an error ([`SandboxError::Protocol`], with words to this effect); what else it started may live on.
//! Without the filter it has the network: UDP, and before Linux 6.7 TCP too. To forge an answer or to read the
//! launcher it would need root: the launcher is not dumpable. The number of processes is not limited
//! (`RLIMIT_NPROC` counts all processes of the user, not those of the run; it is only set, and not for root, as a
//! fuse against fork bombs). Memory is limited by looking, so that a program may go over for some milliseconds
//! before it is killed; `RLIMIT_AS` would be exact but stops Java, which reserves much more address space than it
//! uses.
//!
//! On Unix systems other than Linux there is no subreaper, no `/proc` and neither wall; [`Runner::isolation`] says
//! which layers are missing.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use grader_model::{Isolation, IsolationLevel, Outcome};

#[cfg(target_os = "linux")]
use crate::launcher::{FoundGroups, RunUser, can_be_another};
use crate::link::Link;
use crate::protocol::{Answer, Closed, Order};
use crate::strict::ourselves;
use crate::{Place, Request, Runner, SandboxError, pressure};

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
    /// Set if the user's files are closed to programs.
    closed: Option<Arc<Mutex<Closed>>>,
    #[cfg(target_os = "linux")]
    groups: FoundGroups,
}

impl BasicRunner {
    /// A runner that spawns this launcher. Its programs may read what their user may.
    pub fn new(launcher: LauncherCommand) -> Self {
        Self {
            launcher,
            closed: None,
            #[cfg(target_os = "linux")]
            groups: FoundGroups::default(),
        }
    }

    /// A runner with everything that can be had without namespaces: as far as Landlock or another user can hold it,
    /// programs read only the system's folders and what a request names.
    pub fn closed(launcher: LauncherCommand) -> Self {
        #[cfg(target_os = "linux")]
        let groups = {
            // Where memory cannot be handed on, time may still be measured.
            let _ = crate::cgroup::settle();
            FoundGroups::here()
        };
        let closed = Closed {
            hidden: ourselves(&launcher),
            scratch: None,
            user: None,
            #[cfg(target_os = "linux")]
            grouped: groups.is_any(),
            #[cfg(not(target_os = "linux"))]
            grouped: false,
        };
        Self {
            launcher,
            closed: Some(Arc::new(Mutex::new(closed))),
            #[cfg(target_os = "linux")]
            groups,
        }
    }
}

/// Poisoning is harmless: each change is one assignment.
fn locked(closed: &Mutex<Closed>) -> MutexGuard<'_, Closed> {
    closed.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runner for BasicRunner {
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError> {
        let mut link = Link::start(&self.launcher, None)?;
        let mut closed = self.closed.as_deref().map(|it| locked(it).clone());
        // Its own until everything that the run started is gone.
        #[cfg(target_os = "linux")]
        let user = closed.as_ref().and_then(|_| RunUser::take());
        #[cfg(target_os = "linux")]
        if let Some(closed) = &mut closed {
            closed.user = user.as_ref().map(|it| (it.user, it.group));
        }
        let order = Order {
            closed,
            ..Order::from(request)
        };
        let answer = link
            .tell(&order)
            .and_then(|()| link.hear(request.limits.wall.0.saturating_add(GRACE)));
        match answer {
            Ok(answer) => {
                drop(link.end());
                outcome(answer, request)
            }
            Err(problem) => Err(link.failed(&problem, suspicion())),
        }
    }

    fn crowded(&self) -> Option<Duration> {
        pressure::crowded()
    }

    /// Programs see the host's own files.
    fn inside(&self, _place: Place, host: &Path) -> PathBuf {
        host.to_owned()
    }

    /// Nobody is there to remove it, but programs that are another user must get to their own folders in it.
    fn guard(&self, folder: &Path) {
        let Some(closed) = &self.closed else { return };
        if can_be_another() {
            // Where that fails, a run says what it cannot reach.
            let _ = fs::set_permissions(folder, Permissions::from_mode(0o711));
        }
        locked(closed).scratch = Some(folder.into());
    }

    fn isolation(&self) -> Isolation {
        const NEVER: [&str; 5] = [
            "user-namespace",
            "pid-namespace",
            "mount-namespace",
            "network-namespace",
            "ipc-namespace",
        ];
        let linux = cfg!(target_os = "linux");
        let sees_tree = linux && Path::new("/proc/self/stat").exists();
        let is_closed = linux && self.closed.is_some();
        let has_user = is_closed && can_be_another();
        #[cfg(target_os = "linux")]
        let FoundGroups {
            memory,
            cpu,
            processes,
        } = self.groups;
        #[cfg(not(target_os = "linux"))]
        let [memory, cpu, processes] = [false; 3];
        let (layers, missing): (Vec<_>, Vec<_>) = [
            ("process-group", true),
            ("own-directory", true),
            ("empty-environment", true),
            ("resource-limits", true),
            ("output-cap", true),
            ("no-new-privileges", linux),
            ("no-capabilities", is_closed),
            ("other-user", has_user),
            ("process-count", has_user || processes),
            ("memory-cgroup", memory),
            ("cpu-clock", cpu),
            ("seccomp", has_filter()),
            ("landlock", has_domain()),
            ("closed-files", has_user || is_closed && has_domain()),
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

#[cfg(not(target_os = "linux"))]
const fn can_be_another() -> bool {
    false
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
        Answer::Unwanted => Err(SandboxError::Unwanted),
    }
}
