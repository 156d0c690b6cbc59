//! Level `basic`, for machines without namespaces: limits, and the layers that need none. No sandbox.
//!
//! It holds resource limits, a process group that is killed at the end with all descendants that can be found, a
//! wall clock, and an output cap. If the kernel has them, each run also gets:
//!
//! - Landlock: reads the system's folders and what the request names; writes its own and a temporary folder;
//! - the seccomp filter of level `strict`, and no network with it;
//! - started by root that may change users: a user of its own ([`crate::user`]); otherwise root without powers;
//! - a control group, which counts and bounds memory, CPU time and processes.
//!
//! What it does not hold: programs see the names and command lines of other processes. Without a control group
//! memory is bounded for each process alone (`RLIMIT_AS`), peak memory is the largest process's, and CPU time is
//! what was reaped, or the kernel's task clock if that is available; until the program ends, only `RLIMIT_CPU`
//! (whole seconds, for each process) and the wall clock stop it. Without Landlock or another user, files are open.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use grader_model::{Isolation, IsolationLevel, Outcome};

use crate::cgroup::{Controllers, Group};
use crate::pool::Pool;
use crate::protocol::Mode;
use crate::seccomp::Filter;
use crate::{
    LauncherCommand, MountPoint, Request, Runner, SandboxError, StartGate, cgroup, domain, user,
};

/// Runs commands at level `basic`.
#[derive(Debug)]
pub struct LimitsOnlyRunner {
    pool: Pool,
    controllers: OnceLock<Controllers>,
}

impl LimitsOnlyRunner {
    /// A runner that starts this launcher.
    pub fn new(launcher: LauncherCommand) -> Self {
        Self {
            pool: Pool::new(launcher, Mode::LimitsOnly),
            controllers: OnceLock::new(),
        }
    }

    /// What control groups hold here: found by making one.
    fn controllers(&self) -> Controllers {
        *self.controllers.get_or_init(|| {
            // If memory cannot be delegated, time may still be measured.
            let _ = cgroup::prepare();
            Group::here(true).map_or_else(|_| Controllers::default(), |group| group.controllers())
        })
    }

    fn run(
        &self,
        gate: Option<&dyn StartGate>,
        request: &Request,
    ) -> Result<Outcome, SandboxError> {
        self.controllers();
        self.pool.run(gate, request, user::next())
    }
}

impl Runner for LimitsOnlyRunner {
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError> {
        self.run(None, request)
    }

    fn run_gated(&self, gate: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        self.run(Some(gate), request)
    }

    /// Programs see the host's own files.
    fn inside(&self, _: MountPoint, host: &Path) -> PathBuf {
        host.to_owned()
    }

    fn guard(&self, folder: &Path) {
        if user::ids_of_runs().is_some() {
            // Programs that are another user must get to their own folders in it. If this fails, a run says what it
            // cannot reach.
            let _ = fs::set_permissions(folder, Permissions::from_mode(0o711));
        }
        self.pool.guard(folder);
    }

    fn isolation(&self) -> Isolation {
        const NEVER: [&str; 5] = [
            "user-namespace",
            "pid-namespace",
            "mount-namespace",
            "network-namespace",
            "ipc-namespace",
        ];
        let has_user = user::ids_of_runs().is_some();
        let has_landlock = domain::abi() > 0;
        let controllers = self.controllers();
        let (layers, missing): (Vec<_>, Vec<_>) = [
            ("process-group", true),
            ("own-directory", true),
            ("empty-environment", true),
            ("resource-limits", true),
            ("output-cap", true),
            ("no-capabilities", true),
            ("other-user", has_user),
            ("process-count", has_user || controllers.processes),
            ("memory-cgroup", controllers.memory),
            ("cpu-clock", controllers.cpu),
            ("seccomp", Filter::accepted().is_some()),
            ("landlock", has_landlock),
            ("closed-files", has_user || has_landlock),
        ]
        .into_iter()
        .partition(|&(_, holds)| holds);
        let names = |part: Vec<(&'static str, bool)>| part.into_iter().map(|(name, _)| name);
        Isolation {
            level: IsolationLevel::Basic,
            layers: names(layers).map(str::to_owned).collect(),
            missing: names(missing).chain(NEVER).map(str::to_owned).collect(),
        }
    }
}
