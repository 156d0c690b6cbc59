//! What a launcher holds from run to run: the namespaces, the control group, and what is known of each layer.
#![expect(unsafe_code, reason = "forks, and enters a user namespace")]

use std::fs;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

use rustix::mount::MountPropagationFlags;
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use rustix::process::PidfdFlags;
use rustix::thread::{CapabilitySet, UnshareFlags};

use super::job::{Failure, Job, Reply, Report, Step};
use super::keeper::{Keeper, occupy_standard_files};
use super::kernel::{self, Forked};
use super::room::Room;
use super::run::{Running, in_group};
use super::tree::Tree;
use super::wire;
use crate::cgroup::{Group, Place};
use crate::domain::{Domain, Held};
use crate::seccomp::Filter;
use crate::system::{self, Pid};
use crate::task_clock::TaskClock;
use crate::{Finding, Hold, Layer};

/// User and group of a program, as it sees itself.
const INSIDE: u32 = 1000;
/// Users of the host that programs are for it when root starts the grader, one for each launcher: a range that
/// distributions and systemd leave alone (60001 to 60577 and 61184 to 65519 are taken).
const OUTSIDE: u32 = 60_600;
/// Launchers of one grader that have users of their own, and graders that do.
const LAUNCHERS: u32 = 128;
const GRADERS: u32 = 4;

/// Layers that a run can do without, where one of them is missing.
const DISPENSABLE: [Layer; 3] = [Layer::Proc, Layer::Landlock, Layer::Seccomp];

/// How CPU time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Clock {
    /// By the control group.
    Group,
    /// By the kernel's task clock.
    Task,
    /// By what was reaped: a program can evade it.
    Reaped,
}

/// A launcher's sandbox.
pub(super) struct Session {
    pub(super) tree: Tree,
    /// The keeper; not reaped, so that the number stays its own.
    keeper: Pid,
    /// To the keeper.
    pub(super) control: OwnedFd,
    pub(super) group: Option<Group>,
    pub(super) clock: Clock,
    /// The owner of what a run may write to, as we see it, where that is not ourselves.
    pub(super) owner: Option<u32>,
    /// Processes of ours that count against the program's limit.
    pub(super) others: u64,
    /// Processors that a run may use.
    pub(super) cores: u32,
    pub(super) without: Vec<Layer>,
    /// What the last run wrote, to be thrown away when there is time.
    pub(super) used: Option<Room>,
}

/// Who we are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Identity {
    /// Root, who may make namespaces and map this user into them.
    Root { outside: u32 },
    /// Anybody else.
    User,
}

impl Identity {
    fn find(number: u32) -> Self {
        let is_root = rustix::process::geteuid().is_root();
        let may_administer = rustix::thread::capabilities(None)
            .is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
        if is_root && may_administer {
            let map = fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
            Self::Root {
                outside: outside(&map, wanted(number)),
            }
        } else {
            Self::User
        }
    }
}

/// The user for the launcher of this number.
fn wanted(number: u32) -> u32 {
    // Two graders at the same time should not have the same.
    let grader = rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get() as u32);
    OUTSIDE + grader % GRADERS * LAUNCHERS + number % LAUNCHERS
}

/// The wanted user if the map of our own user namespace has it, else the last one it has that is not root.
fn outside(map: &str, wanted: u32) -> u32 {
    let mut best = 0;
    for line in map.lines() {
        let mut numbers = line
            .split_whitespace()
            .map(|number| number.parse::<u64>().unwrap_or(0));
        let (Some(first), Some(_), Some(count)) = (numbers.next(), numbers.next(), numbers.next())
        else {
            continue;
        };
        if (first..first + count).contains(&u64::from(wanted)) {
            return wanted;
        }
        let last = (first + count).saturating_sub(1);
        best = best.max(u32::try_from(last).unwrap_or(u32::MAX - 1));
    }
    best
}

