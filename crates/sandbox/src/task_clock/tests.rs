use std::ffi::CString;
use std::io::{IoSlice, IoSliceMut, PipeReader};
use std::mem::MaybeUninit;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use tempfile::TempDir;

use super::*;
use crate::system::Pid;

/// An ordinary user.
const USER: u32 = 1000;

/// The compiled burner, where every user may execute it.
struct Burner {
    program: PathBuf,
    _folder: TempDir,
}

impl Burner {
    fn new() -> Option<Self> {
        if let Err(error) = TaskClock::open() {
            eprintln!("skipped: {error}");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let program = folder.path().join("burner");
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/task_clock/burner.c");
        let compiled = Command::new("cc")
            .args(["-O1", "-pthread", "-o"])
            .args([&program, &PathBuf::from(source)])
            .status();
        let Ok(status) = compiled else {
            eprintln!("skipped: no C compiler");
            return None;
        };
        assert!(status.success());
        Some(Self {
            program,
            _folder: folder,
        })
    }

    /// A process opens a clock and passes it to us; its child's child executes the burner.
    fn start(&self, way: &str, user: Option<u32>) -> Burning {
        let program = CString::new(self.program.as_os_str().as_bytes()).unwrap();
        let way = CString::new(way).unwrap();
        let arguments = [program.as_ptr(), way.as_ptr(), std::ptr::null()];
        let environment = [std::ptr::null()];
        let (reports, writer) = io::pipe().unwrap();
        let (ours, theirs) = UnixStream::pair().unwrap();
        // SAFETY: up to `execve` the children make system calls only, on what was prepared.
        let opener = unsafe {
            match libc::fork() {
                0 => {
                    libc::setpgid(0, 0);
                    if user.is_some_and(|user| !becomes(user)) {
                        libc::_exit(10);
                    }
                    let Ok(clock) = TaskClock::open() else {
                        libc::_exit(11);
                    };
                    if !send(&theirs, &clock) {
                        libc::_exit(12);
                    }
                    if libc::fork() == 0 && libc::fork() == 0 {
                        libc::dup2(writer.as_raw_fd(), 1);
                        libc::execve(program.as_ptr(), arguments.as_ptr(), environment.as_ptr());
                        libc::_exit(13);
                    }
                    // The opener and its child: what each started, if anything.
                    libc::wait(std::ptr::null_mut());
                    libc::_exit(0);
                }
                opener => opener,
            }
        };
        drop((writer, theirs));
        Burning {
            clock: receive(&ours),
            reports,
            opener,
        }
    }
}

/// A burner that was started.
struct Burning {
    clock: TaskClock,
    reports: PipeReader,
    opener: Pid,
}

impl Burning {
    /// Waits until all of it has ended; the sum of what its processes said.
    fn end(&mut self) -> Duration {
        let reports = io::read_to_string(&mut self.reports).unwrap();
        let sum = reports.lines().map(|line| line.parse::<u64>().unwrap());
        let sum = Duration::from_nanos(sum.sum());
        crate::system::reap(self.opener).unwrap();
        sum
    }
}

/// Gives up being root, by system calls alone; `libc`'s functions would tell the threads of the parent.
fn becomes(user: u32) -> bool {
    // SAFETY: plain numbers, and a null pointer for an empty list.
    unsafe {
        libc::syscall(libc::SYS_setgroups, 0, std::ptr::null::<libc::gid_t>()) == 0
            && libc::syscall(libc::SYS_setresgid, user, user, user) == 0
            && libc::syscall(libc::SYS_setresuid, user, user, user) == 0
    }
}

fn send(socket: &UnixStream, clock: &TaskClock) -> bool {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut passed = SendAncillaryBuffer::new(&mut space);
    let clocks = [clock.as_fd()];
    passed.push(SendAncillaryMessage::ScmRights(&clocks))
        && sendmsg(
            socket,
            &[IoSlice::new(b"c")],
            &mut passed,
            SendFlags::empty(),
        )
        .is_ok()
}

fn receive(socket: &UnixStream) -> TaskClock {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut passed = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let mut bytes = [IoSliceMut::new(&mut byte)];
    recvmsg(socket, &mut bytes, &mut passed, RecvFlags::CMSG_CLOEXEC).unwrap();
    let clock = passed.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut clocks) => clocks.next(),
        _ => None,
    });
    clock.expect("the opener passes its clock").into()
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Compares the clock with what the processes say of themselves.
#[track_caller]
fn counts_all_of(way: &str, least: Duration) {
    let Some(burner) = Burner::new() else {
        return;
    };
    let mut users = vec![None];
    if is_root() {
        users.push(Some(USER));
    } else {
        eprintln!("skipped: only root can become another user");
    }
    for user in users {
        let before = stolen();
        let mut burning = burner.start(way, user);
        let told = burning.end();
        // The opener is gone and was reaped, and so is everything else.
        let counted = burning.clock.read().unwrap();
        // Ticks are whole: one may be missing on each of the processors that it ran on, of which two will do.
        let stolen =
            stolen().saturating_sub(before) + Duration::from_millis(2000 / ticks_a_second());
        eprintln!("{way} as {user:?}: told {told:?}, counted {counted:?}, stolen {stolen:?}");
        assert!(told >= least, "{way}: told only {told:?}");
        let slack = told / 50 + Duration::from_millis(4);
        // What processes do before they first and after they last look at their own clocks, on a slow and busy machine.
        let start = Duration::from_millis(30);
        assert!(
            counted + slack >= told && counted <= told + slack + start + stolen,
            "{way} as {user:?}: told {told:?}, counted {counted:?}, stolen {stolen:?}"
        );
    }
}

