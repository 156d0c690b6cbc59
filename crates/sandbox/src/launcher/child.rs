//! From the launcher to the program: fork, put everything in its place, execute.
#![expect(unsafe_code, reason = "fork and what comes between it and execve")]

use std::ffi::{CString, OsStr, OsString, c_char};
use std::io::{self, Read};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use grader_model::Limits;

use crate::affinity::Seat;
use crate::protocol::Order;
use crate::system::{self, Pid};

#[cfg(target_os = "linux")]
use super::user::{self, OtherUser};
#[cfg(target_os = "linux")]
use super::walls::Walls;
use super::{Failed, Files, RunCgroup, Step, Stop};

/// Fuse against fork bombs: processes and threads of the user, not of the run.
const MOST_TASKS_OF_USER: u64 = 8192;
/// Open files of a program.
const MOST_FILES: u64 = 256;
/// Seconds of CPU time beyond the limit after which the kernel itself ends a process.
const CPU_BACKSTOP: u64 = 2;
/// Bounds of the stack, which otherwise follows the memory limit: deep recursion is no crime, and no
/// program starts in less than the smaller one.
const STACK: (u64, u64) = (8 << 20, 1 << 30);

/// Steps between fork and exec; the child reports one by its number.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChildStep {
    Session,
    StandardFiles,
    Folder,
    Limits,
    Core,
    Signals,
    Cgroup,
    User,
    ParentDeath,
    NoNewPrivileges,
    Landlock,
    Capabilities,
    Filter,
    Execute,
}

impl ChildStep {
    const ALL: [Self; 14] = [
        Self::Session,
        Self::StandardFiles,
        Self::Folder,
        Self::Limits,
        Self::Core,
        Self::Signals,
        Self::Cgroup,
        Self::User,
        Self::ParentDeath,
        Self::NoNewPrivileges,
        Self::Landlock,
        Self::Capabilities,
        Self::Filter,
        Self::Execute,
    ];

    /// To be read after "cannot".
    const fn describe(self) -> &'static str {
        match self {
            Self::Session => "start a session for the program",
            Self::StandardFiles => "give the program its standard input and output",
            Self::Folder => "enter the run's folder",
            Self::Limits => "set the program's resource limits",
            Self::Core => "run the program on its core",
            Self::Signals => "reset the program's signals",
            Self::Cgroup => "put the program into its control group",
            Self::User => "make the program another user",
            Self::ParentDeath => "tie the program's life to its launcher's",
            Self::NoNewPrivileges => "forbid the program new privileges",
            Self::Landlock => "put the program into a Landlock domain",
            Self::Capabilities => "take the program's capabilities",
            Self::Filter => "install the program's filter of system calls",
            Self::Execute => "execute the program",
        }
    }
}

/// The variable that says where temporary files go.
const TMPDIR: &str = "TMPDIR";
/// Everything the child needs, made before the fork: after it, nothing may be allocated.
pub(super) struct Prepared {
    program: CString,
    arguments: Vec<CString>,
    environment: Vec<CString>,
    directory: CString,
    limits: Vec<(libc::c_int, u64)>,
    seat: Option<Seat>,
    #[cfg(target_os = "linux")]
    walls: Walls,
    #[cfg(target_os = "linux")]
    user: Option<OtherUser>,
    /// Whether to take all powers of root from it.
    #[cfg(target_os = "linux")]
    is_closed: bool,
    /// Where it joins its control groups.
    #[cfg(target_os = "linux")]
    cgroup_procs: Vec<RawFd>,
}

