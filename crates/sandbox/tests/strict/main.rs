//! Level `strict`, through the real launcher, as the user who runs the tests.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a panic is the report; skipped tests print why"
)]

use grader_sandbox::{Layer, Runner, SandboxError, StrictRunner};

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

mod accounts;
mod escapes;
mod pool;
mod sockets;
mod tree;

/// Layers that these tests do not need.
const WAIVED: [Layer; 2] = [Layer::MemoryCgroup, Layer::CpuClock];

/// All tests are skipped on a host without this level.
#[expect(clippy::exit, reason = "there is no other way to skip from within")]
fn runner() -> Box<dyn Runner> {
    match StrictRunner::start(&harness::launcher(), &WAIVED) {
        Ok(runner) => Box::new(runner),
        Err(SandboxError::Missing(findings)) => {
            eprintln!("skipped: this host does not offer level strict: {findings:#?}");
            std::process::exit(0);
        }
        Err(error) => panic!("{error}"),
    }
}
