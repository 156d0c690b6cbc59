//! The namespace holder: a process that keeps the costly namespaces alive, and starts the init of each run in them.

use std::ffi::CString;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::mount::{MountPropagationFlags, UnmountFlags};
use rustix::process::WaitOptions;
use rustix::thread::{CapabilitiesSecureBits, Gid, Uid};

use super::init::Init;
use super::tree::{attach, c_path, mount_step};
use crate::channel::Channel;
use crate::domain::Domain;
use crate::error::{StepError, StepExt};
use crate::exec::{Confinement, Descriptors, PreparedProgram, RunSpec};
use crate::protocol::HolderAnswer;
use crate::seccomp::Filter;
use crate::task_clock::TaskClock;
use crate::{Layer, kernel};

/// State that the holder gets from the launcher.
pub(crate) struct NamespaceHolder {
    pub(crate) launcher: Channel<UnixStream>,
    /// The detached root of the file tree, and the mounts of every run with their mount points below it.
    pub(crate) root: OwnedFd,
    pub(crate) base: Vec<(OwnedFd, CString)>,
    /// User and group, as seen inside.
    pub(crate) id: u32,
    /// Whether we may change our supplementary groups.
    pub(crate) drops_groups: bool,
    pub(crate) domain: Option<Domain>,
    pub(crate) filter: Option<Filter>,
}

/// Locked bits that remove the special meaning of user id 0.
const SECURE: CapabilitiesSecureBits = CapabilitiesSecureBits::NO_ROOT
    .union(CapabilitiesSecureBits::NO_ROOT_LOCKED)
    .union(CapabilitiesSecureBits::NO_SETUID_FIXUP)
    .union(CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED)
    .union(CapabilitiesSecureBits::KEEP_CAPS_LOCKED);

/// Stacks of init, and of a program's process before `execve`.
const STACK: usize = 128 * 1024;

impl NamespaceHolder {
    /// The holder's main function, in a process just forked into the namespaces. Never returns to the launcher's code.
    pub(crate) fn serve(self) -> ! {
        let ready: HolderAnswer = self.prepare();
        if self.launcher.send(&ready, &[]).is_ok() && ready.is_ok() {
            let mut stacks = [vec![0; STACK], vec![0; STACK]];
            while let Ok(Some(run)) = self.launcher.receive() {
                // The init of the last run was not reaped until now, so that its id was not reused.
                while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
                let begun: HolderAnswer = self.run(&run.message, run.descriptors, &mut stacks);
                // On success, the run's init answers.
                if begun.is_err() && self.launcher.send(&begun, &[]).is_err() {
                    break;
                }
            }
        }
        // The launcher has ended, or does not read our answers.
        kernel::end_at_once(0)
    }

    /// Sets up the namespaces for programs.
    fn prepare(&self) -> Result<(), StepError> {
        self.become_user()
            .step(Layer::OuterUid, "become the user of programs")?;
        // After the change of user, which resets it.
        kernel::die_with(&self.launcher).step(
            Layer::PidNamespace,
            "tie the holder's life to its launcher's",
        )?;
        // If the machine runs out of memory, the kernel should kill a student's program first.
        let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
        // Programs inherit these from us.
        kernel::reset_signals();
        rustix::process::umask(Mode::RWXG | Mode::RWXO);
        kernel::bound_capabilities()
            .and_then(|()| rustix::thread::set_capabilities_secure_bits(SECURE))
            .step(
                Layer::NoCapabilities,
                "drop the capabilities that programs could regain",
            )?;
        // Some containers forbid it (Podman's seccomp filter): then programs see the container's host name.
        let _ = rustix::system::sethostname(b"box");
        self.pivot()
    }

    /// Becomes the programs' user, but keeps all capabilities inside.
    fn become_user(&self) -> rustix::io::Result<()> {
        if self.drops_groups {
            rustix::thread::set_thread_groups(&[])?;
        }
        rustix::thread::set_keep_capabilities(true)?;
        let (user, group) = (Uid::from_raw(self.id), Gid::from_raw(self.id));
        rustix::thread::set_thread_res_gid(group, group, group)?;
        rustix::thread::set_thread_res_uid(user, user, user)?;
        let mut all = rustix::thread::capabilities(None)?;
        all.effective = all.permitted;
        rustix::thread::set_capabilities(None, all)
    }

    /// Makes our tree the only one.
    fn pivot(&self) -> Result<(), StepError> {
        const LAYER: Layer = Layer::MountNamespace;
        let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
        rustix::mount::mount_change(c"/", private)
            .and_then(|()| attach(&self.root, c"/"))
            .and_then(|()| rustix::process::fchdir(&self.root))
            .step(LAYER, "mount the root folder")?;
        for (mount, target) in &self.base {
            // Relative to the new root, our working directory.
            attach(mount, target).step(LAYER, mount_step(target))?;
        }
        // The kernel lets an init mount its own `/proc` only if one is already visible: this one, of our own pid
        // namespace, in which we are alone. If it cannot be mounted, the layer's trial reports that.
        let _ = kernel::mount_proc(c"proc");
        rustix::process::pivot_root(c".", c".")
            .and_then(|()| rustix::mount::unmount(c".", UnmountFlags::DETACH))
            .and_then(|()| rustix::process::chdir(c"/"))
            .step(LAYER, "leave the host's file tree")
    }

    /// Runs one program to its end. The descriptors are in the order of `Namespaces::hand_over`.
    fn run(
        &self,
        spec: &RunSpec,
        descriptors: Vec<OwnedFd>,
        [stack, program_stack]: &mut [Vec<u8>; 2],
    ) -> Result<(), StepError> {
        let mut rest = descriptors.into_iter();
        let mut file = || {
            rest.next()
                .ok_or(rustix::io::Errno::PROTO)
                .step(Layer::MountNamespace, "receive the run's files")
        };
        let files = [file()?, file()?, file()?];
        let report = file()?;
        let barrier = file()?;
        let scratch = file()?;
        let mounts: Vec<(OwnedFd, CString)> = spec
            .mounts
            .iter()
            .map(|target| Ok((file()?, c_path(Path::new(target)))))
            .collect::<Result<_, StepError>>()?;
        let cgroup_procs: Vec<OwnedFd> = rest.collect();
        let has = |layer| !spec.without.contains(&layer);
        let descriptors = Descriptors {
            files: files.each_ref().map(AsFd::as_fd),
            report: report.as_fd(),
            barrier: barrier.as_fd(),
            cgroup_procs: cgroup_procs.iter().map(AsFd::as_fd).collect(),
        };
        let confinement = Confinement {
            user: None,
            parent: None,
            domain: self.domain.as_ref().filter(|_| has(Layer::Landlock)),
            filter: self.filter.as_ref().filter(|_| has(Layer::Seccomp)),
        };
        let program = PreparedProgram::new(spec, descriptors, confinement)?;
        let clock = spec
            .has_clock
            .then(TaskClock::open)
            .transpose()
            .step(Layer::CpuClock, "open a task clock")?;
        Init {
            program,
            scratch: &scratch,
            mounts: &mounts,
            clock: clock.as_ref(),
            launcher: &self.launcher,
            stack: program_stack,
        }
        .start(stack)
        .step(Layer::PidNamespace, "make the namespaces of a run")
    }
}

/// Opens the null device as 0, 1 and 2, so that no other descriptor gets one of these numbers.
pub(crate) fn occupy_standard_files() -> rustix::io::Result<()> {
    let null = rustix::fs::open(c"/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)
}