/// What a hypervisor took away from all processors since the start, in whole ticks.
fn stolen() -> Duration {
    let text = fs::read_to_string("/proc/stat").unwrap();
    let ticks = text.lines().next().unwrap().split_ascii_whitespace().nth(8);
    let ticks: u64 = ticks.map_or(0, |ticks| ticks.parse().unwrap());
    Duration::from_millis(1000 * ticks / ticks_a_second())
}

fn ticks_a_second() -> u64 {
    crate::system::configured(libc::_SC_CLK_TCK).unwrap()
}

const ONE: Duration = Duration::from_millis(150);

#[test]
fn a_process_is_counted() {
    counts_all_of("alone", ONE);
}

#[test]
fn an_orphan_in_a_session_of_its_own_is_counted() {
    counts_all_of("orphan", ONE);
}

#[test]
fn a_child_that_nobody_waits_for_is_counted() {
    counts_all_of("ignored", ONE);
}

#[test]
fn every_thread_is_counted() {
    counts_all_of("threads", 4 * ONE);
}

#[test]
fn system_time_is_counted() {
    counts_all_of("system", ONE);
}

#[test]
fn a_program_cannot_stop_its_clock() {
    counts_all_of("disabled", 2 * ONE);
}

#[test]
fn living_processes_are_counted_and_dead_ones_no_longer() {
    let Some(burner) = Burner::new() else {
        return;
    };
    let mut burning = burner.start("endless", None);
    // Two processes run and none has ended: time that is seen is theirs.
    while burning.clock.read().unwrap() < ONE {
        thread::yield_now();
    }
    crate::system::kill_group(burning.opener).unwrap();
    burning.end();
    let counted = burning.clock.read().unwrap();
    assert!(counted >= ONE);
    assert_eq!(burning.clock.read().unwrap(), counted);
}

#[test]
fn the_opener_itself_is_not_counted() {
    let clock = match TaskClock::open() {
        Ok(clock) => clock,
        Err(error) => {
            eprintln!("skipped: {error}");
            return;
        }
    };
    assert!((0..1_000_000_u64).map(std::hint::black_box).sum::<u64>() > 0);
    assert_eq!(clock.read().unwrap(), Duration::ZERO);
    assert!(Command::new("true").status().unwrap().success());
    assert!(clock.read().unwrap() > Duration::ZERO);
}

#[test]
fn a_refusal_says_what_stands_in_the_way() {
    let text = |errno| explained(io::Error::from_raw_os_error(errno)).to_string();
    let level = fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    let level = level.as_deref().map_or("unknown", str::trim);
    let expected = format!(
        "Permission denied (os error 13): `kernel.perf_event_paranoid` is {level}, which keeps \
         performance events from ordinary users (2 would do)"
    );
    assert_eq!(text(libc::EACCES), expected);
    assert_eq!(
        text(libc::EPERM),
        "Operation not permitted (os error 1): performance events are forbidden here, as in many \
         containers"
    );
    assert_eq!(
        text(libc::ENOSYS),
        "Function not implemented (os error 38): this kernel was built without performance events"
    );
    assert_eq!(
        explained(io::Error::from_raw_os_error(libc::EMFILE)).raw_os_error(),
        Some(libc::EMFILE)
    );
}
