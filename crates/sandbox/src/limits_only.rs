//! Level `basic`, for machines without namespaces: limits, and the layers that need no namespaces. Not a sandbox.
//!
//! It enforces resource limits, wall time and an output limit, and at the end kills the process group and all
//! descendants that it can find. If the machine offers them, each run also gets:
//!
//! - Landlock: it reads the system's folders and the request's paths, and writes to its working folder and a temporary
//!   folder;
//! - the seccomp filter of level `strict`, which also blocks the network;
//! - if root started the grader and may change users: its own user ([`crate::user`]); otherwise, root without
//!   capabilities;
//! - a control group, which measures and limits memory, CPU time and processes.
//!
//! Not covered: programs see the names and command lines of other processes. Without a control group, memory is limited
//! per process (`RLIMIT_AS`), peak memory is the largest process's, and CPU time is the kernel's task clock, or else
//! that of reaped processes; in the latter case, only `RLIMIT_CPU` (whole seconds, per process) and wall time stop a
//! running program. Without Landlock or another user, files are open.

use std::fs::{self, Permissions};
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use grader_model::{Isolation, IsolationLevel, Outcome};

use crate::pool::Pool;
use crate::{
    LauncherCommand, Layer, LayerFinding, LayerState, MountPoint, Request, Runner, SandboxError,
    StartGate, user,
};

/// Runs commands at level `basic`.
#[derive(Debug)]
pub struct LimitsOnlyRunner {
    pool: Pool,
    /// User ids for the runs; `None` if programs run as the grader's user.
    users: Option<Range<u32>>,
}

impl LimitsOnlyRunner {
    /// Finds out which layers this machine has.
    ///
    /// # Errors
    /// If the launcher cannot be started, or cannot run programs.
    pub fn start(launcher: &LauncherCommand) -> Result<Self, SandboxError> {
        let pool = Pool::start(launcher, IsolationLevel::Basic)?;
        let has_users = is_active(&pool.findings, Layer::OuterUid);
        Ok(Self {
            users: has_users.then(user::ids).flatten(),
            pool,
        })
    }

    /// Whether this layer is active. For [`Layer::OuterUid`]: whether programs run as a different user from the grader.
    pub fn has(&self, layer: Layer) -> bool {
        is_active(&self.pool.findings, layer)
    }
}

fn is_active(findings: &[LayerFinding], layer: Layer) -> bool {
    let is_it = |it: &LayerFinding| it.layer == layer && it.state != LayerState::Missing;
    findings.iter().any(is_it)
}

impl Runner for LimitsOnlyRunner {
    fn run(&self, gate: &dyn StartGate, request: &Request) -> Result<Outcome, SandboxError> {
        let user = self.users.as_ref().map(user::next);
        self.pool.run(gate, request, user)
    }

    /// Programs see the host's own files.
    fn inside(&self, _: MountPoint, host: &Path) -> PathBuf {
        host.to_owned()
    }

    fn guard(&self, folder: &Path) {
        if self.users.is_some() {
            // Programs run by other users must reach their own folders in it. If this fails, a run reports the path.
            let _ = fs::set_permissions(folder, Permissions::from_mode(0o711));
        }
        self.pool.guard(folder);
    }

    /// Here, [`Layer::OuterUid`] is called `other-user`, and `closed-files` is listed if any layer closes files.
    fn isolation(&self) -> Isolation {
        let mut isolation = self.pool.isolation();
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
