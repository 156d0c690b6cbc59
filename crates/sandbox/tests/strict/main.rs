//! Level `strict`, through the real launcher, as whoever runs the tests.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a panic is the report; what is skipped is said"
)]

use grader_sandbox::{Layer, Runner, SandboxError, StrictRunner};

// What holds at both levels is told once.
#[path = "../shared/cores.rs"]
mod cores;
#[path = "../shared/ends.rs"]
mod ends;
#[path = "../shared/harness.rs"]
mod harness;
#[path = "../shared/limits.rs"]
mod limits;
#[path = "../shared/start_gate.rs"]
mod start_gate;

mod accounts;
mod escapes;
mod pool;
mod tree;

/// What these tests do without.
const WAIVED: [Layer; 2] = [Layer::MemoryCgroup, Layer::CpuClock];

/// A host that cannot hold the level skips all of its tests.
#[expect(clippy::exit, reason = "there is no other way to skip from within")]
fn runner() -> Box<dyn Runner> {
    match StrictRunner::start(&harness::launcher(), &WAIVED) {
        Ok(runner) => Box::new(runner),
        Err(SandboxError::Missing(findings)) => {
            eprintln!("skipped: this host does not hold level strict: {findings:#?}");
            std::process::exit(0);
        }
        Err(error) => panic!("{error}"),
    }
}
