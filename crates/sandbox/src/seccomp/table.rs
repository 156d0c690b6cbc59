//! Which system calls are refused, how, and why.
//!
//! `EPERM` is the kernel's answer to an ordinary user, and a program that tries such a call expects it. `ENOSYS` is the
//! answer of an older kernel: for what programs probe and can do without.

/// The kernel's number of this architecture (`AUDIT_ARCH_…`); `None` if there is no table for it.
pub(super) const ARCHITECTURE: Option<u32> =
    if cfg!(all(target_arch = "x86_64", target_pointer_width = "64")) {
        Some(0xc000_003e)
    } else if cfg!(all(target_arch = "aarch64", target_endian = "little")) {
        Some(0xc000_00b7)
    } else {
        None
    };

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub(super) use here::RULES;

/// Not supported here.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) const RULES: &[super::tree::SyscallRule] = &[];

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod here {
    use libc::{
        AF_UNIX, CLONE_PARENT, EAFNOSUPPORT, ENOSYS, EOPNOTSUPP, EPERM, TIOCLINUX, TIOCSTI,
    };

    use super::super::tree::{Action, SyscallRule, Test};

    /// The last number that we know: `file_setattr`, Linux 6.17.
    const NEWEST: u32 = 469;
    /// From here on they are those of x32 on x86-64 (`__X32_SYSCALL_BIT`): the same calls by other numbers.
    /// Elsewhere there are none.
    const OTHER: u32 = 0x4000_0000;

    /// Flags of `clone` that make a namespace. (`CLONE_NEWTIME` is a flag of `clone3` only.)
    const NAMESPACES: libc::c_int = libc::CLONE_NEWNS
        | libc::CLONE_NEWCGROUP
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET;

    /// Requests of `prctl`, which libc does not name on all systems: `PR_SCHED_CORE`, which keeps neighbours off a
    /// processor that shares its core, and `PR_SET_MEMORY_MERGE`, by which a program learns what is in the memory of
    /// others.
    const CONTROLS: &[u32] = &[62, 67];

    /// Requests of `fcntl` by which a file that two programs see tells one of the other: locks, and watches. (The last
    /// are `F_NOTIFY` and `F_SET_RW_HINT`, which libc does not name on all systems; the hint stays with the file.)
    const NOTES: &[u32] = &[
        libc::F_GETLK as u32,
        libc::F_SETLK as u32,
        libc::F_SETLKW as u32,
        libc::F_OFD_GETLK as u32,
        libc::F_OFD_SETLK as u32,
        libc::F_OFD_SETLKW as u32,
        libc::F_SETLEASE as u32,
        1024 + 2,
        1024 + 12,
    ];

    /// Advice on memory that moves the pages of files in and out of the page cache, one by one, or joins pages:
    /// `MADV_RANDOM`, `MADV_SEQUENTIAL`, `MADV_WILLNEED`, `MADV_MERGEABLE`, `MADV_COLD`, `MADV_PAGEOUT`,
    /// `MADV_COLLAPSE`.
    const ADVICE: &[u32] = &[1, 2, 3, 12, 20, 21, 25];

    macro_rules! rule {
        ($action:expr; $($call:ident),* $(,)?) => {
            SyscallRule { calls: &[$((libc::$call as u32, libc::$call as u32)),*], action: $action }
        };
    }

    const REFUSE: Action = Action::Errno(EPERM);
    const ABSENT: Action = Action::Errno(ENOSYS);

    pub(in super::super) const RULES: &[SyscallRule] = &[
        // The view of the file system is what keeps hidden cases hidden. (Looking at mounts is allowed.)
        rule![REFUSE;
            SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree, SYS_move_mount, SYS_fsopen,
            SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr,
        ],
        // `open_tree_attr`, which libc does not name yet; the same number on all machines.
        SyscallRule {
            calls: &[(467, 467)],
            action: REFUSE,
        },
        // In a namespace of its own a program is root again, and reaches the parts of the kernel for root.
        rule![REFUSE; SYS_unshare, SYS_setns],
        // A sibling would be its parent's child, and not counted with the program.
        rule![Action::RefuseIf(0, Test::AnyBit((NAMESPACES | CLONE_PARENT) as u32), EPERM); SYS_clone],
        // Its flags are behind a pointer. C libraries fall back to `clone`.
        rule![ABSENT; SYS_clone3],
        // Other processes: their memory, descriptors and secrets.
        rule![REFUSE;
            SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise,
            SYS_process_mrelease, SYS_kcmp, SYS_pidfd_getfd,
        ],
        // No network: what a family other than AF_UNIX reaches (AF_VSOCK: the host of a virtual machine)
        // is not always behind the network namespace. The answer is that of a kernel built without the
        // family; run-time libraries probe for IPv6 and take it in their stride.
        rule![Action::RefuseUnless(0, Test::OneOf(&[AF_UNIX as u32]), EAFNOSUPPORT);
            SYS_socket, SYS_socketpair,
        ],
        // Types commands on the terminal that the grader was started from.
        rule![Action::RefuseIf(1, Test::OneOf(&[TIOCSTI as u32, TIOCLINUX as u32]), EPERM); SYS_ioctl],
        // Kept by the kernel for a user, not for a run: notes from one run to the next.
        rule![REFUSE; SYS_add_key, SYS_request_key, SYS_keyctl],
        // Large, and the road of many escapes. Whoever uses `io_uring` or secret memory probes for it. (The older
        // way to write in the background draws on one small number for the whole machine.)
        rule![REFUSE; SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_fanotify_init, SYS_fanotify_mark],
        rule![ABSENT;
            SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register, SYS_memfd_secret,
            SYS_io_setup,
        ],
        // A file without a place: executed, it passes by the mounts that forbid execution, and by the clock
        // (see `task_clock`); filled, it is memory that is no process's. Kernels before 3.17 do without it,
        // and so do all programs that we run; ZGC of the JVM then takes `/dev/shm` for its heap.
        rule![ABSENT; SYS_memfd_create],
        // Notes from one run to another at the same time, on files and devices of the system that both see: a lock is
        // a bit that everybody can read, and so is an access that somebody watches. Programs that lock their own
        // files take this for a file system without locks; who watches files falls back to looking.
        rule![ABSENT; SYS_flock, SYS_inotify_init1],
        #[cfg(target_arch = "x86_64")]
        rule![ABSENT; SYS_inotify_init],
        // The other kinds of lock, and of watch. (Files that are read-only take no lock that could meet another; the
        // null device, which all runs share, is writable.)
        rule![Action::RefuseIf(1, Test::OneOf(NOTES), ENOSYS); SYS_fcntl],
        // Notes from one run to a later one, whoever's: which pages of a file, and which names, the kernel has in
        // memory. Programs ask for all of these only to be faster.
        rule![ABSENT; SYS_fadvise64, SYS_readahead, SYS_mincore, SYS_openat2],
        // `cachestat`, which libc does not name on all systems; the same number on all machines.
        SyscallRule {
            calls: &[(451, 451)],
            action: ABSENT,
        },
        rule![Action::RefuseUnless(5, Test::OneOf(&[0]), EOPNOTSUPP); SYS_preadv2, SYS_pwritev2],
        // Advice may be ignored: report success.
        rule![Action::RefuseIf(2, Test::OneOf(ADVICE), 0); SYS_madvise],
        // System V objects: kernel memory that is no process's, and only a control group counts it.
        rule![ABSENT; SYS_shmget, SYS_msgget, SYS_semget],
        // The limits of other processes: init is of the same user, and one of CPU time would end it.
        rule![Action::RefuseUnless(0, Test::OneOf(&[0]), EPERM); SYS_prlimit64],
        // What is the machine's, not the program's.
        rule![Action::RefuseIf(0, Test::OneOf(CONTROLS), EPERM); SYS_prctl],
        // Files by inode number, past every directory.
        rule![REFUSE; SYS_name_to_handle_at, SYS_open_by_handle_at],
        // Placement of memory on nodes moves other programs' pages and times. (The JVM asks for it only
        // under `-XX:+UseNUMA`, and goes on without.)
        rule![REFUSE;
            SYS_mbind, SYS_set_mempolicy, SYS_set_mempolicy_home_node, SYS_migrate_pages, SYS_move_pages,
        ],
        // Its core is a program's place: on another it would disturb who is measured there. (Go, the JVM and OpenMP
        // ask where they may run; a program that asks for another core expects a refusal, as outside its cpuset.)
        rule![REFUSE; SYS_sched_setaffinity],
        // Old behaviour on request, such as executable data; asking for the present one is allowed.
        rule![Action::RefuseUnless(0, Test::OneOf(&[0, u32::MAX]), EPERM); SYS_personality],
        // The machine: clock, names, modules, kernel, power, swap, quotas, log, terminal.
        rule![REFUSE;
            SYS_clock_settime, SYS_settimeofday, SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname,
            SYS_setdomainname, SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load,
            SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_quotactl_fd, SYS_syslog,
            SYS_vhangup, SYS_lookup_dcookie, SYS_nfsservctl,
        ],
        // `kexec_file_load`, which libc does not name for musl on ARM.
        #[cfg(not(target_arch = "x86_64"))]
        SyscallRule {
            calls: &[(294, 294)],
            action: REFUSE,
        },
        #[cfg(target_arch = "x86_64")]
        rule![REFUSE;
            SYS_kexec_file_load, SYS_iopl, SYS_ioperm, SYS_modify_ldt, SYS_uselib, SYS__sysctl,
        ],
        // `create_module`, `get_kernel_syms`, `query_module`: gone since Linux 2.6. Refused, they close gaps
        // between their neighbours.
        #[cfg(target_arch = "x86_64")]
        SyscallRule {
            calls: &[(174, 174), (177, 178)],
            action: REFUSE,
        },
        // Makes all disks of the machine busy, at the cost of whatever is measured there.
        rule![REFUSE; SYS_sync, SYS_syncfs],
        // What is younger than this table looks as it does on an older kernel.
        SyscallRule {
            calls: &[(NEWEST + 1, OTHER - 1)],
            action: ABSENT,
        },
        SyscallRule {
            calls: &[(OTHER, u32::MAX)],
            action: if cfg!(target_arch = "x86_64") {
                Action::Kill
            } else {
                ABSENT
            },
        },
    ];
}