impl Prepared {
    pub(super) fn new(
        order: &Order,
        #[cfg_attr(
            not(target_os = "linux"),
            expect(unused_variables, reason = "for the walls, which only Linux has")
        )]
        files: &Files,
        temporary: Option<&Path>,
        cgroup: Option<&RunCgroup>,
    ) -> Result<Self, Failed> {
        #[cfg(target_os = "linux")]
        let walls = Walls::new(order, files, temporary)?;
        #[cfg(target_os = "linux")]
        let user = match &order.closed {
            Some(closed) => OtherUser::new(order, closed, walls.hold_files())?,
            None => None,
        };
        #[cfg(target_os = "linux")]
        let has_user = user.is_some();
        #[cfg(not(target_os = "linux"))]
        let has_user = false;
        #[cfg(target_os = "linux")]
        if let (Some(user), Some(temporary)) = (&user, temporary) {
            user.take(order, files, temporary)?;
        }
        let program = c_string(&order.program, "the program's path")?;
        let arguments = order
            .arguments
            .iter()
            .map(|argument| c_string(argument, "an argument"));
        let environment = order.environment.iter().map(|(name, value)| {
            let mut entry = OsString::with_capacity(name.len() + value.len() + 1);
            entry.push(name);
            entry.push("=");
            entry.push(value);
            c_string(&entry, "an environment variable")
        });
        // Who asks for another has it.
        let has_one = order.environment.iter().any(|(name, _)| name == TMPDIR);
        let own_temporary = temporary.filter(|_| !has_one).map(|temporary| {
            let mut entry = OsString::from(TMPDIR);
            entry.push("=");
            entry.push(temporary);
            c_string(&entry, "the temporary folder")
        });
        Ok(Self {
            arguments: std::iter::once(Ok(program.clone()))
                .chain(arguments)
                .collect::<Result<_, _>>()?,
            environment: environment.chain(own_temporary).collect::<Result<_, _>>()?,
            directory: c_string(&order.directory, "the run's folder")?,
            limits: resource_limits(&order.limits, order.files, has_user),
            seat: order.core.map(Seat::on).transpose()?,
            #[cfg(target_os = "linux")]
            walls,
            #[cfg(target_os = "linux")]
            user,
            #[cfg(target_os = "linux")]
            is_closed: order.closed.is_some(),
            #[cfg(target_os = "linux")]
            cgroup_procs: cgroup
                .into_iter()
                .flat_map(RunCgroup::cgroup_procs)
                .map(|procs| procs.as_raw_fd())
                .collect(),
            program,
        })
    }

    /// Starts the program; returns when it has been executed.
    pub(super) fn start(&self, files: &Files) -> Result<Pid, Stop> {
        let arguments = pointers(&self.arguments);
        let environment = pointers(&self.environment);
        let (mut report, reporter) = io::pipe().step("make a pipe")?;
        let launcher = std::process::id() as Pid;
        let plan = ChildPlan {
            prepared: self,
            arguments: &arguments,
            environment: &environment,
            files: [&files.stdin, &files.stdout, &files.stderr].map(AsRawFd::as_raw_fd),
            launcher,
            reporter: reporter.as_raw_fd(),
        };
        // SAFETY: this process has one thread, so the child's memory is consistent; the child calls only
        // system calls on what was prepared, and never returns.
        let child = unsafe {
            match libc::fork() {
                0 => become_program(&plan),
                child => child,
            }
        };
        if child == -1 {
            return Err(Stop::from(Failed {
                step: "fork".to_owned(),
                source: io::Error::last_os_error(),
            }));
        }
        drop(reporter);
        // The pipe reaches its end when `execve` closes the child's side.
        let mut message = Vec::new();
        report
            .read_to_end(&mut message)
            .step("hear from the program's process")?;
        let [step, ref errno @ ..] = message[..] else {
            return Ok(child);
        };
        let errno = errno.try_into().map_or(libc::EIO, i32::from_ne_bytes);
        let source = io::Error::from_raw_os_error(errno);
        let failed = ChildStep::ALL.into_iter().find(|it| *it as u8 == step);
        Err(match failed {
            Some(ChildStep::Execute) | None => Stop::Execute(source),
            Some(step) => Stop::Failed(Failed {
                step: step.describe().to_owned(),
                source,
            }),
        })
    }
}

fn c_string(text: &OsStr, what: &str) -> Result<CString, Failed> {
    CString::new(text.as_bytes()).map_err(|_| Failed {
        step: format!("pass {what} that holds a NUL byte"),
        source: io::Error::from_raw_os_error(libc::EINVAL),
    })
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    let mut pointers: Vec<_> = strings.iter().map(|string| string.as_ptr()).collect();
    pointers.push(ptr::null());
    pointers
}

fn resource_limits(limits: &Limits, files: u64, has_user: bool) -> Vec<(libc::c_int, u64)> {
    let whole_seconds = limits.cpu.0.as_millis().div_ceil(1000) as u64;
    let mut list = vec![
        (libc::RLIMIT_CORE as libc::c_int, 0),
        // One byte more than allowed, so that a file of exactly the allowed size is told from a larger one.
        (libc::RLIMIT_FSIZE as libc::c_int, files.saturating_add(1)),
        (
            libc::RLIMIT_CPU as libc::c_int,
            whole_seconds.saturating_add(CPU_BACKSTOP),
        ),
        (libc::RLIMIT_NOFILE as libc::c_int, MOST_FILES),
        (
            libc::RLIMIT_STACK as libc::c_int,
            limits.memory.0.clamp(STACK.0, STACK.1),
        ),
    ];
    if has_user {
        // Of a user who has nothing else.
        list.push((libc::RLIMIT_NPROC as libc::c_int, limits.processes.into()));
    // SAFETY: no arguments, cannot fail.
    } else if unsafe { libc::geteuid() } != 0 {
        list.push((libc::RLIMIT_NPROC as libc::c_int, MOST_TASKS_OF_USER));
    }
    list
}

/// What the child works from.
struct ChildPlan<'a> {
    prepared: &'a Prepared,
    arguments: &'a [*const c_char],
    environment: &'a [*const c_char],
    files: [RawFd; 3],
    launcher: Pid,
    reporter: RawFd,
}

