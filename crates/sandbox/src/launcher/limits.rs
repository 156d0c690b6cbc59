//! The resource limits of a program, and what the machine's own limits leave of them.

use rustix::process::{Resource, getrlimit};

use crate::cgroup::{Cgroup, GroupsAbove};
use crate::constants::{
    CPU_BACKSTOP_SECONDS, LEAST_HARD_CPU_SECONDS, LEAST_HARD_FILE, MAX_OPEN_FILES, MAX_SIGNALS,
    MAX_TASKS_OF_USER,
};
use crate::error::StepError;
use crate::protocol::Order;
use crate::{Layer, Request, user};

/// A limit as the kernel, and as a shell knows it.
struct Known {
    resource: Resource,
    /// What it limits, and the option of `ulimit`.
    name: &'static str,
    option: &'static str,
    /// What the machine must allow for all programs to run as they should.
    least: u64,
}

const KNOWN: [Known; 8] = [
    known(Resource::Stack, "the stack", "-s", libc::RLIM_INFINITY),
    known(Resource::As, "address space", "-v", libc::RLIM_INFINITY),
    known(Resource::Data, "data", "-d", libc::RLIM_INFINITY),
    known(Resource::Cpu, "CPU time", "-t", LEAST_HARD_CPU_SECONDS),
    known(Resource::Fsize, "the size of files", "-f", LEAST_HARD_FILE),
    known(Resource::Nofile, "open files", "-n", MAX_OPEN_FILES),
    known(Resource::Sigpending, "pending signals", "-i", MAX_SIGNALS),
    // Its own message is better: see `MachineLimits::check`.
    known(Resource::Nproc, "processes", "-u", 1),
];

const fn known(resource: Resource, name: &'static str, option: &'static str, least: u64) -> Known {
    Known {
        resource,
        name,
        option,
        least,
    }
}

impl Known {
    /// The hard limit of this process, if it is below what is wanted, as a sentence.
    fn lacks(&self, wanted: u64) -> Option<String> {
        let limit = getrlimit(self.resource).maximum.filter(|it| *it < wanted)?;
        let wanted = match wanted {
            libc::RLIM_INFINITY => "no limit".to_owned(),
            wanted => wanted.to_string(),
        };
        Some(format!(
            "the hard limit on {} is {limit} (`ulimit -H {}`), and programs need {wanted}",
            self.name, self.option
        ))
    }
}

/// The first hard limit of this process that is too low for the limits that programs get.
pub(super) fn too_low() -> Option<String> {
    KNOWN.iter().find_map(|it| it.lacks(it.least))
}

/// Which limit of this machine allows fewer processes and threads than these, as a sentence; `None` if none does.
pub fn few_processes(needed: u64) -> Option<String> {
    let groups = GroupsAbove::find();
    if groups.limit().is_some_and(|limit| limit < needed) {
        return Some(groups.reached());
    }
    let limit = user::task_limit().filter(|limit| *limit < needed);
    limit.map(few_of_user)
}

fn few_of_user(limit: u64) -> String {
    format!("the user may have {limit} processes and threads (`ulimit -u`)")
}

/// Resource limits of a program, with this limit on its user's processes.
pub(super) fn resource_limits(
    request: &Request,
    processes: u64,
    group: Option<&Cgroup>,
) -> Vec<(u32, u64)> {
    let limits = &request.limits;
    let whole_seconds = limits.cpu.0.as_millis().div_ceil(1000) as u64;
    let has_group = group.is_some_and(|it| it.controllers().memory);
    let address_space = if has_group || request.reserves_memory {
        libc::RLIM_INFINITY
    } else {
        limits.memory.0
    };
    let list = [
        (Resource::Core, 0),
        // One byte more than allowed, to distinguish a file of exactly the allowed size from a larger one.
        (Resource::Fsize, request.files.0.saturating_add(1)),
        (
            Resource::Cpu,
            whole_seconds.saturating_add(CPU_BACKSTOP_SECONDS),
        ),
        (Resource::Nofile, MAX_OPEN_FILES),
        // As in isolate and DOMjudge. The first thread's stack may use all memory: deep recursion is legitimate. A
        // finite limit would also be the size that the C library reserves for each other thread.
        (Resource::Stack, libc::RLIM_INFINITY),
        (Resource::As, address_space),
        (Resource::Data, libc::RLIM_INFINITY),
        (Resource::Memlock, 0),
        (Resource::Msgqueue, 0),
        // Counted over all processes of a user.
        (Resource::Sigpending, MAX_SIGNALS),
        // Some hosts allow users to raise their priority.
        (Resource::Nice, 0),
        (Resource::Rtprio, 0),
        (Resource::Nproc, processes),
    ];
    list.map(|(resource, most)| (resource as u32, most))
        .to_vec()
}

const TOO_FEW: &str =
    ", too few for the programs that run at the same time: raise it, or use fewer jobs (`--jobs`)";

/// What the machine itself refuses to programs: without it, their failures would look like their own.
pub(super) struct MachineLimits {
    groups: GroupsAbove,
    /// How many processes the groups had room for before the run.
    left_before: Option<u64>,
}

impl MachineLimits {
    pub(super) fn find() -> Self {
        Self {
            groups: GroupsAbove::find(),
            left_before: None,
        }
    }

    /// From now on, refusals are those of the next run.
    pub(super) fn begin(&mut self) {
        self.groups.begin();
        self.left_before = self.groups.left();
    }

    /// Whether a step of ours failed because a control group refused a process, and does not say so.
    pub(super) fn explains(&self, failure: &StepError) -> bool {
        let is_said = failure.step.ends_with(TOO_FEW);
        failure.errno == libc::EAGAIN && !is_said && self.groups.have_refused()
    }

    /// Fails if the machine, and not the program, is to blame for what became of a run with these limits.
    pub(super) fn check(
        &self,
        order: &Order,
        limits: &[(u32, u64)],
        group: Option<&Cgroup>,
        has_failed: bool,
    ) -> Result<(), StepError> {
        const STEP: &str = "run the program";
        let processes = u64::from(order.request.limits.processes);
        let left = [self.left_before, self.groups.left()];
        let has_room = || left.iter().flatten().all(|left| *left >= processes);
        let is_refused = group.is_some_and(|it| it.refused_forks() > 0) && !has_room();
        if self.groups.have_refused() || is_refused {
            return Err(self.too_many_processes(STEP));
        }
        if !has_failed {
            return Ok(());
        }
        if let Some(limit) = user::task_limit()
            && user::tasks() + processes * u64::from(order.launchers) > limit
        {
            return Err(too_low_for(&(few_of_user(limit) + TOO_FEW)));
        }
        let wanted = |it: &Known| {
            let limit = limits
                .iter()
                .find(|(number, _)| *number == it.resource as u32)?;
            // The safeguard against fork bombs may be lower.
            (limit.1 != MAX_TASKS_OF_USER).then_some(limit.1)
        };
        match KNOWN.iter().find_map(|it| it.lacks(wanted(it)?)) {
            Some(reason) => Err(too_low_for(&reason)),
            None => Ok(()),
        }
    }

    /// The failure of a step for want of processes.
    pub(super) fn too_many_processes(&self, step: &str) -> StepError {
        let step = format!("{step}: {}{TOO_FEW}", self.groups.reached());
        StepError::with_errno(Layer::ProcessCount, step, libc::EAGAIN)
    }
}

fn too_low_for(reason: &str) -> StepError {
    let step = format!("run the program: {reason}");
    StepError::with_errno(Layer::ResourceLimits, step, libc::EPERM)
}
