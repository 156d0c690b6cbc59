//! Attempts on files and devices.
#![expect(unsafe_code, reason = "looks at descriptors, makes devices")]

use std::ffi::CStr;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::process::Command;

use super::found::{Found, denied_by, first_reached, unless_failed, unless_negative};
use super::inside::{Cage, Probe};

pub(super) const INHERITED: &str = "use an inherited descriptor";

/// Looks for descriptors of the sandbox's own processes.
pub(super) fn open_descriptors() -> Found {
    // SAFETY: plain numbers; asks only.
    let is_open = |number: &i32| unsafe { libc::fcntl(*number, libc::F_GETFD) } != -1;
    let open: Vec<String> = (3..1024).filter(is_open).map(|it| it.to_string()).collect();
    if open.is_empty() {
        Found::Denied("none is open".to_owned())
    } else {
        Found::Reached(open.join(", "))
    }
}

const fn probe(what: &'static str, attempt: fn(&Cage) -> Found) -> Probe {
    Probe { what, attempt }
}

pub(super) const PROBES: &[Probe] = &[
    probe("mount a tmpfs", |_| mount(c"tmpfs", c"tmpfs", 0)),
    probe("mount a proc", |_| mount(c"proc", c"proc", 0)),
    probe("bind the root elsewhere", |_| {
        mount(c"/", c"", libc::MS_BIND)
    }),
    probe("remount the system's folder writable", |_| remount()),
    probe("make a block device", |_| {
        make_device(libc::S_IFBLK, libc::makedev(8, 0))
    }),
    probe("make a character device", |_| {
        make_device(libc::S_IFCHR, libc::makedev(1, 1))
    }),
    probe("open a disk", |_| {
        open_any(&[
            "/dev/vda",
            "/dev/sda",
            "/dev/nvme0n1",
            "/dev/xvda",
            "/dev/mmcblk0",
            "/dev/dm-0",
            "/dev/loop0",
        ])
    }),
    probe("open physical memory", |_| {
        open_any(&["/dev/mem", "/dev/port", "/proc/kcore"])
    }),
    probe("open the kernel's messages", |_| {
        open_any(&["/dev/kmsg", "/proc/kmsg"])
    }),
    probe("open a device for virtual machines and networks", |_| {
        open_any(&["/dev/kvm", "/dev/vhost-vsock", "/dev/net/tun", "/dev/fuse"])
    }),
    probe("open the terminal", |_| {
        open_any(&["/dev/tty", "/dev/console", "/dev/ptmx"])
    }),
    probe("set the handler of core dumps", |_| {
        open_to_write("/proc/sys/kernel/core_pattern")
    }),
    probe("set a parameter of the kernel", |_| {
        open_to_write("/proc/sys/vm/overcommit_memory")
    }),
    probe("trigger a system request", |_| {
        open_to_write("/proc/sysrq-trigger")
    }),
    probe("see the kernel's devices", |_| list(&["/sys"])),
    probe("change a control group", |_| {
        open_to_write("/sys/fs/cgroup/cgroup.procs")
    }),
    probe("read the passwords", |_| {
        open_any(&["/etc/shadow", "/etc/gshadow"])
    }),
    probe("see the users' folders", |_| list(&["/root", "/home"])),
    probe("see the system's state", |_| {
        list(&["/var", "/run", "/srv", "/mnt", "/opt", "/boot"])
    }),
    probe("read a file of the grader", |cage| {
        unless_failed(fs::read(&cage.scene.file), "read")
    }),
    probe("read a file of the grader from above the root", |cage| {
        let path = format!("../../../../../../../..{}", cage.scene.file);
        unless_failed(fs::read(path), "read")
    }),
    probe("read a file of the grader through init", |cage| {
        let path = format!("/proc/1/root{}", cage.scene.file);
        unless_failed(fs::read(path), "read")
    }),
    probe("write to the root", |_| create("/")),
    probe("write to the system's folder", |_| create("/usr")),
    probe("write to the system's settings", |_| create("/etc")),
    probe("write to the build", |_| create("/build")),
    probe("write to the devices", |_| create("/dev")),
    probe("change the program", |_| change_itself()),
    probe("write to its own input", |_| {
        first_reached([
            open_to_write("/proc/self/fd/0"),
            open_to_write("/dev/stdin"),
        ])
    }),
    probe("execute a file that it wrote", |_| {
        execute("./grader-canary")
    }),
    probe("execute a file that it wrote to /tmp", |cage| {
        execute(&format!("/tmp/grader-canary-{}", cage.driver))
    }),
    probe("map a file that it wrote as code", |_| map_as_code()),
    probe("ask for the locks on a folder of the system", |_| {
        let mut wanted = no_lock();
        ask_of(
            "/usr/bin",
            libc::F_GETLK,
            std::ptr::from_mut(&mut wanted) as libc::c_long,
        )
    }),
    probe("watch a folder of the system by a signal", |_| {
        // F_NOTIFY, without anything to watch for: takes back a watch that there is not.
        ask_of("/usr/bin", 1024 + 2, 0)
    }),
    probe("lock a file of the system", |_| lock("/usr")),
];

