//! A launcher's state from run to run, and its findings on the layers.

use std::time::Duration;

use grader_model::IsolationLevel;

use super::direct::Direct;
use super::limits::{self, MachineLimits};
use crate::cgroup::Cgroup;
use crate::error::StepError;
use crate::findings::Findings;
use crate::protocol::{Greeting, Hello};
use crate::strict::namespaces::Namespaces;
use crate::strict::scratch::RunTmpfs;
use crate::task_clock::TaskClock;
use crate::{Layer, kernel};

/// How CPU time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClockSource {
    /// By the control group.
    Cgroup,
    /// By the kernel's task clock.
    Task,
    /// By the time of reaped processes, only at the end of the run: a program can evade it.
    Reaped,
}

/// How programs are started.
pub(super) enum Backend {
    Strict(Namespaces),
    LimitsOnly(Direct),
}

/// A launcher between two runs.
pub(super) struct Session {
    pub(super) backend: Backend,
    pub(super) group: Option<Cgroup>,
    pub(super) clock: ClockSource,
    /// Number of processors that a run may use.
    pub(super) cores: u32,
    /// The last run's tmpfs, to be removed while the grader does not wait.
    pub(super) used: Option<RunTmpfs>,
    /// What the machine itself refuses.
    pub(super) machine: MachineLimits,
}

impl Session {
    /// Tries every layer and prepares for runs; `None` if programs cannot be run.
    pub(super) fn start(greeting: &Greeting) -> (Hello, Option<Self>) {
        let mut findings = Findings::default();
        let session = Self::prepare(greeting, &mut findings);
        if let Err(failure) = &session {
            findings.missing(failure);
        }
        let hello = Hello {
            is_ready: session.is_ok(),
            findings: findings.complete(),
        };
        (hello, session.ok())
    }

    fn prepare(greeting: &Greeting, findings: &mut Findings) -> Result<Self, StepError> {
        if let Some(reason) = limits::too_low() {
            findings.lacks(Layer::ResourceLimits, reason);
        }
        let hidden = &greeting.hidden;
        let backend = match greeting.level {
            IsolationLevel::Strict => {
                Backend::Strict(Namespaces::start(greeting.number, hidden, findings)?)
            }
            IsolationLevel::Basic => Backend::LimitsOnly(Direct::new(hidden.clone(), findings)?),
        };
        // Whether `RLIMIT_NPROC` counts only the run's own processes, and what that requires.
        let (counts_processes, needed) = match &backend {
            // Older kernels count all of the user's processes, inside and outside.
            Backend::Strict(_) => (kernel::is_at_least(5, 14), "Linux 5.14"),
            Backend::LimitsOnly(direct) => (direct.has_users, "root"),
        };
        let is_basic = greeting.level == IsolationLevel::Basic;
        let group = find_group(is_basic || !counts_processes, findings);
        let are_limited =
            counts_processes || group.as_ref().is_some_and(|it| it.controllers().processes);
        let why_missing = format!("needs {needed}, or a control group that limits processes");
        findings.check(Layer::ProcessCount, are_limited, &why_missing);
        let mut session = Self {
            backend,
            clock: find_clock(group.as_ref(), is_basic, findings),
            group,
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            used: None,
            machine: MachineLimits::find(),
        };
        if let Backend::Strict(namespaces) = &mut session.backend {
            let has_clock = session.clock == ClockSource::Task;
            namespaces.try_layers(findings, &mut session.group, has_clock)?;
        }
        Ok(session)
    }

    /// CPU time of the run so far; zero if known only at the end.
    pub(super) fn cpu(&self, clock: Option<&TaskClock>) -> Result<Duration, StepError> {
        match (self.clock, &self.group, clock) {
            (ClockSource::Cgroup, Some(group), _) => Ok(group.cpu()?.unwrap_or_default()),
            (ClockSource::Task, _, Some(clock)) => clock
                .read()
                .map_err(|error| StepError::new(Layer::CpuClock, "measure CPU time", &error)),
            _ => Ok(Duration::ZERO),
        }
    }
}

/// Creates a control group, and reports whether it limits memory.
fn find_group(with_pids_v1: bool, findings: &mut Findings) -> Option<Cgroup> {
    let group = Cgroup::here(with_pids_v1);
    match group.as_ref().map(Cgroup::lacks_memory) {
        Ok(None) => findings.active(Layer::MemoryCgroup, ""),
        Ok(Some(reason)) => findings.lacks(Layer::MemoryCgroup, reason),
        Err(reason) => findings.lacks(Layer::MemoryCgroup, reason),
    }
    group.ok()
}

fn find_clock(group: Option<&Cgroup>, is_basic: bool, findings: &mut Findings) -> ClockSource {
    if group.is_some_and(|group| group.controllers().cpu) {
        findings.active(Layer::CpuClock, "control group");
        return ClockSource::Cgroup;
    }
    match TaskClock::open() {
        Ok(_) => {
            let detail = "task clock of the kernel; there is no control group";
            if is_basic {
                // Programs can execute files that they write there: see `task_clock`.
                findings.lacks(
                    Layer::CpuClock,
                    format!("{detail}, and programs can evade the clock"),
                );
            } else {
                findings.active(Layer::CpuClock, detail);
            }
            ClockSource::Task
        }
        Err(error) => {
            findings.lacks(
                Layer::CpuClock,
                format!("cannot open a task clock: {error}"),
            );
            ClockSource::Reaped
        }
    }
}
