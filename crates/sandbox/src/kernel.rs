//! System calls that neither the standard library nor `rustix` provides.
#![expect(unsafe_code, reason = "system calls without a safe interface")]

use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Signal;
use rustix::thread::CapabilitySet;

use crate::constants::MAX_DEATH;
use crate::system::Pid;

/// Forks into new namespaces, given as `CLONE_NEW…` flags; the child, or `None` in the child.
///
/// # Safety
/// The process must have one thread, or the child could find the allocator's lock taken forever. The
/// child must not use the C library's thread data (`raise`, `abort`), which is still the parent's.
pub(crate) unsafe fn fork_into(namespaces: c_int) -> io::Result<Option<Pid>> {
    let flags = namespaces | libc::SIGCHLD;
    // SAFETY: plain numbers; no memory is shared with the child, and its stack is a copy of ours.
    let result = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
    match result {
        -1 => Err(io::Error::last_os_error()),
        0 => Ok(None),
        pid => Ok(Some(pid as Pid)),
    }
}

/// Runs `body` in a child that shares our memory, in new namespaces if any are given, and waits until it has executed
/// another program or ended.
///
/// No page tables are copied, which would be a good part of the cost of a run. The child has its own descriptors,
/// credentials and signal handlers.
///
/// # Safety
/// `body` must not unwind, and must end in `execve`, in `_exit`, or by returning its exit status. Before that, it must
/// free everything that it allocated; it must not change our data. The process must have one thread. A SIGKILL in the middle of an
/// allocation would leave our heap as it is then: the less `body` allocates, the better.
pub(crate) unsafe fn spawn_sharing<T>(
    namespaces: c_int,
    stack: &mut [u8],
    body: extern "C" fn(*mut c_void) -> c_int,
    argument: &mut T,
) -> io::Result<Pid> {
    let top = stack.as_mut_ptr_range().end as usize & !0xf;
    // SAFETY: the stack grows down from its aligned end and outlives the child's use of it, because
    // CLONE_VFORK keeps us waiting until then; so does the argument. Only SIGKILL ends that wait early, and with it us: what
    // the child still uses is then not ours to change. Whoever shares our memory in turn must be safe from that.
    let pid = unsafe {
        libc::clone(
            body,
            top as *mut c_void,
            namespaces | libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD,
            std::ptr::from_mut(argument).cast(),
        )
    };
    if pid == -1 {
        Err(io::Error::last_os_error())
    } else {
        Ok(pid)
    }
}

/// Read-only.
pub(crate) const READ_ONLY: u64 = 0x1;
/// No set-id programs.
pub(crate) const NO_SUID: u64 = 0x2;
/// No devices.
pub(crate) const NO_DEV: u64 = 0x4;

/// Adds attributes to a mount, or also to all mounts below it, and makes it private.
///
/// A copy of a shared mount is its peer, and systemd shares `/`: a mount on a peer is a mount on the host, too.
pub(crate) fn restrict_mount(
    mount: BorrowedFd<'_>,
    attributes: u64,
    recursive: bool,
) -> io::Result<()> {
    const AT_RECURSIVE: c_int = 0x8000;
    let wanted = libc::mount_attr {
        attr_set: attributes,
        attr_clr: 0,
        propagation: libc::MS_PRIVATE,
        userns_fd: 0,
    };
    let flags = libc::AT_EMPTY_PATH | if recursive { AT_RECURSIVE } else { 0 };
    // SAFETY: the path ends with NUL; the structure outlives the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            flags,
            &raw const wanted,
            size_of::<libc::mount_attr>(),
        )
    };
    if result == -1 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Status and usage of a reaped child.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reaped {
    pub(crate) pid: Pid,
    pub(crate) status: c_int,
    /// Peak resident memory in bytes.
    pub(crate) peak: u64,
}

/// Waits for any child; `None` if there is none.
pub(crate) fn reap_any() -> io::Result<Option<Reaped>> {
    reap(-1)
}

