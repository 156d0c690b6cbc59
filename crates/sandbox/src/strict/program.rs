//! The last steps before the student's program: from a copy of init to `execve`.
#![expect(unsafe_code, reason = "what comes between clone and execve")]

use std::ffi::{CString, OsStr, OsString, c_char, c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::ptr;
use std::time::Duration;

use rustix::thread::{CapabilitySet, CapabilitySets};

use super::job::{Failure, Job, Report};
use super::{gate, kernel};
use crate::affinity::Seat;
use crate::domain::Domain;
use crate::seccomp::Filter;
use crate::system::{self, Pid};
use crate::{Core, Layer};

/// The steps, each to be read after "cannot", and the layer that each belongs to.
const STEPS: [(Layer, &str); 12] = [
    (Layer::PidNamespace, "give the program a session of its own"),
    (
        Layer::MountNamespace,
        "give the program its standard input and output",
    ),
    (Layer::MountNamespace, "enter the program's folder"),
    (Layer::ResourceLimits, "set the program's resource limits"),
    (Layer::ResourceLimits, "run the program on its core"),
    (Layer::PidNamespace, "unblock the program's signals"),
    (Layer::NoCapabilities, "drop the program's capabilities"),
    (Layer::NoNewPrivileges, "forbid the program new privileges"),
    (Layer::Landlock, "confine the program by Landlock"),
    (
        Layer::Seccomp,
        "install the filter of the program's system calls",
    ),
    (
        Layer::MemoryCgroup,
        "put the program into its control groups",
    ),
    (Layer::PidNamespace, "wait for the program's turn"),
];
/// Not a step: `execve` itself failed.
const EXECUTE: usize = usize::MAX;
/// Everything the program's process needs, made before it exists: then, nothing may be allocated.
pub(super) struct Prepared<'a> {
    strings: Vec<CString>,
    arguments: Vec<*const c_char>,
    environment: Vec<*const c_char>,
    directory: CString,
    limits: &'a [(u32, u64)],
    seat: Option<Seat>,
    files: [RawFd; 3],
    cgroup_procs: Vec<RawFd>,
    gate: RawFd,
    domain: Option<&'a Domain>,
    filter: Option<&'a Filter>,
    trial: bool,
    /// When all steps were done.
    began: Duration,
    /// The step that failed, and its `errno`.
    failed: Option<(usize, i32)>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(
        job: &'a Job,
        (files, gate): ([&OwnedFd; 3], &OwnedFd),
        cgroup_procs: &[OwnedFd],
        domain: Option<&'a Domain>,
        filter: Option<&'a Filter>,
    ) -> Result<Self, Failure> {
        let mut strings = vec![c_string(&job.program)?];
        for argument in &job.arguments {
            strings.push(c_string(argument)?);
        }
        let arguments = strings.len();
        for (name, value) in &job.environment {
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
            arguments: pointers(&strings[..arguments]),
            environment: pointers(&strings[arguments..]),
            strings,
            directory: c_string(&job.directory)?,
            limits: &job.limits,
            seat: job.core.map(seat).transpose()?,
            files: files.map(AsRawFd::as_raw_fd),
            gate: gate.as_raw_fd(),
            cgroup_procs: cgroup_procs.iter().map(AsRawFd::as_raw_fd).collect(),
            domain: domain.filter(|_| !job.without.contains(&Layer::Landlock)),
            filter: filter.filter(|_| !job.without.contains(&Layer::Seccomp)),
            trial: job.trial,
            began: Duration::ZERO,
            failed: None,
        })
    }

    /// Starts the program; returns when it has been executed, its process and when it began, by the clock of
    /// [`kernel::monotonic`].
    pub(super) fn start(&mut self, stack: &mut [u8]) -> Result<(Pid, Duration), Report> {
        // SAFETY: this process has one thread; `become_program` only makes system calls on what is prepared, and
        // ends in `execve` or `_exit`.
        let pid =
            unsafe { kernel::spawn_sharing(0, stack, become_program, self) }.map_err(|error| {
                Report::Failed(Failure::new(
                    Layer::ProcessCount,
                    "start the program's process",
                    &error,
                ))
            })?;
        match self.failed.take() {
            None if self.began == Duration::ZERO => Err(Report::Failed(Failure {
                layer: Layer::PidNamespace,
                step: "start the program: it was killed before its turn".to_owned(),
                errno: libc::ESRCH,
            })),
            None => Ok((pid, self.began)),
            Some((EXECUTE, errno)) => Err(Report::NotExecuted(errno)),
            Some((step, errno)) => {
                let (layer, step) = STEPS[step];
                Err(Report::Failed(Failure {
                    layer,
                    step: step.to_owned(),
                    errno,
                }))
            }
        }
    }
}

