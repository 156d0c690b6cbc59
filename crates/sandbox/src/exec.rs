//! The last steps before `execve`, in a copy of our own process. The same at both levels.
#![expect(unsafe_code, reason = "system calls between clone and execve")]

use std::ffi::{CString, OsStr, OsString, c_char, c_int};
use std::io::{self, PipeReader, Read as _};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::time::{Duration, Instant};

use rustix::thread::{CapabilitySet, CapabilitySets, CpuSet};
use serde::{Deserialize, Serialize};

use crate::domain::Domain;
use crate::error::{StepError, StepExt};
use crate::seccomp::Filter;
use crate::system::{self, Pid};
use crate::user::OtherUser;
use crate::{Core, Layer, Request, barrier};

/// How the program's process ended.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum RunReport {
    /// The program ran.
    Ended {
        /// Its wait status.
        status: i32,
        /// Peak resident memory of the largest process that was reaped, in bytes.
        peak: u64,
        /// CPU time of all reaped processes.
        cpu: Duration,
        /// Wall time from the start to the end of the program.
        wall: Duration,
    },
    /// The program could not be executed, with this `errno`.
    NotExecuted(i32),
    /// A step before that failed.
    Failed(StepError),
}

/// Capacity for most reports, so that one call reads all.
const USUAL_REPORT: usize = 1024;

impl RunReport {
    /// Reads what [`PreparedProgram::send`] has written; `None` if its process was killed before. Each run has a pipe of
    /// its own: nothing that a killed process has written, or half written, can reach the next run.
    pub(crate) fn read(pipe: &mut PipeReader) -> Result<Option<Self>, StepError> {
        let mut text = Vec::with_capacity(USUAL_REPORT);
        pipe.read_to_end(&mut text)
            .step(Layer::PidNamespace, "read the report of a run")?;
        Ok(serde_json::from_slice(&text).ok())
    }
}

impl From<StepError> for RunReport {
    fn from(failure: StepError) -> Self {
        Self::Failed(failure)
    }
}

/// What to execute and how, in serialised form for the process that becomes the program.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct RunSpec {
    /// Absolute path inside.
    pub(crate) program: OsString,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// Working directory, inside.
    pub(crate) directory: OsString,
    /// Resource limits: kind and value.
    pub(crate) limits: Vec<(u32, u64)>,
    pub(crate) core: Option<Core>,
    /// Mount points of the run's detached mounts, in the order of their descriptors. Without namespaces, none.
    pub(crate) mounts: Vec<OsString>,
    /// Whether the holder counts CPU time by the kernel's task clock.
    pub(crate) has_clock: bool,
    /// Layers to skip.
    pub(crate) without: Vec<Layer>,
    /// Do everything except waiting and executing the program, to try the layers.
    pub(crate) is_trial: bool,
}

impl RunSpec {
    /// The spec for a request, with this level's path of its folder and these resource limits.
    pub(crate) fn new(request: &Request, directory: &Path, limits: Vec<(u32, u64)>) -> Self {
        Self {
            program: request.program.clone().into(),
            arguments: request.arguments.clone(),
            environment: request.environment.clone(),
            directory: directory.into(),
            limits,
            core: request.core,
            ..Self::default()
        }
    }
}

/// The open files of a run.
pub(crate) struct Descriptors<'a> {
    /// Standard input, output and error; all above 2.
    pub(crate) files: [BorrowedFd<'a>; 3],
    /// The pipe for the [`RunReport`].
    pub(crate) report: BorrowedFd<'a>,
    /// The start barrier.
    pub(crate) barrier: BorrowedFd<'a>,
    /// The `cgroup.procs` files by which the program enters its control groups.
    pub(crate) cgroup_procs: Vec<BorrowedFd<'a>>,
}

/// Who the program's process becomes, and what confines it.
pub(crate) struct Confinement<'a> {
    /// The user to change to; `None` to keep the current one.
    pub(crate) user: Option<&'a OtherUser>,
    /// The parent with which it dies; `None` if a pid namespace ensures that.
    pub(crate) parent: Option<Pid>,
    pub(crate) domain: Option<&'a Domain>,
    pub(crate) filter: Option<&'a Filter>,
}

