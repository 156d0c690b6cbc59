//! The system calls that a program may not make.
//!
//! A deny list: everything else is allowed, because the needs of the JVM, CPython and the compilers change with their
//! versions, and because namespaces, user ids and Landlock are behind it. It closes what those leave open (the
//! keyrings, `AF_VSOCK`, new namespaces in which a program would be root again) and parts of the kernel that no
//! assignment needs and that have a history of vulnerabilities (`bpf`, `io_uring`, `userfaultfd`). The rules and their
//! reasons are in `table`.
//!
//! Not covered: it sees numbers, not the data behind pointers.
//!
//! **Cost.** A filter is installed once per run. The kernel then executes it for every system call number, to cache
//! which calls are allowed whatever their arguments; that is the cost of an installation. So the rules are compiled to
//! a search tree (`tree`), which takes a third of the time of a list as the usual crates build it: 0.2 ms less per run.
//! Those crates also support neither several actions in a filter nor ranges. `docs/lab-sandbox.md` has the figures.
#![expect(unsafe_code, reason = "the system call that installs the filter")]

use std::{io, ptr};

mod table;
#[cfg(test)]
mod tests;
mod tree;

/// A compiled filter, built once and installed in each program.
pub(crate) struct Filter(Vec<libc::sock_filter>);

impl Filter {
    /// The filter for this machine; `None` if we do not know its system call numbers.
    pub(crate) fn new() -> Option<Self> {
        Some(Self(tree::compile(table::ARCHITECTURE?, table::RULES)))
    }

    /// The same, if filters can be installed: an old kernel or a container may forbid it. Tested by installing a filter
    /// at address zero, which fails in any case, but with a different error.
    pub(crate) fn accepted() -> Option<Self> {
        // SAFETY: the kernel looks for a program at address zero, finds none and changes nothing.
        let result = unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                ptr::null::<libc::sock_fprog>(),
            )
        };
        let error = io::Error::last_os_error().raw_os_error();
        if result == -1 && error == Some(libc::EFAULT) {
            Self::new()
        } else {
            None
        }
    }

    /// Puts the calling thread and all its descendants under the filter for good; -1, with `errno`, if that fails.
    ///
    /// Safe between fork and exec: one system call, no allocation. `PR_SET_NO_NEW_PRIVS` must be set before.
    pub(crate) fn install(&self) -> libc::c_int {
        let program = libc::sock_fprog {
            // The kernel accepts 1 to 4096 instructions.
            len: self.0.len() as libc::c_ushort,
            filter: self.0.as_ptr().cast_mut(),
        };
        // SAFETY: `program` describes our instructions, which outlive the call and are only read.
        unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                // Otherwise, kernels before 5.16 slow down every filtered program with speculation mitigations.
                libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW,
                &raw const program,
            ) as libc::c_int
        }
    }
}
