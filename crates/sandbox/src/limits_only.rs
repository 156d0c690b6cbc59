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
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use grader_model::{Isolation, IsolationLevel, Outcome};

use crate::pool::Pool;
use crate::protocol::Mode;
use crate::{
    Finding, LauncherCommand, Layer, LayerState, MountPoint, Request, Runner, SandboxError,
    StartGate, findings, user,
};

/// Runs commands at level `basic`.
#[derive(Debug)]
pub struct LimitsOnlyRunner {
    pool: Pool,
    /// Users of the runs; `None` if programs run as the grader's user.
    users: Option<Range<u32>>,
}

impl LimitsOnlyRunner {
    /// Finds out which layers this machine has.
    ///
    /// # Errors
    /// If the launcher cannot be started, or cannot run programs.
    pub fn start(launcher: &LauncherCommand) -> Result<Self, SandboxError> {
        let pool = Pool::start(launcher, Mode::LimitsOnly)?;
        let has_users = is_active(&pool.findings, Layer::OuterUid);
        Ok(Self {
            users: has_users.then(user::ids).flatten(),
            pool,
        })
    }

    /// Whether this layer is in force. [`Layer::OuterUid`]: whether programs run as another user than the grader.
    pub fn has(&self, layer: Layer) -> bool {
        is_active(&self.pool.findings, layer)
    }

    fn run(
        &self,
        gate: Option<&dyn StartGate>,
        request: &Request,
    ) -> Result<Outcome, SandboxError> {
        self.pool
            .run(gate, request, self.users.as_ref().map(user::next))
    }
}

fn is_active(findings: &[Finding], layer: Layer) -> bool {
    let is_it = |it: &Finding| it.layer == layer && it.state != LayerState::Missing;
    findings.iter().any(is_it)
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
        if self.users.is_some() {
            // Programs that are another user must get to their own folders in it. If this fails, a run says what it
            // cannot reach.
            let _ = fs::set_permissions(folder, Permissions::from_mode(0o711));
        }
        self.pool.guard(folder);
    }

    /// Here [`Layer::OuterUid`] is called `other-user`, and `closed-files` says whether any layer closes files.
    fn isolation(&self) -> Isolation {
        let mut isolation = findings::isolation(IsolationLevel::Basic, &self.pool.findings);
        for name in isolation.layers.iter_mut().chain(&mut isolation.missing) {
            if name == Layer::OuterUid.name() {
                "other-user".clone_into(name);
            }
        }
        let closes_files = self.has(Layer::Landlock) || self.has(Layer::OuterUid);
        let list = if closes_files {
            &mut isolation.layers
        } else {
            &mut isolation.missing
        };
        list.push("closed-files".to_owned());
        isolation
    }
}
