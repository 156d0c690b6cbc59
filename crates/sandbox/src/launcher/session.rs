//! What a launcher holds from run to run, and what it found of each layer.

use std::time::Duration;

use super::direct::Direct;
use crate::cgroup::Group;
use crate::error::Failure;
use crate::findings::Findings;
use crate::protocol::{Greeting, Hello, Mode};
use crate::strict::namespaces::Namespaces;
use crate::strict::scratch::Scratch;
use crate::task_clock::TaskClock;
use crate::{Layer, kernel};

/// How CPU time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// By the control group.
    Group,
    /// By the kernel's task clock.
    Task,
    /// By what was reaped, at the end of the run: a program can evade it.
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
    pub(super) group: Option<Group>,
    pub(super) clock: Clock,
    /// Processors that a run may use.
    pub(super) cores: u32,
    /// What the last run wrote, to be thrown away when there is time.
    pub(super) used: Option<Scratch>,
}

impl Session {
    /// Tries every layer and makes what lasts from run to run; `None` if programs cannot be run.
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

    fn prepare(greeting: &Greeting, findings: &mut Findings) -> Result<Self, Failure> {
        let hidden = &greeting.hidden;
        let backend = match greeting.mode {
            Mode::Strict => Backend::Strict(Namespaces::start(greeting.number, hidden, findings)?),
            Mode::LimitsOnly => Backend::LimitsOnly(Direct::new(hidden.clone(), findings)?),
        };
        // Whether a resource limit counts the run's own processes, and what that needs.
        let (counts_processes, needed) = match &backend {
            // Before that, it counts all of the user's, inside and outside.
            Backend::Strict(_) => (kernel::is_at_least(5, 14), "Linux 5.14"),
            Backend::LimitsOnly(direct) => (direct.has_users, "root"),
        };
        let is_basic = greeting.mode == Mode::LimitsOnly;
        let group = find_group(is_basic || !counts_processes, findings);
        if counts_processes || group.as_ref().is_some_and(|it| it.controllers().processes) {
            findings.active(Layer::ProcessCount, "");
        } else {
            let detail = format!("needs {needed}, or a control group that limits processes");
            findings.lacks(Layer::ProcessCount, detail);
        }
        let mut session = Self {
            backend,
            clock: find_clock(group.as_ref(), is_basic, findings),
            group,
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            used: None,
        };
        if let Backend::Strict(namespaces) = &mut session.backend {
            let has_clock = session.clock == Clock::Task;
            namespaces.try_layers(findings, &mut session.group, has_clock)?;
        }
        Ok(session)
    }

    /// CPU time that a run has used so far; zero if that is known only at its end.
    pub(super) fn cpu(&self, clock: Option<&TaskClock>) -> Result<Duration, Failure> {
        match (self.clock, &self.group, clock) {
            (Clock::Group, Some(group), _) => Ok(group.cpu()?.unwrap_or_default()),
            (Clock::Task, _, Some(clock)) => clock
                .read()
                .map_err(|error| Failure::new(Layer::CpuClock, "measure CPU time", &error)),
            _ => Ok(Duration::ZERO),
        }
    }
}

/// Makes a control group, and reports what it holds.
fn find_group(with_pids_v1: bool, findings: &mut Findings) -> Option<Group> {
    let group = Group::here(with_pids_v1);
    match group.as_ref().map(Group::lacks_memory) {
        Ok(None) => findings.active(Layer::MemoryCgroup, ""),
        Ok(Some(reason)) => findings.lacks(Layer::MemoryCgroup, reason),
        Err(reason) => findings.lacks(Layer::MemoryCgroup, reason),
    }
    group.ok()
}

fn find_clock(group: Option<&Group>, is_basic: bool, findings: &mut Findings) -> Clock {
    if group.is_some_and(|group| group.controllers().cpu) {
        findings.active(Layer::CpuClock, "control group");
        return Clock::Group;
    }
    match TaskClock::open() {
        Ok(_) => {
            let detail = "task clock of the kernel; there is no control group";
            if is_basic {
                // Programs may execute what they write there: see `task_clock`.
                findings.lacks(
                    Layer::CpuClock,
                    format!("{detail}, and programs can evade the clock"),
                );
            } else {
                findings.active(Layer::CpuClock, detail);
            }
            Clock::Task
        }
        Err(error) => {
            findings.lacks(
                Layer::CpuClock,
                format!("cannot open a task clock: {error}"),
            );
            Clock::Reaped
        }
    }
}
