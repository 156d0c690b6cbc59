//! The launcher's side of level strict: namespaces that last from run to run, and runs in them.
#![expect(unsafe_code, reason = "forks and enters a user namespace")]

use std::fs::{self, File};
use std::io::{self, BufRead as _};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use rustix::mount::MountPropagationFlags;
use rustix::process::PidfdFlags;
use rustix::thread::{CapabilitySet, UnshareFlags};

use super::holder::{NamespaceHolder, occupy_standard_files};
use super::runtime;
use super::scratch::RunTmpfs;
use super::tree::{STDIN, Tree, is_seen};
use crate::cgroup::Cgroup;
use crate::channel::{Channel, Received};
use crate::constants::{KILL_INTERVAL, MAX_DEATH};
use crate::domain::{self, Domain};
use crate::error::{StepError, StepExt};
use crate::exec::{Descriptors, RunReport, RunSpec};
use crate::findings::Findings;
use crate::named_pipe::is_pipe;
use crate::protocol::HolderAnswer;
use crate::seccomp::Filter;
use crate::system::{self, Pid};
use crate::task_clock::TaskClock;
use crate::{BindMount, Layer, Request, SystemFolders, kernel, user};

/// User and group of a program, as seen inside.
const INSIDE: u32 = 1000;
const LAYER: Layer = Layer::PidNamespace;
/// Layers that a run can do without.
const DISPENSABLE: [Layer; 3] = [Layer::Proc, Layer::Landlock, Layer::Seccomp];

/// A launcher's namespaces, and the file tree of its programs.
pub(crate) struct Namespaces {
    tree: Tree,
    /// Process id of the namespace holder; not reaped, so that the id is not reused.
    holder: Pid,
    control: Channel<UnixStream>,
    /// The owner of a run's writable files, as a host id; `None` if that is us.
    pub(crate) owner: Option<u32>,
    /// Processes of ours that count against the program's limit.
    pub(crate) others: u64,
    /// Layers to skip.
    without: Vec<Layer>,
}

/// The init of a run, and the run's clock if it has one.
pub(crate) type Started = (OwnedFd, Option<TaskClock>);

/// Reports the layers that started namespaces have shown. `owner` is the host user of the programs, if that is not us.
fn find_layers(owner: Option<u32>, findings: &mut Findings) {
    for layer in [
        Layer::UserNamespace,
        Layer::MountNamespace,
        Layer::NetworkNamespace,
    ] {
        findings.active(layer, "");
    }
    match owner {
        Some(0) => findings.lacks(
            Layer::OuterUid,
            "our own user namespace has no user but root",
        ),
        Some(user) => findings.active(Layer::OuterUid, format!("user id {user} of the host")),
        None if rustix::process::geteuid().is_root() => {
            let why = "root without CAP_SYS_ADMIN can make no other user of the host a program's";
            findings.lacks(Layer::OuterUid, why);
        }
        None => findings.active(Layer::OuterUid, "the user who runs the grader"),
    }
}

/// Host user of this launcher's programs, if we are root and may create namespaces for another user; 0 if there is no
/// other user.
fn outside(number: u32) -> Option<u32> {
    let may_administer = rustix::thread::capabilities(None)
        .is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
    let grader = rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get() as u32);
    (rustix::process::geteuid().is_root() && may_administer)
        .then(|| user::ids().map_or(0, |ids| user::pick(&ids, grader, number)))
}

