//! Attempts on other processes.
#![expect(unsafe_code, reason = "signals, traces, forks")]

use std::fs;

use super::files::read_a_byte;
use super::found::{Found, denied_by, last_error, name, unless_failed, unless_negative};
use super::inside::{Cage, Probe};
use crate::system::Pid;

const fn probe(what: &'static str, attempt: fn(&Cage) -> Found) -> Probe {
    Probe { what, attempt }
}

/// The init of the run, when process ids are our own.
const INIT: Pid = 1;

pub(super) const PROBES: &[Probe] = &[
    probe("see processes of the host", see_processes),
    probe("read the environment of init", |_| {
        read_a_byte("/proc/1/environ")
    }),
    probe("read the memory of init through proc", |_| {
        unless_failed(fs::File::open("/proc/1/mem"), "opened")
    }),
    probe("read the memory of init", |_| read_memory(INIT)),
    probe("see the root of init", |_| {
        unless_failed(fs::read_dir("/proc/1/root/"), "listed")
    }),
    probe("see the descriptors of init", |_| {
        unless_failed(fs::read_dir("/proc/1/fd"), "listed")
    }),
    probe("take a descriptor of init", |_| take_descriptor(INIT)),
    probe("trace init", |cage| {
        if cage.own_pids { trace(INIT) } else { shared() }
    }),
    probe("limit the time of init", |cage| {
        if cage.own_pids { limit(INIT) } else { shared() }
    }),
    probe("kill init", |cage| outlived(cage, libc::SIGKILL)),
    probe("stop init", |cage| outlived(cage, libc::SIGSTOP)),
    probe("read the environment of a process of the host", |cage| {
        of_host(cage, |pid| read_a_byte(&format!("/proc/{pid}/environ")))
    }),
    probe("trace a process of the host", |cage| of_host(cage, trace)),
    probe("kill a process of the host", |cage| {
        of_host(cage, |pid| {
            // SAFETY: plain numbers; it is bait.
            unless_negative(unsafe { libc::kill(pid, libc::SIGKILL) }, "killed")
        })
    }),
    probe("signal everybody", |cage| {
        if !cage.own_pids {
            return shared();
        }
        // SAFETY: plain numbers; those inside ignore it, and outside it is seen who is gone.
        match unsafe { libc::kill(-1, libc::SIGTERM) } {
            0 => Found::Denied("only those inside".to_owned()),
            _ => Found::Denied(name(last_error())),
        }
    }),
    probe("have more processes than allowed", multiply),
];

/// What must not be tried where it would reach the host's own.
fn shared() -> Found {
    Found::Reached("shares the process ids of the host".to_owned())
}

/// Does something to a process outside; its number is ours by chance only where we are in a namespace.
fn of_host(cage: &Cage, what: impl FnOnce(Pid) -> Found) -> Found {
    // SAFETY: takes nothing.
    let own = unsafe { libc::getpid() };
    if cage.own_pids && [INIT, cage.driver, own].contains(&cage.scene.decoy) {
        return Found::Denied("its number is that of a process inside".to_owned());
    }
    what(cage.scene.decoy)
}

fn see_processes(cage: &Cage) -> Found {
    let entries = match fs::read_dir("/proc") {
        Ok(entries) => entries,
        Err(error) => return denied_by(&error),
    };
    // SAFETY: takes nothing.
    let own = unsafe { libc::getpid() };
    let known = if cage.own_pids {
        vec![INIT, cage.driver, own]
    } else {
        vec![cage.driver, own]
    };
    let others = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<Pid>().ok())
        .filter(|pid| !known.contains(pid))
        .count();
    if others == 0 {
        Found::Denied("only its own".to_owned())
    } else {
        Found::Reached(format!("{others} processes"))
    }
}

/// Sends init a signal that it must ignore. Whether it does shows at the end, which init tells.
fn outlived(cage: &Cage, signal: libc::c_int) -> Found {
    if !cage.own_pids {
        return shared();
    }
    // SAFETY: plain numbers.
    match unsafe { libc::kill(INIT, signal) } {
        0 => Found::Denied("ignored".to_owned()),
        _ => Found::Denied(name(last_error())),
    }
}

/// Begins to trace a process, which neither stops it nor outlasts us.
fn trace(pid: Pid) -> Found {
    // SAFETY: plain numbers.
    let traced = unsafe { libc::syscall(libc::SYS_ptrace, libc::PTRACE_SEIZE, pid, 0, 0) };
    unless_negative(traced, "traced")
}

/// Reads a byte at an address where there is none.
fn read_memory(pid: Pid) -> Found {
    let mut byte = 0_u8;
    let local = libc::iovec {
        iov_base: (&raw mut byte).cast(),
        iov_len: 1,
    };
    let remote = libc::iovec {
        iov_base: std::ptr::without_provenance_mut(1),
        iov_len: 1,
    };
    // SAFETY: one byte at most is written, to `byte`; all outlives the call.
    let read = unsafe { libc::process_vm_readv(pid, &raw const local, 1, &raw const remote, 1, 0) };
    if read == -1 && last_error() == libc::EFAULT {
        return Found::Reached("allowed, then EFAULT".to_owned());
    }
    unless_negative(read as i64, "read")
}

fn take_descriptor(pid: Pid) -> Found {
    // SAFETY: plain numbers.
    unsafe {
        let process = libc::syscall(libc::SYS_pidfd_open, pid, 0);
        if process == -1 {
            return Found::Denied(name(last_error()));
        }
        unless_negative(libc::syscall(libc::SYS_pidfd_getfd, process, 0, 0), "taken")
    }
}

/// Starts processes until it may not, or has started more than it may.
fn multiply(cage: &Cage) -> Found {
    // We and the driver are two of them.
    let allowed = cage.scene.processes.saturating_sub(2);
    let mut children = Vec::new();
    let refused = loop {
        // SAFETY: this process has one thread; the child waits for its end, which comes with ours at the latest.
        let child = unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
                libc::pause();
                libc::_exit(0);
            }
            child
        };
        if child == -1 {
            break Some(name(last_error()));
        }
        children.push(child);
        if children.len() > allowed as usize {
            break None;
        }
    };
    for &child in &children {
        // SAFETY: children of ours that have not been reaped.
        unsafe {
            libc::kill(child, libc::SIGKILL);
            libc::waitpid(child, std::ptr::null_mut(), 0);
        }
    }
    match refused {
        Some(error) => Found::Denied(error),
        None => Found::Reached(format!("{} processes", children.len() + 2)),
    }
}

/// Sets a limit of another process to what it is.
fn limit(pid: libc::pid_t) -> Found {
    // SAFETY: all-zero bytes are a valid limit; the structure outlives the calls.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        let none: *mut libc::rlimit = std::ptr::null_mut();
        if libc::prlimit(pid, libc::RLIMIT_CPU, std::ptr::null(), &raw mut limit) == -1 {
            return denied_by(&std::io::Error::last_os_error());
        }
        unless_negative(
            libc::prlimit(pid, libc::RLIMIT_CPU, &raw const limit, none),
            "limited",
        )
    }
}
