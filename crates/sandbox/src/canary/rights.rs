//! Attempts to have more rights.
#![expect(unsafe_code, reason = "system calls without a safe interface")]

use std::fs;

use rustix::fs::StatVfsMountFlags;
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::found::{Found, denied_by, first_reached, unless_failed, unless_negative};
use super::inside::{Cage, Probe};

const fn probe(what: &'static str, attempt: fn(&Cage) -> Found) -> Probe {
    Probe { what, attempt }
}

pub(super) const PROBES: &[Probe] = &[
    probe("hold a capability", |_| hold_capability()),
    probe("regain the capabilities", |_| regain_capabilities()),
    probe("regain the rights of root", |_| {
        unless_negative(
            // SAFETY: plain numbers.
            unsafe { libc::prctl(libc::PR_SET_SECUREBITS, 0, 0, 0, 0) },
            "allowed",
        )
    }),
    probe("become root", |_| {
        // SAFETY: plain numbers.
        let user = unsafe { libc::syscall(libc::SYS_setresuid, 0, 0, 0) };
        unless_negative(user, "is root")
    }),
    probe("become another user", |_| {
        // SAFETY: plain numbers.
        let user = unsafe { libc::syscall(libc::SYS_setresuid, 65534, 65534, 65534) };
        unless_negative(user, "is another")
    }),
    probe("join the group of root", |_| {
        // SAFETY: plain numbers; the list has one entry.
        unsafe {
            let group = libc::syscall(libc::SYS_setresgid, 0, 0, 0);
            let group = unless_negative(group, "its group");
            let list = [0_u32];
            let groups = libc::syscall(libc::SYS_setgroups, 1, list.as_ptr());
            first_reached([group, unless_negative(groups, "one of its groups")])
        }
    }),
    probe("gain rights by a set-id program", |_| set_id()),
    probe("raise a hard limit", |_| raise_limit()),
    probe("go before other processes", |_| {
        // SAFETY: plain numbers.
        let first = unsafe { libc::syscall(libc::SYS_setpriority, libc::PRIO_PROCESS, 0, -20) };
        unless_negative(first, "allowed")
    }),
    probe("run in real time", |_| {
        // SAFETY: all-zero bytes are valid parameters, which outlive the call.
        let result = unsafe {
            let mut wanted: libc::sched_param = std::mem::zeroed();
            wanted.sched_priority = 1;
            libc::sched_setscheduler(0, libc::SCHED_FIFO, &raw const wanted)
        };
        unless_negative(result, "allowed")
    }),
    probe("be spared when memory is short", |_| {
        let path = "/proc/self/oom_score_adj";
        unless_failed(fs::write(path, "-999"), "allowed")
    }),
    #[cfg(target_arch = "x86_64")]
    probe("make a system call of 32 bits", |_| {
        let mut result: i32 = 20;
        // SAFETY: getpid of the 32-bit interface takes nothing and changes nothing but its result.
        unsafe { std::arch::asm!("int 0x80", inout("eax") result) };
        if result < 0 {
            Found::Denied(super::found::name(-result))
        } else {
            Found::Reached("answered".to_owned())
        }
    }),
    #[cfg(target_arch = "x86_64")]
    probe("make a system call of x32", |_| {
        // SAFETY: takes nothing.
        let result = unsafe { libc::syscall(0x4000_0000 | libc::SYS_getpid) };
        unless_negative(result, "answered")
    }),
];

fn hold_capability() -> Found {
    let held = match rustix::thread::capabilities(None) {
        Ok(held) => held.effective | held.permitted | held.inheritable,
        Err(error) => return denied_by(&error.into()),
    };
    // SAFETY: plain numbers.
    let bounding = (0..64)
        .any(|capability| unsafe { libc::prctl(libc::PR_CAPBSET_READ, capability, 0, 0, 0) == 1 });
    match (held.is_empty(), bounding) {
        (true, false) => Found::Denied("none, and none to come".to_owned()),
        (true, true) => Found::Reached("none now, but some to come".to_owned()),
        (false, _) => Found::Reached(format!("{:#x}", held.bits())),
    }
}

fn regain_capabilities() -> Found {
    let sets = CapabilitySets {
        effective: CapabilitySet::SYS_ADMIN,
        permitted: CapabilitySet::SYS_ADMIN,
        inheritable: CapabilitySet::empty(),
    };
    let set = rustix::thread::set_capabilities(None, sets).map_err(Into::into);
    unless_failed(set, "allowed")
}

/// Two things keep such a program from giving rights, and each is enough.
fn set_id() -> Found {
    let no_new = rustix::thread::no_new_privs().unwrap_or(false);
    let no_set_id = rustix::fs::statvfs("/usr")
        .is_ok_and(|state| state.f_flag.contains(StatVfsMountFlags::NOSUID));
    match (no_new, no_set_id) {
        (true, true) => Found::Denied("no_new_privs, nosuid".to_owned()),
        (true, false) => Found::Denied("no_new_privs".to_owned()),
        (false, true) => Found::Denied("nosuid".to_owned()),
        (false, false) => Found::Reached("neither no_new_privs nor nosuid".to_owned()),
    }
}

fn raise_limit() -> Found {
    // SAFETY: all-zero bytes are a valid rlimit; it outlives the calls.
    unsafe {
        let mut limit: libc::rlimit = std::mem::zeroed();
        if libc::getrlimit(libc::RLIMIT_CORE, &raw mut limit) == 0 && limit.rlim_max == 0 {
            limit.rlim_max = 1;
            let raised = libc::setrlimit(libc::RLIMIT_CORE, &raw const limit);
            return unless_negative(raised, "raised");
        }
    }
    Found::Reached("core dumps are not limited".to_owned())
}