impl Namespaces {
    /// Creates the namespaces and starts the holder.
    pub(crate) fn start(
        number: u32,
        hidden: &[PathBuf],
        findings: &mut Findings,
    ) -> Result<Self, StepError> {
        let owner = outside(number);
        let mut mapped = owner;
        if owner.is_none() {
            enter_own_namespaces()?;
        } else if let Err(error) = try_user_namespace() {
            // Root can create the other namespaces without a user namespace.
            mapped = None;
            let step = "make a user namespace";
            findings.missing(&StepError::new(Layer::UserNamespace, step, &error));
        }
        // Not earlier: a process that is not dumpable cannot write its own namespace's id maps.
        system::become_subreaper()
            .and_then(|()| system::hide_memory())
            .step(Layer::UserNamespace, "keep our memory from others")?;
        let (tree, base) = Tree::new(hidden)?;
        let (control, theirs) = UnixStream::pair().step(LAYER, "make a pair of sockets")?;
        // Identifies init by its outside process id; inside, it is 1.
        rustix::net::sockopt::set_socket_passcred(&control, true)
            .step(LAYER, "ask for senders on a socket")?;
        let root = tree.root.try_clone().step(LAYER, "keep the root folder")?;
        let holder = NamespaceHolder {
            launcher: Channel(theirs),
            root,
            base,
            id: owner.filter(|_| mapped.is_none()).unwrap_or(INSIDE),
            drops_groups: owner.is_some(),
            domain: Domain::new(tree.root.as_fd())
                .inspect_err(|error| findings.lacks(Layer::Landlock, error.to_string()))
                .ok(),
            filter: Filter::new(),
        };
        if holder.filter.is_none() {
            let detail = "there is no filter for this kind of processor";
            findings.lacks(Layer::Seccomp, detail);
        }
        let control = Channel(control);
        let holder = start_holder(holder, &control, mapped)?;
        find_layers(owner, findings);
        Ok(Self {
            tree,
            holder,
            control,
            owner,
            // The holder and init; the launcher itself may be a different user.
            others: if owner.is_some() { 2 } else { 3 },
            without: Vec::new(),
        })
    }

    /// Performs a run without executing a program, skipping the dispensable layers that fail. Afterwards, all layers
    /// not reported missing are known to work.
    pub(crate) fn try_layers(
        &mut self,
        findings: &mut Findings,
        group: &mut Option<Cgroup>,
        has_clock: bool,
    ) -> Result<(), StepError> {
        while let Err(failure) = self.trial(group.as_mut(), has_clock) {
            if !DISPENSABLE.contains(&failure.layer) || self.without.contains(&failure.layer) {
                return Err(failure);
            }
            findings.missing(&failure);
            self.without.push(failure.layer);
        }
        domain::find(findings);
        for &layer in Layer::ALL {
            findings.active(layer, "");
        }
        Ok(())
    }

    fn trial(&mut self, mut group: Option<&mut Cgroup>, has_clock: bool) -> Result<(), StepError> {
        let null = File::options()
            .read(true)
            .write(true)
            .open("/dev/null")
            .step(LAYER, "open the null device")?;
        let (mut reader, writer) = io::pipe().step(LAYER, "make a pipe")?;
        let scratch = RunTmpfs::new(1 << 16, self.owner)
            .step(Layer::MountNamespace, "make a file system in memory")?;
        if let Some(group) = &mut group {
            group.begin(64 << 20, 1)?;
        }
        let descriptors = Descriptors {
            files: [null.as_fd(); 3],
            report: writer.as_fd(),
            // It never waits there.
            barrier: null.as_fd(),
            cgroup_procs: group.iter().flat_map(|it| it.cgroup_procs()).collect(),
        };
        let spec = RunSpec {
            program: "/".into(),
            directory: "/box".into(),
            has_clock,
            without: self.without.clone(),
            is_trial: true,
            ..RunSpec::default()
        };
        let (init, _clock) = self.hand_over(&spec, &descriptors, &scratch, &[])?;
        drop(descriptors);
        drop(writer);
        let report = RunReport::read(&mut reader)?;
        // Otherwise it could still count as a process of the first run.
        kernel::kill_and_wait(init.as_fd()).step(LAYER, "wait until a run has ended")?;
        match report {
            Some(RunReport::Ended { status: 0, .. }) => Ok(()),
            Some(RunReport::Failed(failure)) => Err(failure),
            Some(RunReport::Ended { .. } | RunReport::NotExecuted(_)) | None => {
                let step = "complete a run";
                Err(StepError::with_errno(LAYER, step, libc::EPROTO))
            }
        }
    }