/// What is known of each layer.
#[derive(Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    fn say(&mut self, layer: Layer, hold: Hold, detail: Option<String>) {
        if !self.0.iter().any(|finding| finding.layer == layer) {
            self.0.push(Finding {
                layer,
                hold,
                detail,
            });
        }
    }

    fn held(&mut self, layer: Layer, detail: impl Into<String>) {
        let detail = detail.into();
        self.say(layer, Hold::Held, (!detail.is_empty()).then_some(detail));
    }

    fn lacks(&mut self, layer: Layer, detail: impl Into<String>) {
        self.say(layer, Hold::Missing, Some(detail.into()));
    }

    fn missing(&mut self, failure: &Failure) {
        let detail = format!("cannot {}: {}", failure.step, failure.source());
        self.say(failure.layer, Hold::Missing, Some(detail));
    }

    /// All layers; what was not said could not be tried because of what went before.
    fn complete(mut self) -> Vec<Finding> {
        for layer in Layer::ALL {
            self.say(layer, Hold::Missing, None);
        }
        self.0.sort_by_key(|finding| finding.layer);
        self.0
    }
}

impl Session {
    /// Tries every layer and makes what lasts from run to run; nothing where programs cannot be run.
    pub(super) fn start(number: u32, hidden: &[PathBuf]) -> (Vec<Finding>, Option<Self>) {
        let mut findings = Findings::default();
        match Self::set_up(number, hidden, &mut findings) {
            Ok(session) => (findings.complete(), Some(session)),
            Err(failure) => {
                findings.missing(&failure);
                (findings.complete(), None)
            }
        }
    }