fn seat(core: Core) -> Result<Seat, Failure> {
    Seat::on(core)
        .map_err(|failed| Failure::new(Layer::ResourceLimits, failed.step, &failed.source))
}

fn c_string(text: &OsStr) -> Result<CString, Failure> {
    CString::new(text.as_bytes()).map_err(|_| Failure {
        layer: Layer::MountNamespace,
        step: "pass a text that holds a NUL byte to the program".to_owned(),
        errno: libc::EINVAL,
    })
}

/// The process's whole life before the program. Its memory is init's, so that a failure needs no message.
extern "C" fn become_program(prepared: *mut c_void) -> c_int {
    // SAFETY: `Prepared::start` passes itself, and waits meanwhile.
    let prepared = unsafe { &mut *prepared.cast::<Prepared<'_>>() };
    let mut entered = enter(prepared);
    if entered.is_ok() && !prepared.trial {
        // To enter a control group takes the kernel some milliseconds: only now it is ready.
        entered = gate::pass(prepared.gate).map_err(|errno| (11, errno));
    }
    prepared.began = kernel::monotonic();
    let failed = match entered {
        Ok(()) if prepared.trial => return 0,
        Ok(()) => {
            // SAFETY: strings and lists end as they must and outlive the call, which returns only on failure.
            unsafe {
                libc::execve(
                    prepared.strings[0].as_ptr(),
                    prepared.arguments.as_ptr(),
                    prepared.environment.as_ptr(),
                );
            }
            (EXECUTE, last_error())
        }
        Err(failed) => failed,
    };
    prepared.failed = Some(failed);
    127
}

fn last_error() -> i32 {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

/// The steps, in the order of [`STEPS`]; the error is the index of the one that failed, with its `errno`.
fn enter(plan: &Prepared<'_>) -> Result<(), (usize, i32)> {
    let at = |step: usize| move |errno: rustix::io::Errno| (step, errno.raw_os_error());
    let check = |result: c_int, step: usize| match result {
        -1 => Err((step, last_error())),
        _ => Ok(()),
    };
    rustix::process::setsid().map_err(at(0))?;
    for (target, &file) in (0..).zip(&plan.files) {
        // SAFETY: plain numbers; the files are open and above 2, because the keeper keeps 0 to 2 open.
        check(unsafe { libc::dup2(file, target) }, 1)?;
    }
    rustix::process::chdir(plan.directory.as_c_str()).map_err(at(2))?;
    for &(resource, wanted) in plan.limits {
        check(system::lower_limit(resource as c_int, wanted), 3)?;
    }
    if let Some(seat) = &plan.seat {
        check(seat.take(), 4)?;
    }
    check(unblock_signals(), 5)?;
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    rustix::thread::set_capabilities(None, none).map_err(at(6))?;
    rustix::thread::set_no_new_privs(true).map_err(at(7))?;
    if let Some(domain) = plan.domain {
        check(domain.enter(), 8)?;
    }
    if let Some(filter) = plan.filter {
        check(filter.install(), 9)?;
    }
    // Last, so that what we did so far is not charged to the program.
    for &procs in &plan.cgroup_procs {
        // SAFETY: the text outlives the call.
        let written = unsafe { libc::write(procs, c"0".as_ptr().cast(), 1) };
        check(written as c_int, 10)?;
    }
    Ok(())
}

/// Lets every signal through.
fn unblock_signals() -> c_int {
    let none = 0u64;
    // SAFETY: the kernel's signal sets have 8 bytes; the set outlives the call.
    unsafe {
        libc::syscall(
            libc::SYS_rt_sigprocmask,
            libc::SIG_SETMASK,
            &raw const none,
            ptr::null_mut::<u64>(),
            8usize,
        ) as c_int
    }
}