    /// Starts a run.
    pub(crate) fn begin(
        &mut self,
        request: &Request,
        mut spec: RunSpec,
        descriptors: Descriptors<'_>,
        scratch: &RunTmpfs,
    ) -> Result<Started, StepError> {
        self.tree.clear()?;
        let program = host_path(request)
            .filter(|path| request.system == SystemFolders::Runtime && runtime::suffices_for(path));
        let mut mounts = Vec::new();
        if let Some(program) = program {
            // Not its folder: the kernel caches names looked up there.
            mounts.push(self.tree.mount_at(&program, &request.program)?);
        } else {
            mounts.extend(self.tree.system()?);
            for BindMount { host, inside } in &request.readable {
                if host != inside || !is_seen(host) {
                    mounts.push(self.tree.mount_at(host, inside)?);
                }
            }
        }
        let input;
        let mut descriptors = descriptors;
        if let Some(stdin) = request.stdin.as_ref().filter(|path| !is_pipe(path)) {
            let mount = self.tree.mount_at(stdin, Path::new(STDIN))?;
            // Through its read-only mount: through a descriptor of another mount, its owner could change its
            // permissions and times. Impossible without `/proc`.
            input = File::open(format!("/proc/self/fd/{}", mount.0.as_raw_fd()));
            if let Ok(input) = &input {
                descriptors.files[0] = input.as_fd();
            }
            mounts.push(mount);
        }
        let targets = mounts.iter().map(|(_, target)| target.as_bytes().to_vec());
        spec.mounts = targets.map(std::ffi::OsString::from_vec).collect();
        spec.without.clone_from(&self.without);
        let mounts: Vec<_> = mounts.iter().map(|(mount, _)| mount.as_fd()).collect();
        self.hand_over(&spec, &descriptors, scratch, &mounts)
    }

    /// Waits until the sockets of an ended run are gone. Those that it sent to each other and never received outlive it
    /// until the kernel collects them, and hold their names: a message to the next run.
    pub(crate) fn end_sockets(&self) -> Result<(), StepError> {
        const LAYER: Layer = Layer::NetworkNamespace;
        let list = format!("/proc/{}/net/unix", self.holder);
        let began = Instant::now();
        loop {
            // After the heading, a line for each socket of the namespace; ours are in another one.
            let Ok(sockets) = fs::read(&list) else {
                // `/proc` is mounted with `hidepid`: the collection at least begins.
                return UnixStream::pair()
                    .step(LAYER, "make a pair of sockets")
                    .map(drop);
            };
            if sockets.trim_ascii().lines().count() <= 1 {
                return Ok(());
            }
            if began.elapsed() > MAX_DEATH {
                let step = "end the sockets that the program left";
                return Err(StepError::with_errno(LAYER, step, libc::ETIMEDOUT));
            }
            // The kernel begins to collect when a socket is closed.
            UnixStream::pair().step(LAYER, "make a pair of sockets")?;
            thread::sleep(KILL_INTERVAL);
        }
    }

