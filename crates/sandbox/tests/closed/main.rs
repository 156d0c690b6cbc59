//! Level `basic` with everything that can be had without namespaces, through the real launcher.
#![cfg(target_os = "linux")]
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a panic is the report; what is skipped is said"
)]

use grader_sandbox::{BasicRunner, Runner};

// What holds here as well is told once.
#[path = "../basic/cleaning.rs"]
mod cleaning;
#[path = "../basic/cores.rs"]
mod cores;
#[path = "../basic/ends.rs"]
mod ends;
#[path = "../basic/harness.rs"]
mod harness;
#[path = "../basic/limits.rs"]
mod limits;
#[path = "../basic/stage.rs"]
mod stage;

mod files;

fn runner() -> Box<dyn Runner> {
    Box::new(BasicRunner::closed(harness::launcher()))
}

/// Whether the runner says that it holds this layer.
pub(crate) fn is_held(layer: &str) -> bool {
    let isolation = harness::runner().isolation();
    isolation.layers.iter().any(|name| name == layer)
}

/// Whether a process with this id is alive; zombies are not.
pub(crate) fn is_alive(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap().trim().starts_with('Z'))
}
