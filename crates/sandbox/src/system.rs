//! Safe wrappers of system calls that the standard library does not provide.
#![expect(unsafe_code, reason = "system calls without a safe interface in std")]

use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::time::Duration;

use rustix::process::DumpableBehavior;

/// A process id.
pub(crate) type Pid = libc::pid_t;

/// Process id of this pidfd; `None` if the process has ended.
pub(crate) fn pid_of(process: &OwnedFd) -> Option<Pid> {
    let info = format!("/proc/self/fdinfo/{}", process.as_raw_fd());
    let info = std::fs::read_to_string(info).ok()?;
    let number = info.lines().find_map(|line| line.strip_prefix("Pid:"))?;
    number.trim().parse().ok().filter(|pid| *pid > 0)
}

/// Turns -1 into the error it stands for.
fn check(result: libc::c_int) -> io::Result<libc::c_int> {
    if result == -1 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result)
    }
}

/// Sets both limits of a resource (`RLIMIT_…`), but never above the current hard limit; -1, with `errno`, if that
/// fails. Allocates nothing: for use between fork and exec.
pub(crate) fn lower_limit(resource: libc::c_int, wanted: u64) -> libc::c_int {
    // SAFETY: the structure outlives the calls; a resource that the system does not know is an error.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(resource as _, &raw mut limit) == -1 {
            return -1;
        }
        let value = limit.rlim_max.min(wanted as libc::rlim_t);
        limit.rlim_cur = value;
        limit.rlim_max = value;
        libc::setrlimit(resource as _, &raw const limit)
    }
}

/// Closes descriptors inherited from the grader's parent.
pub(crate) fn close_all_but_standard_files() {
    // SAFETY: plain numbers; to be called before anything of ours is open. Kernels before 5.9, which refuse the call,
    // are older than those that the sandbox supports.
    unsafe {
        libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0);
    }
}

/// Blocks every signal that can be blocked, or none; -1, with `errno`, if that fails. For use between fork and exec.
pub(crate) fn block_signals(all: bool) -> libc::c_int {
    // SAFETY: all-zero bytes are a valid sigset_t, of no signals, which outlives the calls.
    unsafe {
        let mut blocked: libc::sigset_t = std::mem::zeroed();
        if all {
            libc::sigfillset(&raw mut blocked);
        }
        libc::sigprocmask(libc::SIG_SETMASK, &raw const blocked, std::ptr::null_mut())
    }
}

/// Makes writing beyond the size that files may have (`ulimit -f`) an error, not our end.
pub fn survive_large_files() {
    // SAFETY: plain numbers; no handler is installed.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Makes orphaned descendants our children.
pub(crate) fn become_subreaper() -> rustix::io::Result<()> {
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))
}

/// Makes our memory and descriptors unreadable for processes of the same user.
pub(crate) fn hide_memory() -> rustix::io::Result<()> {
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
}

/// State of our children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Children {
    /// This one has ended but is not yet reaped.
    Ended(Pid),
    /// All are running.
    Running,
    /// There are none.
    None,
}

/// Looks for an ended child without reaping it, so that its id is not reused.
pub(crate) fn ended_child() -> io::Result<Children> {
    // SAFETY: all-zero bytes are a valid siginfo_t; `waitid` fills it, or leaves the pid zero when no
    // child has ended.
    let (result, pid) = unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        let result = check(libc::waitid(libc::P_ALL, 0, &raw mut info, flags));
        (result, info.si_pid())
    };
    match result {
        Ok(_) if pid == 0 => Ok(Children::Running),
        Ok(_) => Ok(Children::Ended(pid)),
        Err(error) if error.raw_os_error() == Some(libc::ECHILD) => Ok(Children::None),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(Children::Running),
        Err(error) => Err(error),
    }
}

/// CPU time of reaped children, and of those that they reaped.
pub(crate) fn cpu_of_children() -> io::Result<Duration> {
    // SAFETY: all-zero bytes are a valid rusage, which outlives the call.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        check(libc::getrusage(libc::RUSAGE_CHILDREN, &raw mut usage))?;
        usage
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    Ok(time(usage.ru_utime) + time(usage.ru_stime))
}

/// Kills a child that is not yet reaped.
pub(crate) fn kill(child: Pid) -> io::Result<()> {
    debug_assert!(child > 0, "other numbers stand for groups");
    // SAFETY: plain numbers.
    check(unsafe { libc::kill(child, libc::SIGKILL) }).map(drop)
}

/// Kills a process group. No error if it has no members.
pub(crate) fn kill_group(group: Pid) -> io::Result<()> {
    debug_assert!(group > 1, "a group of zero would be our own");
    // SAFETY: plain numbers.
    match check(unsafe { libc::kill(-group, libc::SIGKILL) }) {
        Err(error) if error.raw_os_error() != Some(libc::ESRCH) => Err(error),
        _ => Ok(()),
    }
}
