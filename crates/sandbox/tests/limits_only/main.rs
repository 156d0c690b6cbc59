//! Level `basic`, through the real launcher.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a panic is the report; skipped tests print why"
)]

use grader_sandbox::{LimitsOnlyRunner, Runner};

// Tests of both levels.
#[path = "../shared/cores.rs"]
mod cores;
#[path = "../shared/ends.rs"]
mod ends;
#[path = "../shared/harness.rs"]
mod harness;
#[path = "../shared/kept.rs"]
mod kept;
#[path = "../shared/limits.rs"]
mod limits;
#[path = "../shared/start_gate.rs"]
mod start_gate;

mod boundaries;
mod cleaning;
mod files;
mod launcher;
mod walls;

fn runner() -> Box<dyn Runner> {
    Box::new(LimitsOnlyRunner::start(&harness::launcher()).unwrap())
}

/// Whether a process with this id is alive; zombies are not. An empty id means that the process was killed before it
/// wrote one.
fn is_alive(pid: &str) -> bool {
    let pid = pid.trim();
    // Without an id, the path would be that of `/proc/stat`.
    !pid.is_empty()
        && std::fs::read_to_string(format!("/proc/{pid}/stat"))
            .is_ok_and(|stat| !stat.rsplit(')').next().unwrap().trim().starts_with('Z'))
}