/// The child's whole life. Only async-signal-safe calls, no allocation.
///
/// # Safety
/// To be called in a child that was just forked, with pointer lists that end with null.
unsafe fn become_program(plan: &ChildPlan<'_>) -> ! {
    // SAFETY: as promised by the caller.
    let failed = unsafe { enter(plan) }.err().unwrap_or_else(|| {
        // SAFETY: strings and lists end as they must and outlive the call, which returns only on failure.
        unsafe {
            libc::execve(
                plan.prepared.program.as_ptr(),
                plan.arguments.as_ptr(),
                plan.environment.as_ptr(),
            );
        }
        ChildStep::Execute
    });
    let errno = io::Error::last_os_error().raw_os_error().unwrap_or(0);
    let [a, b, c, d] = errno.to_ne_bytes();
    let message = [failed as u8, a, b, c, d];
    // SAFETY: the message outlives the call; a failed write leaves an end without a word, which the
    // launcher then takes for an exit of the program with status 127, as it would without the pipe.
    unsafe {
        libc::write(plan.reporter, message.as_ptr().cast(), message.len());
        libc::_exit(127)
    }
}

/// All steps but the last; the error is the one that failed, and `errno` says why.
///
/// # Safety
/// As [`become_program`].
unsafe fn enter(plan: &ChildPlan<'_>) -> Result<(), ChildStep> {
    let done = |result: libc::c_int, step: ChildStep| if result == -1 { Err(step) } else { Ok(()) };
    // SAFETY: plain numbers, and structures on this stack that outlive the calls; the descriptors of
    // `plan` are open and above 2, because the standard library keeps 0 to 2 open.
    unsafe {
        done(libc::setsid(), ChildStep::Session)?;
        for (target, &file) in (0..).zip(&plan.files) {
            done(libc::dup2(file, target), ChildStep::StandardFiles)?;
        }
        done(
            libc::chdir(plan.prepared.directory.as_ptr()),
            ChildStep::Folder,
        )?;
        libc::umask(0o077);
        close_others_on_exec(plan.reporter);
        for &(resource, wanted) in &plan.prepared.limits {
            done(system::lower_limit(resource, wanted), ChildStep::Limits)?;
        }
        if let Some(seat) = &plan.prepared.seat {
            done(seat.take(), ChildStep::Core)?;
        }
        let mut empty: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut empty);
        let default: libc::sigaction = std::mem::zeroed();
        for signal in 1..=64 {
            // Fails for SIGKILL and SIGSTOP, which are at their default anyway.
            libc::sigaction(signal, &raw const default, ptr::null_mut());
        }
        #[cfg(target_os = "linux")]
        for signal in 32..34 {
            // The C library keeps these two for itself, but a parent may have ignored them. All zero is the
            // default in the kernel's own structure too; its signal sets have 8 bytes.
            let default = [0u64; 8];
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                default.as_ptr(),
                ptr::null_mut::<u64>(),
                8usize,
            );
        }
        done(
            libc::sigprocmask(libc::SIG_SETMASK, &raw const empty, ptr::null_mut()),
            ChildStep::Signals,
        )?;
        #[cfg(target_os = "linux")]
        {
            for &procs in &plan.prepared.cgroup_procs {
                done(
                    libc::write(procs, c"0".as_ptr().cast(), 1) as libc::c_int,
                    ChildStep::Cgroup,
                )?;
            }
            if let Some(user) = &plan.prepared.user {
                done(user.become_it(), ChildStep::User)?;
            }
            // After the change of user, which takes it back.
            done(
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0),
                ChildStep::ParentDeath,
            )?;
        }
        if libc::getppid() != plan.launcher {
            // It died before we were tied to it.
            libc::_exit(127);
        }
        #[cfg(target_os = "linux")]
        {
            done(
                libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0),
                ChildStep::NoNewPrivileges,
            )?;
            done(plan.prepared.walls.enter_domain(), ChildStep::Landlock)?;
            // With new privileges forbidden, root does not get them back by `execve`.
            if plan.prepared.is_closed {
                let kept = plan.prepared.user.as_ref().and_then(OtherUser::power);
                done(user::keep_only(kept), ChildStep::Capabilities)?;
            }
            done(plan.prepared.walls.install_filter(), ChildStep::Filter)?;
        }
    }
    Ok(())
}

/// Marks all descriptors above 2 to be closed by `execve`: those that the grader's own parent left open
/// too. They cannot be closed now, because the report pipe is one of them.
///
/// # Safety
/// As [`become_program`].
unsafe fn close_others_on_exec(reporter: RawFd) {
    // SAFETY: plain numbers; descriptors that are not open yield an error that does not matter.
    unsafe {
        #[cfg(target_os = "linux")]
        if libc::syscall(
            libc::SYS_close_range,
            3,
            u32::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        ) == 0
        {
            return;
        }
        let mut limit: libc::rlimit = std::mem::zeroed();
        libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit);
        // A million calls take a tenth of a second; no shell leaves files open beyond that.
        let end = limit.rlim_cur.min(1 << 20) as libc::c_int;
        for file in 3..end.max(reporter + 1) {
            libc::fcntl(file, libc::F_SETFD, libc::FD_CLOEXEC);
        }
    }
}
