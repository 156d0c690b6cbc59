//! Attempts that are one system call each.
#![expect(unsafe_code, reason = "one system call after the other")]

use std::ffi::{CStr, c_long};

use libc::{EAGAIN, EBADF, EBUSY, EFAULT, EINVAL, ENODEV, ENOENT, ENOEXEC, ENOTTY, ESTALE};

use super::found::{Found, last_error, name, unless_negative};

/// One system call.
pub(super) struct Call {
    pub(super) what: &'static str,
    number: c_long,
    arguments: &'static [Argument],
    /// Errors by which it is refused only after the permission was found.
    late: &'static [i32],
    /// Whether it returns twice.
    forks: bool,
}

/// An argument of a system call.
#[derive(Clone, Copy)]
enum Argument {
    Number(i64),
    Text(&'static CStr),
    /// The address of [`ROOM`] words that begin with these; the others are zero. One of them a call.
    Words(&'static [u64]),
}
use Argument::{Number as N, Text as T, Words as W};

/// More than any structure that is passed here, or given back, takes.
const ROOM: usize = 512;

const HERE: Argument = N(libc::AT_FDCWD as i64);
const NONE: Argument = N(0);
const READ_ONLY: u64 = 1;
/// No descriptor, no address, no size.
const WRONG: Argument = N(-1);
/// This process.
const SELF: Argument = N(0);
/// The process of the run that is not a program's.
const INIT: Argument = N(1);

const fn call(what: &'static str, number: c_long, arguments: &'static [Argument]) -> Call {
    Call {
        what,
        number,
        arguments,
        late: &[],
        forks: false,
    }
}

impl Call {
    const fn late(mut self, errors: &'static [i32]) -> Self {
        self.late = errors;
        self
    }

    const fn forks(mut self) -> Self {
        self.forks = true;
        self
    }

    pub(super) fn attempt(&self) -> Found {
        let mut room = [0_u64; ROOM];
        let mut values = [0_i64; 6];
        for (value, argument) in values.iter_mut().zip(self.arguments) {
            *value = match argument {
                N(number) => *number,
                T(text) => text.as_ptr() as i64,
                W(words) => {
                    room[..words.len()].copy_from_slice(words);
                    room.as_mut_ptr() as i64
                }
            };
        }
        // SAFETY: texts end with NUL, and the kernel reads and writes less than `room` has; both outlive the call.
        // A child gets a copy of this memory, and does nothing but end.
        let result = unsafe {
            let result = libc::syscall(
                self.number,
                values[0],
                values[1],
                values[2],
                values[3],
                values[4],
                values[5],
            );
            if self.forks && result == 0 {
                libc::_exit(0);
            }
            result
        };
        let error = last_error();
        if result == -1 && self.late.contains(&error) {
            return Found::Reached(format!("allowed, then {}", name(error)));
        }
        unless_negative(result, "allowed")
    }
}

/// Namespaces in which a program would be root again.
const NEW_USER: i64 = libc::CLONE_NEWUSER as i64;
const CHILD: i64 = libc::SIGCHLD as i64;

/// All of them. None changes anything where it is allowed, but for the process that makes it.
pub(super) const CALLS: &[Call] = &[
    call(
        "unshare a user namespace",
        libc::SYS_unshare,
        &[N(NEW_USER)],
    ),
    call(
        "unshare a mount namespace",
        libc::SYS_unshare,
        &[N(libc::CLONE_NEWNS as i64)],
    ),
    call(
        "clone into a user namespace",
        libc::SYS_clone,
        &[N(NEW_USER | CHILD)],
    )
    .forks(),
    call(
        "clone into a network namespace",
        libc::SYS_clone,
        &[N(libc::CLONE_NEWNET as i64 | CHILD)],
    )
    .forks(),
    call(
        "clone3 into a user namespace",
        libc::SYS_clone3,
        &[W(&[NEW_USER as u64, 0, 0, 0, CHILD as u64, 0, 0, 0]), N(64)],
    )
    .forks(),
    call(
        "clone a sibling",
        libc::SYS_clone,
        &[N(libc::CLONE_PARENT as i64 | CHILD)],
    )
    .forks(),
    call("enter a namespace", libc::SYS_setns, &[WRONG, NONE]).late(&[EBADF]),
    // A file system that does not exist is looked for last.
    call(
        "mount a file system",
        libc::SYS_mount,
        &[T(c"none"), T(c"."), T(c"grader-canary"), NONE, NONE],
    )
    .late(&[ENODEV]),
    // Marks it for a later unmounting, and never unmounts the root.
    call(
        "unmount the root",
        libc::SYS_umount2,
        &[T(c"/"), N(libc::MNT_EXPIRE as i64)],
    )
    .late(&[EINVAL, EBUSY, EAGAIN]),
    call("pivot the root", libc::SYS_pivot_root, &[T(c"/"), T(c"/")]).late(&[EBUSY, EINVAL]),
    call("change the root", libc::SYS_chroot, &[T(c".")]),
    call(
        "copy the mounts",
        libc::SYS_open_tree,
        &[HERE, T(c"/"), N(libc::OPEN_TREE_CLONE as i64)],
    ),
    call(
        "move a mount",
        libc::SYS_move_mount,
        &[WRONG, T(c"grader-canary"), WRONG, T(c"grader-canary"), NONE],
    )
    .late(&[EBADF]),
    call(
        "open a new file system",
        libc::SYS_fsopen,
        &[T(c"tmpfs"), NONE],
    ),
    call(
        "pick a mounted file system",
        libc::SYS_fspick,
        &[HERE, T(c"/"), NONE],
    ),
    // Clears a flag that only a sandbox sets.
    call(
        "make the root writable",
        libc::SYS_mount_setattr,
        &[HERE, T(c"/"), NONE, W(&[0, READ_ONLY, 0, 0]), N(32)],
    ),
    call(
        "make the system's folder writable",
        libc::SYS_mount_setattr,
        &[HERE, T(c"/usr"), NONE, W(&[0, READ_ONLY, 0, 0]), N(32)],
    )
    .late(&[EINVAL]),
    call(
        "open a file by its inode",
        libc::SYS_open_by_handle_at,
        &[HERE, W(&[8 | 1 << 32, 2]), NONE],
    )
    .late(&[ESTALE, EINVAL]),
    call(
        "trace itself for its parent",
        libc::SYS_ptrace,
        &[N(libc::PTRACE_TRACEME as i64)],
    ),
    call(
        "compare itself with init",
        libc::SYS_kcmp,
        &[INIT, INIT, NONE],
    ),
    call(
        "load a bpf map",
        libc::SYS_bpf,
        &[NONE, W(&[2 | 4 << 32, 4 | 1 << 32]), N(16)],
    ),
    call(
        "open a performance counter",
        libc::SYS_perf_event_open,
        &[
            W(&[1 | 64 << 32, 1, 0, 0, 0, 0x60, 0, 0]),
            SELF,
            WRONG,
            WRONG,
            NONE,
        ],
    ),
    call(
        "handle page faults itself",
        libc::SYS_userfaultfd,
        // For its own accesses only, which needs the least rights.
        &[N(1)],
    ),
    call(
        "set up an io_uring",
        libc::SYS_io_uring_setup,
        &[N(1), W(&[0])],
    ),
    call(
        "watch files by fanotify",
        libc::SYS_fanotify_init,
        &[N(0x200), NONE],
    ),
    call("watch files by inotify", libc::SYS_inotify_init1, &[NONE]),
    #[cfg(target_arch = "x86_64")]
    call(
        "watch files by inotify of old",
        libc::SYS_inotify_init,
        &[NONE],
    ),
    call(
        "make a memory file",
        libc::SYS_memfd_create,
        &[T(c"canary"), NONE],
    ),
    call("make secret memory", libc::SYS_memfd_secret, &[NONE]),
    // To the keyring of this process.
    call(
        "add a key",
        libc::SYS_add_key,
        &[T(c"user"), T(c"grader-canary"), T(c"x"), N(1), N(-2)],
    ),
    call(
        "find the user's keyring",
        libc::SYS_keyctl,
        &[NONE, N(-4), NONE],
    ),
    // No kernel has so many parts, and none has such flags.
    call(
        "load another kernel",
        libc::SYS_kexec_load,
        &[NONE, N(9999), NONE, N(0x8000)],
    )
    .late(&[EINVAL]),
    call(
        "load a module",
        libc::SYS_init_module,
        &[NONE, NONE, T(c"")],
    )
    .late(&[ENOEXEC, EFAULT, EINVAL]),
    call(
        "load a module from a file",
        libc::SYS_finit_module,
        &[WRONG, T(c""), NONE],
    )
    .late(&[EBADF, ENOEXEC]),
    call(
        "unload a module",
        libc::SYS_delete_module,
        &[T(c"grader-canary"), N(libc::O_NONBLOCK as i64)],
    )
    .late(&[ENOENT]),
    // Without the numbers that must be said with it.
    call("reboot", libc::SYS_reboot, &[NONE, NONE, NONE, NONE]).late(&[EINVAL]),
    call(
        "swap to a file",
        libc::SYS_swapon,
        &[T(c"/grader-canary"), NONE],
    )
    .late(&[ENOENT]),
    call("unswap a file", libc::SYS_swapoff, &[T(c"/grader-canary")]).late(&[ENOENT]),
    call("write accounts", libc::SYS_acct, &[T(c"/grader-canary")]).late(&[ENOENT]),
    // Of group quotas, whether they are on.
    call(
        "read quotas",
        libc::SYS_quotactl,
        &[N(0x0080_0004 << 8 | 1), T(c"/dev/null"), NONE, W(&[0])],
    ),
    call(
        "read the kernel's log",
        libc::SYS_syslog,
        &[N(10), NONE, NONE],
    ),
    call("set the clock", libc::SYS_settimeofday, &[NONE, NONE]),
    // To ticks of no length.
    call("adjust the clock", libc::SYS_adjtimex, &[W(&[0x4000])]).late(&[EINVAL]),
    call(
        "set the host name",
        libc::SYS_sethostname,
        &[T(c"x"), WRONG],
    )
    .late(&[EINVAL]),
    call(
        "set the domain name",
        libc::SYS_setdomainname,
        &[T(c"x"), WRONG],
    )
    .late(&[EINVAL]),
    #[cfg(target_arch = "x86_64")]
    call("reach all ports", libc::SYS_iopl, &[N(3)]),
    #[cfg(target_arch = "x86_64")]
    call("reach a port", libc::SYS_ioperm, &[N(0x80), N(1), N(1)]),
    #[cfg(target_arch = "x86_64")]
    call(
        "read its segments",
        libc::SYS_modify_ldt,
        &[NONE, W(&[0]), N(16)],
    ),
    call(
        "run at fixed addresses",
        libc::SYS_personality,
        &[N(libc::ADDR_NO_RANDOMIZE as i64)],
    ),
    // Standard input is no terminal.
    call(
        "type on the terminal",
        libc::SYS_ioctl,
        &[NONE, N(libc::TIOCSTI as i64), T(c"x")],
    )
    .late(&[ENOTTY]),
    // To the policy that it has.
    call(
        "choose a node for its memory",
        libc::SYS_set_mempolicy,
        &[NONE, NONE, NONE],
    ),
    call(
        "leave its core",
        libc::SYS_sched_setaffinity,
        &[SELF, N(8), W(&[u64::MAX])],
    )
    .late(&[EINVAL]),
];