/// Why a program's process did not become the program.
enum Stopped {
    /// A step of this layer failed; the text follows "cannot".
    At(Layer, &'static str, i32),
    /// `execve` itself failed.
    NotExecuted(i32),
}

/// Everything that the program's process needs, prepared before the process exists, so that it only makes system calls.
pub(crate) struct PreparedProgram<'a> {
    pub(crate) spec: &'a RunSpec,
    descriptors: Descriptors<'a>,
    confinement: Confinement<'a>,
    directory: CString,
    /// Targets of the pointers.
    _strings: Vec<CString>,
    /// The program itself is the first.
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    core: Option<CpuSet>,
    /// The time when all steps were complete.
    began: Option<Instant>,
    stopped: Option<Stopped>,
}

impl<'a> PreparedProgram<'a> {
    pub(crate) fn new(
        spec: &'a RunSpec,
        descriptors: Descriptors<'a>,
        confinement: Confinement<'a>,
    ) -> Result<Self, StepError> {
        let mut strings = vec![c_string(&spec.program)?];
        for argument in &spec.arguments {
            strings.push(c_string(argument)?);
        }
        let count = strings.len();
        for (name, value) in &spec.environment {
            let mut entry = OsString::with_capacity(name.len() + value.len() + 1);
            entry.push(name);
            entry.push("=");
            entry.push(value);
            strings.push(c_string(&entry)?);
        }
        let pointers = |part: &[CString]| {
            let mut pointers: Vec<_> = part.iter().map(|string| string.as_ptr()).collect();
            pointers.push(ptr::null());
            pointers
        };
        Ok(Self {
            spec,
            descriptors,
            confinement,
            directory: c_string(&spec.directory)?,
            arguments: pointers(&strings[..count]),
            environment: pointers(&strings[count..]),
            _strings: strings,
            core: spec.core.map(Core::mask).transpose()?,
            began: None,
            stopped: None,
        })
    }

    /// Turns this process into the program. Returns only on failure, or in a trial. Only makes system calls on prepared
    /// data.
    pub(crate) fn become_program(&mut self) {
        let entered = self.enter();
        self.began = Some(Instant::now());
        self.stopped = match entered {
            Ok(()) if self.spec.is_trial => None,
            Ok(()) => {
                // SAFETY: strings and lists end as they must and outlive the call, which returns only on failure.
                unsafe {
                    libc::execve(
                        self.arguments[0],
                        self.arguments.as_ptr(),
                        self.environment.as_ptr(),
                    );
                }
                Some(Stopped::NotExecuted(last_error()))
            }
            Err(stopped) => Some(stopped),
        };
    }

    /// The program's start time, or why it did not start; for a process that shares the program's memory.
    pub(crate) fn began(&mut self) -> Result<Instant, RunReport> {
        let (layer, step, errno) = match (self.stopped.take(), self.began) {
            (None, Some(began)) => return Ok(began),
            (Some(Stopped::NotExecuted(errno)), _) => return Err(RunReport::NotExecuted(errno)),
            (Some(Stopped::At(layer, step, errno)), _) => (layer, step, errno),
            (None, None) => {
                let step = "start the program: it was killed before its start";
                (Layer::PidNamespace, step, libc::ESRCH)
            }
        };
        Err(RunReport::Failed(StepError::with_errno(layer, step, errno)))
    }

    /// Sends a report to the launcher.
    pub(crate) fn send(&self, report: &RunReport) {
        // How the launcher interprets a missing report depends on the level.
        let _ = serde_json::to_vec(report)
            .map(|text| rustix::io::write(self.descriptors.report, &text));
    }

    /// All steps but `execve`.
    fn enter(&self) -> Result<(), Stopped> {
        use Layer::{MemoryCgroup, PidNamespace};
        self.take_files_and_limits()?;
        self.confine()?;
        // Last, so that our own work is not charged to the program.
        for procs in &self.descriptors.cgroup_procs {
            const STEP: &str = "put the program into its control groups";
            // SAFETY: the text outlives the call.
            let written = unsafe { libc::write(procs.as_raw_fd(), c"0".as_ptr().cast(), 1) };
            check(written as c_int, MemoryCgroup, STEP)?;
        }
        if self.spec.is_trial {
            return Ok(());
        }
        // The kernel takes some milliseconds to move a process into a control group: only now is it ready.
        barrier::pass(self.descriptors.barrier)
            .map_err(|errno| Stopped::At(PidNamespace, "wait at the start barrier", errno))
    }

