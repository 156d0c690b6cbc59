//! The canary itself, inside.
#![expect(unsafe_code, reason = "forks, and ends children")]

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

use super::found::{Found, name};
use super::{Attempt, Line, Scene, Task, calls, files, network, processes, rights};
use crate::affinity;
use crate::system::{self, Pid};

/// How long one attempt may take before it is ended.
const PATIENCE: Duration = Duration::from_secs(5);

/// What attempts know.
pub(super) struct Cage {
    pub(super) scene: Scene,
    /// The process that makes the attempts' processes.
    pub(super) driver: Pid,
    /// Whether our process ids are our own: whether 1 is the init of the run, and -1 nobody but us.
    pub(super) own_pids: bool,
}

/// One attempt.
pub(super) struct Probe {
    pub(super) what: &'static str,
    pub(super) attempt: fn(&Cage) -> Found,
}

/// Is the canary.
pub(crate) fn serve() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    match serde_json::from_str(&text)? {
        Task::Escape(scene) => try_everything(scene),
        Task::HideTime(milliseconds) => hide_time(Duration::from_millis(milliseconds)),
        Task::TakeMemory(mebibytes, processes) => take_memory(mebibytes, processes),
        Task::Whereabouts => {
            let text = serde_json::to_vec(&affinity::allowed()?)?;
            io::stdout().write_all(&text)
        }
    }
}

fn try_everything(scene: Scene) -> io::Result<()> {
    // Before anything is open but the standard files.
    let inherited = files::open_descriptors();
    // SAFETY: plain numbers.
    let (driver, parent) = unsafe {
        // One attempt sends this to whomever it reaches, and that may be us.
        libc::signal(libc::SIGTERM, libc::SIG_IGN);
        (libc::getpid(), libc::getppid())
    };
    let cage = Cage {
        scene,
        driver,
        // The first process after the first process. At other levels our parent is a launcher, which the grader
        // has started, and which is therefore not process 1.
        own_pids: (driver, parent) == (2, 1),
    };
    say(&Line::Trying(files::INHERITED.to_owned()))?;
    say(&told(files::INHERITED, inherited))?;
    for call in calls::CALLS {
        say(&Line::Trying(call.what.to_owned()))?;
        say(&told(call.what, in_child(|| call.attempt())?))?;
    }
    let probes = [
        files::PROBES,
        network::PROBES,
        rights::PROBES,
        processes::PROBES,
    ];
    for probe in probes.into_iter().flatten() {
        say(&Line::Trying(probe.what.to_owned()))?;
        say(&told(probe.what, in_child(|| (probe.attempt)(&cage))?))?;
    }
    Ok(())
}

fn told(what: &str, found: Found) -> Line {
    let (denied, found) = match found {
        Found::Denied(how) => (true, how),
        Found::Reached(what) => (false, what),
    };
    Line::Tried(Attempt {
        what: what.to_owned(),
        denied,
        found,
    })
}

fn say(line: &Line) -> io::Result<()> {
    let mut text = serde_json::to_vec(line)?;
    text.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&text)?;
    stdout.flush()
}

/// Makes an attempt in a child.
fn in_child(attempt: impl FnOnce() -> Found) -> io::Result<Found> {
    let (mut ours, theirs) = io::pipe()?;
    // SAFETY: this process has one thread, so that the child may do whatever we may.
    let child = unsafe { libc::fork() };
    match child {
        -1 => return Err(io::Error::last_os_error()),
        0 => {
            drop(ours);
            let word = match attempt() {
                Found::Denied(how) => format!("-{how}"),
                Found::Reached(what) => format!("+{what}"),
            };
            // Whoever hears nothing says so.
            let _ = File::from(std::os::fd::OwnedFd::from(theirs)).write_all(word.as_bytes());
            // SAFETY: a plain number.
            unsafe { libc::_exit(0) }
        }
        _ => drop(theirs),
    }
    let mut word = vec![0; 4096];
    // One write, and one read of it: what the attempt has started may hold the other end for longer.
    let in_time = readable(&ours)?;
    let count = if in_time { ours.read(&mut word)? } else { 0 };
    if !in_time {
        // SAFETY: plain numbers; the child has not been reaped.
        unsafe { libc::kill(child, libc::SIGKILL) };
    }
    let status = system::reap(child)?;
    let word = String::from_utf8_lossy(&word[..count]);
    Ok(match (word.split_at_checked(1), in_time) {
        (Some(("-", how)), _) => Found::Denied(how.to_owned()),
        (Some(("+", what)), _) => Found::Reached(what.to_owned()),
        (_, false) => Found::Reached("it did not come back".to_owned()),
        _ if libc::WIFSIGNALED(status) => {
            Found::Denied(format!("killed by {}", signal(libc::WTERMSIG(status))))
        }
        _ => Found::Reached(format!("its process ended with status {status:#x}")),
    })
}

/// Waits until there is something to read, or it has taken too long.
fn readable(pipe: &io::PipeReader) -> io::Result<bool> {
    let [ready] = system::wait_readable([pipe.as_fd()], PATIENCE)?;
    Ok(ready)
}

fn signal(number: i32) -> String {
    match number {
        libc::SIGSYS => "SIGSYS".to_owned(),
        libc::SIGSEGV => "SIGSEGV".to_owned(),
        libc::SIGKILL => "SIGKILL".to_owned(),
        libc::SIGILL => "SIGILL".to_owned(),
        libc::SIGBUS => "SIGBUS".to_owned(),
        _ => format!("signal {number}"),
    }
}

/// Lets a child use CPU time and be reaped by nobody.
fn hide_time(time: Duration) -> io::Result<()> {
    let (mut ours, theirs) = io::pipe()?;
    // SAFETY: plain numbers; this process has one thread.
    let child = unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_IGN);
        libc::fork()
    };
    match child {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            while own_time() < time {}
            // SAFETY: a plain number.
            unsafe { libc::_exit(0) }
        }
        _ => {
            drop(theirs);
            // Its end.
            ours.read_to_end(&mut Vec::new()).map(drop)
        }
    }
}

/// CPU time that this process has used.
fn own_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Fills memory in several processes at the same time, and says how many have got it.
fn take_memory(mebibytes: u64, processes: u32) -> io::Result<()> {
    let (mut ours, theirs) = io::pipe()?;
    for _ in 0..processes {
        // SAFETY: this process has one thread.
        if unsafe { libc::fork() } == 0 {
            let word = match fill((mebibytes as usize) << 20) {
                Ok(()) => "filled\n".to_owned(),
                Err(error) => format!("{}\n", name(error.raw_os_error().unwrap_or(0))),
            };
            // SAFETY: plain numbers and a text that outlives the call; waits for the signal that ends the run.
            unsafe {
                libc::write(theirs.as_raw_fd(), word.as_ptr().cast(), word.len());
                libc::close(theirs.as_raw_fd());
                libc::pause();
                libc::_exit(0)
            }
        }
    }
    drop(theirs);
    // Until each has said its word, or was killed before.
    let mut words = String::new();
    ours.read_to_string(&mut words)?;
    io::stdout().write_all(words.as_bytes())
}

/// Takes memory and writes to each page of it.
fn fill(size: usize) -> io::Result<()> {
    // SAFETY: new memory, which nobody else knows; every write is within it.
    unsafe {
        let memory = libc::mmap(
            std::ptr::null_mut(),
            size,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        if memory == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        for page in (0..size).step_by(4096) {
            memory.cast::<u8>().add(page).write_volatile(1);
        }
    }
    Ok(())
}