/// Mounts something on its own folder, and takes it away at once.
fn mount(source: &CStr, kind: &CStr, flags: libc::c_ulong) -> Found {
    // SAFETY: texts end with NUL and outlive the calls.
    unsafe {
        let mounted = libc::mount(
            source.as_ptr(),
            c".".as_ptr(),
            kind.as_ptr(),
            flags,
            std::ptr::null(),
        );
        let found = unless_negative(mounted, "mounted");
        if mounted == 0 {
            libc::umount2(c".".as_ptr(), libc::MNT_DETACH);
        }
        found
    }
}

/// Asks for the flags that the mount has, without the one for reading only.
fn remount() -> Found {
    let flags = match rustix::fs::statvfs("/usr") {
        Ok(state) => state.f_flag.bits(),
        Err(error) => return denied_by(&error.into()),
    };
    let kept = flags & (libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_NOATIME);
    // SAFETY: texts end with NUL and outlive the call.
    let result = unsafe {
        libc::mount(
            std::ptr::null(),
            c"/usr".as_ptr(),
            std::ptr::null(),
            libc::MS_REMOUNT | libc::MS_BIND | kept,
            std::ptr::null(),
        )
    };
    match (result, super::found::last_error()) {
        // Where it is no mount of its own.
        (-1, libc::EINVAL) => Found::Reached("allowed, then EINVAL".to_owned()),
        _ => unless_negative(result, "remounted"),
    }
}

/// Makes a device in its own folder, and removes it at once.
fn make_device(kind: libc::mode_t, number: libc::dev_t) -> Found {
    let name = c"grader-canary-device";
    // SAFETY: the text ends with NUL and outlives the calls.
    unsafe {
        let made = libc::mknod(name.as_ptr(), kind | 0o600, number);
        let found = unless_negative(made, "made");
        if made == 0 {
            libc::unlink(name.as_ptr());
        }
        found
    }
}

/// Opens the first of these that there is. Neither waits nor becomes its controlling terminal.
fn open_any(paths: &[&str]) -> Found {
    let open = |path: &&str| {
        let opened = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(path);
        unless_failed(opened, &format!("opened {path}"))
    };
    first_reached(paths.iter().map(open))
}

/// Opens something for writing, and writes nothing.
fn open_to_write(path: &str) -> Found {
    unless_failed(OpenOptions::new().write(true).open(path), "opened")
}

fn list(folders: &[&str]) -> Found {
    let list = |path: &&str| unless_failed(fs::read_dir(path), &format!("listed {path}"));
    first_reached(folders.iter().map(list))
}

/// Makes a file, and removes it at once.
fn create(folder: &str) -> Found {
    let path = format!("{}/grader-canary", folder.trim_end_matches('/'));
    match File::create_new(&path) {
        Ok(_) => match fs::remove_file(&path) {
            Ok(()) => Found::Reached("written".to_owned()),
            Err(error) => Found::Reached(format!("written, and not removed: {error}")),
        },
        Err(error) => denied_by(&error),
    }
}

/// Gives the program's file the mode that it has.
fn change_itself() -> Found {
    let Some(path) = std::env::args_os().next() else {
        return Found::Denied("nameless".to_owned());
    };
    let changed =
        fs::metadata(&path).and_then(|file| fs::set_permissions(&path, file.permissions()));
    unless_failed(changed, "changed")
}

fn execute(path: &str) -> Found {
    let executed = fs::write(path, "#!/bin/sh\nexit 0\n")
        .and_then(|()| fs::set_permissions(path, Permissions::from_mode(0o700)))
        .and_then(|()| Command::new(path).status());
    // What is not there needs no removal.
    let _ = fs::remove_file(path);
    unless_failed(executed, "executed")
}

fn map_as_code() -> Found {
    let path = "grader-canary-code";
    let file = fs::write(path, [0; 4096]).and_then(|()| File::open(path));
    let found = match file {
        Ok(file) => {
            // SAFETY: a new mapping of our own file, which nobody uses.
            let mapped = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    4096,
                    libc::PROT_READ | libc::PROT_EXEC,
                    libc::MAP_PRIVATE,
                    file.as_raw_fd(),
                    0,
                )
            };
            unless_negative(mapped as i64, "mapped")
        }
        Err(error) => denied_by(&error),
    };
    // What is not there needs no removal.
    let _ = fs::remove_file(path);
    found
}

/// A lock of the whole file, for reading.
fn no_lock() -> libc::flock {
    // SAFETY: all-zero bytes are a valid lock.
    let mut lock: libc::flock = unsafe { std::mem::zeroed() };
    lock.l_type = libc::F_RDLCK as libc::c_short;
    lock
}

/// Makes a request of `fcntl` of a folder that other runs see too.
fn ask_of(path: &str, request: libc::c_int, argument: libc::c_long) -> Found {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return denied_by(&error),
    };
    // SAFETY: the argument is a number, or the address of a lock that outlives the call.
    let done = unsafe { libc::fcntl(file.as_raw_fd(), request, argument) };
    unless_negative(done, "told")
}

/// Locks a folder that other runs see too: a note for them.
fn lock(path: &str) -> Found {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return denied_by(&error),
    };
    // SAFETY: plain numbers.
    let locked = unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_SH | libc::LOCK_NB) };
    unless_negative(locked, "locked")
}

/// Reads the first byte of a file.
pub(super) fn read_a_byte(path: &str) -> Found {
    match File::open(path).and_then(|mut file| file.read(&mut [0])) {
        Ok(1) => Found::Reached("read".to_owned()),
        Ok(_) => Found::Denied("empty".to_owned()),
        Err(error) => denied_by(&error),
    }
}
