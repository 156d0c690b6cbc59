//! Level `basic`, through the real launcher.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a panic is the report; what is skipped is said"
)]

use grader_sandbox::{BasicRunner, Runner};

mod boundaries;
mod cleaning;
mod cores;
mod ends;
mod harness;
mod launcher;
mod limits;
mod stage;
mod walls;

fn runner() -> Box<dyn Runner> {
    Box::new(BasicRunner::new(harness::launcher()))
}

/// Whether the runner says that it holds this layer.
pub(crate) fn is_held(layer: &str) -> bool {
    let isolation = harness::runner().isolation();
    isolation.layers.iter().any(|name| name == layer)
}

/// The kernel's version of Landlock; 0 where there is none.
#[expect(unsafe_code, reason = "there is no other way to ask")]
pub(crate) fn landlock() -> u32 {
    const VERSION: u32 = 1;
    // SAFETY: with this flag there is no attribute to read; the result is a number, not a descriptor.
    let version = unsafe {
        let none = std::ptr::null::<libc::c_void>();
        libc::syscall(libc::SYS_landlock_create_ruleset, none, 0_usize, VERSION)
    };
    u32::try_from(version).unwrap_or(0)
}

/// Whether Landlock holds signals back here: since Linux 6.12.
pub(crate) fn keeps_signals() -> bool {
    landlock() >= 6
}

/// Whether a process with this id is alive; zombies are not.
pub(crate) fn is_alive(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap().trim().starts_with('Z'))
}