    fn set_up(number: u32, hidden: &[PathBuf], findings: &mut Findings) -> Result<Self, Failure> {
        let identity = Identity::find(number);
        let has_users = have_users(identity, findings)?;
        // Only now: the maps of our own namespace are ours to write as long as we can be looked at.
        system::become_guardian().step(Layer::UserNamespace, "keep our memory from others")?;
        let mut tree = Tree::new()?;
        let (control, theirs) = rustix::net::socketpair(
            AddressFamily::UNIX,
            SocketType::STREAM,
            SocketFlags::CLOEXEC,
            None,
        )
        .step(Layer::PidNamespace, "make a pair of sockets")?;
        // Init is known by the number that it has for us; inside it is 1.
        rustix::net::sockopt::set_socket_passcred(&control, true)
            .step(Layer::PidNamespace, "ask for senders on a socket")?;
        let keeper = Keeper {
            control: theirs,
            root: tree
                .root()
                .try_clone()
                .step(Layer::MountNamespace, "keep the root folder")?,
            base: tree.furnish(hidden)?,
            id: match identity {
                Identity::Root { outside } if !has_users => outside,
                _ => INSIDE,
            },
            drops_groups: identity != Identity::User,
            domain: domain(&tree, findings),
            filter: filter(findings),
        };
        let (confined, filtered) = (
            keeper.domain.as_ref().map(Domain::held),
            keeper.filter.is_some(),
        );
        let keeper = start_keeper(keeper, &control, identity, has_users)?;
        if has_users {
            findings.held(Layer::UserNamespace, "");
        }
        findings.held(Layer::MountNamespace, "");
        findings.held(Layer::NetworkNamespace, "");
        findings.held(Layer::UtsNamespace, "");
        let (owner, others) = match identity {
            // The keeper and init; the launcher itself is another user.
            Identity::Root { outside } => (Some(outside), 2),
            Identity::User => (None, 3),
        };
        match owner {
            Some(0) => findings.lacks(
                Layer::OuterUid,
                "our own user namespace has no user but root",
            ),
            Some(outside) => {
                findings.held(Layer::OuterUid, format!("user {outside} of the host"));
            }
            None if rustix::process::geteuid().is_root() => {
                let why =
                    "root without CAP_SYS_ADMIN can make no other user of the host a program's";
                findings.lacks(Layer::OuterUid, why);
            }
            None => findings.held(Layer::OuterUid, "the user who runs the grader"),
        }
        let mut session = Self {
            tree,
            keeper,
            control,
            group: None,
            clock: Clock::Reaped,
            owner,
            others,
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32),
            without: Vec::new(),
            used: None,
        };
        let no_clock = session.find_groups(findings)?;
        session.find_clock(no_clock, findings);
        session.try_layers(findings)?;
        // What failed in the trial has been said.
        if filtered {
            findings.held(Layer::Seccomp, "");
        }
        if let Some(held) = confined {
            let (hold, detail) = match held {
                Held { tcp: false, .. } => (Hold::Weaker, "files, but not TCP nor signals"),
                Held { scopes: false, .. } => (Hold::Weaker, "files and TCP, but not signals"),
                Held { .. } => (Hold::Held, "files, TCP, signals"),
            };
            findings.say(Layer::Landlock, hold, Some(detail.to_owned()));
        }
        for layer in [
            Layer::PidNamespace,
            Layer::IpcNamespace,
            Layer::ReadOnlyRoot,
            Layer::Proc,
            Layer::NoCapabilities,
            Layer::NoNewPrivileges,
            Layer::ResourceLimits,
        ] {
            findings.held(layer, "");
        }
        Ok(session)
    }

    /// Makes a control group, and says what it holds; the reason if it is not a clock.
    fn find_groups(&mut self, findings: &mut Findings) -> Result<Option<String>, Failure> {
        // Before that, a limit of processes counts all of the user's, wherever they are.
        let counts_processes = kernel::is_at_least(5, 14);
        let place = Place::find().map_err(|failure| in_group(&failure))?;
        // What another grader left behind and cannot be removed does not stop this one.
        let _ = place.sweep();
        match place.memory() {
            Ok(()) => {}
            Err(reason) => findings.lacks(Layer::MemoryCgroup, reason.to_string()),
        }
        match Group::new(&place, !counts_processes) {
            Ok(group) => {
                if group.holds_memory() {
                    findings.held(Layer::MemoryCgroup, "");
                }
                self.group = Some(group);
            }
            Err(error) => findings.lacks(Layer::MemoryCgroup, error.to_string()),
        }
        if counts_processes || self.group.as_ref().is_some_and(Group::limits_processes) {
            findings.held(Layer::ProcessCount, "");
        } else {
            let needed = "needs Linux 5.14, or a control group that limits processes";
            findings.lacks(Layer::ProcessCount, needed);
        }
        if self.group.as_ref().is_some_and(Group::measures_cpu) {
            findings.held(Layer::CpuClock, "control group");
            self.clock = Clock::Group;
        } else if let Err(reason) = place.cpu() {
            return Ok(Some(reason.to_string()));
        }
        Ok(None)
    }

    /// Finds a clock of CPU time where the control group is none.
    fn find_clock(&mut self, no_group: Option<String>, findings: &mut Findings) {
        if self.clock == Clock::Group {
            return;
        }
        match TaskClock::open() {
            Ok(_) => {
                let why = no_group.unwrap_or_default();
                let detail =
                    format!("task clock of the kernel, for want of a control group: {why}");
                findings.held(Layer::CpuClock, detail);
                self.clock = Clock::Task;
            }
            Err(error) => {
                findings.lacks(
                    Layer::CpuClock,
                    format!("cannot open a task clock: {error}"),
                );
            }
        }
    }

    /// Does everything that a run does but execute a program, without the dispensable layers that fail.
    fn try_layers(&mut self, findings: &mut Findings) -> Result<(), Failure> {
        loop {
            match self.trial() {
                Ok(()) => return Ok(()),
                Err(failure)
                    if DISPENSABLE.contains(&failure.layer)
                        && !self.without.contains(&failure.layer) =>
                {
                    findings.missing(&failure);
                    self.without.push(failure.layer);
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    fn trial(&mut self) -> Result<(), Failure> {
        const LAYER: Layer = Layer::PidNamespace;
        let null = fs::File::options()
            .read(true)
            .write(true)
            .open("/dev/null")
            .step(LAYER, "open the null device")?;
        let (mut said, report) = io::pipe().step(LAYER, "make a pipe")?;
        let room = Room::new(1 << 16, self.owner)
            .step(Layer::MountNamespace, "make a file system in memory")?;
        if let Some(group) = &mut self.group {
            group
                .begin(64 << 20, 1)
                .map_err(|failure| in_group(&failure))?;
        }
        let cgroup_procs: Vec<_> = self.group.iter().flat_map(Group::cgroup_procs).collect();
        let job = Job {
            program: "/".into(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: "/box".into(),
            mounts: Vec::new(),
            cgroup_procs: cgroup_procs.len(),
            clock: self.clock == Clock::Task,
            limits: Vec::new(),
            core: None,
            without: self.without.clone(),
            trial: true,
        };
        let mut descriptors = vec![null.as_fd(), null.as_fd(), null.as_fd(), report.as_fd()];
        // It never stands before a gate.
        descriptors.push(null.as_fd());
        descriptors.push(room.whole());
        descriptors.extend(cgroup_procs);
        wire::send(self.control.as_fd(), &job, &descriptors).step(LAYER, "ask for a run")?;
        drop(descriptors);
        drop(report);
        let (init, clock) = self.started()?;
        let mut text = Vec::new();
        io::Read::read_to_end(&mut said, &mut text).step(LAYER, "hear of a run")?;
        // Else it could still count as a process of the first run.
        let running = Running { init, clock };
        running.end().step(LAYER, "wait until a run is gone")?;
        match serde_json::from_slice(&text) {
            Ok(Report::Ended { status: 0, .. }) => Ok(()),
            Ok(Report::Failed(failure)) => Err(failure),
            Ok(Report::Ended { .. } | Report::NotExecuted(_)) | Err(_) => Err(Failure {
                layer: LAYER,
                step: "bring a run to its end".to_owned(),
                errno: libc::EPROTO,
            }),
        }
    }

    /// Does what can wait until the answer is given.
    pub(super) fn tidy(&mut self) {
        self.used = None;
    }

    /// Waits until a run has begun; its init, and its clock if it has one.
    pub(super) fn started(&self) -> Result<(OwnedFd, Option<TaskClock>), Failure> {
        let answer = wire::receive(self.control.as_fd()).step(
            Layer::PidNamespace,
            "hear from the keeper of the namespaces",
        )?;
        let Some(answer) = answer else {
            return Err(keeper_is_gone());
        };
        match (answer.message, answer.sender) {
            (Reply::Started, Some(init)) => {
                // It is not reaped before the next run: the number is its own, even if it has ended.
                let init = rustix::process::pidfd_open(init, PidfdFlags::empty())
                    .step(Layer::PidNamespace, "reach the run's init")?;
                let clock = answer.descriptors.into_iter().next();
                Ok((init, clock.map(TaskClock::from)))
            }
            (Reply::Failed(failure), _) => Err(failure),
            (Reply::Started, None) | (Reply::Ready, _) => Err(keeper_is_gone()),
        }
    }
}

impl Drop for Session {
    /// Ends the keeper, and leaves no trace of it.
    fn drop(&mut self) {
        // One that is gone already is only to be reaped.
        let _ = system::kill(self.keeper);
        let _ = kernel::reap_any();
    }
}

fn keeper_is_gone() -> Failure {
    Failure {
        layer: Layer::PidNamespace,
        step: "reach the keeper of the namespaces".to_owned(),
        errno: libc::EPIPE,
    }
}

/// Sees to user namespaces: whether runs can have one.
fn have_users(identity: Identity, findings: &mut Findings) -> Result<bool, Failure> {
    if identity == Identity::User {
        enter_own_namespaces()?;
        return Ok(true);
    }
    match probe(libc::CLONE_NEWUSER) {
        Ok(()) => Ok(true),
        Err(error) => {
            // Root can make the other namespaces without.
            let step = "make a user namespace";
            findings.missing(&Failure::new(Layer::UserNamespace, step, &error));
            Ok(false)
        }
    }
}

/// The filter of system calls, where there is one.
fn filter(findings: &mut Findings) -> Option<Filter> {
    let filter = Filter::new();
    if filter.is_none() {
        let detail = "there is no filter for this kind of processor";
        findings.lacks(Layer::Seccomp, detail);
    }
    filter
}

/// The Landlock domain, where the kernel has it.
fn domain(tree: &Tree, findings: &mut Findings) -> Option<Domain> {
    match Domain::new(tree.root().as_fd()) {
        Ok(domain) => Some(domain),
        Err(error) => {
            findings.lacks(Layer::Landlock, error.to_string());
            None
        }
    }
}

/// Tries to make a namespace, and leaves it at once.
fn probe(namespace: libc::c_int) -> io::Result<()> {
    // SAFETY: the launcher has one thread; the child does nothing but end.
    match unsafe { kernel::fork_into(namespace) }? {
        Forked::Child => kernel::end_at_once(0),
        Forked::Parent { .. } => kernel::reap_any().map(drop),
    }
}

/// As an ordinary user: makes us the master of our own mounts.
fn enter_own_namespaces() -> Result<(), Failure> {
    const LAYER: Layer = Layer::UserNamespace;
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    // SAFETY: no descriptors are unshared, and there are no other threads.
    unsafe { rustix::thread::unshare_unsafe(UnshareFlags::NEWUSER | UnshareFlags::NEWNS) }
        .step(LAYER, "make a user namespace")?;
    for (file, text) in [
        ("setgroups", "deny".to_owned()),
        ("uid_map", format!("{INSIDE} {} 1", user.as_raw())),
        ("gid_map", format!("{INSIDE} {} 1", group.as_raw())),
    ] {
        fs::write(format!("/proc/self/{file}"), text)
            .step(LAYER, format!("write `/proc/self/{file}`"))?;
    }
    // Where a security module takes back what a user namespace gives, this is what fails.
    rustix::mount::mount_change(
        c"/",
        MountPropagationFlags::REC | MountPropagationFlags::PRIVATE,
    )
    .step(LAYER, "change mounts in a user namespace")
}

/// Forks the keeper into its namespaces and waits until it is ready.
fn start_keeper(
    keeper: Keeper,
    control: &OwnedFd,
    identity: Identity,
    has_users: bool,
) -> Result<Pid, Failure> {
    const LAYER: Layer = Layer::MountNamespace;
    let maps = match identity {
        Identity::Root { outside } if has_users => Some(outside),
        _ => None,
    };
    let (mut go, gate) = io::pipe().step(LAYER, "make a pipe")?;
    let mut namespaces =
        libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWUTS | libc::CLONE_NEWPID;
    if maps.is_some() {
        namespaces |= libc::CLONE_NEWUSER;
    }
    // SAFETY: the launcher has one thread; the child uses nothing that the C library keeps of it.
    let forked = unsafe { kernel::fork_into(namespaces) }.map_err(|error| blame(&error))?;
    let pid = match forked {
        Forked::Parent { pid, .. } => pid,
        Forked::Child => {
            drop(gate);
            // Else we would not see that the launcher is gone.
            kernel::close(control.as_fd());
            // The end of the pipe is our cue, or the launcher's end.
            let waited = io::Read::read(&mut go, &mut [0]);
            if waited.is_err() || occupy_standard_files().is_err() {
                kernel::end_at_once(1);
            }
            keeper.keep();
        }
    };
    drop(go);
    drop(keeper);
    if let Some(outside) = maps {
        for file in ["uid_map", "gid_map"] {
            fs::write(
                format!("/proc/{pid}/{file}"),
                format!("{INSIDE} {outside} 1"),
            )
            .step(
                Layer::OuterUid,
                format!("map user {outside} of the host into a user namespace"),
            )?;
        }
    }
    drop(gate);
    let greeting = wire::receive(control.as_fd())
        .step(LAYER, "hear from the keeper of the namespaces")?
        .map(|received| received.message);
    match greeting {
        Some(Reply::Ready) => Ok(pid),
        Some(Reply::Failed(failure)) => Err(failure),
        Some(Reply::Started) | None => Err(keeper_is_gone()),
    }
}

/// Which of the keeper's namespaces it was that could not be made.
fn blame(error: &io::Error) -> Failure {
    for (namespace, layer, name) in [
        (libc::CLONE_NEWNS, Layer::MountNamespace, "mount"),
        (libc::CLONE_NEWNET, Layer::NetworkNamespace, "network"),
        (libc::CLONE_NEWUTS, Layer::UtsNamespace, "UTS"),
        (libc::CLONE_NEWPID, Layer::PidNamespace, "pid"),
    ] {
        if let Err(error) = probe(namespace) {
            return Failure::new(layer, format!("make a {name} namespace"), &error);
        }
    }
    Failure::new(
        Layer::UserNamespace,
        "make the namespaces of all runs",
        error,
    )
}