    /// Its session, standard files, working folder, resource limits and core.
    fn take_files_and_limits(&self) -> Result<(), Stopped> {
        use Layer::{MountNamespace, PidNamespace, ResourceLimits};
        rustix::process::setsid().map_err(at(PidNamespace, "start a session for the program"))?;
        for (target, file) in (0..).zip(&self.descriptors.files) {
            const STEP: &str = "give the program its standard input and output";
            // SAFETY: plain numbers; the files are open and above 2.
            let copied = unsafe { libc::dup2(file.as_raw_fd(), target) };
            check(copied, PidNamespace, STEP)?;
        }
        rustix::process::chdir(self.directory.as_c_str())
            .map_err(at(MountNamespace, "enter the program's folder"))?;
        for &(resource, wanted) in &self.spec.limits {
            let lowered = system::lower_limit(resource as c_int, wanted);
            check(lowered, ResourceLimits, "set the program's resource limits")?;
        }
        match &self.core {
            Some(core) => rustix::thread::sched_setaffinity(None, core)
                .map_err(at(ResourceLimits, "run the program on its core")),
            None => Ok(()),
        }
    }

    /// Its user, its life, its signals, and all that confines it.
    fn confine(&self) -> Result<(), Stopped> {
        use Layer::{Landlock, NoCapabilities, OuterUid, PidNamespace, Seccomp};
        let confinement = &self.confinement;
        if let Some(user) = confinement.user {
            check(user.become_it(), OuterUid, "make the program another user")?;
        }
        if let Some(parent) = confinement.parent {
            const STEP: &str = "tie the program's life to its launcher's";
            // After the change of user, which resets it.
            let signal = Some(rustix::process::Signal::KILL);
            rustix::process::set_parent_process_death_signal(signal)
                .map_err(at(PidNamespace, STEP))?;
            // SAFETY: no arguments, cannot fail.
            if unsafe { libc::getppid() } != parent {
                // It died before we were tied to it.
                return Err(Stopped::At(PidNamespace, STEP, libc::ESRCH));
            }
        }
        let unblocked = system::block_signals(false);
        check(unblocked, PidNamespace, "unblock the program's signals")?;
        rustix::thread::set_no_new_privs(true)
            .map_err(at(NoCapabilities, "forbid the program new privileges"))?;
        if let Some(domain) = confinement.domain {
            check(domain.enter(), Landlock, "confine the program by Landlock")?;
        }
        // `no_new_privs` keeps root from regaining capabilities by `execve`.
        let power = confinement.user.and_then(OtherUser::power);
        keep_only(power).map_err(at(NoCapabilities, "drop the program's capabilities"))?;
        if let Some(filter) = confinement.filter {
            const STEP: &str = "install the filter of the program's system calls";
            check(filter.install(), Seccomp, STEP)?;
        }
        Ok(())
    }
}

/// Names the layer and the step at which a system call failed.
fn at(layer: Layer, step: &'static str) -> impl FnOnce(rustix::io::Errno) -> Stopped {
    move |errno| Stopped::At(layer, step, errno.raw_os_error())
}

/// The same for a call that returns -1.
fn check(result: c_int, layer: Layer, step: &'static str) -> Result<(), Stopped> {
    match result {
        -1 => Err(Stopped::At(layer, step, last_error())),
        _ => Ok(()),
    }
}

fn c_string(text: &OsStr) -> Result<CString, StepError> {
    CString::new(text.as_bytes()).map_err(|_| {
        let step = "pass a text that contains a NUL byte to the program";
        StepError::with_errno(Layer::MountNamespace, step, libc::EINVAL)
    })
}

fn last_error() -> i32 {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// Drops all capabilities but this one, which the program keeps.
fn keep_only(power: Option<CapabilitySet>) -> rustix::io::Result<()> {
    let kept = power.unwrap_or(CapabilitySet::empty());
    let sets = CapabilitySets {
        effective: kept,
        permitted: kept,
        inheritable: kept,
    };
    rustix::thread::set_capabilities(None, sets)?;
    match power {
        Some(power) => rustix::thread::configure_capability_in_ambient_set(power, true),
        None => Ok(()),
    }
}
