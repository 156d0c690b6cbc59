//! The init of one run: process 1 of a new pid namespace.
#![expect(unsafe_code, reason = "a process that shares the holder's memory")]

use std::ffi::{CString, c_int, c_void};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::mount::OpenTreeFlags;

use super::scratch::{TMP, WORK};
use super::tree::{attach, c_path, mount_step};
use crate::channel::Channel;
use crate::error::{StepError, StepExt};
use crate::exec::{PreparedProgram, RunReport};
use crate::protocol::HolderAnswer;
use crate::system;
use crate::task_clock::TaskClock;
use crate::{Layer, kernel};

/// Entry point of init's process.
extern "C" fn become_init(init: *mut c_void) -> c_int {
    // SAFETY: `Init::start` passes itself, and waits meanwhile.
    unsafe { &mut *init.cast::<Init<'_>>() }.run();
    0
}

/// Entry point of the program's process before `execve`. It shares init's memory, so a failure needs no message.
extern "C" fn become_program(program: *mut c_void) -> c_int {
    // SAFETY: `Init::report` passes its own, and waits meanwhile.
    unsafe { &mut *program.cast::<PreparedProgram<'_>>() }.become_program();
    0
}

/// The init of a run.
pub(super) struct Init<'a> {
    pub(super) program: PreparedProgram<'a>,
    /// Its scratch tmpfs.
    pub(super) scratch: &'a OwnedFd,
    pub(super) mounts: &'a [(OwnedFd, CString)],
    /// Counts the CPU time of the run.
    pub(super) clock: Option<&'a TaskClock>,
    pub(super) launcher: &'a Channel<UnixStream>,
    pub(super) stack: &'a mut [u8],
}

impl Init<'_> {
    /// Starts init; returns when it has ended, and with it all processes that the program left running. Init shares the
    /// memory of the holder, which waits meanwhile.
    pub(super) fn start(mut self, stack: &mut [u8]) -> io::Result<()> {
        let namespaces = libc::CLONE_NEWPID | libc::CLONE_NEWNS | libc::CLONE_NEWIPC;
        // SAFETY: the holder has one thread; init frees what it allocates, changes nothing of the holder's, and
        // ends by returning. The launcher may kill it at any time. It allocates only for its two messages, in microseconds per
        // run, and a kill just then is the one case that nothing excludes: the holder could fail in its next run, which
        // the launcher reports as a failure of the sandbox.
        unsafe { kernel::spawn_sharing(namespaces, stack, become_init, &mut self) }.map(drop)
    }

    /// The main function of init: sets up the run's own mounts, starts the program as process 2, waits for its end and
    /// reports it. When init ends, the kernel ends every process of the namespace.
    fn run(&mut self) {
        let report = self.report().unwrap_or_else(|report| report);
        // Without a report, the launcher knows that we failed.
        self.program.send(&report);
    }

    fn report(&mut self) -> Result<RunReport, RunReport> {
        kernel::die_with(self.launcher)
            .step(Layer::PidNamespace, "tie init's life to its launcher's")?;
        // It identifies us to the launcher.
        let clock: Vec<_> = self.clock.iter().map(|clock| clock.as_fd()).collect();
        self.launcher
            .send(&HolderAnswer::Ok(()), &clock)
            .step(Layer::PidNamespace, "report the start of the run")?;
        drop(clock);
        self.build_tree()?;
        // Returns when the program has been executed.
        // SAFETY: this process has one thread; `become_program` only makes system calls on what is prepared, and
        // ends in `execve` or by returning. If we are killed meanwhile, the holder goes on while that process is still on
        // `self.stack`: blocked in its read, until the kernel ends it with our namespace. The launcher waits for that before it
        // orders another run, so the holder touches neither the stack nor the prepared program before.
        let program =
            unsafe { kernel::spawn_sharing(0, self.stack, become_program, &mut self.program) }
                .step(Layer::ProcessCount, "start the program's process")?;
        let began = self.program.began()?;
        let mut peak = 0;
        loop {
            // We adopt orphans. The control group or the task clock counts those that are never reaped.
            let reaped = kernel::reap_any().step(Layer::PidNamespace, "wait for the program")?;
            let Some(reaped) = reaped else {
                let step = "find the program's end";
                let failure = StepError::with_errno(Layer::PidNamespace, step, libc::ECHILD);
                return Err(RunReport::Failed(failure));
            };
            peak = reaped.peak.max(peak);
            if reaped.pid == program {
                let wall = began.elapsed();
                let cpu = system::cpu_of_children().step(Layer::CpuClock, "measure the program")?;
                return Ok(RunReport::Ended {
                    status: reaped.status,
                    peak,
                    cpu,
                    wall,
                });
            }
        }
    }

    /// Mounts the scratch tmpfs at `/tmp`, then its two folders from there. The second covers `/tmp`.
    fn furnish(&self) -> rustix::io::Result<()> {
        attach(self.scratch, c"/tmp")?;
        let work = c_path(Path::new(&self.program.spec.directory));
        for (name, target) in [(WORK, work.as_c_str()), (TMP, c"/tmp")] {
            let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
            attach(
                &rustix::mount::open_tree(self.scratch, name, flags)?,
                target,
            )?;
        }
        Ok(())
    }

    fn build_tree(&self) -> Result<(), StepError> {
        const LAYER: Layer = Layer::MountNamespace;
        self.furnish()
            .step(LAYER, "mount the scratch tmpfs of a run")?;
        for (mount, target) in self.mounts {
            attach(mount, target).step(LAYER, mount_step(target))?;
        }
        if !self.program.spec.without.contains(&Layer::Proc) {
            kernel::mount_proc(c"/proc").step(Layer::Proc, "mount `/proc`")?;
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        rustix::fs::open(c"/", flags, Mode::empty())
            .map_err(io::Error::from)
            .and_then(|root| kernel::restrict_mount(root.as_fd(), kernel::READ_ONLY, false))
            .step(LAYER, "make the root folder read-only")
    }
}