/// Waits for this child; `None` if it is not ours.
pub(crate) fn reap(which: Pid) -> io::Result<Option<Reaped>> {
    let mut status = 0;
    loop {
        // SAFETY: all-zero bytes are a valid rusage; both places outlive the call.
        let (pid, usage) = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            let pid = libc::wait4(which, &raw mut status, 0, &raw mut usage);
            (pid, usage)
        };
        if pid > 0 {
            return Ok(Some(Reaped {
                pid,
                status,
                peak: usage.ru_maxrss as u64 * 1024,
            }));
        }
        let error = io::Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::ECHILD) => return Ok(None),
            Some(libc::EINTR) => {}
            _ => return Err(error),
        }
    }
}

/// Ends this process without running any destructor or handler.
pub(crate) fn end_at_once(status: c_int) -> ! {
    // SAFETY: a plain number; does not return.
    unsafe { libc::_exit(status) }
}

/// Mounts a `/proc` with the processes of our pid namespace and no information about the machine.
pub(crate) fn mount_proc(target: &std::ffi::CStr) -> rustix::io::Result<()> {
    use rustix::mount::MountFlags;

    rustix::mount::mount(
        c"proc",
        target,
        c"proc",
        MountFlags::RDONLY | MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC,
        c"subset=pid,hidepid=2",
    )
}

/// Whether the kernel is of this version or a later one.
pub(crate) fn is_at_least(major: u32, minor: u32) -> bool {
    let name = rustix::system::uname();
    let release = name.release().to_string_lossy();
    let mut numbers = release
        .split(|sign: char| !sign.is_ascii_digit())
        .map(|number| number.parse::<u32>().unwrap_or(0));
    let version = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    version >= (major, minor)
}

/// Resets every signal to its default action for us and our descendants.
pub(crate) fn reset_signals() {
    // SAFETY: all-zero bytes are the default action in the kernel's own structure, whose signal sets have 8
    // bytes; the structure outlives the calls.
    unsafe {
        let default = [0u64; 8];
        for signal in 1..=64 {
            // Fails for SIGKILL and SIGSTOP, which always have their default action.
            libc::syscall(
                libc::SYS_rt_sigaction,
                signal,
                default.as_ptr(),
                std::ptr::null_mut::<u64>(),
                8usize,
            );
        }
    }
}

/// Empties the bounding set, so that a program that we start cannot regain capabilities; we keep ours.
pub(crate) fn bound_capabilities() -> rustix::io::Result<()> {
    for capability in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << capability);
        match rustix::thread::remove_capability_from_bounding_set(capability) {
            // The kernel has no further capabilities.
            Err(rustix::io::Errno::INVAL) => break,
            dropped => dropped?,
        }
    }
    Ok(())
}

/// Kills us when our parent dies, so that we end with the launcher, which is at the other end of this socket.
pub(crate) fn die_with(control: &impl AsFd) -> rustix::io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    let mut polled = [PollFd::new(control, PollFlags::empty())];
    poll(&mut polled, Some(&Timespec::default()))?;
    // The launcher may have died before that.
    if polled[0].revents().contains(PollFlags::HUP) {
        end_at_once(1);
    }
    Ok(())
}

/// Kills the process of this pidfd and waits for its end. An init ends after every process of its namespace.
pub(crate) fn kill_and_wait(process: BorrowedFd<'_>) -> io::Result<()> {
    match rustix::process::pidfd_send_signal(process, Signal::KILL) {
        Ok(()) | Err(rustix::io::Errno::SRCH) => {}
        Err(error) => return Err(error.into()),
    }
    if is_ready_within(process, MAX_DEATH)? {
        Ok(())
    } else {
        Err(io::ErrorKind::TimedOut.into())
    }
}

/// Waits until there is something to read, or for the end of the process of a pidfd; false on time-out.
pub(crate) fn is_ready_within(file: BorrowedFd<'_>, patience: Duration) -> io::Result<bool> {
    let mut polled = [PollFd::from_borrowed_fd(file, PollFlags::IN)];
    let patience = Timespec::try_from(patience).ok();
    let ready = rustix::io::retry_on_intr(|| poll(&mut polled, patience.as_ref()))?;
    Ok(ready > 0)
}