    /// Hands a run to the holder, and waits until it has started. Descriptors in this order: standard input, output and
    /// error, the pipe for the report, the start barrier, the scratch tmpfs, one for each mount, and `cgroup.procs`
    /// files.
    fn hand_over(
        &self,
        spec: &RunSpec,
        descriptors: &Descriptors<'_>,
        scratch: &RunTmpfs,
        mounts: &[BorrowedFd<'_>],
    ) -> Result<Started, StepError> {
        let mut sent = descriptors.files.to_vec();
        sent.extend([descriptors.report, descriptors.barrier, scratch.whole()]);
        sent.extend(mounts);
        sent.extend(&descriptors.cgroup_procs);
        self.control
            .send(spec, &sent)
            .step(LAYER, "hand a run to the namespace holder")?;
        let answer = answer_of_holder(&self.control)?;
        // It is not reaped before the next run, so the id is still its own even if it has ended.
        let init = answer.sender.ok_or_else(holder_is_gone)?;
        let init = rustix::process::pidfd_open(init, PidfdFlags::empty())
            .step(LAYER, "reach the run's init")?;
        let clock = answer.descriptors.into_iter().next();
        Ok((init, clock.map(TaskClock::from)))
    }
}

/// Host path of the requested program; `None` if it is one of the system's.
fn host_path(request: &Request) -> Option<PathBuf> {
    request
        .readable
        .iter()
        .find_map(|BindMount { host, inside }| {
            let rest = request.program.strip_prefix(inside).ok()?;
            // `join` of an empty path would append a slash.
            Some(host.components().chain(rest.components()).collect())
        })
}

impl Drop for Namespaces {
    /// Ends the holder and reaps it.
    fn drop(&mut self) {
        // If it has already ended, it only needs to be reaped.
        let _ = system::kill(self.holder);
        let _ = kernel::reap_any();
    }
}

fn holder_is_gone() -> StepError {
    StepError::with_errno(
        Layer::PidNamespace,
        "reach the namespace holder",
        libc::EPIPE,
    )
}

/// Creates a temporary user namespace, as a test.
fn try_user_namespace() -> io::Result<()> {
    // SAFETY: the launcher has one thread; the child does nothing but end.
    match unsafe { kernel::fork_into(libc::CLONE_NEWUSER) }? {
        None => kernel::end_at_once(0),
        Some(_) => kernel::reap_any().map(drop),
    }
}

/// As an ordinary user: allows us to create our own mounts.
fn enter_own_namespaces() -> Result<(), StepError> {
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
    // If a security module restricts user namespaces, this step fails.
    rustix::mount::mount_change(
        c"/",
        MountPropagationFlags::REC | MountPropagationFlags::PRIVATE,
    )
    .step(LAYER, "change mounts in a user namespace")
}

/// Forks the holder into its namespaces and waits until it is ready. `mapped` is the host user for whom it gets a user
/// namespace.
fn start_holder(
    holder: NamespaceHolder,
    control: &Channel<UnixStream>,
    mapped: Option<u32>,
) -> Result<Pid, StepError> {
    let (mut go, wait) = io::pipe().step(LAYER, "make a pipe")?;
    let mut namespaces =
        libc::CLONE_NEWNS | libc::CLONE_NEWNET | libc::CLONE_NEWUTS | libc::CLONE_NEWPID;
    if mapped.is_some() {
        namespaces |= libc::CLONE_NEWUSER;
    }
    // SAFETY: the launcher has one thread; the child uses nothing that the C library keeps of it.
    let forked = unsafe { kernel::fork_into(namespaces) }.step(
        Layer::MountNamespace,
        "make a mount, a network, a UTS and a pid namespace",
    )?;
    let Some(pid) = forked else {
        drop(wait);
        // Otherwise we would not notice the launcher's end.
        // SAFETY: its owner is in a copy of this memory that is never used again.
        unsafe { rustix::io::close(control.as_fd().as_raw_fd()) };
        // The pipe ends when the launcher is ready, or has ended.
        let waited = io::Read::read(&mut go, &mut [0]);
        if waited.is_err() || occupy_standard_files().is_err() {
            kernel::end_at_once(1);
        }
        holder.serve();
    };
    drop(go);
    drop(holder);
    for file in ["uid_map", "gid_map"] {
        if let Some(owner) = mapped {
            let map = format!("{INSIDE} {owner} 1");
            let step = format!("map user {owner} of the host into a user namespace");
            fs::write(format!("/proc/{pid}/{file}"), map).step(Layer::OuterUid, step)?;
        }
    }
    drop(wait);
    answer_of_holder(control)?;
    Ok(pid)
}

/// Waits for the holder's answer, without its failure.
fn answer_of_holder(control: &Channel<UnixStream>) -> Result<Received<HolderAnswer>, StepError> {
    let received: Option<Received<HolderAnswer>> = control
        .receive()
        .step(LAYER, "receive from the namespace holder")?;
    let answer = received.ok_or_else(holder_is_gone)?;
    answer.message.clone()?;
    Ok(answer)
}
