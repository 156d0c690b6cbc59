//! Runs without namespaces: the program is the launcher's child, and the launcher adopts its orphans.
#![expect(unsafe_code, reason = "fork")]

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::PidfdFlags;
use tempfile::TempDir;

use crate::cgroup::Cgroup;
use crate::constants::{KILL_INTERVAL, MAX_DEATH};
use crate::domain::{self, Domain};
use crate::error::{StepError, StepExt};
use crate::exec::{Confinement, Descriptors, PreparedProgram, RunReport, RunSpec};
use crate::findings::Findings;
use crate::protocol::Order;
use crate::seccomp::Filter;
use crate::system::{self, Children, Pid};
use crate::user::OtherUser;
use crate::{Layer, kernel, user};

/// Environment variable with the folder for temporary files.
const TMPDIR: &str = "TMPDIR";

/// State that lasts from run to run.
pub(super) struct Direct {
    /// Programs of the host that no run may read.
    hidden: Vec<PathBuf>,
    /// The seccomp filter; `None` if the kernel accepts none.
    filter: Option<Filter>,
    has_landlock: bool,
    /// Whether each run has its own user.
    pub(super) has_users: bool,
}

/// Resources of one run.
pub(super) struct DirectRun {
    /// The run's own temporary folder, because `/tmp` is shared. It is next to the working folder, and is removed with
    /// it at the latest.
    temporary: TempDir,
    pub(super) user: Option<OtherUser>,
    domain: Option<Domain>,
}

/// A running or ended program.
pub(super) struct Child {
    program: Pid,
    _run: DirectRun,
    /// Its wait status, once it is reaped.
    status: Option<i32>,
    /// Peak memory of the largest process that was reaped, in bytes.
    peak: u64,
    /// CPU time of all processes reaped before the run.
    cpu_before: Duration,
}

impl Direct {
    pub(super) fn new(hidden: Vec<PathBuf>, findings: &mut Findings) -> Result<Self, StepError> {
        system::become_subreaper().step(Layer::PidNamespace, "become the parent of orphans")?;
        system::hide_memory().step(Layer::PidNamespace, "keep our memory from others")?;
        rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
        let filter = Filter::accepted();
        let has_users = user::can_change();
        findings.active(Layer::ResourceLimits, "");
        findings.active(Layer::NoCapabilities, "");
        domain::find(findings);
        let no_filter = "no filter of system calls can be installed";
        let no_users = "programs run as the grader's user";
        findings.check(Layer::Seccomp, filter.is_some(), no_filter);
        findings.check(Layer::OuterUid, has_users, no_users);
        Ok(Self {
            hidden,
            filter,
            has_landlock: domain::abi() > 0,
            has_users,
        })
    }

    /// Prepares a run: its temporary folder, its user and its Landlock domain.
    pub(super) fn prepare(
        &self,
        order: &Order,
        stdin: BorrowedFd<'_>,
    ) -> Result<DirectRun, StepError> {
        const LAYER: Layer = Layer::MountNamespace;
        let directory = order.request.directory.host.as_path();
        fs::metadata(directory).step(LAYER, "enter the run's folder")?;
        let temporary = tempfile::Builder::new()
            .prefix("tmp-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(directory.parent().unwrap_or(directory))
            .step(LAYER, "make a temporary folder")?;
        let domain = self
            .has_landlock
            .then(|| Domain::closed(&order.request, temporary.path(), &self.hidden))
            .transpose()?;
        let user = OtherUser::new(order, order.guarded.as_deref(), domain.is_some())?;
        if let Some(user) = &user {
            user.take(order, stdin, temporary.path())?;
        }
        Ok(DirectRun {
            temporary,
            user,
            domain,
        })
    }

    /// Starts a program up to the start barrier; returns its process.
    pub(super) fn begin(
        &self,
        mut spec: RunSpec,
        run: DirectRun,
        descriptors: Descriptors<'_>,
    ) -> Result<(Child, OwnedFd), StepError> {
        const LAYER: Layer = Layer::ProcessCount;
        if !spec.environment.iter().any(|(name, _)| name == TMPDIR) {
            let temporary = run.temporary.path().as_os_str().to_owned();
            spec.environment.push((OsString::from(TMPDIR), temporary));
        }
        let confinement = Confinement {
            user: run.user.as_ref(),
            parent: Some(std::process::id() as Pid),
            domain: run.domain.as_ref(),
            filter: self.filter.as_ref(),
        };
        let mut program = PreparedProgram::new(&spec, descriptors, confinement)?;
        let cpu_before = system::cpu_of_children().step(LAYER, "measure the launcher")?;
        // SAFETY: this process has one thread, so the child may do whatever we may.
        let pid = match unsafe { libc::fork() } {
            -1 => return Err(StepError::new(LAYER, "fork", &io::Error::last_os_error())),
            0 => {
                program.become_program();
                if let Err(why) = program.began() {
                    // Without a report, the launcher would take this for the program's exit.
                    program.send(&why);
                }
                kernel::end_at_once(127)
            }
            pid => pid,
        };
        let child = Child {
            program: pid,
            _run: run,
            status: None,
            peak: 0,
            cpu_before,
        };
        let process = rustix::process::Pid::from_raw(pid)
            .ok_or(rustix::io::Errno::SRCH)
            .and_then(|pid| rustix::process::pidfd_open(pid, PidfdFlags::empty()))
            .step(LAYER, "reach the program's process")
            .inspect_err(|_| drop(system::kill(pid)))?;
        Ok((child, process))
    }
}

impl Child {
    /// Reaps orphans that have ended. The program itself is not reaped before [`Self::end`], so its id is not reused.
    pub(super) fn reap_orphans(&mut self) -> io::Result<()> {
        while let Children::Ended(pid) = system::ended_child()? {
            if pid == self.program {
                break;
            }
            self.reap(pid)?;
        }
        Ok(())
    }

    fn reap(&mut self, pid: Pid) -> io::Result<()> {
        if let Some(reaped) = kernel::reap(pid)? {
            self.peak = self.peak.max(reaped.peak);
            if reaped.pid == self.program {
                self.status = Some(reaped.status);
            }
        }
        Ok(())
    }

    /// Kills and reaps the program and everything it started.
    pub(super) fn end(&mut self, group: Option<&Cgroup>) -> io::Result<()> {
        let started = Instant::now();
        // The program is not yet reaped, so the id is still its own.
        system::kill_group(self.program)?;
        loop {
            match system::ended_child()? {
                Children::Ended(pid) => self.reap(pid)?,
                Children::None => return Ok(()),
                Children::Running if started.elapsed() > MAX_DEATH => {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                Children::Running => {
                    if let Some(group) = group {
                        group.kill().map_err(io::Error::other)?;
                    }
                    // We adopt their children in turn.
                    for child in children() {
                        system::kill(child)?;
                    }
                    thread::sleep(KILL_INTERVAL);
                }
            }
        }
    }

    /// Report on a run that has ended.
    pub(super) fn report(&self, wall: Duration) -> io::Result<RunReport> {
        let cpu = system::cpu_of_children()?;
        Ok(RunReport::Ended {
            status: self
                .status
                .ok_or_else(|| io::Error::other("the program was reaped by another"))?,
            peak: self.peak,
            cpu: cpu.saturating_sub(self.cpu_before),
            wall,
        })
    }
}

/// Ids of the launcher's children; empty if the kernel does not list them.
pub(super) fn children() -> Vec<Pid> {
    let launcher = std::process::id();
    fs::read_to_string(format!("/proc/self/task/{launcher}/children"))
        .unwrap_or_default()
        .split_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .collect()
}
